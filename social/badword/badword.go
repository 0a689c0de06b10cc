// Package badword holds the dictionary of bad words, which may be replaced while the
// service runs, and has all texts checked again when it is.
package badword

import (
	"context"
	"sync"
	"time"

	"stoa/internal/decision"
	"stoa/internal/outbox"
	"stoa/social"
)

// lookEvery is the maximum age of the dictionary in memory.
const lookEvery = time.Minute

// Store stores the dictionary by which everything was last checked, for all servers.
type Store interface {
	// Checked returns the hash of that dictionary, or "" if there is none.
	Checked(ctx context.Context) (hash string, err error)
	// Replaced stores the hash of the next dictionary, and e. It fails with Conflict if
	// before is not the stored hash.
	Replaced(ctx context.Context, before, after string, e ...outbox.Record) error
}

// Dictionary is the current dictionary. Each process has one, made by Open.
type Dictionary struct {
	decision.Frame
	// read returns the words; nil means the default words.
	read  func() ([]string, error)
	store Store

	mu       sync.Mutex
	words    social.BadWords
	lookedAt time.Time
	// checked are the words by which everything was checked, as far as this process knows;
	// empty until it has looked.
	checked social.BadWords
}

// Open returns the dictionary after reading it for the first time. If read is nil, the
// default words are used.
func Open(read func() ([]string, error), s Store, frame decision.Frame) (*Dictionary, error) {
	if read == nil {
		read = func() ([]string, error) { return nil, nil }
	}
	d := &Dictionary{read: read, store: s, Frame: frame}
	return d, d.look(frame.Now())
}

// In reports whether a text contains a bad word. If the dictionary cannot be read, the
// previous one remains in use.
func (d *Dictionary) In(text string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := d.Now(); now.Sub(d.lookedAt) >= lookEvery {
		_ = d.look(now) // Check reports the error
	}
	return d.words.In(text)
}

// look reads the dictionary. The caller must hold d.mu, or be the only one with d.
func (d *Dictionary) look(now time.Time) error {
	d.lookedAt = now
	words, err := d.read()
	if err != nil {
		return err
	}
	if words == nil {
		words = social.DefaultBadWords
	}
	d.words = social.NewBadWords(words)
	return nil
}

// Check has all comments and messages checked again if the dictionary differs from that of
// the last check, which may have been made by another process. It fails if the dictionary
// cannot be read.
func (d *Dictionary) Check(ctx context.Context, now time.Time) error {
	d.mu.Lock()
	err := d.look(now)
	words, known := d.words, d.words.Equal(d.checked)
	d.mu.Unlock()
	if err != nil || known {
		return err
	}
	err = decision.Do(ctx, d.Frame, func(a *decision.Attempt) error {
		before, err := d.store.Checked(ctx)
		after := words.Hash()
		if err != nil || after == before {
			return err
		}
		return d.store.Replaced(ctx, before, after, a.Emit(social.BadWordsReplaced{At: now})...)
	})
	if err != nil {
		return err
	}
	d.mu.Lock()
	d.checked = words
	d.mu.Unlock()
	return nil
}
