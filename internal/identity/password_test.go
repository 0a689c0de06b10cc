package identity

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/viewer"
)

// nobody is a store without identities and contacts.
type nobody struct{ Store }

func (nobody) Identity(context.Context, viewer.UserID) (i Identity, found bool, err error) {
	return
}
func (nobody) EmailHolder(context.Context, string) (id viewer.UserID, found bool, err error) { return }
func (nobody) PhoneHolder(context.Context, string) (id viewer.UserID, found bool, err error) { return }
func (nobody) Claimant(context.Context, string) (id viewer.UserID, found bool, err error)    { return }
func (nobody) ValidUsername(string) bool                                                     { return false }
func (nobody) ReservedUsername(string) bool                                                  { return false }

func (nobody) UserIDByUsername(context.Context, string) (id viewer.UserID, found bool, err error) {
	return
}

// Responses for unknown names must not be faster, so they cost the same hash.
func TestUnknownNamesCostAHash(t *testing.T) {
	cost := Cost{MemoryKiB: 64, Passes: 3}
	for _, n := range []name{
		{byUserID, "us-east-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f"}, {byUserID, "nonsense"},
		{byUsername, "ana"}, {byUsername, "?"},
		{byEmail, "ana@example.com"}, {byEmail, "nonsense"},
		{byPhone, "+12025550123"}, {byPhone, "nonsense"},
	} {
		issuer := New(Config{Mode: Dev, Store: nobody{}, Usernames: nobody{}, Cost: cost, Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)})
		var costs []Cost
		issuer.passwords.derive = func(_, _ []byte, c Cost) []byte {
			costs = append(costs, c)
			return make([]byte, hashSize) // what the stand-in hash holds, so that a match would show
		}
		if _, err := issuer.signIn(t.Context(), n, "correct horse", "192.0.2.1"); err != errMismatch {
			t.Errorf("%v: %v", n, err)
		}
		if len(costs) != 1 || costs[0] != cost {
			t.Errorf("%v cost %v, want one hash of %v", n, costs, cost)
		}
	}
}

func TestHash(t *testing.T) {
	h := newHasher(Cost{MemoryKiB: 8, Passes: 1}, rand.Reader)
	ctx := context.Background()
	hash, err := h.hash(ctx, "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	if other, _ := h.hash(ctx, "correct horse"); other == hash {
		t.Error("two hashes of a password are equal")
	}
	for password, want := range map[string]bool{"correct horse": true, "correct horsE": false, "": false} {
		if got, err := h.matches(ctx, hash, password); got != want || err != nil {
			t.Errorf("%q matches: %t, %v", password, got, err)
		}
	}
	for _, broken := range []string{"plain", "$argon2id$v=19$m=8,t=1,p=1$", "$argon2i$v=19$m=8,t=1,p=1$x", hash + "x", hash[:len(hash)-1], strings.Replace(hash, "$m", "$!", 1)} {
		if got, err := h.matches(ctx, broken, "correct horse"); got || err == nil {
			t.Errorf("%q matches: %t, %v", broken, got, err)
		}
	}
}

func TestWaitingForATurnEndsWithTheRequest(t *testing.T) {
	h := newHasher(Cost{MemoryKiB: 8, Passes: 1}, rand.Reader)
	for range cap(h.turns) {
		h.turns <- struct{}{}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := h.hash(ctx, "correct horse"); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func BenchmarkDefaultCost(b *testing.B) {
	h := newHasher(DefaultCost, rand.Reader)
	for b.Loop() {
		if _, err := h.hash(context.Background(), "correct horse"); err != nil {
			b.Fatal(err)
		}
	}
}
