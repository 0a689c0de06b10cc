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

// Noon is the time of everything that a fixture does not date.
var Noon = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

// UserID returns an id derived from the name.
func UserID(name string) social.UserID {
	h := fmt.Sprintf("%x", sha256.Sum256([]byte(name)))
	return social.UserID(fmt.Sprintf("us-east-1:%s-%s-4%s-8%s-%s", h[0:8], h[8:12], h[12:15], h[15:18], h[18:30]))
}

// User stores a profile. Its name is required. By default, the id is derived from the name
// and the profile is public.
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

// Caller returns u as a caller.
func Caller(u social.User) social.Caller {
	return social.Caller{Viewer: social.Viewer{UserID: u.UserID}, User: &u}
}

// Counts checks all counters of an item of the main table. Those not in want must be absent
// or zero.
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

// get returns an item as stored, or an empty map if it does not exist. The call is not
// counted.
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
