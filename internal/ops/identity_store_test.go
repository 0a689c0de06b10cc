package ops_test

import (
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

var identityTime = time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)

// wholeIdentity returns an identity with a value in every field.
func wholeIdentity(id viewer.UserID, email, phone string) identity.Identity {
	code := identity.Code{Digest: "d", ExpiresAt: identityTime.Add(time.Hour), TriesLeft: 5}
	return identity.Identity{
		UserID: id, Entered: true, PasswordHash: "h", Seeded: true, Email: email, Phone: phone,
		Apple: "a-" + string(id), Google: "g-" + string(id), Facebook: "f-" + string(id),
		PendingEmail: identity.PendingContact{Value: "new@example.com", Code: code, Changing: true},
		PendingPhone: identity.PendingContact{Value: "+12025550199", Code: code},
		Reset:        code, TokenVersion: 2,
		CreatedAt: identityTime, DeletedAt: identityTime.Add(time.Minute), Revision: 1,
	}
}

func TestIdentitiesComeBackAsTheyWere(t *testing.T) {
	s, _ := open(t)
	spent := wholeIdentity("u-spent", "", "")
	spent.Reset.TriesLeft, spent.PendingEmail.Code.TriesLeft = 0, 0
	for _, want := range []identity.Identity{
		wholeIdentity("u-whole", "ana@example.com", "+12025550123"),
		spent,
		{UserID: "u-bare", CreatedAt: identityTime, Revision: 1},
	} {
		if err := s.Identities.SaveIdentity(t.Context(), identity.Identity{UserID: want.UserID}, want); err != nil {
			t.Fatal(err)
		}
		got, found, err := s.Identities.Identity(t.Context(), want.UserID)
		if got != want || !found || err != nil {
			t.Errorf("got %+v, %t, %v\nwant %+v", got, found, err, want)
		}
	}
	if got, found, err := s.Identities.Identity(t.Context(), "u-nobody"); got != (identity.Identity{}) || found || err != nil {
		t.Errorf("nobody is %+v, %t, %v", got, found, err)
	}
}

func TestSaveIdentityGuardsContacts(t *testing.T) {
	ana := identity.Identity{UserID: "u-ana", Email: "ana@example.com", Phone: "+12025550123", CreatedAt: identityTime, Revision: 1}
	ben := identity.Identity{UserID: "u-ben", Email: "ben@example.com", CreatedAt: identityTime, Revision: 1}
	with := func(i identity.Identity, change func(*identity.Identity)) identity.Identity {
		i.Revision++
		change(&i)
		return i
	}
	for _, row := range []struct {
		name          string
		before, after identity.Identity
		conflict      bool
		emails        map[string]viewer.UserID
		phones        map[string]viewer.UserID
	}{
		{
			name: "unused contacts are claimed and old ones freed", before: ben,
			after:  with(ben, func(i *identity.Identity) { i.Email, i.Phone = "benno@example.com", "+12025550155" }),
			emails: map[string]viewer.UserID{"benno@example.com": "u-ben", "ben@example.com": "", "ana@example.com": "u-ana"},
			phones: map[string]viewer.UserID{"+12025550155": "u-ben", "+12025550123": "u-ana"},
		},
		{
			name: "contacts are freed when none takes their place", before: ana,
			after:  with(ana, func(i *identity.Identity) { i.Email, i.Phone = "", "" }),
			emails: map[string]viewer.UserID{"ana@example.com": ""}, phones: map[string]viewer.UserID{"+12025550123": ""},
		},
		{
			name: "somebody's e-mail", before: ben, conflict: true,
			after:  with(ben, func(i *identity.Identity) { i.Email = "ana@example.com" }),
			emails: map[string]viewer.UserID{"ana@example.com": "u-ana", "ben@example.com": "u-ben"},
		},
		{
			name: "somebody's phone", before: ben, conflict: true,
			after:  with(ben, func(i *identity.Identity) { i.Email, i.Phone = "benno@example.com", "+12025550123" }),
			emails: map[string]viewer.UserID{"benno@example.com": "", "ben@example.com": "u-ben"},
			phones: map[string]viewer.UserID{"+12025550123": "u-ana"},
		},
		{
			name: "another revision", before: with(ben, func(*identity.Identity) {}), conflict: true,
			after:  with(ben, func(i *identity.Identity) { i.Email, i.Revision = "benno@example.com", 3 }),
			emails: map[string]viewer.UserID{"benno@example.com": "", "ben@example.com": "u-ben"},
		},
		{
			name: "one that is there already", before: identity.Identity{UserID: "u-ben"}, conflict: true,
			after:  identity.Identity{UserID: "u-ben", Email: "benno@example.com", CreatedAt: identityTime, Revision: 1},
			emails: map[string]viewer.UserID{"benno@example.com": "", "ben@example.com": "u-ben"},
		},
		{
			name: "one that is not there", conflict: true,
			before: identity.Identity{UserID: "u-zoe", CreatedAt: identityTime, Revision: 1},
			after:  identity.Identity{UserID: "u-zoe", Email: "zoe@example.com", CreatedAt: identityTime, Revision: 2},
			emails: map[string]viewer.UserID{"zoe@example.com": ""},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, _ := open(t)
			ctx, store := t.Context(), s.Identities
			for _, i := range []identity.Identity{ana, ben} {
				if err := store.SaveIdentity(ctx, identity.Identity{UserID: i.UserID}, i); err != nil {
					t.Fatal(err)
				}
			}
			err := store.SaveIdentity(ctx, row.before, row.after)
			if conflict := refusal.KindOf(err) == refusal.Conflict; conflict != row.conflict || err != nil && !conflict {
				t.Errorf("SaveIdentity = %v, want a conflict: %t", err, row.conflict)
			}
			for email, want := range row.emails {
				if got, found, err := store.EmailHolder(ctx, email); got != want || found != (want != "") || err != nil {
					t.Errorf("%s is held by %q, %t, %v; want %q", email, got, found, err, want)
				}
			}
			for phone, want := range row.phones {
				if got, found, err := store.PhoneHolder(ctx, phone); got != want || found != (want != "") || err != nil {
					t.Errorf("%s is held by %q, %t, %v; want %q", phone, got, found, err, want)
				}
			}
		})
	}
}

