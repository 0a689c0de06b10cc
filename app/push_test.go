package app

import (
	"testing"

	"stoa/internal/apptest"
	"stoa/social"
	"stoa/store/storetest"
)

// chats 5.4#4: pushes go to the users that `push-to` lists.
func TestPushesGoToThoseWhoAreListed(t *testing.T) {
	s, _ := storetest.Open(t)
	devices := s.Devices
	ana := storetest.User(t, s, social.User{UserID: "u", Username: "ana"})
	if err := devices.SetAPNSToken(t.Context(), &ana, "phone"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		to   []string
		want int
	}{{nil, 1}, {[]string{}, 0}, {[]string{"ben"}, 0}, {[]string{"ben", "ana"}, 1}} {
		var sent apptest.Pushes
		p := pusher{sender: &sent, devices: devices, to: c.to}
		if err := p.Push(t.Context(), &ana, &social.Card{Title: "t"}); err != nil {
			t.Fatal(err)
		}
		if n := len(sent.Take()); n != c.want {
			t.Errorf("limited to %q, ana gets %d pushes, want %d", c.to, n, c.want)
		}
	}
	if err := devices.SetAPNSToken(t.Context(), &ana, ""); err != nil {
		t.Fatal(err)
	}
	var sent apptest.Pushes
	if err := (pusher{sender: &sent, devices: devices}).Push(t.Context(), &social.User{UserID: "u"}, &social.Card{}); err != nil || len(sent.Take()) != 0 {
		t.Errorf("a user without a device is pushed to, %v", err)
	}
}
