// Package badword keeps the dictionary of bad words, which is replaced while the service runs,
// and has everything checked again by a new one.
package badword

import (
	"context"
	"sync"
	"time"

	"stoa/internal/outbox"
	"stoa/social"
)

// lookEvery is how old what is known of the dictionary may be.
const lookEvery = time.Minute

// Store keeps by which dictionary everything was checked, whoever serves.
type Store interface {
	// Checked returns the hash of that dictionary, "" for none.
	Checked(ctx context.Context) (hash string, err error)
	// Replaced stores that everything is to be checked by another, and e. It fails with
	// Conflict when the one before is not the last.
	Replaced(ctx context.Context, before, after string, e ...outbox.Record) error
}

// Dictionary is the present dictionary. Each process has one; Open makes it.
type Dictionary struct {
	// Read reads the words; nil words stand for those of a service without a dictionary.
	read   func() ([]string, error)
	store  Store
	events outbox.Sender

	mu       sync.Mutex
	words    social.BadWords
	lookedAt time.Time
	// checked are the words by which everything was checked, as far as this process knows; none
	// before it has looked.
	checked social.BadWords
}

// Open reads the dictionary for the first time. A nil read stands for a service without one.
func Open(read func() ([]string, error), s Store, events outbox.Sender) (*Dictionary, error) {
	if read == nil {
		read = func() ([]string, error) { return nil, nil }
	}
	d := &Dictionary{read: read, store: s, events: events}
	return d, d.look(events.Now())
}

// In reports whether a text contains a bad word. A dictionary that cannot be read stays as it
// was.
func (d *Dictionary) In(text string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := d.events.Now(); now.Sub(d.lookedAt) >= lookEvery {
		_ = d.look(now) // Check tells of it
	}
	return d.words.In(text)
}

// look reads the dictionary. The caller holds d.mu, or nobody else has d.
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

// Check has all comments and messages checked again when the dictionary is another than that by
// which it was last done, also before this process began. It fails when the dictionary cannot be
// read.
func (d *Dictionary) Check(ctx context.Context, now time.Time) error {
	d.mu.Lock()
	err := d.look(now)
	words, known := d.words, d.words.Equal(d.checked)
	d.mu.Unlock()
	if err != nil || known {
		return err
	}
	before, err := d.store.Checked(ctx)
	if err != nil {
		return err
	}
	if after := words.Hash(); after != before {
		e := d.events.New(ctx, social.BadWordsReplaced{At: now})
		if err := d.store.Replaced(ctx, before, after, e...); err != nil {
			return err
		}
		d.events.Committed(ctx, e...)
	}
	d.mu.Lock()
	d.checked = words
	d.mu.Unlock()
	return nil
}
