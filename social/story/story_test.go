package story_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
	"stoa/store"
)

// news returns the notification of a follower about a changed first story, "" if there is
// none.
func news(id string) string {
	if id == "" {
		return `{"onNotification":{"type":"USER_FOLLOWED_USERS_WITH_STORIES_CHANGED","followedUserId":"{ana}","postId":null}}`
	}
	return `{"onNotification":{"type":"USER_FOLLOWED_USERS_WITH_STORIES_CHANGED","followedUserId":"{ana}","postId":"` + id + `"}}`
}

func stories(ids ...string) string {
	items := make([]string, len(ids))
	for i, id := range ids {
		items[i] = `{"postId":"` + id + `"}`
	}
	return `{"user":{"stories":{"items":[` + strings.Join(items, ",") + `]}}}`
}

// firstStories returns the stored rows, by follower and followed user.
func firstStories(w *World) string {
	var rows []string
	for _, item := range w.Rows()[store.Main.Name] {
		if sk, _ := item["sortKey"].(string); strings.HasSuffix(sk, "/firstStory") {
			rows = append(rows, w.People.Name(fmt.Sprint(item["partitionKey"], " ", sk, " ", item["postId"], " ", item["gsiA2SortKey"])))
		}
	}
	return strings.Join(rows, "\n")
}

// posts 24.24: posts that expire within a day are stories, in the order of their expiry.
func TestStories(t *testing.T) {
	const look = `{ user(userId: "{ana}") { stories { items { postId } } } }`
	given := Users("ana", "ben").Post("ana", "week", Lifetime("P7D")).Post("ana", "day", Lifetime("P1D")).Post("ana", "ever").Post("ana", "hour", Lifetime("PT1H"))
	Run(t, []Scenario{
		{Name: "a day or less, soonest end first", Given: given, As: "ben", Query: look, Want: stories("hour", "day")},
		{Name: "not of an archived post", Given: given.Archive("ana", "hour"), As: "ben", Query: look, Want: stories("day"),
			Then: []Scenario{{As: "ana", Query: `mutation { restoreArchivedPost(postId: "hour") { postId } }`}, {As: "ben", Query: look, Want: stories("hour", "day")}}},
		{Name: "expired posts count until they are deleted", Given: given, Later: 2 * 3600e9, As: "ben", Query: look, Want: stories("hour", "day")},
		{Name: "by the passage of time", Given: given, Later: 6 * 24 * 3600e9, As: "ben", Query: look, Want: stories("hour", "day", "week")},
		{Name: "of a private user", Given: given.Details("ana", `privacyStatus: PRIVATE`), As: "ben", Query: look, Want: `{"user":{"stories":null}}`},
		{Name: "of a blocking user", Given: given.Block("ana", "ben"), As: "ben", Query: look, Want: `{"user":{"stories":null}}`},
		{Name: "of a blocked user", Given: given.Block("ben", "ana"), As: "ben", Query: look, Want: stories("hour", "day")},
		{
			Name:  "a bad size",
			Given: given,
			As:    "ben",
			Query: `{ user(userId: "{ana}") { stories(limit: 0) { nextToken } } }`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100",
		},
		{Name: "users F21 whom others follow",
			Given: given, As: "ben", Query: `{ user(userId: "{ana}") { followedUsersWithStories { nextToken } } }`, Want: `{"user":{"followedUsersWithStories":null}}`},
	})
}

