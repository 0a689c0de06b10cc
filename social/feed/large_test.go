package feed_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/app"
	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/page"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// limit is the number of followers from which accounts are large here.
const limit = 3

var withLarge = With(func(o *app.Options) { o.FanOutLimit = limit })

// testLarge is Test with that limit.
func testLarge(t *testing.T, given Given, f func(w *World)) {
	t.Helper()
	apptest.Test(t, withLarge, func(w *World) {
		w.Do(given...)
		f(w)
	}, Options()...)
}

// large returns a setup in which ana is large, with the followers fan0, fan1 and fan2.
func large() Given {
	return Users("ana", "ben", "fan0", "fan1", "fan2").Post("ana", "a0").Follow("fan0", "ana").Follow("fan1", "ana").Follow("fan2", "ana")
}

// deliveryOf returns the state of the delivery of a user's posts.
func deliveryOf(w *World, name string) social.Delivery {
	w.T.Helper()
	u, err := store.Open(w.DB).Users.Profile(w.T.Context(), w.ID(name))
	if err != nil || u == nil {
		w.T.Fatal(u, err)
	}
	return u.Delivery
}

func TestPostsOfLargeAccountsAreNotCopied(t *testing.T) {
	testLarge(t, listen(large(), "ana", "ben", "fan0", "fan1", "fan2"), func(w *World) {
		equal(w, "delivery", deliveryOf(w, "ana"), 2)
		w.Play(Scenario{As: "ana", Query: `mutation { addPost(postId: "a1", postType: TEXT_ONLY, text: "t") { postId } }`,
			Hears: Hears{"ana": {changed, `{"onNotification":{"type":"POST_COMPLETED","postId":"a1"}}`}, "fan0": {changed}, "fan1": {changed}, "fan2": {changed}}})
		equal(w, "places of a1", places(w, "a1"), 1)
		w.Must("ben", `mutation { addPost(postId: "b1", postType: TEXT_ONLY, text: "t") { postId } }`)
		w.Must("fan0", `mutation { followUser(userId: "{ben}") { userId } }`)
		for name, want := range map[string]string{"ana": "a1 a0", "ben": "b1", "fan0": "b1 a1 a0", "fan1": "a1 a0"} {
			equal(w, "feed of "+name, feed(w, name), want)
		}
		w.TakeHeard()

		// Whoever follows now reads the posts, and no longer does after unfollowing.
		w.Play(Scenario{As: "ben", Query: `mutation { followUser(userId: "{ana}") { userId } }`, Hears: hear("ben")})
		equal(w, "feed of a new follower", feed(w, "ben"), "b1 a1 a0")
		equal(w, "places of a1", places(w, "a1"), 1)
		w.Play(Scenario{As: "ben", Query: `mutation { unfollowUser(userId: "{ana}") { userId } }`, Hears: hear("ben")})
		equal(w, "feed of a former follower", feed(w, "ben"), "b1")
		w.Play(Scenario{As: "ana", Query: `mutation { denyFollowerUser(userId: "{fan2}") { userId } }`, Hears: hear("fan2")})
		equal(w, "feed of a denied follower", feed(w, "fan2"), "")
		w.Play(Scenario{As: "ana", Query: `mutation { acceptFollowerUser(userId: "{fan2}") { userId } }`, Hears: hear("fan2")})
		equal(w, "feed of an accepted follower", feed(w, "fan2"), "a1 a0")
		w.Must("fan1", `mutation { blockUser(userId: "{ana}") { userId } }`)
		equal(w, "feed after a block", feed(w, "fan1"), "")
		w.TakeHeard()

		// A post that was copied before leaves all feeds, like one that was not, and comes back.
		for _, id := range []string{"a0", "a1"} {
			w.Play(Scenario{As: "ana", Query: fmt.Sprintf(`mutation { archivePost(postId: %q) { postId } }`, id), Hears: hear("ana", "fan0", "fan2")})
			equal(w, "places of "+id, places(w, social.PostID(id)), 0)
		}
		equal(w, "feed of fan0", feed(w, "fan0"), "b1")
		for _, id := range []string{"a0", "a1"} {
			w.Play(Scenario{As: "ana", Query: fmt.Sprintf(`mutation { restoreArchivedPost(postId: %q) { postId } }`, id), Hears: hear("ana", "fan0", "fan2")})
		}
		equal(w, "feed of fan0", feed(w, "fan0"), "b1 a1 a0")
		w.Play(Scenario{As: "ana", Query: `mutation { deletePost(postId: "a1") { postId } }`, Hears: hear("ana", "fan0", "fan2")})
		equal(w, "told of it again", deliver(w, social.PostStatusChanged{UserID: w.ID("ana"), PostID: "a1", From: social.PostCompleted, To: social.PostDeleting}), "")
		equal(w, "feed of fan0", feed(w, "fan0"), "b1 a0")
		wantNoProblems(w)
	})
}

