package communities

import (
	"strings"
	"testing"
	"time"
)

// communities 8#usernames: compatible forms and all cases of a letter are one.
func TestFold(t *testing.T) {
	for name, want := range map[string]string{
		"  New   Jersey ": "new jersey", "ＡＢＣ": "abc", "K\u212a": "kk", "ſs": "ss", "Σας": "σασ", "ẞ": "ß", "İ": "İ", "Ⅳ": "iv", "e\u0301": "é", "É": "é",
	} {
		if got := Fold(name); got != want {
			t.Errorf("%q folds to %q, want %q", name, got, want)
		}
	}
	if Fold(Fold("Ǆ ﬁ")) != Fold("ǅ ﬁ") {
		t.Error("cases of a digraph differ")
	}
}

// Names are found in any spelling, and texts longer than any name cost no more than one.
func TestSought(t *testing.T) {
	for _, name := range []string{"  New   Jersey ", strings.Repeat("\ufdfa", 3), strings.Repeat("x", 250) + "@b.c"} {
		if got := Sought(name); got != Fold(name) {
			t.Errorf("%q is looked for as %q", name, got)
		}
	}
	for _, long := range []string{strings.Repeat("x", 1<<20), strings.Repeat("\ufdfa", 1<<20), strings.Repeat(" ", 1<<20) + "x"} {
		if n := len(Sought(long)); n > maxSought {
			t.Errorf("%.10q is looked for as %d bytes", long, n)
		}
	}
	if address := strings.Repeat("\ufdfa", 80) + "@b.c"; CheckEmail(address) == nil {
		t.Errorf("the address %q fits into no key", address)
	}
}

// communities 5.1#1, 5.1#5 and 8#usernames: names that cannot be part of a key are refused.
func TestNamesThatNoKeyHolds(t *testing.T) {
	for _, name := range []string{"", " ", "a#b", "a＃b", "a b", "a@b", "a＠b", "a\u00a0b", strings.Repeat("x", 33), "a\x00"} {
		if CheckUsername(name) == nil {
			t.Errorf("username %q is taken", name)
		}
	}
	for _, name := range []string{"a", strings.Repeat("é", 32), "Ａ"} {
		if err := CheckUsername(name); err != nil {
			t.Errorf("username %q: %v", name, err)
		}
	}
	for _, l := range []Location{{"", "a", "b"}, {"a", "b#", "c"}, {strings.Repeat("x", 65), "a", "b"}, {"a", strings.Repeat("x", 33), "b"},
		{strings.Repeat("\ufdfa", 64), "a", "b"}} {
		if l.Check() == nil {
			t.Errorf("%q is a place", l)
		}
	}
	if err := (Location{strings.Repeat("x", 64), "São Paulo", "Brasil"}).Check(); err != nil {
		t.Error(err)
	}
}

// communities 2#3, 2.6#2, 5.7#1 and 8#request-ids: ids that clients see are opaque and read
// back, and no others are.
func TestMomentsAndReferences(t *testing.T) {
	m := Moment{time.Date(2026, 1, 2, 3, 4, 5, 60_000_000, time.UTC), "00000000-0000-4000-8000-000000000001"}
	if m.String() != "2026-01-02T03:04:05.060Z#00000000-0000-4000-8000-000000000001" {
		t.Error(m)
	}
	if got, ok := ParseMoment(m.Opaque()); !ok || got != m {
		t.Error(got, ok)
	}
	r := RequestRef{"00000000-0000-4000-8000-000000000002", "00000000-0000-4000-8000-000000000003", m}
	if got, ok := ParseRequestRef(r.Opaque()); !ok || got != r {
		t.Error(got, ok)
	}
	for _, opaque := range []string{"", "x", m.Opaque() + "A", r.Opaque()[:20], seal("2026-01-02T03:04:05.06Z#x")} {
		if _, ok := ParseMoment(opaque); ok {
			t.Errorf("%q is a moment", opaque)
		}
		if _, ok := ParseRequestRef(opaque); ok {
			t.Errorf("%q is a request", opaque)
		}
	}
	later := Moment{m.At.Add(time.Millisecond), "00000000-0000-4000-8000-000000000000"}
	if a, b := PendingID(m), PendingID(later); a >= b || len(a) != 26 {
		t.Errorf("pending ids %s and %s", a, b)
	}
	if PrivateChatOf("a", "b") != PrivateChatOf("b", "a") || PrivateChatOf("a", "b") == PrivateChatOf("a", "c") {
		t.Error("private chats are not those of pairs") // one for both orders (communities 5.7#1)
	}
}

// communities 5.2#4: the permissions of each role, and which can be taken from it.
func TestPermissions(t *testing.T) {
	if n := len(Regular.Permissions()); n != len(AllPermissions)-1 {
		t.Errorf("regular users have %d permissions", n)
	}
	if _, err := Regular.Narrowed([]Permission{BanUser}); err == nil {
		t.Error("a regular user gets BAN_USER")
	}
	if got, err := Moderator.Narrowed([]Permission{BanUser, ReadMessages}); err != nil || len(got) != 2 || got[0] != ReadMessages {
		t.Error(got, err)
	}
}

// communities 5.4#5: who inherits a chat when its owner leaves.
func TestHeir(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	member := func(id UserID, after int) *Member {
		return &Member{MemberRef: MemberRef{UserID: id}, JoinedAt: at.Add(time.Duration(after) * time.Second)}
	}
	all := []*Member{member("o", 0), member("c", 2), member("b", 1), member("a", 1)}
	users := map[UserID]*User{}
	for _, m := range all {
		users[m.UserID] = &User{ID: m.UserID}
	}
	heir := func(want UserID) {
		t.Helper()
		if got := Heir(all, users, "o"); got.UserID != want {
			t.Errorf("the heir is %s, want %s", got.UserID, want)
		}
	}
	heir("a")
	users["a"].Banned = true
	heir("b")
	users["b"].Deleted = true
	heir("c")
	users["c"].Banned = true
	heir("a")
	if got := Heir(all[:1], users, "o"); got != nil {
		t.Errorf("the heir of nobody is %s", got.UserID)
	}
}
