package app_test

import (
	"fmt"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
	"stoa/systems/communities"
	"stoa/systems/communities/store"
)

// communities 8#unread-counts: whoever deletes the message of another user has one unread message less
// themselves, also in chats whose counts are updated by the lane. The author's count stays.
func TestDeletersHadTheMessageUnread(t *testing.T) {
	for _, members := range []int{3, 40} {
		testWith(t, 100, func(w *world) {
			names := []string{}
			for n := range members - 1 {
				names = append(names, fmt.Sprint("p", n))
			}
			w.registers(append(names, "owner")...)
			h := w.opens("owner", w.founds("owner", "Calm", names...))
			w.enters(h, names...)
			rude := w.writes("p0", "GROUP", h, "rude")
			w.writes("p1", "GROUP", h, "kind")
			w.Settle()
			w.Asked("owner", chat, vars{"h": h}, "groupChat.unreadCount", "2")
			w.Does("owner", erase, vars{"t": "GROUP", "h": h, "m": rude})
			w.Settle()
			for name, want := range map[string]string{"owner": "1", "p0": "1", "p1": "0"} {
				w.Asked(name, chat, vars{"h": h}, "groupChat.unreadCount", want)
			}
			w.Whole()
		})
	}
}

// communities 5.6#6: a member reads on while messages arrive between each decision and its
// write, and while messages are deleted.
func TestMarkingReadWhileTheChatChanges(t *testing.T) {
	for _, members := range []int{3, 30} {
		testWith(t, 100, func(w *world) {
			names := []string{}
			for n := range members - 1 {
				names = append(names, fmt.Sprint("p", n))
			}
			w.registers(append(names, "owner")...)
			h := w.opens("owner", w.founds("owner", "Calm", names...))
			w.enters(h, names...)
			var ids []string
			for n := range 6 {
				ids = append(ids, w.writes("owner", "GROUP", h, fmt.Sprint(n)))
			}
			w.Settle()
			// meanwhile runs do before each of up to 30 attempts to write, until it is stopped.
			n := 0
			meanwhile := func(do func()) (stop func()) {
				n = 0
				var disarm func() bool
				var interfere func()
				interfere = func() {
					if n++; n > 30 {
						return
					}
					do()
					w.Settle()
					disarm = w.Client.Arm(faultdb.Before("TransactWriteItems", 1, interfere))
				}
				disarm = w.Client.Arm(faultdb.Before("TransactWriteItems", 1, interfere))
				return func() { disarm() }
			}
			v := vars{"t": "GROUP", "h": h}
			stop := meanwhile(func() { ids = append(ids, w.writes("owner", "GROUP", h, "more")) })
			w.Is(w.Does("p0", markRead, v, vars{"m": ids[:3]}), "markMessagesRead", "3")
			stop()
			w.Settle()
			w.Asked("p0", chat, vars{"h": h}, "groupChat.unreadCount", fmt.Sprint(len(ids)-3))
			newest := ids[len(ids)-1:]
			stop = meanwhile(func() { ids = append(ids, w.writes("owner", "GROUP", h, "more")) })
			w.Does("p0", markRead, v, vars{"m": newest})
			stop()
			w.Settle()
			w.Asked("p0", chat, vars{"h": h}, "groupChat.unreadCount", fmt.Sprint(n))
			for range 3 {
				ids = append(ids, w.writes("owner", "GROUP", h, "last"))
			}
			w.Settle()
			for _, deleted := range []int{len(ids) - 1, len(ids) - 3} { // one that stays unread, and one that is read
				done := false
				stop := meanwhile(func() {
					if !done {
						done = true
						w.Does("owner", erase, v, vars{"m": ids[deleted]})
					}
				})
				w.Does("p0", markRead, v, vars{"m": ids[deleted-1 : deleted]})
				stop()
				w.Settle()
				w.Whole()
			}
		})
	}
}

// communities 5.6#5: a message that is read after it was decided to delete it stays read, also if
// the reader is then found to have read it.
func TestDeletingWhatIsReadMeanwhile(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		v := vars{"t": "PRIVATE", "h": w.meets("a", "b")}
		v["m"] = w.writes("a", "PRIVATE", v["h"].(string), "hello")
		w.Settle()
		w.Client.Arm(faultdb.Before("Query", 1, func() { // of the members
			w.Is(w.Does("b", markRead, v, vars{"m": []string{v["m"].(string)}}), "markMessagesRead", "1")
		}))
		w.Does("a", erase, v)
		w.Settle()
		w.Asked("a", oneMessage, v, "message.read", "true")
		w.Whole()
	})
}

// communities 4.2#1: the counts are those of the newest 1,000 unread notifications, with a
// bounded number of reads.
func TestCountsOfManyNotifications(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		id := communities.UserID(w.ids["a"])
		s := store.Open(w.Host.DB, func(*communities.User) bool { return false })
		last, oldest := communities.Notices{}, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for n := range 1500 {
			at := w.Host.Frame.Now().Add(time.Duration(n) * time.Millisecond).Truncate(time.Millisecond)
			one := communities.OfCommunity(id, communities.CommunityFounded{CommunityID: communities.CommunityID(fmt.Sprint("c", n)), FounderID: "f", Name: "n", At: at})
			one.Seen = n >= 50 // the oldest are unseen
			err := s.Notices.Spread(t.Context(), communities.Spread{
				Event: communities.Moment{At: oldest, ID: fmt.Sprint(n)}, To: "end", New: []*communities.Notification{one}, Last: map[communities.UserID]communities.Notices{id: last},
			})
			if err != nil {
				t.Fatal(err)
			}
			last.LastAt = at
		}
		w.Does("a", `{ me { id } }`)
		w.Client.Reset()
		w.Asked("a", `{ notificationCounts { unread unseen } }`, nil, "notificationCounts", `{"unread":100,"unseen":0}`)
		if n := w.Client.Count("Query"); n > 10 {
			t.Errorf("counting took %d queries", n)
		}
	})
}

// A mark in the middle of a long chat takes a bounded number of reads. Counts are exact up
// to what is displayed (communities 4.1#2).
func TestMarkingReadInALongChat(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		p := w.meets("a", "b")
		var ids []string
		for n := range 1300 {
			ids = append(ids, w.writes("a", "PRIVATE", p, fmt.Sprint(n)))
			if n%100 == 0 {
				w.Settle()
			}
		}
		w.Settle()
		unread := `query($h: ID!) { privateChat(id: $h) { unreadCount } }`
		for _, mark := range []struct {
			to     int
			unread string
		}{{10, "100"}, {280, "100"}, {1250, "49"}, {1299, "0"}} {
			w.Does("b", `{ me { id } }`)
			w.Client.Reset()
			w.Does("b", markRead, vars{"t": "PRIVATE", "h": p, "m": ids[mark.to : mark.to+1]})
			if n := w.Client.Count("Query"); n > 10 {
				t.Errorf("marking message %d took %d queries", mark.to, n)
			}
			w.Asked("b", unread, vars{"h": p}, "privateChat.unreadCount", mark.unread)
			w.Whole()
		}
	})
}