// An account becomes large with its third follower and small again when one is left. Nobody
// sees or hears anything of it, also if it happens again, or a step fails.
func TestCrossingTheLimit(t *testing.T) {
	for n := range 12 {
		testLarge(t, Users("ana", "fan0", "fan1", "fan2").Post("ana", "a0").Post("ana", "a1").Follow("fan0", "ana"), func(w *World) {
			act := func(name, mutation string) {
				w.T.Helper()
				if n > 0 {
					disarm := w.Client.Arm(faultdb.On("", n, faultdb.Internal))
					defer disarm()
				}
				if a := w.Ask(name, mutation); len(a.Errors) > 0 {
					w.Must(name, mutation)
				}
			}
			posts := "a1 a0"
			for round := range social.Delivery(3) {
				for _, name := range []string{"fan1", "fan2"} {
					act(name, `mutation { followUser(userId: "{ana}") { userId } }`)
				}
				w.Settle()
				equal(w, "delivery", deliveryOf(w, "ana"), 4*round+2)
				id := fmt.Sprint("b", round)
				act("ana", fmt.Sprintf(`mutation { addPost(postId: %q, postType: TEXT_ONLY, text: "t") { postId } }`, id))
				w.Settle()
				equal(w, "places", places(w, social.PostID(id)), 1)
				posts = id + " " + posts
				for _, name := range []string{"fan0", "fan1", "fan2"} {
					equal(w, "feed of "+name, feed(w, name), posts)
				}
				for _, name := range []string{"fan1", "fan2"} {
					act(name, `mutation { unfollowUser(userId: "{ana}") { userId } }`)
				}
				w.Settle()
				equal(w, "delivery", deliveryOf(w, "ana"), 4*round+4)
				equal(w, "places", places(w, social.PostID(id)), 2)
				equal(w, "feed of fan0", feed(w, "fan0"), posts)
				equal(w, "feed of fan1", feed(w, "fan1"), "")
				wantNoProblems(w)
			}
		})
	}
}

// A user without posts becomes a large account while somebody begins to follow them.
func TestFollowOfAGrowingAccount(t *testing.T) {
	given := Users("ana", "ben", "fan0", "fan1", "fan2").Follow("fan0", "ana")
	apptest.Run(t, withLarge, []Scenario{{
		Name: "with the last follower that it takes", Given: given, Meanwhile: Given{}.Follow("fan1", "ana").Follow("fan2", "ana"),
		As: "ben", Query: `mutation { followUser(userId: "{ana}") { followersCount } }`, Want: `{"followUser":{"followersCount":4}}`,
		Then: []Scenario{{As: "ana", Query: `mutation { addPost(postId: "a0", postType: TEXT_ONLY, text: "t") { postId } }`, Then: []Scenario{
			{As: "ben", Query: `{ self { feed { items { postId } } } }`, Want: `{"self":{"feed":{"items":[{"postId":"a0"}]}}}`},
		}}},
	}}, Options()...)
}

// Subscriptions that have heard of another large account, and keep in memory whom their users
// follow, hear of one that has become large since.
func TestSubscribersOfANewLargeAccount(t *testing.T) {
	fans := []string{"fan0", "fan1", "fan2"}
	given := Users("ana", "ben", "fan0", "fan1", "fan2")
	for _, fan := range fans {
		given = given.Follow(fan, "ben")
	}
	testLarge(t, listen(given, append(fans, "ana")...), func(w *World) {
		post := func(owner, id string, hears ...string) {
			w.T.Helper()
			w.TakeHeard()
			w.Must(owner, fmt.Sprintf(`mutation { addPost(postId: %q, postType: TEXT_ONLY, text: "t") { postId } }`, id))
			w.Settle()
			equal(w, "told of "+id, told(w), strings.Join(hears, " "))
		}
		post("ben", "b0", fans...)
		for i, fan := range fans {
			w.Must(fan, `mutation { followUser(userId: "{ana}") { userId } }`)
			if i < limit-1 {
				post("ben", fmt.Sprint("b", i+1), fans...)
			}
		}
		equal(w, "delivery of ana", deliveryOf(w, "ana"), 2)
		post("ana", "a0", append([]string{"ana"}, fans...)...)
		w.Must("fan1", `mutation { unfollowUser(userId: "{ana}") { userId } }`)
		post("ana", "a1", "ana", "fan0", "fan2")
	})
}

