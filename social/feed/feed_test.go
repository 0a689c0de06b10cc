package feed_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// table is the name of the feed table in worlds.
const table = "test-feed"

// changed is the notification of a user whose feed has changed.
const changed = `{"onNotification":{"type":"USER_FEED_CHANGED","postId":null}}`

// completed is the additional notification of the owner of p1.
const completed = `{"onNotification":{"type":"POST_COMPLETED","postId":"p1"}}`

// listen subscribes users to changes of their feeds.
func listen(g Given, names ...string) Given {
	for _, name := range names {
		g = g.ListenTo(name, "type postId")
	}
	return g
}

// hear returns the notifications when the feeds of some users change, once each.
func hear(names ...string) Hears {
	hears := Hears{}
	for _, name := range names {
		hears[name] = []string{changed}
	}
	return hears
}

// deliver delivers an event and returns the users whose feeds changed, as notified, once
// for each time.
func deliver(w *World, e outbox.Event) string {
	w.T.Helper()
	w.TakeHeard()
	w.Deliver(e)
	return told(w)
}

// told returns the users who were notified of a change of their feed, once for each time.
func told(w *World) string {
	names := []string{}
	for name, heard := range w.TakeHeard() {
		for _, event := range heard {
			if event == changed {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// feed returns the posts in a user's feed, as they read it.
func feed(w *World, name string) string {
	w.T.Helper()
	pages := w.Pages(name, `{ self { feed(limit: 100%s) { items { postId } nextToken } } }`, "self", "feed")
	return strings.Join(strings.Fields(strings.NewReplacer("[", " ", "]", " ", "},{", " ", "{", "", "}", "", `"postId":`, "", `"`, "").Replace(pages)), " ")
}

func equal[T comparable](w *World, what string, got, want T) {
	w.T.Helper()
	if got != want {
		w.T.Errorf("%s: %v, want %v", what, got, want)
	}
}

func wantNoProblems(w *World) {
	w.T.Helper()
	for _, problem := range w.Problems() {
		w.T.Error(problem)
	}
}

// posts Q9: followers get the post and are notified, unlike users who only requested to follow or
// were denied.
// realtime 4#1,5
func TestACompletedPostReachesOwnerAndFollowers(t *testing.T) {
	const look = `{ self { feed { items { postId } } } }`
	const empty, full = `{"self":{"feed":{"items":[]}}}`, `{"self":{"feed":{"items":[{"postId":"p1"}]}}}`
	everybody := []string{"ana", "follower", "asking", "denied", "stranger"}
	given := listen(Users("ana", "follower", "asking", "denied", "stranger").Follow("follower", "ana").
		Details("ana", "privacyStatus: PRIVATE").Follow("asking", "ana").Follow("denied", "ana").Deny("ana", "denied").
		Follow("ana", "stranger"), everybody...)
	Run(t, []Scenario{
		{Name: "completed", Given: given, As: "ana", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "t") { postId } }`,
			Hears: Hears{"ana": {changed, completed}, "follower": {changed}},
			Then: []Scenario{
				{As: "ana", Query: look, Want: full},
				{As: "follower", Query: look, Want: full},
				{As: "asking", Query: look, Want: empty},
				{As: "denied", Query: look, Want: empty},
				{As: "stranger", Query: look, Want: empty},
				{Name: "not yet", As: "ana", Query: `mutation { addPost(postId: "p2", postType: IMAGE) { postStatus } }`, Want: `{"addPost":{"postStatus":"PENDING"}}`, Hears: Hears{}},
				{As: "ana", Query: look, Want: full},
				{As: "follower", Query: look, Want: full},
			}},
	})
	Test(t, given.Post("ana", "p1"), func(w *World) {
		before := len(w.Rows()[store.Feed.Name])
		equal(w, "told of it again", deliver(w, social.PostStatusChanged{UserID: w.ID("ana"), PostID: "p1", To: social.PostCompleted}), "ana follower")
		equal(w, "places afterwards", len(w.Rows()[store.Feed.Name]), before)
		for name, want := range map[string]string{"ana": "p1", "follower": "p1", "asking": "", "denied": "", "stranger": ""} {
			equal(w, "feed of "+name, feed(w, name), want)
		}
		wantNoProblems(w)
	})
}

// realtime 4#5: a post that is archived or deleted leaves every feed, with one event each.
func TestAPostThatIsGoneLeavesAllFeeds(t *testing.T) {
	const look = `{ self { feed { items { postId } } } }`
	const left = `{"self":{"feed":{"items":[{"postId":"p2"}]}}}`
	given := listen(Users("ana", "ben").Follow("ben", "ana").Post("ana", "p1").Post("ana", "p2"), "ana", "ben")
	Run(t, []Scenario{
		{Name: "deleted", Given: given, As: "ana", Query: `mutation { deletePost(postId: "p1") { postId } }`, Hears: hear("ana", "ben"),
			Then: []Scenario{{As: "ana", Query: look, Want: left}, {As: "ben", Query: look, Want: left}}},
	})
	Test(t, given.DeletePost("ana", "p1"), func(w *World) {
		equal(w, "told of it again", deliver(w, social.PostStatusChanged{UserID: w.ID("ana"), PostID: "p1", From: social.PostCompleted, To: social.PostDeleting}), "")
		equal(w, "feed", feed(w, "ben"), "p2")
	})
}

func TestAnEventThatComesLateBringsAboutThePresent(t *testing.T) {
	Test(t, listen(Users("ana", "ben", "cem").Follow("ben", "ana").Post("ana", "p1").DeletePost("ana", "p1"), "ana", "ben", "cem"), func(w *World) {
		added := social.PostStatusChanged{UserID: w.ID("ana"), PostID: "p1", To: social.PostCompleted}
		removed := social.PostStatusChanged{UserID: w.ID("ana"), PostID: "p1", From: social.PostCompleted, To: social.PostDeleting}
		equal(w, "told of a post that is gone", deliver(w, added), "")
		equal(w, "feed", feed(w, "ben"), "")

		// Another user reuses the id. The old events must neither spread nor remove that
		// post.
		w.Do(Given{}.Follow("ben", "cem").Post("cem", "p1")...)
		for _, late := range []social.PostStatusChanged{added, removed} {
			equal(w, "told", deliver(w, late), "")
			equal(w, "feed of ana", feed(w, "ana"), "")
			equal(w, "feed of ben", feed(w, "ben"), "p1")
		}
		wantNoProblems(w)
	})
}

// users F15, posts 24.23 and realtime 4#5: following adds the posts of a user to the feed,
// and any other status removes them.
func TestFollowingAndLeavingMoveThePosts(t *testing.T) {
	given := listen(Users("ana!private", "ben", "cem").Post("ana", "a1").Post("cem", "c1").Post("ana", "a2").Post("ana", "a3").Archive("ana", "a3").
		Follow("ben", "cem"), "ben")
	const ask, accept, deny, leave = `mutation { followUser(userId: "{ana}") { userId } }`, `mutation { acceptFollowerUser(userId: "{ben}") { userId } }`,
		`mutation { denyFollowerUser(userId: "{ben}") { userId } }`, `mutation { unfollowUser(userId: "{ana}") { userId } }`
	Test(t, given, func(w *World) {
		for _, c := range []struct {
			by, do string
			status social.FollowStatus
			want   string
		}{
			{"ben", ask, social.FollowRequested, "c1"},
			{"ana", accept, social.Following, "a2 c1 a1"},
			{"ana", deny, social.FollowDenied, "c1"},
			{"ana", accept, social.Following, "a2 c1 a1"},
			{"ben", leave, social.NotFollowing, "c1"},
		} {
			w.Play(Scenario{As: c.by, Query: c.do, Hears: hear("ben")})
			equal(w, "feed when "+string(c.status), feed(w, "ben"), c.want)
			equal(w, "told again of "+string(c.status), deliver(w, social.FollowStatusChanged{FollowerUserID: w.ID("ben"), FollowedUserID: w.ID("ana"), To: c.status}), "ben")
			equal(w, "feed when "+string(c.status)+" comes again", feed(w, "ben"), c.want)
		}
		equal(w, "feed of ana", feed(w, "ana"), "a2 a1")
	})
}

func TestEventsOfAFollowMayComeInAnyOrder(t *testing.T) {
	Test(t, Users("ana", "ben").Post("ana", "p1").Follow("ben", "ana").Unfollow("ben", "ana"), func(w *World) {
		follow := social.FollowStatusChanged{FollowerUserID: w.ID("ben"), FollowedUserID: w.ID("ana"), From: social.NotFollowing, To: social.Following}
		leave := social.FollowStatusChanged{FollowerUserID: w.ID("ben"), FollowedUserID: w.ID("ana"), From: social.Following, To: social.NotFollowing}
		w.Deliver(leave)
		w.Deliver(follow)
		equal(w, "feed after leaving", feed(w, "ben"), "")
	})
}

// Another process makes its change with all its effects after this one has read and before
// it writes. No later event corrects the result.
func TestWhatMovesMeanwhileIsMended(t *testing.T) {
	const follow, leave = `mutation { followUser(userId: "{ana}") { userId } }`, `mutation { unfollowUser(userId: "{ana}") { userId } }`
	const add, remove = `mutation { addPost(postId: "p2", postType: TEXT_ONLY, text: "t") { postId } }`, `mutation { deletePost(postId: "p2") { postId } }`
	given := Users("ana", "ben").Post("ana", "p1")
	type act struct{ by, do string }
	for _, c := range []struct {
		name            string
		given           Given
		does, meanwhile act
		want            string
		p2              int // places of that post
	}{
		{"a follow ends while its posts come in", given, act{"ben", follow}, act{"ben", leave}, "", 0},
		{"a follow begins while its posts go", given.Follow("ben", "ana"), act{"ben", leave}, act{"ben", follow}, "p1", 0},
		{"a post goes while it spreads", given.Follow("ben", "ana"), act{"ana", add}, act{"ana", remove}, "p1", 0},
		{"a follower leaves while a post spreads", given.Follow("ben", "ana"), act{"ana", add}, act{"ben", leave}, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			Test(t, c.given, func(w *World) {
				other := w.Beside("other")
				disarm := w.Client.Arm(faultdb.Before("BatchWriteItem", 1, func() { other.Must(c.meanwhile.by, c.meanwhile.do) }).In(table))
				w.Must(c.does.by, c.does.do)
				if !disarm() {
					w.T.Error("nothing happened meanwhile")
				}
				equal(w, "feed", feed(w, "ben"), c.want)
				equal(w, "places of p2", places(w, "p2"), c.p2)
				w.Settle()
				equal(w, "feed in the end", feed(w, "ben"), c.want)
				wantNoProblems(w)
			})
		})
	}
}

// crowd returns a setup with users who follow ana, and their names.
func crowd(g Given, many int) (Given, []string) {
	var names []string
	for i := range many {
		name := fmt.Sprintf("f%03d", i)
		g, names = g.Users(name).Follow(name, "ana"), append(names, name)
	}
	return g, names
}

func TestManyFollowers(t *testing.T) {
	given, names := crowd(Users("ana"), page.Max+3)
	names = append(names, "ana")
	Test(t, listen(given, names...), func(w *World) {
		hears := hear(names...)
		hears["ana"] = []string{changed, completed}
		w.Play(Scenario{
			As: "ana", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "t") { postId } }`, Hears: hears,
			Then: []Scenario{{As: names[page.Max+2], Query: `{ self { feed { items { postId } } } }`, Want: `{"self":{"feed":{"items":[{"postId":"p1"}]}}}`}},
		})
		w.Play(Scenario{
			As: "ana", Query: `mutation { deletePost(postId: "p1") { postId } }`, Hears: hear(names...),
			Then: []Scenario{{As: "f000", Query: `{ self { feed { items { postId } } } }`, Want: `{"self":{"feed":{"items":[]}}}`}},
		})
		equal(w, "places left", len(w.Rows()[store.Feed.Name]), 0)
	})
}

func TestManyPosts(t *testing.T) {
	const many = page.Max + 3
	given := Users("ana", "late")
	for i := range many {
		given = given.Post("ana", fmt.Sprintf("p%03d", i))
	}
	Test(t, given, func(w *World) {
		w.Play(Scenario{As: "late", Query: `mutation { followUser(userId: "{ana}") { userId } }`})
		equal(w, "posts in the feed", len(strings.Fields(feed(w, "late"))), many)
		w.Play(Scenario{As: "late", Query: `mutation { unfollowUser(userId: "{ana}") { userId } }`})
		equal(w, "feed after leaving", feed(w, "late"), "")
	})
}

// Of the effects of a mutation, 500 rows are written when it is answered, and the rest
// follows (service E2): the feed of a user who follows someone with many posts, and of
// one whom they block.
func TestTheTailFollowsTheAnswer(t *testing.T) {
	const many, first = 720, 500
	given := Users("ana", "late")
	for i := range many {
		given = given.Post("ana", fmt.Sprintf("p%03d", i))
	}
	rows := func(w *World) int { return len(w.Rows()[store.Feed.Name]) }
	Test(t, given, func(w *World) {
		for _, c := range []struct {
			by, does string
			change   int
		}{
			{"late", `mutation { followUser(userId: "{ana}") { userId } }`, 1},
			{"ana", `mutation { blockUser(userId: "{late}") { userId } }`, -1},
		} {
			before := rows(w)
			w.Must(c.by, c.does)
			if moved := (rows(w) - before) * c.change; moved < first || moved == many {
				w.T.Errorf("%s: %d rows have moved when it answers, want %d at least and not all %d", c.does, moved, first, many)
			}
			w.Settle()
			equal(w, c.does, (rows(w)-before)*c.change, many)
		}
		wantNoProblems(w)
	})
}

// The removal of the second page fails, and is repeated in the background.
// realtime 3#5
func TestWhoIsToldOnceIsNotToldAgain(t *testing.T) {
	given, names := crowd(Users("ana"), page.Max+5)
	names = append(names, "ana")
	Test(t, listen(given.Post("ana", "p1"), names...), func(w *World) {
		w.TakeHeard()
		const firstPage = page.Max / 25 // rows in a BatchWriteItem
		disarm := w.Client.Arm(faultdb.On("BatchWriteItem", firstPage+1, faultdb.Internal).In(table))
		w.Must("ana", `mutation { deletePost(postId: "p1") { postId } }`)
		if !disarm() {
			w.T.Fatalf("nothing failed: %s", w.Client)
		}
		first := told(w)
		equal(w, "told before it fails", len(strings.Fields(first)), page.Max)
		w.Settle()
		all := strings.Fields(first + " " + told(w))
		slices.Sort(all)
		slices.Sort(names)
		equal(w, "told", strings.Join(all, " "), strings.Join(names, " "))
		equal(w, "places left", len(w.Rows()[store.Feed.Name]), 0)
	})
}

func TestPage(t *testing.T) {
	given := Users("ana", "ben").Follow("ben", "ana").Post("ana", "p0").Post("ana", "p1").Post("ana", "p2")
	Run(t, []Scenario{
		{Name: "the newest first, in one call besides those for the caller and the posts", Given: given, As: "ana", Query: `{ self { feed(limit: 2) { items { postId } } } }`,
			Want: `{"self":{"feed":{"items":[{"postId":"p2"},{"postId":"p1"}]}}}`, Calls: Calls{Total: 4}},
		{Name: "somebody else's, to a follower", Given: given, As: "ben", Query: `{ user(userId: "{ana}") { feed { items { postId } } } }`, Want: `{"user":{"feed":null}}`},
		{Name: "a bad size of somebody else's", Given: given, As: "ben", Query: `{ user(userId: "{ana}") { feed(limit: 0) { items { postId } } } }`, Want: `{"user":{"feed":null}}`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
		{Name: "a bad token", Given: given, As: "ana", Query: `{ self { feed(nextToken: "nonsense") { items { postId } } } }`, Want: `{"self":{"feed":null}}`,
			Error: "ClientError: nextToken is not from this list: leave it out to start from the first page"},
	})
	Test(t, given, func(w *World) {
		got := w.Pages("ana", `{ self { feed(limit: 2%s) { items { postId } nextToken } } }`, "self", "feed")
		equal(w, "pages", got, `[{"postId":"p2"},{"postId":"p1"}] [{"postId":"p0"}]`)
	})
}
