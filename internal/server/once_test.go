package server_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/host"
	"stoa/internal/host/toy"
	"stoa/internal/idempotency"
	"stoa/internal/identity"
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/keyspec"
	"stoa/internal/server"
)

// fragile is a store of keys with failures.
type fragile struct {
	idempotency.Store
	// dies loses answers, as if the process died between the commit and the answer.
	dies atomic.Bool
	// old is added to the age of records.
	old time.Duration
	// before is called before a record is looked up; it may be nil.
	before func()
}

func (f *fragile) Load(ctx context.Context, k idempotency.Key, now time.Time) (idempotency.Record, error) {
	if f.before != nil {
		f.before()
	}
	record, err := f.Store.Load(ctx, k, now)
	record.At = record.At.Add(-f.old)
	return record, err
}

func (f *fragile) Answer(ctx context.Context, k idempotency.Key, document string, at time.Time, answer []byte) (bool, error) {
	if f.dies.Load() {
		return false, errors.New("the process has died")
	}
	return f.Store.Answer(ctx, k, document, at, answer)
}

// replica is a process that serves the toy system.
type replica struct {
	base string
	keys *fragile
}

// replicas starts processes on one store.
func replicas(t *testing.T, n int) ([]replica, *faultdb.Client) {
	t.Helper()
	client := faultdb.Wrap(enginetest.Memory(t))
	var all []replica
	for i := range n {
		db := keyspec.Open(dynamo.NewFromIface(client), "test-", host.Tables(toy.System())...)
		if err := db.CreateTables(t.Context()); err != nil {
			t.Fatal(err)
		}
		h, err := host.New(t.Context(), host.Config{
			DB: db, Holder: fmt.Sprint("process ", i), Wait: time.Minute,
			Issuer: host.IssuerConfig{Mode: identity.Dev, Region: "us-east-1", Cost: identity.Cost{MemoryKiB: 8, Passes: 1}},
			Now:    time.Now, NewID: uuid.NewString, Random: rand.Reader, Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
		}, toy.System())
		if err != nil {
			t.Fatal(err)
		}
		keys := &fragile{Store: h.Ops.Keys}
		s := newService(t, func(c *server.Config) {
			c.Keys = keys
			c.Systems = []server.System{{Name: "toy", Path: "/graphql", Schema: h.Joined[0].Schema}}
		})
		all = append(all, replica{s.listen(t), keys})
	}
	return all, client
}

const addNote = `mutation($id: ID!, $text: String!) { addNote(noteId: $id, text: $text) { noteId text } }`

func note(id, text string) map[string]any { return map[string]any{"id": id, "text": text} }

// add sends a mutation with a key.
func (r replica) add(t *testing.T, key, query string, variables map[string]any, headers ...string) reply {
	t.Helper()
	return do(t, call(t, "POST", r.base+"/graphql", document(t, query, variables), append([]string{"Idempotency-Key", key}, headers...)...))
}

const taken = "ClientError: Note `1` already exists"