// users F21 and F22, posts 24.24: one entry for each user, ordered by the expiry of their first
// story.
func TestFollowedUsersWithStories(t *testing.T) {
	const look = `{ self { followedUsersWithStories { items { username } } } }`
	shown := func(names ...string) string {
		items := make([]string, len(names))
		for i, name := range names {
			items[i] = `{"username":"` + name + `"}`
		}
		return `{"self":{"followedUsersWithStories":{"items":[` + strings.Join(items, ",") + `]}}}`
	}
	given := Users("ana", "ben", "cleo", "dan").Follow("dan", "ana").Follow("dan", "ben").Follow("dan", "cleo").
		Post("ana", "a1", Lifetime("PT20H")).Post("ben", "b1", Lifetime("PT10H")).Post("ben", "b2", Lifetime("PT11H")).Post("cleo", "c1", Lifetime("P2D"))
	Run(t, []Scenario{
		{Name: "soonest end first", Given: given, As: "dan", Query: look, Want: shown("ben", "ana"), Calls: Calls{Total: 3}},
		{Name: "a sooner story", Given: given.Post("ana", "a2", Lifetime("PT1H")), As: "dan", Query: look, Want: shown("ana", "ben")},
		{Name: "an edited end", Given: given.Expires("ana", "a1", "2026-01-01T13:00:00Z"), As: "dan", Query: look, Want: shown("ana", "ben")},
		{Name: "no end any more", Given: given.Expires("ana", "a1", ""), As: "dan", Query: look, Want: shown("ben")},
		{Name: "by the passage of time", Given: given, Later: 25 * 3600e9, As: "dan", Query: look, Want: shown("ben", "ana", "cleo")},
		{Name: "who is blocked by the user", Given: given.Block("ben", "dan"), As: "dan", Query: look, Want: shown("ana")},
		{Name: "users F21 as users of any list",
			Given: given.Follow("ben", "dan"), As: "dan", Query: `{ self { followedUsersWithStories { items { username followedStatus followerStatus blockerStatus } } } }`,
			Want: `{"self":{"followedUsersWithStories":{"items":[{"username":"ben","followedStatus":"FOLLOWING","followerStatus":"FOLLOWING","blockerStatus":"NOT_BLOCKING"},` +
				`{"username":"ana","followedStatus":"FOLLOWING","followerStatus":"NOT_FOLLOWING","blockerStatus":"NOT_BLOCKING"}]}}}`},
		{Name: "who was denied", Given: given.Deny("ben", "dan"), As: "dan", Query: look, Want: shown("ana")},
	})
}

// users F22 and realtime 4#6,9: followers hear of a new first story, as in the example that
// clients rely on.
func TestFirstStoriesAreTold(t *testing.T) {
	given := Users("ana", "ben").Follow("ben", "ana")
	add := func(id, lifetime string) string {
		return `mutation { addPost(postId: "` + id + `", postType: TEXT_ONLY, text: "x", lifetime: "` + lifetime + `") { expiresAt } }`
	}
	feed := `{"onNotification":{"type":"USER_FEED_CHANGED","followedUserId":null,"postId":null}}`
	Run(t, []Scenario{{
		Name: "A, B before it, B archived, A deleted", Given: given.ListenTo("ben", `type followedUserId postId`), As: "ana", Query: add("A", "P1D"),
		Want: `{"addPost":{"expiresAt":"2026-01-02T12:00:04.000Z"}}`, Hears: Hears{"ben": {feed, news("A")}},
		Then: []Scenario{
			{As: "ana", Query: add("B", "PT1H"), Hears: Hears{"ben": {feed, news("B")}}},
			{As: "ana", Query: add("late", "P2D"), Hears: Hears{"ben": {feed}}},
			{As: "ana", Query: `mutation { editPostExpiresAt(postId: "B", expiresAt: "2026-01-01T12:30:00Z") { postId } }`, Hears: Hears{"ben": {}}},
			{As: "ana", Query: `mutation { deletePost(postId: "late") { postId } }`, Hears: Hears{"ben": {feed}}},
			{As: "ana", Query: `mutation { archivePost(postId: "B") { postId } }`, Hears: Hears{"ben": {feed, news("A")}}},
			{As: "ana", Query: `mutation { deletePost(postId: "A") { postId } }`, Hears: Hears{"ben": {feed, news("")}}},
		},
	}})
}

