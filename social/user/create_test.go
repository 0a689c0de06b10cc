package user_test

import (
	"context"
	"reflect"
	"strings"
	"sync"
	"testing"

	"stoa/internal/identity"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/social"
	"stoa/social/user"
	"stoa/store"
	"stoa/store/storetest"
)

func TestCreate(t *testing.T) {
	w := newWorld(t)
	v := social.Viewer{UserID: storetest.UserID("ana"), Client: viewer.Client{Version: "1"}}
	w.accounts[v.UserID] = account{email: "ana@example.org", phone: "+15105551000"}
	storetest.Put(t, w.calls, store.Main.Name, map[string]any{
		"partitionKey": "user/" + v.UserID, "sortKey": "deleted", "schemaVersion": 0, "userId": v.UserID, "deletedAt": "2029-01-01T00:00:00.000000Z",
	})
	seen := must[*social.SeenUser](t)(w.service.Create(t.Context(), v, "Ana.B", "Ana"))
	if !seen.IsSelf() || seen.Username() != "Ana.B" || *seen.FullName() != "Ana" || *seen.Email() != "ana@example.org" ||
		*seen.PhoneNumber() != "+15105551000" || *seen.UserStatus() != social.UserActive || !seen.SignedUpAt().Equal(now) {
		t.Errorf("created %+v", seen)
	}
	want := &social.User{
		UserID: v.UserID, Username: "Ana.B", FullName: "Ana", Email: "ana@example.org", PhoneNumber: "+15105551000",
		Privacy: social.Public, SignedUpAt: now, LastClient: map[string]string{"version": "1"},
	}
	if got := w.profile(v.UserID); !reflect.DeepEqual(got, want) {
		t.Errorf("stored %+v, want %+v", got, want)
	}
	for _, key := range []string{"userEmail/ana@example.org", "userPhoneNumber/+15105551000"} {
		if got := storetest.Get(t, w.calls, store.Main.Name, key, "-"); got["userId"] != string(v.UserID) {
			t.Errorf("%s leads to %v", key, got)
		}
	}
	if left := storetest.Get(t, w.calls, store.Main.Name, "user/"+string(v.UserID), "deleted"); left != nil {
		t.Errorf("the tombstone is left: %v", left)
	}
	w.wantEvents(social.UserCreated{UserID: v.UserID})
}

func TestCreateWithoutAClientStoresAnEmptyOne(t *testing.T) {
	w := newWorld(t)
	v := w.signedUp("ana")
	seen := must[*social.SeenUser](t)(w.service.Create(t.Context(), v, "ana", ""))
	if seen.FullName() != nil {
		t.Errorf("an empty full name is %q", *seen.FullName())
	}
	if got := w.profile(v.UserID).LastClient; got == nil || len(got) != 0 {
		t.Errorf("stored client %v", got)
	}
}

func TestCreateRefusals(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.signedUp("ana"), w.signedUp("ben")
	must[*social.SeenUser](t)(w.service.Create(t.Context(), ana, "Ana", ""))
	unverified, unknown := social.Viewer{UserID: storetest.UserID("unverified")}, social.Viewer{UserID: storetest.UserID("unknown")}
	w.accounts[unverified.UserID] = account{}
	for _, c := range []struct {
		name, username, fullName string
		v                        social.Viewer
		want                     string
	}{
		{"no name", "", "", unknown, "Empty username"},
		{"bad name", "a!", "", unknown, "Username `a!` does not validate"},
		{"no account", "Ana", "", unknown, "No entry found in cognito user pool with cognito username `" + string(unknown.UserID) + "`"},
		{"no contact", "Ana", "", unverified, "User `" + string(unverified.UserID) + "` has neither verified email nor phone"},
		{"name taken", "aNA", "", ben, "Username `aNA` already taken (case-insensitive comparison)"},
		{"long full name", "benny", strings.Repeat("x", social.MaxProfileText+1), ben, "fullName is 65537 bytes long: shorten it to at most 65536"},
		{"again, same name", "Ana", "", ana, "User `" + string(ana.UserID) + "` already exists"},
		{"again, other name", "other", "", ana, "User `" + string(ana.UserID) + "` already exists"},
	} {
		_, err := w.service.Create(t.Context(), c.v, c.username, c.fullName)
		refused(t, c.name, err, c.want)
	}
	for name, want := range map[string]social.UsernameStatus{"ana": social.UsernameNotAvailable, "other": social.UsernameAvailable, "benny": social.UsernameAvailable} {
		if got := must[social.UsernameStatus](t)(w.service.UsernameStatus(t.Context(), name)); got != want {
			t.Errorf("after the refusals %s is %s", name, got)
		}
	}
	if w.profile(ben.UserID) != nil {
		t.Error("a refused user has a profile")
	}
}

