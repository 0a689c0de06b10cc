package notification_test

import (
	"fmt"
	"testing"

	. "stoa/social/socialtest"
)

// Somebody who subscribes while a change is being committed has not seen it, and receives
// its event; somebody who subscribes when it has been answered does not, however long the
// rest takes (realtime 3#2-3, service E5).
func TestWhoSubscribesDuringACommitHears(t *testing.T) {
	const events, listen = 500, `subscription { onNotification(userId: "{ben}") { type } }`
	Test(t, Users("ana", "ben").Follow("ben", "ana"), func(w *World) {
		for i := range events {
			var stop func()
			w.DuringCommit(func() { stop = w.Listen("ben", listen) })
			w.Must("ana", fmt.Sprintf(`mutation { addPost(postId: "p%d", postType: TEXT_ONLY, text: "x") { postId } }`, i))
			late := w.Listen("ben", listen)
			w.Settle()
			if heard := w.TakeHeard()["ben"]; fmt.Sprint(heard) != "["+changed+"]" {
				w.T.Fatalf("of post %d, ben hears %v", i, heard)
			}
			stop()
			late()
		}
	})
}