// TestLoginsBelongToOne moves logins between two identities.
func TestLoginsBelongToOne(t *testing.T) {
	for _, provider := range []string{identity.Apple, identity.Google, identity.Facebook} {
		t.Run(provider, func(t *testing.T) {
			s, _ := open(t)
			ctx, store := t.Context(), s.Identities
			with := func(i identity.Identity, subject string) identity.Identity {
				i.Revision++
				switch provider {
				case identity.Apple:
					i.Apple = subject
				case identity.Google:
					i.Google = subject
				case identity.Facebook:
					i.Facebook = subject
				}
				return i
			}
			ana, ben := identity.Identity{UserID: "u-ana", CreatedAt: identityTime}, identity.Identity{UserID: "u-ben", CreatedAt: identityTime}
			save := func(before, after identity.Identity, want refusal.Kind) {
				t.Helper()
				if err := store.SaveIdentity(ctx, before, after); refusal.KindOf(err) != want {
					t.Errorf("saved with %v", err)
				}
			}
			holder := func(subject string, want viewer.UserID) {
				t.Helper()
				if got, found, err := store.LoginHolder(ctx, provider, subject); got != want || found != (want != "") || err != nil {
					t.Errorf("%s is held by %q, %t, %v; want %q", subject, got, found, err, want)
				}
			}
			first := with(ana, "1/a")
			save(ana, first, 0)
			save(ben, with(ben, "1/a"), refusal.Conflict)
			holder("1/a", "u-ana")
			second := with(first, "2")
			save(first, second, 0)
			holder("1/a", "")
			holder("2", "u-ana")
			save(ben, with(ben, "1/a"), 0)
			save(second, with(second, ""), 0)
			holder("2", "")
			holder("1/a", "u-ben")
		})
	}
}

