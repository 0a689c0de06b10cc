package view_test

import (
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
	"stoa/store"
)

const viewP1 = `mutation { reportPostViews(postIds: ["p1"]) }`

// ids returns the same post id n times.
func ids(n int) string { return strings.TrimSuffix(strings.Repeat(`"p1",`, n), ",") }

// posts 24.15 and 24.26: a view counts once for each viewer, and only the owner sees who viewed.
func TestReportPostViews(t *testing.T) {
	given := Users("ana", "ben", "cleo").Post("ana", "p1")
	const mine = `{ post(postId: "p1") { viewedByCount viewedBy { items { username } nextToken } viewedStatus } self { postViewedByCount } }`
	Run(t, []Scenario{
		{Name: "a first view counts, for the post and its owner", Given: given, As: "ben", Query: viewP1, Adds: true,
			Want:   `{"reportPostViews":true}`,
			Counts: Counts{"p1.viewedByCount": 1, "ana.postViewedByCount": 1, "p1 view/ben.viewCount": 1, "p1 view/ben.thumbnailViewCount": 1, "p1 view/ben.focusViewCount": 0},
			Events: Events{"post.viewed": 0}, Hears: Hears{},
			Then: []Scenario{
				{As: "ben", Query: mine, Want: `{"post":{"viewedByCount":null,"viewedBy":null,"viewedStatus":"VIEWED"},"self":{"postViewedByCount":0}}`},
				{
					As:    "cleo",
					Query: `{ post(postId: "p1") { viewedStatus } user(userId: "{ana}") { postViewedByCount } }`,
					Want:  `{"post":{"viewedStatus":"NOT_VIEWED"},"user":{"postViewedByCount":null}}`,
				},
				{
					As:    "ana",
					Query: mine,
					Want:  `{"post":{"viewedByCount":1,"viewedBy":{"items":[{"username":"ben"}],"nextToken":null},"viewedStatus":"VIEWED"},"self":{"postViewedByCount":1}}`,
				},
				// Repeating adds views but no viewers.
				{As: "ben", Query: `mutation { reportPostViews(postIds: ["p1", "p1", "p1"], viewType: FOCUS) }`, Adds: true,
					Counts: Counts{"p1.viewedByCount": 0, "p1 view/ben.viewCount": 3, "p1 view/ben.focusViewCount": 3, "p1 view/ben.thumbnailViewCount": 0}},
				{As: "cleo", Query: viewP1, Adds: true, Counts: Counts{"p1.viewedByCount": 1, "ana.postViewedByCount": 1, "p1 view/cleo.viewCount": 1}},
				{
					As:    "ana",
					Query: mine,
					Want:  `{"post":{"viewedByCount":2,"viewedBy":{"items":[{"username":"ben"},{"username":"cleo"}],"nextToken":null},"viewedStatus":"VIEWED"},"self":{"postViewedByCount":2}}`,
				},
			}},
		{Name: "without a type it is a thumbnail", Given: given, As: "ben", Query: `mutation { reportPostViews(postIds: ["p1"], viewType: null) }`, Adds: true,
			Counts: Counts{"p1 view/ben.thumbnailViewCount": 1, "p1 view/ben.focusViewCount": 0}},
		{Name: "duplicates in one call are one viewer", Given: given, As: "ben", Query: `mutation { reportPostViews(postIds: ["p1", "p1"]) }`, Adds: true,
			Counts: Counts{"p1.viewedByCount": 1, "ana.postViewedByCount": 1, "p1 view/ben.viewCount": 2, "p1 view/ben.thumbnailViewCount": 2}},
		{Name: "one's own view is stored, not counted and not listed", Given: given, As: "ana", Query: viewP1, Adds: true,
			Counts: Counts{"p1.viewedByCount": 0, "ana.postViewedByCount": 0, "p1 view/ana.viewCount": 1},
			Then: []Scenario{
				{As: "ana", Query: mine, Want: `{"post":{"viewedByCount":0,"viewedBy":{"items":[],"nextToken":null},"viewedStatus":"VIEWED"},"self":{"postViewedByCount":0}}`},
			}},
		{Name: "by anonymous users", Given: given.Status("ben", "ANONYMOUS"), As: "ben", Query: viewP1, Adds: true,
			Counts: Counts{"p1.viewedByCount": 1, "ana.postViewedByCount": 1},
			Then:   []Scenario{{As: "ana", Query: `{ post(postId: "p1") { viewedBy { items { username } } } }`, Want: `{"post":{"viewedBy":{"items":[{"username":"ben"}]}}}`}}},
		{Name: "by disabled users", Given: given.Status("ben", "DISABLED"), As: "ben", Query: viewP1, Error: "ClientError: User `{ben}` is not ACTIVE or ANONYMOUS"},
		{Name: "access is not asked", Given: Users("ana!private", "ben").Post("ana", "p1").Block("ana", "ben"), As: "ben", Query: viewP1, Adds: true,
			Want: `{"reportPostViews":true}`, Counts: Counts{"p1.viewedByCount": 1, "ana.postViewedByCount": 1},
			Then: []Scenario{
				{
					As:    "ana",
					Query: `{ post(postId: "p1") { viewedByCount viewedBy { items { username } } } }`,
					Want:  `{"post":{"viewedByCount":1,"viewedBy":{"items":[{"username":"ben"}]}}}`,
				},
			}},
		{Name: "nothing that could be viewed", Given: given.Archive("ana", "p1"), As: "ben", Query: `mutation { reportPostViews(postIds: ["p1", "none", "no/id", ""]) }`,
			Want: `{"reportPostViews":true}`, Counts: Counts{}, Events: Events{}},
		{Name: "no ids", Given: given, As: "ben", Query: `mutation { reportPostViews(postIds: []) }`, Error: "ClientError: A minimum of 1 post id must be reported"},
		{
			Name:   "100 ids",
			Given:  given,
			As:     "ben",
			Query:  `mutation { reportPostViews(postIds: [` + ids(100) + `]) }`,
			Adds:   true,
			Counts: Counts{"p1 view/ben.viewCount": 100, "p1.viewedByCount": 1},
		},
		{Name: "more than 100 ids, the same or not", Given: given, As: "ben", Query: `mutation { reportPostViews(postIds: [` + ids(101) + `]) }`,
			Error: "ClientError: A max of 100 post ids may be reported at a time"},
		{
			Name:      "archived meanwhile",
			Given:     given,
			As:        "ben",
			Query:     viewP1,
			Meanwhile: Given{}.Archive("ana", "p1"),
			Want:      `{"reportPostViews":true}`,
			Counts:    Counts{"p1.viewedByCount": 0, "ana.postViewedByCount": 0},
		},
		{Name: "with a bad size", Given: given, As: "ana", Query: `{ post(postId: "p1") { viewedBy(limit: 0) { nextToken } } }`, Want: `{"post":{"viewedBy":null}}`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
	})
}

// Hidden counts are hidden from everyone, including the owner, and are still counted.
func TestViewCountsHidden(t *testing.T) {
	Run(t, []Scenario{{
		Name: "hidden", Given: Users("ana", "ben").Post("ana", "p1").Details("ana", `viewCountsHidden: true`), As: "ben", Query: viewP1, Adds: true,
		Counts: Counts{"p1.viewedByCount": 1, "ana.postViewedByCount": 1},
		Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { viewedByCount viewedBy { items { username } } } self { postViewedByCount } }`,
			Want: `{"post":{"viewedByCount":null,"viewedBy":null},"self":{"postViewedByCount":null}}`}},
	}})
}

// Posts of the user whom everybody follows count as viewed, except for filters of lists.
// posts Q3: everybody has viewed the posts of the user of followed-by-all, except for filters.
func TestPostsOfTheHubAreViewed(t *testing.T) {
	RunStaffed(t, []Scenario{{
		Name: "viewed", Given: Users("hub", "ben").Post("hub", "p1"), As: "ben",
		Query: `{ post(postId: "p1") { viewedStatus } user(userId: "{hub}") { posts { items(viewedStatus: VIEWED) { postId } } } }`,
		Want:  `{"post":{"viewedStatus":"VIEWED"},"user":{"posts":{"items":[]}}}`,
		Then: []Scenario{
			{As: "ben", Query: viewP1, Adds: true, Counts: Counts{"p1.viewedByCount": 1, "hub.postViewedByCount": 1}},
			{As: "ben", Query: `{ user(userId: "{hub}") { posts { items(viewedStatus: VIEWED) { postId } } } }`, Want: `{"user":{"posts":{"items":[{"postId":"p1"}]}}}`},
		},
	}})
}

// Owners who view their post have viewed the comments on it.
// chats 1.8#5-6, 5.3#15 and realtime 5#3
func TestOwnersViewComments(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1").Post("ana", "p2").Comment("ben", "p1", "c1").Comment("ben", "p1", "c2").Comment("ben", "p2", "c3")
	const counts = `{ self { postsWithUnviewedComments { items { postId } } } ` +
		`post(postId: "p1") { hasNewCommentActivity new: commentsCount(viewedStatus: NOT_VIEWED) old: commentsCount(viewedStatus: VIEWED) comments { items { viewedStatus } } } }`
	Run(t, []Scenario{
		{Name: "by any type of view", Given: given.ListenToCards("ana"), As: "ana", Query: `mutation { reportPostViews(postIds: ["p1"], viewType: FOCUS) }`, Adds: true,
			Counts: Counts{"p1.commentsUnviewedCount": -2, "ana.cardCount": -1},
			Hears:  Hears{"ana": {`{"onCardNotification":{"type":"DELETED","card":{"cardId":"{ana}:COMMENT_ACTIVITY:p1","title":"You have 2 new comments"}}}`}},
			Then: []Scenario{
				{
					As:    "ana",
					Query: counts,
					Want: `{"self":{"postsWithUnviewedComments":{"items":[{"postId":"p2"}]}},` +
						`"post":{"hasNewCommentActivity":false,"new":0,"old":2,"comments":{"items":[{"viewedStatus":"VIEWED"},{"viewedStatus":"VIEWED"}]}}}`,
				},
				// Deleting a viewed comment does not change the unviewed count.
				{
					As:     "ben",
					Query:  `mutation { deleteComment(commentId: "c1") { commentId } }`,
					Counts: Counts{"p1.commentCount": -1, "p1.commentsUnviewedCount": 0, "ben.commentCount": -1, "ben.commentDeletedCount": 1},
				},
				{
					As:     "ben",
					Query:  `mutation { addComment(commentId: "c4", postId: "p1", text: "x") { commentId } }`,
					Counts: Counts{"p1.commentCount": 1, "p1.commentsUnviewedCount": 1, "ben.commentCount": 1},
				},
			}},
		{
			Name:   "others change nothing",
			Given:  given,
			As:     "ben",
			Query:  viewP1,
			Adds:   true,
			Counts: Counts{"p1.commentsUnviewedCount": 0, "p1.viewedByCount": 1, "ana.postViewedByCount": 1},
			Then: []Scenario{
				{
					As:    "ana",
					Query: counts,
					Want: `{"self":{"postsWithUnviewedComments":{"items":[{"postId":"p2"},{"postId":"p1"}]}},` +
						`"post":{"hasNewCommentActivity":true,"new":2,"old":0,"comments":{"items":[{"viewedStatus":"NOT_VIEWED"},{"viewedStatus":"NOT_VIEWED"}]}}}`,
				},
			},
		},
		{Name: "a comment that comes meanwhile is viewed too", Given: given, As: "ana", Query: viewP1, Adds: true, Meanwhile: Given{}.Comment("ben", "p1", "late"),
			Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { new: commentsCount(viewedStatus: NOT_VIEWED) comments { items { viewedStatus } } } }`,
				Want: `{"post":{"new":0,"comments":{"items":[{"viewedStatus":"VIEWED"},{"viewedStatus":"VIEWED"},{"viewedStatus":"VIEWED"}]}}}`}}},
	})
}

