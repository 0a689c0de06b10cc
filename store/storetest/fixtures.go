package storetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/identity"
	"stoa/social"
	"stoa/store"
)

// Noon is when what a fixture leaves undated happened.
var Noon = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

// UserID makes the same id of a name each time.
func UserID(name string) social.UserID {
	h := fmt.Sprintf("%x", sha256.Sum256([]byte(name)))
	return social.UserID(fmt.Sprintf("us-east-1:%s-%s-4%s-8%s-%s", h[0:8], h[8:12], h[12:15], h[15:18], h[18:30]))
}

// User stores a profile. Its name has to be given; the id is that of the name, and it is
// public, unless u says otherwise.
func User(t testing.TB, s *store.Store, u social.User) social.User {
	t.Helper()
	if u.UserID == "" {
		u.UserID = UserID(u.Username)
	}
	if u.Privacy == "" {
		u.Privacy = social.Public
	}
	if u.SignedUpAt.IsZero() {
		u.SignedUpAt = Noon
	}
	if err := s.Users.Create(t.Context(), &u, nil, identity.Change{}); err != nil {
		t.Fatalf("user %s: %v", u.Username, err)
	}
	return u
}

// Caller is u acting.
func Caller(u social.User) social.Caller {
	return social.Caller{Viewer: social.Viewer{UserID: u.UserID}, User: &u}
}

// Block makes one user block another.
func Block(t testing.TB, c *Calls, blocker, blocked social.UserID) {
	t.Helper()
	Put(t, c, store.Main.Name, map[string]any{
		"partitionKey": "user/" + blocked, "sortKey": "blocker/" + blocker, "schemaVersion": 0,
		"blockerUserId": blocker, "blockedUserId": blocked, "blockedAt": "2030-01-01T12:00:00.000000Z",
	})
}

// Put writes an item as it stands, past all rules. The call is not counted.
func Put(t testing.TB, c *Calls, table string, item map[string]any) {
	t.Helper()
	if err := dynamo.NewFromIface(c.Engine()).Table(Prefix + table).Put(item).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Get reads an item as it stands, empty when there is none. The call is not counted.
func Get(t testing.TB, c *Calls, table, pk, sk string) map[string]any {
	t.Helper()
	var item map[string]any
	err := dynamo.NewFromIface(c.Engine()).Table(Prefix+table).Get("partitionKey", pk).
		Range("sortKey", dynamo.Equal, sk).Consistent(true).One(t.Context(), &item)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		t.Fatal(err)
	}
	return item
}