func TestTokenFamilies(t *testing.T) {
	s, _ := open(t)
	ctx, store := t.Context(), s.Identities
	first := identity.TokenFamily{FamilyID: "f", UserID: "u", Digest: "1", TokenVersion: 3, ExpiresAt: identityTime}
	second := first
	second.Digest, second.ExpiresAt = "2", identityTime.Add(time.Hour)

	if err := store.AddTokenFamily(ctx, first); err != nil {
		t.Fatal(err)
	}
	if err := store.AddTokenFamily(ctx, first); refusal.KindOf(err) != refusal.Conflict {
		t.Errorf("added twice: %v", err)
	}
	if err := store.RotateTokenFamily(ctx, first, second); err != nil {
		t.Fatal(err)
	}
	if err := store.RotateTokenFamily(ctx, first, second); refusal.KindOf(err) != refusal.Conflict {
		t.Errorf("rotated twice from one state: %v", err)
	}
	if got, found, err := store.TokenFamily(ctx, "f"); got != second || !found || err != nil {
		t.Errorf("got %+v, %t, %v; want %+v", got, found, err, second)
	}
	for range 2 {
		if err := store.RemoveTokenFamily(ctx, "f"); err != nil {
			t.Fatal(err)
		}
	}
	if _, found, err := store.TokenFamily(ctx, "f"); found || err != nil {
		t.Errorf("removed, yet found: %t, %v", found, err)
	}
	if err := store.RotateTokenFamily(ctx, first, second); refusal.KindOf(err) != refusal.Conflict {
		t.Errorf("a removed family was rotated: %v", err)
	}
}

func TestSessionsAreTheLatest(t *testing.T) {
	s, _ := open(t)
	ctx, store := t.Context(), s.Identities
	for n, id := range []string{"b", "c", "a", "d"} {
		f := identity.TokenFamily{FamilyID: id, UserID: "u", TokenVersion: 1, LastUsedAt: identityTime.Add(time.Duration(n) * time.Hour)}
		if id == "d" {
			f.TokenVersion = 0
		}
		if err := store.AddTokenFamily(ctx, f); err != nil {
			t.Fatal(err)
		}
	}
	got, err := store.Sessions(ctx, "u", 1, 2)
	if err != nil || len(got) != 2 || got[0].FamilyID != "a" || got[1].FamilyID != "c" {
		t.Errorf("got %v, %v; want a and c", got, err)
	}
	if got, err := store.Sessions(ctx, "other", 0, 2); len(got) != 0 || err != nil {
		t.Errorf("a stranger's sessions are %v, %v", got, err)
	}
}

func TestIdentityKeys(t *testing.T) {
	s, _ := open(t)
	ctx, store := t.Context(), s.Identities
	key := identity.Key{Use: "tokens", KeyID: "b", Private: []byte{0, 1, 255}, CreatedAt: identityTime}
	older := identity.Key{Use: "tokens", KeyID: "a", Private: []byte{7}, CreatedAt: identityTime.Add(-time.Hour)}
	other := identity.Key{Use: "passwords", KeyID: "b", Private: []byte{9}, CreatedAt: identityTime}
	for _, k := range []identity.Key{key, older, other} {
		if err := store.AddKey(ctx, k); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.AddKey(ctx, key); refusal.KindOf(err) != refusal.Conflict {
		t.Errorf("added twice: %v", err)
	}
	want := func(use string, want ...identity.Key) {
		t.Helper()
		if got, err := store.Keys(ctx, use); !reflect.DeepEqual(got, want) || err != nil {
			t.Errorf("%s: got %v, %v; want %v", use, got, err, want)
		}
	}
	want("tokens", older, key)
	want("passwords", other)
	for range 2 {
		if err := store.RemoveKey(ctx, "tokens", "b"); err != nil {
			t.Fatal(err)
		}
	}
	want("tokens", older)
	want("passwords", other)
}

func TestIdentityMessagesAreNewestFirst(t *testing.T) {
	s, _ := open(t)
	ctx, store := t.Context(), s.Identities
	var sent []identity.Message
	for n := range 5 {
		m := identity.Message{
			MessageID: strconv.Itoa(n), UserID: "u", Channel: "email", To: "ana@example.com", Subject: "S", Text: "T",
			Code: "123456", Link: "https://app.test/x", SentAt: identityTime.Add(time.Duration(n) * time.Microsecond),
		}
		sent = append(sent, m)
		if err := store.AddMessage(ctx, m); err != nil {
			t.Fatal(err)
		}
	}
	slices.Reverse(sent)
	if got, err := store.Messages(ctx, "u", 3); !slices.Equal(got, sent[:3]) || err != nil {
		t.Errorf("got %v, %v; want %v", got, err, sent[:3])
	}
	if got, err := store.Messages(ctx, "other", 3); len(got) != 0 || err != nil {
		t.Errorf("a stranger's messages are %v, %v", got, err)
	}
}