// A view removes the viewer's cards that refer to the post, and no others.
// chats 5.2#7
func TestViewsRemoveCards(t *testing.T) {
	given := Users("ana", "ben", "cleo").Post("ana", "p1").Post("ana", "p2").Comment("ana", "p1", "c1", "hi @ben @cleo").Comment("ana", "p2", "c2", "hi @ben")
	Run(t, []Scenario{{
		Name: "the viewer's", Given: given, As: "ben", Query: viewP1, Adds: true, Counts: Counts{"ben.cardCount": -1},
		Then: []Scenario{
			{
				As:    "ben",
				Query: `{ self { cards { items { cardId } } } }`,
				Want:  `{"self":{"cards":{"items":[{"cardId":"{ben}:COMMENT_MENTION:c2"},{"cardId":"{ben}:ADD_PROFILE_PHOTO"}]}}}`,
			},
			{As: "cleo", Query: `{ self { cardCount } }`, Want: `{"self":{"cardCount":2}}`},
		},
	}})
}

// viewers returns users who have viewed ana's post.
func viewers(n int) Given { return Viewed(n, "ana", "zoe") }

// The sixth viewer creates a card, once.
// chats 5.3#7,20
func TestPostViewsCard(t *testing.T) {
	told := `{"onCardNotification":{"type":"ADDED","card":{"cardId":"{ana}:POST_VIEWS:p1","title":"You have new views"}}}`
	Run(t, []Scenario{
		{
			Name:   "five are few",
			Given:  viewers(4).ListenToCards("ana"),
			As:     "zoe",
			Query:  viewP1,
			Adds:   true,
			Counts: Counts{"p1.viewedByCount": 1, "ana.postViewedByCount": 1, "ana.cardCount": 0},
			Hears:  Hears{},
		},
		{Name: "six are many", Given: viewers(5).ListenToCards("ana"), As: "zoe", Query: viewP1, Adds: true,
			Counts: Counts{"p1.viewedByCount": 1, "ana.postViewedByCount": 1, "ana.cardCount": 1}, Hears: Hears{"ana": {told}},
			Then: []Scenario{
				{As: "ana", Query: `{ self { cards { items { cardId title subTitle action } } } }`,
					Want: `{"self":{"cards":{"items":[{"cardId":"{ana}:POST_VIEWS:p1","title":"You have new views","subTitle":null,"action":"https://app.example/user/{ana}/post/p1/views"},` +
						`{"cardId":"{ana}:ADD_PROFILE_PHOTO","title":"Add a profile photo","subTitle":null,"action":"https://app.example/user/{ana}/settings/photo"}]}}}`},
				{As: "zoe", Query: viewP1, Adds: true, Counts: Counts{"ana.cardCount": 0}},
				{As: "ana", Query: viewP1, Adds: true, Counts: Counts{"ana.cardCount": -1}},
			}},
		{Name: "a seventh is no news", Given: viewers(6).DismissCard("ana", "POST_VIEWS:p1").ListenToCards("ana"), As: "zoe", Query: viewP1, Adds: true,
			Counts: Counts{"p1.viewedByCount": 1, "ana.postViewedByCount": 1, "ana.cardCount": 0}, Hears: Hears{}},
		{
			Name:   "the owner is not one of six",
			Given:  viewers(5).ListenToCards("ana"),
			As:     "ana",
			Query:  viewP1,
			Adds:   true,
			Counts: Counts{"p1.viewedByCount": 0, "ana.cardCount": 0},
			Hears:  Hears{},
		},
		{Name: "the sixth comes meanwhile", Given: viewers(4).And(Users("yan")...), As: "zoe", Query: viewP1, Adds: true, Meanwhile: Given{}.ViewPost("yan", "p1"),
			Counts: Counts{"p1.viewedByCount": 2, "ana.postViewedByCount": 2, "ana.cardCount": 1}},
	})
}

