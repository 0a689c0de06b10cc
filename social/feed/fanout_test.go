package feed_test

import (
	"fmt"
	"testing"
	"time"

	"stoa/internal/kit/page"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
	"stoa/store/storetest"
)

// followers adds many followers without the API: they have no profiles.
func followers(g Given, of string, many int) Given {
	return g.And(func(w *World) {
		w.T.Helper()
		fill := store.Open(w.DB).NewFill()
		for i := range many {
			fill.Follow(social.Follow{
				FollowerUserID: storetest.UserID(fmt.Sprint("follower", i)), FollowedUserID: w.ID(of),
				Status: social.Following, FollowedAt: w.Now().Add(time.Duration(i) * time.Microsecond),
			})
			if fill.Len() == 5000 || i == many-1 {
				if err := fill.Run(w.T.Context()); err != nil {
					w.T.Fatal(err)
				}
			}
		}
	})
}

// places returns the number of feeds that contain a post.
func places(w *World, id social.PostID) int {
	w.T.Helper()
	feeds := store.Open(w.DB).Feeds
	n := 0
	for q := (page.Query{First: page.Max}); ; {
		p, err := feeds.OfPost(w.T.Context(), id, q)
		if err != nil {
			w.T.Fatal(err)
		}
		n += len(p.Items)
		if q.After = p.Next; q.After == "" {
			return n
		}
	}
}

// A post to many followers is answered after a few hundred of them. The others follow in
// the background, in another process if the first one dies, page by page, and do not delay
// other events.
func TestAPostToFiftyThousandFollowers(t *testing.T) {
	t.Parallel()
	const many = 50_000
	post := func(w *World, owner, id string) {
		w.T.Helper()
		w.Must(owner, fmt.Sprintf(`mutation { addPost(postId: %q, postType: TEXT_ONLY, text: "t") { postId } }`, id))
	}
	Test(t, followers(Users("ana", "ben"), "ana", many), func(w *World) {
		w.Client.Reset()
		calls := w.Client.Record()
		post(w, "ana", "p1")
		if n := places(w, "p1"); n < 500 || n > 700 {
			w.T.Errorf("the answer waited for %d places, want 500 and not many more", n)
		}
		post(w, "ben", "p2")
		equal(w, "ben's own feed meanwhile", feed(w, "ben"), "p2")

		// The first process dies. Its successor continues at the cursor.
		heir := w.Beside("heir")
		post(heir, "ben", "p3")
		equal(w, "ben's own feed while the heir has not begun", feed(heir, "ben"), "p3 p2")
		w.Advance(time.Hour)
		heir.Settle()
		equal(w, "places", places(w, "p1"), many+1)

		// Each call writes up to 25 rows.
		written, atOnce, most := 0, 0, 0
		for _, operation := range calls() {
			if operation != "BatchWriteItem" {
				atOnce = 0
				continue
			}
			written++
			atOnce++
			most = max(most, atOnce)
		}
		if most > page.Max/25+1 {
			w.T.Errorf("%d batches of places were written in a row", most)
		}
		// The first process has not removed its event, so its successor delivers the event
		// again, like the mutation did, and finds the lane.
		if again := written - many/25 - 3; again > 700/25 {
			w.T.Errorf("%d batches of places were written again", again)
		}
	})
}
