package identity_test

import (
	"strings"
	"testing"

	"stoa/internal/identity"
)

func TestBcrypt(t *testing.T) {
	b := identity.NewBcrypt(4)
	hash, err := b.Hash(t.Context(), "correct horse")
	if err != nil || !strings.HasPrefix(string(hash), "$2a$04$") {
		t.Fatalf("hash %s, %v", hash, err)
	}
	if _, err := b.Hash(t.Context(), strings.Repeat("x", 73)); err == nil {
		t.Error("a password that is cut off is hashed")
	}
	for name, c := range map[string]struct {
		hash     []byte
		password string
		want     bool
	}{
		"the password":      {hash, "correct horse", true},
		"another one":       {hash, "wrong horse", false},
		"one that is long":  {hash, strings.Repeat("x", 73), false},
		"nobody's":          {nil, "nobody", false},
		"another of nobody": {nil, "correct horse", false},
	} {
		if got, err := b.Matches(t.Context(), c.hash, c.password); got != c.want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := b.Matches(t.Context(), []byte("no hash"), "x"); err == nil {
		t.Error("what is no hash goes unnoticed")
	}
}