// repost makes a post a copy of another without the API, in which only images have
// originals.
func repost(id, original string) apptest.Step {
	return Change("post/"+id, "-", map[string]any{"originalPostId": original})
}

// A view of a copy is also a view of its original. posts 24.26
// chats 5.2#7
func TestViewsOfCopies(t *testing.T) {
	given := Users("ana", "ben", "cleo").Post("ana", "p1").Post("ben", "p2").And(repost("p2", "p1"))
	const view = `mutation { reportPostViews(postIds: ["p2", "p2"], viewType: FOCUS) }`
	Run(t, []Scenario{
		{Name: "both count", Given: given, As: "cleo", Query: view, Adds: true, Counts: Counts{
			"p1.viewedByCount": 1, "ana.postViewedByCount": 1, "p1 view/cleo.viewCount": 2, "p1 view/cleo.focusViewCount": 2,
			"p2.viewedByCount": 1, "ben.postViewedByCount": 1, "p2 view/cleo.viewCount": 2, "p2 view/cleo.focusViewCount": 2,
		}},
		// Posts are recorded one after the other: failures in between are not part of this
		// scenario.
		{Name: "reported with the original", Given: given, As: "cleo", Query: `{ self { username } }`, Then: []Scenario{
			{As: "cleo", Query: `mutation { reportPostViews(postIds: ["p1", "p2"]) }`, Adds: true,
				Counts: Counts{
					"p1.viewedByCount":       1,
					"ana.postViewedByCount":  1,
					"p1 view/cleo.viewCount": 2,
					"p2.viewedByCount":       1,
					"ben.postViewedByCount":  1,
					"p2 view/cleo.viewCount": 1,
				}},
		}},
		{Name: "by the owner of the original", Given: given, As: "ana", Query: view, Adds: true,
			Counts: Counts{"p2.viewedByCount": 1, "ben.postViewedByCount": 1, "p1 view/ana.viewCount": 2, "p2 view/ana.viewCount": 2}},
		{Name: "by the owner of the copy", Given: given, As: "ben", Query: view, Adds: true,
			Counts: Counts{"p1.viewedByCount": 1, "ana.postViewedByCount": 1, "p1 view/ben.viewCount": 2, "p2 view/ben.viewCount": 2}},
		{Name: "while the original is archived", Given: given.Archive("ana", "p1"), As: "cleo", Query: view, Adds: true,
			Counts: Counts{"p2.viewedByCount": 1, "ben.postViewedByCount": 1, "p2 view/cleo.viewCount": 2}},
		{Name: "while the copy is archived", Given: given.Archive("ben", "p2"), As: "cleo", Query: view, Counts: Counts{}},
	})
}

