package app_test

import (
	"fmt"
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// A page of 50 cases of posts and comments, with authors, excerpts, pictures and numbers of
// reports, takes at most six round trips to the store, as many as one of five.
func TestRoundTripsOfAPageOfCases(t *testing.T) {
	given := Users("mod", "rep")
	for i := range 10 {
		author := fmt.Sprint("ana", i)
		given = given.Users(author).Image(author, fmt.Sprint("image", i), 40, 30)
		for n := range 2 {
			given = given.Post(author, fmt.Sprint("p", i, "-", n))
		}
		for n := range 2 {
			given = given.Comment(author, fmt.Sprint("image", i), fmt.Sprint("c", i, "-", n))
		}
	}
	apptest.Metered(t, Staffed, func(w *World) {
		w.Do(given...)
		for i := range 10 {
			flags(w, fmt.Sprint("image", i), "rep")
			for n := range 2 {
				flags(w, fmt.Sprint("p", i, "-", n), "rep")
				w.Does("rep", `mutation($c: ID!) { flagComment(commentId: $c) { commentId } }`, apptest.Vars{"c": fmt.Sprint("c", i, "-", n)})
			}
		}
		w.Settle()
		const page = `query($l: Int!) { cases(limit: $l) { items { id kind reportCount excerpt media visible removedBy author { username fullName status } } } }`
		trips := map[int]int{}
		for _, limit := range []int{5, 50} {
			var shown []apptest.Data
			c := w.Requests(func() { shown = w.OperatorDoes("mod", page, apptest.Vars{"l": limit}).Items("cases.items") })
			trips[limit] = c.Trips
			if len(shown) != limit {
				t.Fatalf("%d cases are shown, want %d", len(shown), limit)
			}
			pictures := 0
			for _, c := range shown {
				if c.Text("excerpt") == "" && c.Text("kind") != "POST" || c.Text("author.username") == "" {
					t.Errorf("a case is %v", c)
				}
				pictures += len(c.At("media").([]any))
			}
			if limit == 50 && pictures != 10 {
				t.Errorf("%d pictures are shown", pictures)
			}
			t.Logf("a page of %d: %d calls in %d round trips", limit, c.Calls, c.Trips)
		}
		if trips[50] > 6 || trips[50] > trips[5] {
			t.Errorf("round trips by size of the page: %v", trips)
		}
	}, StaffOptions()...)
}