// users F17: a follow adds the first story of the followed user, and its end removes it.
// realtime 4#6
func TestFollowsTellOfFirstStories(t *testing.T) {
	const feed = `{"onNotification":{"type":"USER_FEED_CHANGED","followedUserId":null,"postId":null}}`
	const follow, leave = `mutation { followUser(userId: "{ana}") { followedStatus } }`, `mutation { unfollowUser(userId: "{ana}") { followedStatus } }`
	heard := func(events ...string) Hears { return Hears{"ben": events} }
	listening := func(g Given) Given { return g.ListenTo("ben", `type followedUserId postId`) }
	Run(t, []Scenario{
		{Name: "one", Given: listening(Users("ana", "ben").Post("ana", "a1", Lifetime("P1D"))), As: "ben", Query: follow, Hears: heard(feed, news("a1")),
			Then: []Scenario{{As: "ben", Query: leave, Hears: heard(feed, news(""))}}},
		{Name: "none", Given: listening(Users("ana", "ben").Post("ana", "a1")), As: "ben", Query: follow, Hears: heard(feed),
			Then: []Scenario{{As: "ben", Query: leave, Hears: heard(feed)}}},
		{Name: "a request", Given: listening(Users("ana!private", "ben").Post("ana", "a1", Lifetime("P1D"))), As: "ben", Query: follow, Hears: heard(feed),
			Then: []Scenario{
				{As: "ana", Query: `mutation { acceptFollowerUser(userId: "{ben}") { followerStatus } }`, Hears: heard(feed, news("a1"))},
				{As: "ana", Query: `mutation { denyFollowerUser(userId: "{ben}") { followerStatus } }`, Hears: heard(feed, news(""))},
			}},
	})
}

// users F17 and F22: the stored rows. posts Q14: only completed posts are first stories.
func TestFirstStoryRows(t *testing.T) {
	const a1 = `user/{ana} follower/{ben}/firstStory a1 2026-01-02T12:00:05.000000Z`
	private := Users("ana!private", "ben").Follow("ben", "ana")
	for name, c := range map[string]struct {
		given Given
		want  string
	}{
		"a follower":           {Users("ana", "ben").Follow("ben", "ana").Post("ana", "a0").Post("ana", "a1", Lifetime("P1D")), a1},
		"follows later":        {Users("ana", "ben").Post("ana", "a0").Post("ana", "a00").Post("ana", "a1", Lifetime("P1D")).Follow("ben", "ana"), a1},
		"asks only":            {private.Post("ana", "a0").Post("ana", "a1", Lifetime("P1D")), ""},
		"is accepted":          {private.Post("ana", "a1", Lifetime("P1D")).Accept("ana", "ben"), a1},
		"is denied after that": {private.Post("ana", "a1", Lifetime("P1D")).Accept("ana", "ben").Deny("ana", "ben"), ""},
		"unfollows":            {Users("ana", "ben").Follow("ben", "ana").Post("ana", "a1", Lifetime("P1D")).Unfollow("ben", "ana"), ""},
		"is blocked":           {Users("ana", "ben").Follow("ben", "ana").Post("ana", "a1", Lifetime("P1D")).Block("ana", "ben"), ""},
		"nobody's":             {Users("ana", "ben").Post("ana", "a1", Lifetime("P1D")), ""},
		"a post ends that waits for its upload": {Users("ana", "ben").Follow("ben", "ana").Does("ana", `mutation { addPost(postId: "a1") { postId } }`).Expires("ana", "a1",
			"2026-01-02T12:00:00Z"), ""},
		"an archived post ends (Q14)": {Users("ana", "ben").Follow("ben", "ana").Post("ana", "a1").Archive("ana", "a1").Expires("ana", "a1", "2026-01-02T12:00:00Z"), ""},
	} {
		Test(t, c.given, func(w *World) {
			if got := firstStories(w); got != c.want {
				w.T.Errorf("%s: rows\n%s\nwant\n%s", name, got, c.want)
			}
		})
	}
}

