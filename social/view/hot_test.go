package view_test

import (
	"fmt"
	"testing"

	"stoa/app"
	"stoa/internal/apptest"
	"stoa/internal/host"
	"stoa/internal/kit/faultdb"
	"stoa/social"
	. "stoa/social/socialtest"
)

// hot is the system in which first views of a post are always gathered.
var hot = With(func(o *app.Options) { o.HotFrom = 1 })

// Gathered views have the effects of others, whatever call of the store fails.
func TestViewsOfHotPosts(t *testing.T) {
	given := Users("ana", "ben", "cleo").Post("ana", "p1")
	apptest.Run(t, hot, []Scenario{
		{
			Name: "the first", Given: given, As: "ben", Query: viewP1, Adds: true,
			Counts: Counts{"p1.viewedByCount": 1, "ana.postViewedByCount": 1, "p1 view/ben.viewCount": 1, "p1 view/ben.thumbnailViewCount": 1},
			Then: []Scenario{
				{As: "ben", Query: `{ post(postId: "p1") { viewedStatus } }`, Want: `{"post":{"viewedStatus":"VIEWED"}}`},
				{As: "ben", Query: viewP1, Adds: true, Counts: Counts{"p1.viewedByCount": 0, "ana.postViewedByCount": 0, "p1 view/ben.viewCount": 1}},
			},
		},
		{
			Name: "several times, alone", Given: given, As: "ben", Query: `mutation { reportPostViews(postIds: ["p1", "p1", "p1"], viewType: FOCUS) }`, Adds: true,
			Counts: Counts{"p1.viewedByCount": 1, "p1 view/ben.viewCount": 3, "p1 view/ben.focusViewCount": 3, "p1 view/ben.thumbnailViewCount": 0},
		},
		{Name: "archived meanwhile", Given: given, As: "ben", Query: viewP1, Meanwhile: Given{}.Archive("ana", "p1"), Counts: Counts{"p1.viewedByCount": 0}, Adds: true},
		{Name: "deleted meanwhile", Given: given, As: "ben", Query: viewP1, Meanwhile: Given{}.DeletePost("ana", "p1"), Adds: true},
	}, Options()...)
}

// crowd are the viewers of a post.
func crowd(n int) Given {
	given := Users("ana").Post("ana", "p1")
	for i := range n {
		given = given.Users(fmt.Sprint("viewer", i))
	}
	return given
}

// Of many views at the same time each counts once, in counters and trends, and the owner is told
// once.
func TestManyViewsAtOnce(t *testing.T) {
	const viewers = 50
	scores := map[string]any{}
	for name, system := range map[string]host.System{"hot": hot, "cold": With(func(o *app.Options) { o.HotFrom = 1000 })} {
		apptest.Test(t, system, func(w *World) {
			w.Do(crowd(viewers)...)
			w.Together(viewers+5, func(i int) { w.Must(fmt.Sprint("viewer", i%viewers), viewP1) })
			w.Settle()
			Tells(w, "ana", `{ post(postId: "p1") { viewedByCount } self { postViewedByCount cardCount } }`,
				fmt.Sprintf(`{"post":{"viewedByCount":%d},"self":{"postViewedByCount":%d,"cardCount":1}}`, viewers, viewers))
			if t.Failed() {
				t.Log(name, string(w.Ask("ana", `{ self { cards { items { cardId title } } } }`).Data))
			}
			scores[name] = w.Get("main", "post/p1", "trending")["gsiA4SortKey"]
			Sound(w)
		}, Options()...)
	}
	if scores["hot"] == nil || scores["hot"] != scores["cold"] {
		t.Errorf("scores of the post: %v", scores)
	}
}

// An entry of the journal that is delivered again, by two processes, counts once.
func TestEntriesCountOnce(t *testing.T) {
	apptest.Test(t, hot, func(w *World) {
		w.Do(crowd(2)...)
		other := w.Beside("other")
		w.Client.Arm(faultdb.On("TransactWriteItems", 2, faultdb.Internal).In("test-main").Late())
		w.Must("viewer0", viewP1)
		w.Settle()
		at := w.Now()
		entry, _ := social.PostViewsGathered{ID: "e", PostID: "p1", Owner: w.ID("ana")}.With(
			social.GatheredView{Viewer: w.ID("viewer1"), At: at, Type: social.ViewThumbnail, Times: 1})
		Deliver(w, entry) // it has no entry in the journal, and is over
		Deliver(other, entry)
		Tells(w, "ana", `{ post(postId: "p1") { viewedByCount viewedBy { items { username } } } }`, `{"post":{"viewedByCount":1,"viewedBy":{"items":[{"username":"viewer0"}]}}}`)
		Sound(w)
	}, Options()...)
}
