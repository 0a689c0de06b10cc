// Package idempotency makes mutations safe to repeat, as the header Idempotency-Key asks for
// (draft-ietf-httpapi-idempotency-key-header): who has sent a key with a request is given the
// answer of the first request with it.
//
// That a mutation has been carried out is recorded in the transaction of its decision, so that
// two processes cannot both do it, and one that dies cannot forget that it did. The answer is
// recorded afterwards.
package idempotency

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Lifetime is how long a key is remembered.
const Lifetime = 24 * time.Hour

// maxKey is the maximum length of a key, in bytes.
const maxKey = 255

// ErrDone is the error of a transaction of a mutation that another request with the same key
// has already carried out.
var ErrDone = refusal.New(refusal.Precondition, "", "Another request with this Idempotency-Key has carried out the mutation")

// ParseKey returns the key in the value of a header: a string in quotation marks, as the draft
// says, or a bare one, as most clients send. Its error is intended for a client's developer.
func ParseKey(value string) (string, error) {
	key := value
	if quoted, ok := strings.CutPrefix(value, `"`); ok {
		if key, ok = strings.CutSuffix(quoted, `"`); !ok {
			return "", errors.New("Idempotency-Key begins with a quotation mark and does not end with one")
		}
	}
	switch {
	case key == "":
		return "", errors.New("Idempotency-Key is empty: send a string that is new for each request, such as a UUID")
	case len(key) > maxKey:
		return "", fmt.Errorf("Idempotency-Key has %d bytes, the limit is %d", len(key), maxKey)
	}
	for i := range len(key) {
		if c := key[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return "", errors.New("Idempotency-Key may contain printable ASCII characters except quotation marks and backslashes")
		}
	}
	return key, nil
}

// Key identifies a request and its repetitions.
type Key struct {
	System string
	Caller viewer.UserID
	// Digest is a hash of the key that the caller has sent.
	Digest string
}

// Store stores what was done and answered.
type Store interface {
	// Load returns what is stored of a request, or the zero Record.
	Load(ctx context.Context, k Key, now time.Time) (Record, error)
	// Watch returns a context whose transactions record what t says, and fail with ErrDone
	// if another request with the key has recorded it.
	Watch(ctx context.Context, t *Ticket) context.Context
	// Answer stores an answer, and reports whether it did: the first one stays.
	Answer(ctx context.Context, k Key, document string, at time.Time, answer []byte) (bool, error)
}

// Record is what is stored of a request.
type Record struct {
	// Document identifies the document with its variables; "" if nothing is stored.
	Document string
	// At is when the first transaction was decided.
	At time.Time
	// Done are the root fields that were carried out, by the names of their answers.
	Done map[string]bool
	// Answer is the answer, or nil if none was recorded.
	Answer []byte
}

// Ticket accompanies a request with a key in its context. Transactions of its decisions record
// the mutation.
type Ticket struct {
	Key      Key
	Document string
	Now      time.Time
	// field returns the name of the root field that a context belongs to.
	field func(context.Context) string

	mu sync.Mutex
	// deciding is the number of decisions that are running.
	deciding int
	done     map[string]bool
	refused  bool
	over     bool
}

type ticketKey struct{}

// Start returns a ticket, and a context whose decisions record it in a store.
func Start(
	ctx context.Context, s Store, key Key, document string, now time.Time, field func(context.Context) string,
) (context.Context, *Ticket) {
	t := &Ticket{Key: key, Document: document, Now: now, field: field, done: map[string]bool{}}
	return s.Watch(context.WithValue(ctx, ticketKey{}, t), t), t
}

// Decide tells the ticket of ctx, if there is one, that a decision begins, until end is called.
func Decide(ctx context.Context) (end func()) {
	t, ok := ctx.Value(ticketKey{}).(*Ticket)
	if !ok {
		return nothing
	}
	t.count(1)
	return func() { t.count(-1) }
}

func nothing() {}

// Accompanies reports whether the request of ctx has a key, which is recorded in a transaction of
// its own.
func Accompanies(ctx context.Context) bool {
	_, ok := ctx.Value(ticketKey{}).(*Ticket)
	return ok
}

type preparingKey struct{}

// Preparing returns a context whose transactions prepare a mutation: none records that it has
// been carried out.
func Preparing(ctx context.Context) context.Context {
	return context.WithValue(ctx, preparingKey{}, true)
}

func (t *Ticket) count(by int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.deciding += by
}

// Due returns the root field that a transaction with this context is to record, or "": the
// first transaction of its decision does, unless it is Preparing.
func (t *Ticket) Due(ctx context.Context) string {
	if ctx.Value(preparingKey{}) != nil {
		return ""
	}
	field := t.field(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over || t.deciding == 0 || t.done[field] {
		return ""
	}
	return field
}

// Committed says that a root field was recorded.
func (t *Ticket) Committed(field string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done[field] = true
}

// Refused says that another request has recorded a root field.
func (t *Ticket) Refused() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refused = true
}

// End returns how many root fields this request has carried out, and whether one was refused
// because another request had. Later transactions, of effects in the background, record
// nothing.
func (t *Ticket) End() (done int, refused bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	return len(t.done), t.refused
}
