package social

import (
	"testing"
	"time"
)

func TestAnonymousUsername(t *testing.T) {
	for uuid, want := range map[string]string{
		"00000000-0000-4000-9000-000000000001": "user_000000000001",
		"00000000-0000-4000-bfff-ffffffffffff": "user_zzzzzzzzzzzz",
		"01234567-89ab-4def-8123-456789abcdef": "user_28t5cy4tqkff",
	} {
		if got := AnonymousUsername(uuid); got != want || !ValidUsername(got) {
			t.Errorf("%s makes %s, want %s", uuid, got, want)
		}
	}
}

// users D10: a new profile is later than everything of the former one.
func TestANewProfileIsNoOlderThanTheEndOfAFormerOne(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct{ removed, want time.Time }{
		{time.Time{}, now},
		{now.Add(-time.Hour), now},
		{now, now},
		{now.Add(time.Second), now.Add(time.Second)},
	} {
		if got := (Prospect{RemovedAt: c.removed}).SignUpAt(now); !got.Equal(c.want) {
			t.Errorf("removed at %s: begins at %s, want %s", c.removed, got, c.want)
		}
	}
}

func TestVerifiedContactsEndAnonymity(t *testing.T) {
	for _, c := range []struct{ from, to UserStatus }{{UserAnonymous, ""}, {"", ""}, {UserDisabled, UserDisabled}} {
		u := &User{Status: c.from, Email: "old"}
		for _, got := range []*User{u.Verified(ViaEmail, "e"), u.Verified(ViaSMS, "p"), u.Linked("e")} {
			if got.Status != c.to || u.Status != c.from || u.Email != "old" {
				t.Errorf("%q becomes %q", c.from, got.Status)
			}
		}
	}
}
