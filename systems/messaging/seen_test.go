package messaging

import (
	"testing"
	"time"
)

// Messages are seen by subscribers alone (messaging 5.5#2 and 5.6#6).
func TestWhoSeesAMessage(t *testing.T) {
	mine := NewSubscription("grpA", "ana", OwnerMode, OwnerMode, time.Now())
	m := &Message{MessageRef: MessageRef{"grpA", 1}, From: "ben"}
	if m.SeenBy("ana", mine) == nil || m.SeenBy("ana", nil) != nil || m.SeenBy("ana", mine.Ended(time.Now())) != nil {
		t.Error("a message is seen by those who subscribe")
	}
}

// Facts of one thing do not show another.
func TestForgedViews(t *testing.T) {
	topic := &Topic{ID: "grpA"}
	mine := NewSubscription("grpA", "ana", OwnerMode, OwnerMode, time.Now())
	ben := (&User{ID: "ben"}).SeenBy("ana", false)
	for name, forge := range map[string]func(){
		"subscription of another user":    func() { topic.SeenBy("ben", mine, nil) },
		"subscription to another topic":   func() { (&Topic{ID: "grpB"}).SeenBy("ana", mine, nil) },
		"another topic of a subscription": func() { mine.SeenIn((&Topic{ID: "grpB"}).SeenBy("ana", nil, nil)) },
		"message of another topic":        func() { (&Message{MessageRef: MessageRef{"grpB", 1}}).SeenBy("ana", mine) },
		"another author":                  func() { (&Message{MessageRef: MessageRef{"grpA", 1}, From: "cleo"}).SeenBy("ana", mine).By(ben) },
		"another user as the peer":        func() { topic.SeenBy("ana", mine, nil).With(ben) },
		"another user in news":            func() { News{User: "ana"}.SeenWith(nil, ben) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("was not refused")
				}
			}()
			forge()
		})
	}
}