func TestAKeyIsAnsweredOnce(t *testing.T) {
	for _, test := range []struct {
		name, query string
		variables   map[string]any
		key         string
		status      int
		want        string
		// same is set if the answer is that of the first.
		same bool
	}{
		{name: "the same", key: "k", status: 200, same: true},
		{name: "the same, quoted", key: `"k"`, status: 200, same: true},
		{name: "a variable that is not declared", key: "k", variables: map[string]any{"id": "1", "text": "a", "sentAt": 5}, status: 200, same: true},
		{name: "no key", key: "", status: 200, want: taken},
		{name: "another key", key: "l", status: 200, want: taken},
		{name: "other variables", key: "k", variables: note("1", "b"), status: 422, want: "IDEMPOTENCY_KEY_REUSED"},
		{name: "another document", key: "k", query: addNote + " ", status: 422, want: "already used"},
		{name: "too long", key: strings.Repeat("k", 256), status: 400, want: "IDEMPOTENCY_KEY_MALFORMED"},
		{name: "half a string", key: `"k`, status: 400, want: "IDEMPOTENCY_KEY_MALFORMED"},
		{name: "a query", key: "k", query: `{ latest { text } }`, status: 200, want: `{"data":{"latest":{"text":"a"}}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			of, _ := replicas(t, 2)
			first := of[0].add(t, "k", addNote, note("1", "a"))
			if first.body != `{"data":{"addNote":{"noteId":"1","text":"a"}}}` {
				t.Fatalf("first: %d %s", first.status, first.body)
			}
			query, variables := test.query, test.variables
			if query == "" {
				query = addNote
			}
			if variables == nil && strings.HasPrefix(query, "mutation") {
				variables = note("1", "a")
			}
			for i, r := range of {
				got := r.add(t, test.key, query, variables)
				if got.status != test.status || !strings.Contains(got.body, test.want) || (got.body == first.body) != test.same {
					t.Errorf("process %d: %d %s", i, got.status, got.body)
				}
			}
		})
	}
}

// After a death between the commit and the answer, what was done is read, and what was not is
// done.
func TestADeadProcessHasDoneIt(t *testing.T) {
	const both = `mutation { one: addNote(noteId: "1", text: "a") { ...F } two: addNote(noteId: "2", text: "b") { ...F } } fragment F on Note { text }`
	for _, test := range []struct {
		name, query string
		variables   map[string]any
		want        string
	}{
		{name: "a field", query: addNote, variables: note("1", "a"), want: `{"data":{"addNote":{"noteId":"1","text":"a"}}}`},
		{name: "two", query: both, want: `{"data":{"one":{"text":"a"},"two":{"text":"b"}}}`},
		{name: "in a fragment", query: `mutation { ...M } fragment M on Mutation { addNote(noteId: "1", text: "a") { text } }`, want: "ALREADY_DONE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			of, _ := replicas(t, 2)
			of[0].keys.dies.Store(true)
			first := of[0].add(t, "k", test.query, test.variables)
			for range 2 {
				of[1].keys.old = time.Hour
				got := of[1].add(t, "k", test.query, test.variables)
				if got.status != 200 || !strings.Contains(got.body, test.want) || strings.HasPrefix(test.want, "{") && got.body != first.body {
					t.Errorf("%d %s, at first %s", got.status, got.body, first.body)
				}
			}
		})
	}
	t.Run("between two fields", func(t *testing.T) {
		of, client := replicas(t, 2)
		of[0].keys.dies.Store(true)
		disarm := client.Arm(faultdb.On("TransactWriteItems", 2, faultdb.Internal).In("test-toy-main"))
		first := of[0].add(t, "k", both, nil)
		if !disarm() || !strings.Contains(first.body, "INTERNAL") {
			t.Fatalf("at first %s", first.body)
		}
		if got := of[1].add(t, "k", both, nil); got.body != `{"data":{"one":{"text":"a"},"two":{"text":"b"}}}` {
			t.Errorf("again %s", got.body)
		}
	})
	t.Run("and its process may still answer", func(t *testing.T) {
		of, _ := replicas(t, 2)
		of[0].keys.dies.Store(true)
		const query = `mutation { ...M } fragment M on Mutation { addNote(noteId: "1", text: "a") { text } }`
		of[0].add(t, "k", query, nil)
		if got := of[1].add(t, "k", query, nil); got.status != 409 || got.header.Get("Retry-After") == "" {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
}

// The response to the commit is lost, so that its process does not know that it was done.
func TestALostCommitIsNotRepeated(t *testing.T) {
	of, client := replicas(t, 2)
	client.Arm(faultdb.On("TransactWriteItems", 1, faultdb.Internal).Late())
	first := of[0].add(t, "k", addNote, note("1", "a"))
	for i, r := range of {
		if got := r.add(t, "k", addNote, note("1", "a")); got.body != `{"data":{"addNote":{"noteId":"1","text":"a"}}}` {
			t.Errorf("process %d: %s, at first %s", i, got.body, first.body)
		}
	}
}

// Of two processes that begin together, one commits, and both answer the same.
func TestTwoProcessesBeginTogether(t *testing.T) {
	of, client := replicas(t, 2)
	var other reply
	client.Arm(faultdb.Before("TransactWriteItems", 1, func() { other = of[1].add(t, "k", addNote, note("1", "a")) }))
	got := of[0].add(t, "k", addNote, note("1", "a"))
	if got.body != other.body || got.body != `{"data":{"addNote":{"noteId":"1","text":"a"}}}` {
		t.Errorf("%s and %s", got.body, other.body)
	}
}

func TestARequestIsOutstanding(t *testing.T) {
	of, _ := replicas(t, 1)
	var same, different reply
	of[0].keys.before = func() {
		of[0].keys.before = nil
		same = of[0].add(t, "k", addNote, note("1", "a"))
		different = of[0].add(t, "k", addNote, note("2", "a"))
	}
	of[0].add(t, "k", addNote, note("1", "a"))
	if same.status != 409 || !strings.Contains(same.body, "IDEMPOTENCY_KEY_IN_USE") || same.header.Get("Retry-After") != "1" {
		t.Errorf("the same: %d %s", same.status, same.body)
	}
	if different.status != 422 {
		t.Errorf("another: %d %s", different.status, different.body)
	}
}

// What was refused is decided again.
func TestARefusalIsNotRecorded(t *testing.T) {
	of, _ := replicas(t, 1)
	of[0].add(t, "", addNote, note("1", "a"))
	for range 2 {
		if got := of[0].add(t, "k", addNote, note("1", "b")); !strings.Contains(got.body, taken) {
			t.Errorf("%s", got.body)
		}
	}
	if got := of[0].add(t, "k", addNote, note("2", "b")); !strings.Contains(got.body, `"noteId":"2"`) {
		t.Errorf("%s", got.body)
	}
}

// Without a key, a mutation makes the calls that it made before there were keys.
func TestNoKeyCostsNothing(t *testing.T) {
	of, client := replicas(t, 1)
	client.Reset()
	of[0].add(t, "", addNote, note("1", "a"))
	without := client.Total()
	client.Reset()
	of[0].add(t, "k", addNote, note("2", "a"))
	if with := client.Total(); with != without+3 {
		t.Errorf("%d calls with a key, %d without: want two reads and the answer more", with, without)
	}
}

func TestKeysOnOtherTransports(t *testing.T) {
	of, _ := replicas(t, 1)
	const body = `{"query":"mutation { addNote(noteId: \"1\", text: \"a\") { text } }","extensions":{"idempotencyKey":"k"}}`
	const answer = `{"data":{"addNote":{"text":"a"}}}`
	for range 2 {
		if got := do(t, call(t, "POST", of[0].base+"/graphql", body)); got.body != answer {
			t.Errorf("%d %s", got.status, got.body)
		}
		c := dial(t, of[0].base+"/graphql", nil).initialise()
		c.send(`{"id":"1","type":"subscribe","payload":` + body + `}`)
		c.expect(`{"id":"1","type":"next","payload":` + answer + `}`)
		c.expect(`{"id":"1","type":"complete"}`)
		if got := do(t, call(t, "POST", of[0].base+"/graphql", body, "Accept", "text/event-stream")); !strings.Contains(got.body, "data: "+answer) {
			t.Errorf("as events: %s", got.body)
		}
	}
	// A key that is empty is no less malformed in a request than in a header.
	empty := strings.Replace(body, `"k"`, `""`, 1)
	if got := do(t, call(t, "POST", of[0].base+"/graphql", empty)); got.status != 400 || !strings.Contains(got.body, "IDEMPOTENCY_KEY_MALFORMED") {
		t.Errorf("an empty key: %d %s", got.status, got.body)
	}
	if got := do(t, call(t, "POST", of[0].base+"/graphql", strings.Replace(body, `"k"`, `null`, 1))); got.status != 200 || strings.Contains(got.body, "IDEMPOTENCY") {
		t.Errorf("no key: %d %s", got.status, got.body)
	}
	if got := do(t, call(t, "POST", of[0].base+"/graphql", body, "Idempotency-Key", "l")); got.status != 400 || !strings.Contains(got.body, "two different") {
		t.Errorf("two keys: %d %s", got.status, got.body)
	}
}
