package storetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"strings"
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

// Counts compares all counters of an item of the main table with those wanted. Others
// must be absent or zero.
func Counts(t testing.TB, c *Calls, pk, sk string, want map[string]int) {
	t.Helper()
	got := map[string]int{}
	for name, value := range get(t, c, store.Main.Name, pk, sk) {
		if n, ok := value.(float64); ok && n != 0 && strings.HasSuffix(name, "Count") {
			got[name] = int(n)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("counters of %s are %v, want %v", pk, got, want)
	}
}

// get reads an item as it stands, empty when there is none. The call is not counted.
func get(t testing.TB, c *Calls, table, pk, sk string) map[string]any {
	t.Helper()
	var item map[string]any
	err := dynamo.NewFromIface(c.Engine()).Table(Prefix+table).Get("partitionKey", pk).
		Range("sortKey", dynamo.Equal, sk).Consistent(true).One(t.Context(), &item)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		t.Fatal(err)
	}
	return item
}
