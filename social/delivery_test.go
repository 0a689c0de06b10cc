package social_test

import (
	"testing"

	"stoa/social"
)

// An account goes through the states of its delivery in order. Whatever the state, a follower who
// has neither copies nor a large follow is given one before the other is missing.
func TestDelivery(t *testing.T) {
	for round := range 3 {
		for state, want := range []struct{ copies, lists, listsAll, growing, shrinking bool }{
			{copies: true},
			{copies: true, lists: true, growing: true},
			{lists: true, listsAll: true},
			{copies: true, lists: true, listsAll: true, shrinking: true},
		} {
			d := social.Delivery(4*round + state)
			got := want
			got.copies, got.lists, got.listsAll, got.growing, got.shrinking = d.Copies(), d.Lists(), d.ListsAll(), d.Growing(), d.Shrinking()
			if got != want {
				t.Errorf("%d: %+v, want %+v", d, got, want)
			}
			if !d.Copies() && !d.ListsAll() {
				t.Errorf("%d: some followers get nothing", d)
			}
			if (d + 4).Covers(d) || !d.Covers(social.Delivery(4*round)) {
				t.Errorf("%d covers another round, or not its own", d)
			}
		}
	}
}

func TestCrosses(t *testing.T) {
	for _, c := range []struct {
		delivery         social.Delivery
		followers, limit int
		want             bool
	}{
		{0, 9, 10, false}, {0, 10, 10, true}, {4, 10, 10, true}, {0, 0, 0, false}, {0, 1_000_000, 0, false},
		{1, 10, 10, false}, {1, 0, 10, false}, {3, 10, 10, false}, {3, 0, 10, false},
		{2, 10, 10, false}, {2, 5, 10, false}, {2, 4, 10, true}, {6, 4, 10, true}, {2, 10, 0, true}, {2, 0, 1, true}, {2, 1, 1, false},
	} {
		u := social.User{Delivery: c.delivery, FollowerCount: c.followers}
		if got := u.Crosses(c.limit); got != c.want {
			t.Errorf("delivery %d with %d followers, limit %d: %v", c.delivery, c.followers, c.limit, got)
		}
	}
}
