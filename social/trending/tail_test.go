package trending_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/page"
	. "stoa/social/socialtest"
	"stoa/social/trending"
	"stoa/store"
)

// Trends with low scores beyond the limit are removed, lowest first, but no more than
// necessary. users R7
func TestTail(t *testing.T) {
	given := Users("ana", "ben")
	for i, score := range []float64{0.1, 0.3, 0.2, 0.5, 7} {
		id := fmt.Sprint("p", i)
		given = given.Post("ana", id).Trending(id, score)
	}
	for _, c := range []struct {
		most int
		left string
	}{
		{5, "p4 p3 p1 p2 p0"},
		{4, "p4 p3 p1 p2"},
		{3, "p4 p3 p1"},
		{1, "p4 p3"}, // what counts stays, however much there is
	} {
		Test(t, given, func(w *World) {
			s := &trending.Service{Store: store.Open(w.DB).Trends, Most: c.most}
			for range 2 {
				if err := s.Deflate(w.T.Context(), w.Now()); err != nil {
					w.T.Fatal(err)
				}
				if got := trendingPosts(w); got != c.left {
					w.T.Errorf("of five posts %s trend when there may be %d, want %s", got, c.most, c.left)
				}
			}
		})
	}
}

// A trend that grows before it is removed is kept, and no other is removed instead. users R7
func TestTailMeetsAView(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p0").Trending("p0", 0.1).Post("ana", "p1").Trending("p1", 0.2)
	Test(t, given, func(w *World) {
		w.Client.Arm(faultdb.Before("TransactWriteItems", 1, func() { w.Must("ben", `mutation { reportPostViews(postIds: ["p0"]) }`) }))
		s := &trending.Service{Store: store.Open(w.DB).Trends, Most: 1}
		if err := s.Deflate(w.T.Context(), w.Now()); err != nil {
			w.T.Fatal(err)
		}
		if got := trendingPosts(w); got != "p0 p1" {
			w.T.Errorf("%s trend", got)
		}
	})
}

// The tail of users is cut like that of posts. users R7
func TestTailOfUsers(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p0").Post("ben", "p1").ViewPost("ben", "p0").ViewPost("ana", "p1")
	Test(t, given, func(w *World) {
		row := w.Get(store.Main.Name, "user/{ana}", "trending")
		row["gsiA4SortKey"] = 0.4
		w.Put(store.Main.Name, row)
		s := &trending.Service{Store: store.Open(w.DB).Trends, Most: 1}
		if err := s.Deflate(w.T.Context(), w.Now()); err != nil {
			w.T.Fatal(err)
		}
		if ana, ben := w.Get(store.Main.Name, "user/{ana}", "trending"), w.Get(store.Main.Name, "user/{ben}", "trending"); ana != nil || ben == nil {
			w.T.Errorf("ana's trend is %v, ben's is %v", ana, ben)
		}
	})
}

// trendingPosts returns the ids of all trending posts, highest score first.
func trendingPosts(w *World) string {
	var ids []string
	list, err := store.Open(w.DB).Trends.Posts(w.T.Context(), page.Query{First: page.Max})
	if err != nil {
		w.T.Fatal(err)
	}
	for _, id := range list.Items {
		ids = append(ids, string(id))
	}
	return strings.Join(ids, " ")
}
