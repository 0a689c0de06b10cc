package view_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"stoa/app"
	"stoa/internal/apptest"
	"stoa/internal/host"
	"stoa/internal/kit/faultdb"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
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
	scores := map[string]float64{}
	for name, system := range map[string]host.System{"hot": hot, "cold": With(func(o *app.Options) { o.HotFrom = 1000 })} {
		apptest.Test(t, system, func(w *World) {
			w.Do(crowd(viewers)...)
			w.Together(viewers+5, func(i int) { w.Must(fmt.Sprint("viewer", i%viewers), viewP1) })
			w.Settle()
			Tells(w, "ana", `{ post(postId: "p1") { viewedByCount } self { postViewedByCount } }`,
				fmt.Sprintf(`{"post":{"viewedByCount":%d},"self":{"postViewedByCount":%d}}`, viewers, viewers))
			if cards := string(w.Must("ana", `{ self { cards { items { cardId } } } }`).Data); strings.Count(cards, ":POST_VIEWS:p1") != 1 {
				t.Errorf("%s: the owner has the cards %s", name, cards)
			}
			scores[name], _ = w.Get("main", "post/p1", "trending")["gsiA4SortKey"].(float64)
			Sound(w)
		}, Options()...)
	}
	// A view earns more than a point. Views that are decided again are some milliseconds later,
	// and earn a little more.
	if hot, cold := scores["hot"], scores["cold"]; hot < viewers || math.Abs(hot-cold) > 0.1 {
		t.Errorf("scores of the post: %v", scores)
	}
}

// The store's check finds an entry of the journal whose event was lost, and counts its views.
func TestLostEntriesAreFound(t *testing.T) {
	Test(t, crowd(2), func(w *World) {
		views := store.Open(w.DB).Views
		at := w.Now()
		entry := social.PostViewsGathered{ID: "e", PostID: "p1", Owner: w.ID("ana")}
		for i := range 2 {
			entry, _ = entry.With(social.GatheredView{Viewer: w.ID(fmt.Sprint("viewer", i)), At: at, Type: social.ViewThumbnail, Times: 1})
		}
		if err := views.Gather(t.Context(), entry); err != nil {
			t.Fatal(err)
		}
		f, err := views.GatheredFacts(t.Context(), entry)
		if err != nil {
			t.Fatal(err)
		}
		if err := views.Settle(t.Context(), entry.Views[1], f.Store(entry, 1), f.Post); err != nil { // and then the process died
			t.Fatal(err)
		}
		w.Advance(3 * time.Hour)
		flaws, err := store.Broken(t.Context(), w.DB, w.Now())
		if err != nil || len(flaws) != 1 || flaws[0].Text != "1 views of post p1 have not been counted" {
			t.Fatalf("flaws %v, %v", flaws, err)
		}
		if mended, err := w.DB.Mend(t.Context(), flaws[0]); !mended || err != nil {
			t.Errorf("mended %t, %v", mended, err)
		}
		Tells(w, "ana", `{ post(postId: "p1") { viewedByCount } self { postViewedByCount } }`, `{"post":{"viewedByCount":1},"self":{"postViewedByCount":1}}`)
		Sound(w)
	})
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
		w.Deliver(entry) // it has no entry in the journal, and is over
		other.Deliver(entry)
		Tells(w, "ana", `{ post(postId: "p1") { viewedByCount viewedBy { items { username } } } }`, `{"post":{"viewedByCount":1,"viewedBy":{"items":[{"username":"viewer0"}]}}}`)
		Sound(w)
	}, Options()...)
}

// users R4: a viewer's first view of each type earns points, also if both are reported at once to
// different processes, which gather them.
func TestViewsOfBothTypesAtOnceEarn(t *testing.T) {
	const focusP1 = `mutation { reportPostViews(postIds: ["p1"], viewType: FOCUS) }`
	scores := map[bool]float64{}
	for _, atOnce := range []bool{false, true} {
		apptest.Test(t, hot, func(w *World) {
			w.Do(crowd(1)...)
			other := w.Beside("other")
			focus := func() { other.Must("viewer0", focusP1) }
			if atOnce {
				w.Client.Arm(faultdb.Before("TransactWriteItems", 1, focus))
			} else {
				focus()
			}
			w.Must("viewer0", viewP1)
			w.Settle()
			scores[atOnce], _ = w.Get("main", "post/p1", "trending")["gsiA4SortKey"].(float64)
			if view := w.Get("main", "post/p1", "view/{viewer0}"); view["viewCount"] != 2.0 || view["focusViewCount"] != 1.0 {
				t.Errorf("the view is %v", view)
			}
			Tells(w, "ana", `{ post(postId: "p1") { viewedByCount } self { postViewedByCount } }`, `{"post":{"viewedByCount":1},"self":{"postViewedByCount":1}}`)
			Sound(w)
		}, Options()...)
	}
	if math.Abs(scores[true]-scores[false]) > 0.01 || scores[true] == 0 { // they are some milliseconds apart
		t.Errorf("score of views at once %v, one after the other %v", scores[true], scores[false])
	}
}

// users D10: a viewer who goes before their view has been counted leaves the counters right.
func TestViewersWhoGoMeanwhile(t *testing.T) {
	for n := 1; ; n++ {
		done := false
		apptest.Test(t, hot, func(w *World) {
			w.Do(crowd(2).Post("ana", "p2").ViewPost("viewer1", "p1")...)
			w.Client.Arm(faultdb.Before("TransactWriteItems", n, func() {
				done = true
				w.Must("viewer0", `mutation { deleteUser { userId } }`)
			}))
			w.Ask("viewer0", `mutation { reportPostViews(postIds: ["p1", "p2"], viewType: FOCUS) }`)
			w.Settle()
			if done {
				Tells(w, "ana", `{ post(postId: "p1") { viewedByCount } self { postViewedByCount } }`, `{"post":{"viewedByCount":1},"self":{"postViewedByCount":1}}`)
				Sound(w)
			}
		}, Options()...)
		if !done {
			return
		}
	}
}
