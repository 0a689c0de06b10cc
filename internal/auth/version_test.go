package auth_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"stoa/internal/auth"
	"stoa/internal/kit/viewer"
)

// versions holds the token versions of users. If fault is set, reading them fails with it.
type versions struct {
	of    map[viewer.UserID]int
	asked int
	fault error
}

func (v *versions) TokenVersion(_ context.Context, id viewer.UserID) (int, error) {
	v.asked++
	return v.of[id], v.fault
}

func TestTokensEndByVersion(t *testing.T) {
	c, i := newClock(), newIssuer(t)
	v := &versions{of: map[viewer.UserID]int{ana: 1}}
	verifier := auth.New(auth.Config{Keys: i, Versions: v, Now: c.now})
	issued := func(version any) string {
		return i.sign(t, "first", c.claims(map[string]any{"token_version": version}))
	}
	old, present := issued(nil), issued(1)
	wantRefusal(t, verifier, old, untrusted)
	for range 3 {
		wantUser(t, verifier, present, ana)
	}
	if v.asked != 1 {
		t.Errorf("versions were read %d times, want once for all requests of ten seconds", v.asked)
	}

	v.of[ana] = 2
	c.turn(10 * time.Second)
	wantRefusal(t, verifier, present, untrusted)
	wantUser(t, verifier, issued(2), ana)
	wantUser(t, verifier, issued(3), ana)

	second := issued(2)
	wantUser(t, verifier, second, ana)
	v.of[ana] = 3
	wantUser(t, verifier, second, ana)
	verifier.Forget(ana)
	wantRefusal(t, verifier, second, untrusted)
	wantRefusal(t, verifier, second, untrusted)
	wantUser(t, verifier, issued(3), ana)

	c.turn(10 * time.Second)
	v.fault = errors.New("disk on fire")
	if _, err := verifier.Authenticate(t.Context(), issued(2)); !errors.Is(err, v.fault) {
		t.Errorf("got %v, want the fault", err)
	}
}
