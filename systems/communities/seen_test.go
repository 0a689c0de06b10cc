package communities

import (
	"testing"
	"time"
)

var ana, ben = Viewer{&User{ID: "ana", Role: Regular}}, Viewer{&User{ID: "ben", Role: Regular}}

// Users see their requests, those who decide all, and members pending ones (communities
// 5.2#9).
func TestWhoSeesARequest(t *testing.T) {
	for _, c := range []struct {
		viewer          UserID
		status          RequestStatus
		decides, member bool
		want            bool
	}{
		{"ana", Rejected, false, false, true},
		{"ben", Pending, false, false, false},
		{"ben", Pending, false, true, true},
		{"ben", Rejected, false, true, false},
		{"ben", Rejected, true, false, true},
	} {
		r := &Request{UserID: "ana", Status: c.status}
		if got := r.SeenBy(c.viewer, c.decides, c.member) != nil; got != c.want {
			t.Errorf("%+v: got %t", c, got)
		}
	}
}

// To those who have no part in them, private chats, messages and notifications do not exist
// (communities 5.2#11 and 8#moderation).
func TestNotSeen(t *testing.T) {
	chat, members := Pair("ana", "cleo", time.Now())
	if chat.PrivateSeenBy(ben, nil) != nil {
		t.Error("a private chat is seen by somebody else")
	}
	letter := &Message{MessageRef: MessageRef{Chat: chat.ChatRef}}
	if letter.SeenBy(ana, members[0]) == nil || letter.SeenBy(ben, nil) != nil {
		t.Error("a private message is seen by its users alone")
	}
	if letter.SeenBy(Viewer{&User{ID: "mod", Role: Moderator}}, nil) != nil {
		t.Error("a private message is seen by a moderator")
	}
	message := &Message{MessageRef: MessageRef{Chat: GroupRef("1")}}
	if message.SeenBy(ben, nil) != nil || message.SeenBy(Viewer{&User{ID: "mod", Role: Moderator}}, nil) == nil {
		t.Error("of non-members, only moderators see messages of groups")
	}
	n := &Notification{NotificationRef: NotificationRef{UserID: "ana"}}
	if n.SeenBy("ana") == nil || n.SeenBy("ben") != nil {
		t.Error("a notification is seen by its user alone")
	}
}

// Facts of one thing do not show another.
func TestForgedViews(t *testing.T) {
	chat, members := Pair("ana", "cleo", time.Now())
	other, _ := Pair("ana", "dan", time.Now())
	now := time.Now()
	for name, forge := range map[string]func(){
		"membership of another user": func() { chat.PrivateSeenBy(ben, members[0]) },
		"membership of another chat": func() { other.PrivateSeenBy(ana, members[0]) },
		"message of another chat":    func() { (&Message{MessageRef: MessageRef{Chat: other.ChatRef}}).SeenBy(ana, members[0]) },
		"another user as member":     func() { members[0].SeenWith(ben.SeenBy(ana, now)) },
		"another user as inhabitant": func() { (&CommunityMember{CommunityRef: CommunityRef{"1", "ana"}}).SeenWith(ben.SeenBy(ana, now)) },
		"another user in news":       func() { (&ChatNews{UserID: "ana"}).SeenWith(nil, ben.SeenBy(ana, now)) },
		"session of another user":    func() { Session{UserID: "ana"}.Of(ben.User, now) },
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