func TestNewUsersFollowReal(t *testing.T) {
	for _, c := range []struct {
		name   string
		real   social.User
		status social.FollowStatus
	}{
		{"public", social.User{Username: "real"}, social.Following},
		{"private", social.User{Username: "real", Privacy: social.Private}, social.FollowRequested},
		{"disabled", social.User{Username: "real", Status: social.UserDisabled}, social.NotFollowing},
		{"spelled otherwise", social.User{Username: "Real"}, social.NotFollowing},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			followed := w.user(c.real)
			ana := w.signedUp("ana")
			seen := must[*social.SeenUser](t)(w.service.Create(t.Context(), ana, "ana", ""))
			pair := must[social.Follow](t)(w.store.Follows.Pair(t.Context(), ana.UserID, followed.UserID))
			if pair.Status != c.status {
				t.Fatalf("the follow is %s, want %s", pair.Status, c.status)
			}
			following, requests := 0, 0
			switch c.status {
			case social.Following:
				following = 1
			case social.FollowRequested:
				requests = 1
			}
			if got := w.profile(followed.UserID); got.FollowerCount != following || got.FollowersRequestedCount != requests {
				t.Errorf("real has %d followers and %d requests", got.FollowerCount, got.FollowersRequestedCount)
			}
			if got := w.profile(ana.UserID).FollowedCount; got != following || *seen.FollowedCount() != following {
				t.Errorf("ana follows %d, and was told %d", got, *seen.FollowedCount())
			}
			created := social.UserCreated{UserID: ana.UserID}
			if c.status == social.NotFollowing {
				w.wantEvents(created)
				return
			}
			w.wantEvents(created, social.FollowMoved{
				FollowerUserID: ana.UserID, FollowedUserID: followed.UserID, From: social.NotFollowing, To: c.status,
			})
		})
	}
}

func TestRealDoesNotFollowItself(t *testing.T) {
	w := newWorld(t)
	v := w.signedUp("real")
	seen := must[*social.SeenUser](t)(w.service.Create(t.Context(), v, "real", ""))
	if *seen.FollowedCount() != 0 {
		t.Errorf("real follows %d", *seen.FollowedCount())
	}
	w.wantEvents(social.UserCreated{UserID: v.UserID})
}

// meanwhile is a store in which something happens between a decision and its writing,
// once.
type meanwhile struct {
	user.Store
	happens func()
}

func (m *meanwhile) Create(ctx context.Context, u *social.User, first *social.FollowStep, account identity.Change, e ...outbox.Record) error {
	m.now()
	return m.Store.Create(ctx, u, first, account, e...)
}

func (m *meanwhile) Change(ctx context.Context, from, to *social.User, e ...outbox.Record) error {
	m.now()
	return m.Store.Change(ctx, from, to, e...)
}

func (m *meanwhile) now() {
	if happens := m.happens; happens != nil {
		m.happens = nil
		happens()
	}
}

func TestSignUpDoesNotFailBecauseOfReal(t *testing.T) {
	w := newWorld(t)
	followed := w.user(social.User{Username: "real"})
	w.service.Store = &meanwhile{w.store.Users, func() {
		private := *followed.User
		private.Privacy = social.Private
		if err := w.store.Users.Change(t.Context(), followed.User, &private); err != nil {
			t.Fatal(err)
		}
	}}
	ana := w.signedUp("ana")
	must[*social.SeenUser](t)(w.service.Create(t.Context(), ana, "ana", ""))
	if pair := must[social.Follow](t)(w.store.Follows.Pair(t.Context(), ana.UserID, followed.UserID)); pair.Status != social.FollowRequested {
		t.Errorf("the follow is %s", pair.Status)
	}
}

func TestOneOfManyGetsTheName(t *testing.T) {
	w := newWorld(t)
	var mu sync.Mutex
	var texts []string
	var all sync.WaitGroup
	wanted := map[string]social.Viewer{}
	for _, spelling := range []string{"Name", "nAme", "naMe", "namE", "name", "NAME"} {
		wanted[spelling] = w.signedUp("who wants " + spelling)
	}
	for spelling, v := range wanted {
		all.Go(func() {
			if _, err := w.service.Create(context.Background(), v, spelling, ""); err != nil {
				mu.Lock()
				defer mu.Unlock()
				texts = append(texts, err.Error())
			}
		})
	}
	all.Wait()
	if len(texts) != 5 {
		t.Errorf("%d of 6 were refused", len(texts))
	}
	for _, text := range texts {
		if !strings.HasSuffix(text, " already taken (case-insensitive comparison)") {
			t.Errorf("refused with %q", text)
		}
	}
}