// A post of an account with many followers makes as many calls as one of an account with few.
func TestCallsDoNotDependOnFollowers(t *testing.T) {
	calls := func(followers int) (n int) {
		given, _ := crowd(Users("ana"), followers)
		testLarge(t, given, func(w *World) {
			w.Client.Reset()
			w.Must("ana", `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "t") { postId } }`)
			w.Settle()
			n = w.Client.Total()
		})
		return n
	}
	few := calls(limit)
	for _, followers := range []int{limit + 1, 120} {
		if many := calls(followers); many != few {
			t.Errorf("%d calls for %d followers, %d for %d", many, followers, few, limit)
		}
	}
}

// Feeds without large accounts are read as before. Those with some take one more call, in no
// more round trips, once the posts are in memory.
func TestCallsOfAPage(t *testing.T) {
	const look = `{ self { feed { items { postId } } } }`
	apptest.Metered(t, withLarge, func(w *World) {
		w.Do(large().Follow("ana", "ben").Post("ben", "b0").Follow("fan0", "ben").Post("ana", "a1")...)
		few, _, _ := w.Measure("ana", look)
		w.Must("fan0", look)
		w.Advance(10 * time.Second)
		w.Must("fan0", look)
		some, _, _ := w.Measure("fan0", look)
		if some.Calls != few.Calls+1 || some.Trips != few.Trips || few.Trips > 4 {
			w.T.Errorf("%+v with a large account, %+v without", some, few)
		}
		w.Must("ana", `mutation { addPost(postId: "a2", postType: TEXT_ONLY, text: "t") { postId } }`)
		equal(w, "feed with a new post", feed(w, "fan0"), "a2 a1 b0 a0")
	}, Options()...)
}

// Pages have the posts and tokens that they would have if all posts were copied, whatever their
// size, also at times that posts share and beyond the posts that are kept in memory.
func TestPagesAreThoseOfCopies(t *testing.T) {
	const many = page.Max + 30
	given := Users("ana", "ben", "fan0", "fan1", "fan2").Follow("fan0", "ana").Follow("fan1", "ana").Follow("fan2", "ana").Follow("fan0", "ben")
	apptest.Test(t, withLarge, func(w *World) {
		w.Do(given...)
		s := store.Open(w.DB)
		fill := s.NewFill()
		start := w.Now()
		for i := range many {
			at := start.Add(time.Duration(i) * time.Minute)
			post := func(id, owner string, feeds ...social.UserID) {
				fill.Post(social.Post{PostID: social.PostID(id), PostedByUserID: w.ID(owner), PostedAt: at, Type: social.TextOnly, Status: social.PostCompleted, Text: "t"}, feeds)
			}
			post(fmt.Sprintf("p%03da", i), "ana", w.ID("ana"))
			if i%7 == 0 {
				post(fmt.Sprintf("p%03d", i), "ben", w.ID("ben"), w.ID("fan0"))
				post(fmt.Sprintf("p%03db", i), "fan0", w.ID("fan0"))
			}
		}
		if err := fill.Run(w.T.Context()); err != nil {
			w.T.Fatal(err)
		}
		read := func(limit int) string {
			return w.Pages("fan0", fmt.Sprintf(`{ self { feed(limit: %d%%s) { items { postId } nextToken } } }`, limit), "self", "feed")
		}
		limits := []int{1, 3, 10, 40, 100}
		var got []string
		for _, limit := range limits {
			got = append(got, read(limit))
		}
		if n := strings.Count(got[0], "postId"); n != many+2*((many+6)/7) {
			w.T.Errorf("%d posts", n)
		}
		// Now all posts are copied, beside being read.
		var items []social.FeedItem
		for i := range many {
			items = append(items, social.FeedItem{
				PostID: social.PostID(fmt.Sprintf("p%03da", i)), FeedUserID: w.ID("fan0"), PostedByUserID: w.ID("ana"), PostedAt: start.Add(time.Duration(i) * time.Minute),
			})
		}
		for some := range slices.Chunk(items, 25) {
			if err := s.Feeds.Put(w.T.Context(), some); err != nil {
				w.T.Fatal(err)
			}
		}
		for i, limit := range limits {
			equal(w, fmt.Sprint("pages of ", limit), read(limit), got[i])
		}
	}, Options()...)
}