// posts Q5 and Q6: which times a post can expire at.
func TestEditPostExpiresAt(t *testing.T) {
	edit := func(at string) string {
		return `mutation { editPostExpiresAt(postId: "p1", expiresAt: ` + at + `) { expiresAt } }`
	}
	given := Users("ana", "ben").Album("ana", "al").Post("ana", "p1", Lifetime("P1D"), InAlbum("al"))
	Run(t, []Scenario{
		{Name: "another zone is the same instant (posts Q6)",
			Given: given, As: "ana", Query: edit(`"2026-01-03T01:00:00+02:00"`), Want: `{"editPostExpiresAt":{"expiresAt":"2026-01-02T23:00:00.000Z"}}`,
			Counts: Counts{
				"al.rankCount": 0,
			}, Then: []Scenario{{As: "ben", Query: `{ post(postId: "p1") { expiresAt } }`, Want: `{"post":{"expiresAt":"2026-01-02T23:00:00.000Z"}}`}}},
		{Name: "never", Given: given, As: "ana", Query: edit(`null`), Want: `{"editPostExpiresAt":{"expiresAt":null}}`,
			Then: []Scenario{
				{Job: "social.delete-expired-posts", Later: 48 * 3600e9, As: "ana", Query: `{ post(postId: "p1") { expiresAt } }`, Want: `{"post":{"expiresAt":null}}`},
			}},
		{Name: "the past (posts Q5)",
			Given: given, As: "ana", Query: edit(`"2020-01-01T00:00:00Z"`), Error: "ClientError: Cannot set expiresAt to date time in the past: 2020-01-01T00:00:00.000Z"},
		{
			Name:  "the last year that sorts",
			Given: given,
			As:    "ana",
			Query: edit(`"9999-12-31T23:59:59.999Z"`),
			Want:  `{"editPostExpiresAt":{"expiresAt":"9999-12-31T23:59:59.999Z"}}`,
			Then:  []Scenario{{As: "ana", Query: `{ self { stories { items { postId } } } }`, Want: `{"self":{"stories":{"items":[]}}}`}},
		},
		{Name: "later than dates sort, once in UTC",
			Given: given, As: "ana", Query: edit(`"9999-12-31T23:59:59-07:00"`), Error: "ClientError: Cannot set expiresAt to date time after the year 9999: 10000-01-01T06:59:59.000Z"},
		{Name: "somebody else's comes first", Given: given, As: "ben", Query: edit(`"2020-01-01T00:00:00Z"`), Error: "ClientError: Cannot edit another User's post"},
		{Name: "nothing there", Given: given, As: "ana", Query: `mutation { editPostExpiresAt(postId: "p2") { postId } }`, Error: "ClientError: Post `p2` does not exist"},
		{
			Name:      "archived meanwhile",
			Given:     given,
			Meanwhile: Given{}.Archive("ana", "p1"),
			As:        "ana",
			Query:     edit(`"2026-01-03T01:00:00Z"`),
			Want:      `{"editPostExpiresAt":{"expiresAt":"2026-01-03T01:00:00.000Z"}}`,
			Counts:    Counts{"ana.postCount": -1, "al.postCount": -1, "ana.postArchivedCount": 1},
		},
	})
}

