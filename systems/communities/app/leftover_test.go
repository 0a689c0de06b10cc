package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// communities 2.3#2: expired notifications are neither counted nor moved, although they are
// still stored.
func TestExpiredNotificationsAreNotTouched(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		w.writes("a", "PRIVATE", p, "old")
		w.Settle()
		w.Advance(89 * 24 * time.Hour)
		w.logsIn("a", "b")
		w.writes("a", "PRIVATE", p, "new")
		w.Settle()
		w.Advance(24 * time.Hour)
		w.logsIn("b")
		w.Asked("b", `{ notificationCounts { unread unseen } }`, nil, "notificationCounts", `{"unread":1,"unseen":1}`)
		w.Is(w.Does("b", `mutation { markNotificationsSeen }`), "markNotificationsSeen", `1`)
		w.Is(w.Does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `1`)
		w.Is(w.Does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `0`)
		w.Whole()
	})
}

// Without ids, the newest 100 unseen notifications are marked, however many newer ones have
// been seen.
func TestSeenInPortions(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		for n := range 105 {
			w.writes("a", "PRIVATE", p, fmt.Sprint(n))
		}
		w.Settle()
		for _, want := range []string{"100", "5", "0"} {
			w.Is(w.Does("b", `mutation { markNotificationsSeen }`), "markNotificationsSeen", want)
		}
		w.Asked("b", `{ notificationCounts { unread unseen } }`, nil, "notificationCounts", `{"unread":100,"unseen":0}`)
		w.Is(w.Does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `100`)
		w.Is(w.Does("b", `mutation { markAllNotificationsRead }`), "markAllNotificationsRead", `5`)
		w.Whole()
	})
}

// communities 5.4#6, 8#clientId,chat-gone: rows that belong to messages are removed with
// them.
func TestNothingIsLeftOfAChatThatIsGone(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.opens("a", w.founds("a", "Calm", "b"))
		w.enters(h, "b")
		v := vars{"t": "GROUP", "h": h, "x": "hi", "k": "one"}
		v["m"] = w.Does("a", send, v).Text("sendMessage.id")
		w.Does("b", react, v, vars{"r": "LIKE"})
		w.Does("a", `mutation($h: ID!) { deleteGroupChat(id: $h) }`, v)
		w.Settle()
		for table, rows := range w.Rows() {
			for _, row := range rows {
				text := fmt.Sprint(row)
				if strings.Contains(text, h) && !strings.HasPrefix(fmt.Sprint(row["PK"]), "USER#") && !strings.Contains(text, "fanOut") {
					t.Errorf("left in %s: %v", table, row)
				}
			}
		}
		w.Whole()
	})
}
