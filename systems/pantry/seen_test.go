package pantry

import (
	"testing"
	"time"
)

var (
	flat  = &Group{ID: "flat", UserIDs: []UserID{"ana", "ben"}}
	other = &Group{ID: "other", UserIDs: []UserID{"ana"}}
)

// To those who are not in a group, it does not exist, nor does anything in it (pantry 4.2#2
// and 5.3#2).
func TestNotSeen(t *testing.T) {
	if (*Group)(nil).SeenBy("ana") != nil || flat.SeenBy("ana") == nil || flat.SeenBy("cleo") != nil {
		t.Error("a group is seen by its members alone")
	}
	fridge, link := &Container{GroupID: "flat"}, &JoinLink{GroupID: "flat"}
	operator := flat.SeenByOperator(Operator{"cleo"})
	if fridge.SeenIn(flat.SeenBy("ben"), noon) == nil || fridge.SeenIn(flat.SeenBy("cleo"), noon) != nil || fridge.SeenIn(operator, noon) != nil {
		t.Error("a container is seen by the members of its group alone")
	}
	if link.SeenIn(flat.SeenBy("cleo"), noon) != nil || link.SeenIn(operator, noon) == nil {
		t.Error("of those who are not members, only operators see links")
	}
	if _, err := operator.Inside(); err == nil {
		t.Error("an operator sees the inside of a group")
	}
	if _, ok := operator.Met("ana"); ok {
		t.Error("an operator meets the members of a group")
	}
	if _, err := flat.SeenBy("ana").Without("ana").Inside(); err == nil {
		t.Error("a former member sees the inside of a group")
	}
	if _, ok := flat.SeenBy("ana").Met("cleo"); ok {
		t.Error("a member meets somebody else")
	}
}

// Facts of one thing do not show another, and an address is for its user alone (pantry
// 4.1#1).
func TestForgedViews(t *testing.T) {
	for name, forge := range map[string]func(){
		"container of another group": func() { (&Container{GroupID: "flat"}).SeenIn(other.SeenBy("ana"), noon) },
		"link of another group":      func() { (&JoinLink{GroupID: "flat"}).SeenIn(other.SeenBy("ana"), noon) },
		"change in another group": func() {
			Change{}.SeenIn(other.SeenBy("ana"), (&Container{GroupID: "flat"}).ChangedBy("ana", time.Time{}))
		},
		"another user": func() {
			met, _ := flat.SeenBy("ana").Met("ben")
			(&User{ID: "cleo"}).SeenBy(met)
		},
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
	for viewer, own := range map[UserID]bool{"ana": false, "ben": true} {
		met, ok := flat.SeenBy(viewer).Met("ben")
		if seen := (&User{ID: "ben", Email: "ben@example.com"}).SeenBy(met); !ok || (seen.EmailAddress() != nil) != own {
			t.Errorf("%s sees ben's address: %t", viewer, !own)
		}
	}
}