// The views of a deleted post are removed, and the total of its owner is unchanged.
func TestDeletedPostsLoseViews(t *testing.T) {
	Run(t, []Scenario{
		{
			Name:   "deleted",
			Given:  Users("ana", "ben", "cleo").Post("ana", "p1").ViewPost("ben", "p1").ViewPost("cleo", "p1"),
			As:     "ana",
			Query:  `mutation { deletePost(postId: "p1") { postId } }`,
			Counts: Counts{"ana.postViewedByCount": 0},
			Then: []Scenario{
				{As: "ana", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "again") { viewedByCount viewedBy { items { username } } } }`,
					Want: `{"addPost":{"viewedByCount":0,"viewedBy":{"items":[]}}}`},
			},
		},
		{
			Name:   "archived",
			Given:  Users("ana", "ben").Post("ana", "p1").ViewPost("ben", "p1"),
			As:     "ana",
			Query:  `mutation { archivePost(postId: "p1") { viewedByCount viewedBy { items { username } } } }`,
			Want:   `{"archivePost":{"viewedByCount":1,"viewedBy":{"items":[{"username":"ben"}]}}}`,
			Counts: Counts{"p1.viewedByCount": 0, "ana.postViewedByCount": 0},
		},
	})
}

// Views are dated by the clock, and users store the time of their last view.
func TestViewTimes(t *testing.T) {
	Test(t, Users("ana", "ben").Post("ana", "p1").Post("ana", "p2"), func(w *World) {
		last := func() (any, any) {
			u := w.Get(store.Main.Name, "user/"+string(w.ID("ben")), "profile")
			return u["lastPostViewAt"], u["lastPostFocusViewAt"]
		}
		view := func() map[string]any { return w.Get(store.Main.Name, "post/p1", "view/"+string(w.ID("ben"))) }
		w.Must("ben", viewP1)
		first := view()
		at, focus := last()
		if first["firstViewedAt"] != first["lastViewedAt"] || at != first["lastViewedAt"] || focus != nil {
			w.T.Errorf("viewed at %v, %v and %v", first, at, focus)
		}
		w.Advance(time.Minute)
		w.Must("ben", `mutation { reportPostViews(postIds: ["p2", "p1"], viewType: FOCUS) }`)
		then := view()
		at, focus = last()
		if then["firstViewedAt"] != first["firstViewedAt"] || then["lastViewedAt"] == first["lastViewedAt"] || at != then["lastViewedAt"] || focus != at {
			w.T.Errorf("viewed again at %v, %v and %v", then, at, focus)
		}
		w.Advance(time.Minute)
		w.Must("ben", `mutation { reportPostViews(postIds: ["none"]) }`)
		if now, _ := last(); now != at {
			w.T.Errorf("a view of nothing moved the last one from %v to %v", at, now)
		}
	})
}

func TestViewersArePaged(t *testing.T) {
	Test(t, Users("ana", "ben", "cleo", "dan").Post("ana", "p1").ViewPost("ben", "p1").ViewPost("ana", "p1").ViewPost("cleo", "p1").Block("cleo", "ana"), func(w *World) {
		// The limit applies before owners and users who block the viewer are filtered out.
		got := w.Pages("ana", `{ post(postId: "p1") { viewedBy(limit: 1%s) { items { username } nextToken } } }`, "post", "viewedBy")
		if want := `[{"username":"ben"}] [] []`; got != want {
			w.T.Errorf("pages %s, want %s", got, want)
		}
	})
}