// posts 24.4: the lifetime of a new post, and its keys.
func TestAddPostWithALifetime(t *testing.T) {
	add := func(arguments string) string {
		return `mutation { addPost(postId: "p1", postType: TEXT_ONLY, ` + arguments + `) { postedAt expiresAt } }`
	}
	Run(t, []Scenario{
		{
			Name:  "exactly",
			Given: Users("ana"),
			As:    "ana",
			Query: add(`text: "x", lifetime: "PT0.001S"`),
			Want:  `{"addPost":{"postedAt":"2026-01-01T12:00:02.000Z","expiresAt":"2026-01-01T12:00:02.001Z"}}`,
		},
		{
			Name:  "an empty one is none",
			Given: Users("ana"),
			As:    "ana",
			Query: add(`text: "x", lifetime: ""`),
			Want:  `{"addPost":{"postedAt":"2026-01-01T12:00:02.000Z","expiresAt":null}}`,
		},
		{Name: "unreadable, before the text is missed", Given: Users("ana"), As: "ana", Query: add(`lifetime: "1d"`), Error: "ClientError: Unable to parse lifetime `1d`"},
		{Name: "negative", Given: Users("ana"), As: "ana", Query: add(`lifetime: "-P1D"`), Error: "ClientError: Unable to parse lifetime `-P1D` as duration"},
		{
			Name:  "none at all, after the text is missed",
			Given: Users("ana"),
			As:    "ana",
			Query: add(`lifetime: "P0D"`),
			Error: "ClientError: Cannot add text-only post without text",
		},
		{Name: "none at all, before the album is missed", Given: Users("ana"), As: "ana", Query: add(`text: "x", lifetime: "P0D", albumId: "none"`),
			Error: "ClientError: Refusing to add post `p1` for user `{ana}` with non-positive lifetime"},
	})
	Test(t, Users("ana").Post("ana", "p1", Lifetime("P1D")), func(w *World) {
		for key, want := range map[string]string{
			"expiresAt": "2026-01-02T12:00:02.000000Z", "gsiA1PartitionKey": "post/{ana}", "gsiA1SortKey": "COMPLETED/2026-01-02T12:00:02.000000Z",
			"gsiK1PartitionKey": "post/2026-01-02", "gsiK1SortKey": "12:00:02.000000",
		} {
			if got := w.People.Name(fmt.Sprint(w.Get(store.Main.Name, "post/p1", "-")[key])); got != want {
				w.T.Errorf("%s is %s, want %s", key, got, want)
			}
		}
	})
}

// Expired posts are deleted, whatever their status.
func TestExpiredPostsAreDeleted(t *testing.T) {
	given := Users("ana", "ben").Follow("ben", "ana").Album("ana", "al").
		Post("ana", "soon", Lifetime("PT1H"), InAlbum("al")).Like("ben", "soon").Comment("ben", "soon", "c1").
		Post("ana", "kept", Lifetime("PT1H"), InAlbum("al")).Archive("ana", "kept").Post("ana", "late", Lifetime("PT14H")).Post("ana", "ever")
	const look = `{ self { postCount posts { items { postId } } archived: posts(postStatus: ARCHIVED) { items { postId } } } }`
	shown := func(count int, posts, archived string) string {
		return fmt.Sprintf(`{"self":{"postCount":%d,"posts":{"items":[%s]},"archived":{"items":[%s]}}}`, count, posts, archived)
	}
	const soon, late, ever, kept = `{"postId":"soon"}`, `{"postId":"late"}`, `{"postId":"ever"}`, `{"postId":"kept"}`
	Run(t, []Scenario{
		{Name: "not before", Given: given, Job: "social.delete-expired-posts", As: "ana", Query: look, Want: shown(3, ever+","+late+","+soon, kept)},
		{Name: "on the same day", Given: given, Later: 3700e9, Job: "social.delete-expired-posts", As: "ana", Query: look, Want: shown(2, ever+","+late, ""),
			Then: []Scenario{
				{As: "ben", Query: `{ self { feed { items { postId } } onymouslyLikedPosts { items { postId } } followedUsersWithStories { items { username } } } }`,
					Want: `{"self":{"feed":{"items":[` + ever + "," + late + `]},"onymouslyLikedPosts":{"items":[]},"followedUsersWithStories":{"items":[{"username":"ana"}]}}}`},
				{As: "ana", Query: `{ album(albumId: "al") { postCount posts { items { postId } } } }`, Want: `{"album":{"postCount":0,"posts":{"items":[]}}}`},
			}},
		{Name: "on the next day", Given: given, Later: 15 * 3600e9, Job: "social.delete-expired-posts", As: "ana", Query: look, Want: shown(1, ever, "")},
		{
			Name:  "days later they are missed",
			Given: given,
			Later: 72 * 3600e9,
			Job:   "social.delete-expired-posts",
			As:    "ana",
			Query: look,
			Want:  shown(3, ever+","+late+","+soon, kept),
			Then:  []Scenario{{Job: "social.delete-long-expired-posts", As: "ana", Query: look, Want: shown(1, ever, "")}},
		},
	})
}

