package jwks_test

import (
	"context"
	"crypto"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/auth/jwks"
)

// source has the keys of an issuer. While it is away, reads take a while and fail.
type source struct {
	keys  map[string]crypto.PublicKey
	away  time.Duration
	reads int
}

var errAway = errors.New("no route")

func (s *source) PublicKeys(ctx context.Context) (map[string]crypto.PublicKey, error) {
	s.reads++
	if s.away == 0 {
		return s.keys, nil
	}
	select {
	case <-time.After(s.away):
		return nil, errAway
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// find looks up a key and returns how long that takes.
func find(c *jwks.Cache, id string) (crypto.PublicKey, time.Duration, error) {
	began := time.Now()
	key, err := c.Find(context.Background(), id)
	return key, time.Since(began), err
}

// waiting is how long a read may take.
const waiting = 5 * time.Second

// While an issuer does not respond, tokens of known keys are not delayed, and those of
// unknown keys not one after the other.
func TestAnIssuerThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{keys: map[string]crypto.PublicKey{"first": "the first"}}
		c := jwks.NewCache(s, time.Now)
		if key, _, err := find(c, "first"); key != "the first" || err != nil {
			t.Fatalf("got %v, %v", key, err)
		}
		time.Sleep(time.Hour) // the key has to be renewed
		s.away = time.Hour
		done := make(chan struct{})
		go func() {
			defer close(done)
			if key, took, err := find(c, "new"); key != nil || err == nil || took != waiting {
				t.Errorf("an unknown key: %v after %v, %v", key, took, err)
			}
		}()
		synctest.Wait()
		if key, took, err := find(c, "first"); key != "the first" || took != 0 || err != nil {
			t.Errorf("a known key meanwhile: %v after %v, %v", key, took, err)
		}
		<-done
		for range 10 {
			if key, took, err := find(c, "newer"); key != nil || err == nil || took != 0 {
				t.Errorf("an unknown key at once after the failure: %v after %v, %v", key, took, err)
			}
			if key, took, err := find(c, "first"); key != "the first" || took != 0 || err != nil {
				t.Errorf("a known key after the failure: %v after %v, %v", key, took, err)
			}
		}
		if s.reads != 2 {
			t.Errorf("%d reads, want the first and the one that failed", s.reads)
		}
		s.away = 0
		s.keys["new"] = "the new"
		time.Sleep(2 * time.Second)
		if key, _, err := find(c, "new"); key != "the new" || err != nil {
			t.Errorf("the issuer is back: got %v, %v", key, err)
		}
	})
}
