package app_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
	"stoa/systems/archive"
)

// Large changes continue after the response of their mutation, at whichever call the
// process is killed, and next to another process: an import that replaces records, a
// deletion of all records, and that of a post (archive 5.9#4 and 6).
func TestLargeImportsAndDeletions(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		random := rand.New(rand.NewPCG(5, 6))
		rows := archive.MaxAtOnce + 500
		csv, want := source(random, rows)
		post := w.held(families)
		d := w.Does("oz", importRecords, vars{"p": post, "c": csv})
		w.Is(d, "importRecords.created", fmt.Sprint(rows))
		w.Is(d, "importRecords.post.recordsStatus", `"LOADING"`)
		w.Refused("PRECONDITION_FAILED BAD_TRANSITION", "oz", importRecords, vars{"p": post, "c": families})
		w.Refused("PRECONDITION_FAILED BAD_TRANSITION", "oz", deletePost, vars{"p": post})
		killed := 0
		kill := func(most int) {
			for range 8 {
				end := w.Client.Arm(faultdb.On("", 1+random.IntN(most), faultdb.Internal))
				_ = w.Host.Outbox.Drain(w.T.Context()) // fails where the store does
				if end() {
					killed++
				}
			}
		}
		kill(500)
		w.Advance(time.Minute) // until the leases of the first process have ended
		w.Beside("other").Settle()
		w.Advance(time.Minute)
		w.holds(post, want)
		w.whole()

		emptied := w.post(w.collection(census(w.category("Deaths"))))
		w.Does("oz", importRecords, vars{"p": emptied, "c": csv})
		w.Settle()
		w.Is(w.Does("oz", deleteRecords, vars{"p": emptied}), "deleteRecordsOfPost", fmt.Sprint(rows))
		w.Refused("PRECONDITION_FAILED BAD_TRANSITION", "oz", deleteRecords, vars{"p": emptied})
		w.People.Identity("hand")
		w.Refused("PRECONDITION_FAILED TAKEN_OVER", "hand", reportRecords, vars{"p": emptied, "r": "COMPLETED"})
		kill(300)
		w.Advance(time.Minute)
		w.Beside("second").Settle()
		w.holds(emptied, "")
		w.whole()

		w.Is(w.Does("oz", deletePost, vars{"p": post}), "deletePost", "true")
		w.Refused("PRECONDITION_FAILED DELETING", "oz", importRecords, vars{"p": post, "c": families})
		w.Is(w.Does("oz", deletePost, vars{"p": post}), "deletePost", "true") // which may be repeated
		kill(300)
		w.Advance(time.Minute)
		w.Beside("third").Settle()
		w.Asked("oz", `query($p: ID!) { post(id: $p) { id } }`, vars{"p": post}, "post", "null")
		w.Refused("NOT_FOUND", "oz", `query($p: ID!) { records(postId: $p) { items { id } } }`, vars{"p": post})
		w.whole()
		if killed == 0 {
			t.Error("nothing was killed")
		}
	})
}