// posts 19: the job takes what has expired before it runs, and nothing at its very time.
func TestExpiredPostsAreDeletedStrictlyAfterTheirTime(t *testing.T) {
	midnight := apptest.Dawn.Truncate(24 * time.Hour).Add(24 * time.Hour)
	for _, ends := range []time.Time{apptest.Dawn.Add(time.Hour), midnight, midnight.Add(-time.Microsecond)} {
		Test(t, Users("ana").Post("ana", "p1").Expires("ana", "p1", ends.Format(time.RFC3339Nano)), func(w *World) {
			w.Advance(ends.Sub(w.Now()))
			for _, want := range []string{`{"post":{"postId":"p1"}}`, `{"post":null}`} {
				w.RunJob("social.delete-expired-posts")
				w.Compare("at "+w.Now().String(), w.Must("ana", `{ post(postId: "p1") { postId } }`).Data, want)
				w.Advance(time.Microsecond)
			}
		})
	}
}

// posts 19: an expired post that cannot be deleted keeps no other from it, of the next day neither.
func TestExpiredPostsThatCannotBeDeleted(t *testing.T) {
	midnight := apptest.Dawn.Truncate(24 * time.Hour).Add(24 * time.Hour)
	given := Users("ana")
	for i, ends := range []time.Time{midnight.Add(-time.Minute), midnight.Add(-time.Second), midnight.Add(time.Second)} {
		id := fmt.Sprint("p", i)
		given = given.Post("ana", id).Expires("ana", id, ends.Format(time.RFC3339))
	}
	Test(t, given, func(w *World) {
		w.Advance(midnight.Add(time.Minute).Sub(w.Now()))
		disarm := w.Client.Arm(faultdb.On("TransactWriteItems", 2, faultdb.Internal)) // the first one begins the job
		err := w.Host.Jobs.RunNow(w.T.Context(), "social.delete-expired-posts")
		disarm()
		if err == nil {
			w.T.Error("the job did not fail")
		}
		const look = `{ self { posts { items { postId } } } }`
		w.Compare("after a failure", w.Must("ana", look).Data, `{"self":{"posts":{"items":[{"postId":"p0"}]}}}`)
		w.RunJob("social.delete-expired-posts")
		w.Compare("afterwards", w.Must("ana", look).Data, `{"self":{"posts":{"items":[]}}}`)
	})
}

// The first stories and feed rows of or for a profile are removed with it.
func TestFirstStoriesOfAUserWhoIsGone(t *testing.T) {
	given := Users("ana", "ben", "cleo").Follow("ben", "ana").Follow("ana", "cleo").
		Post("ana", "a1", Lifetime("P1D")).Post("cleo", "c1", Lifetime("P1D")).Post("ben", "b1")
	Test(t, given, func(w *World) {
		if got := strings.Count(firstStories(w), "/firstStory"); got != 2 {
			w.T.Errorf("%d first stories before, want 2", got)
		}
		w.Must("ana", `mutation { deleteUser { userId } }`)
		w.Settle()
		if got := firstStories(w); got != "" {
			w.T.Errorf("first stories %s are left", got)
		}
		for _, item := range w.Rows()[store.Feed.Name] {
			row := w.People.Name(fmt.Sprint(item["postId"], " ", item["feedUserId"]))
			if row != "c1 {cleo}" && row != "b1 {ben}" {
				w.T.Errorf("a place of %s in a feed is left", row)
			}
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}
