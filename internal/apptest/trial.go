package apptest

import (
	"encoding/json"
	"math/rand/v2"
	"time"

	"stoa/internal/kit/faultdb"
)

// Trial sends random requests to a world and a naive model of it, with occasional store
// failures. Requests must be refused as in the model. After each request, the state must be
// the model's next state or, if the store failed, possibly its previous one, but never
// anything in between.
type Trial[M any] struct {
	World *World
	*rand.Rand
	// Model is the current state. It must be encodable as JSON.
	Model M
	// Observe returns the state visible to all users together. It takes what is no longer
	// visible from one of the models, which are the previous and the possible next state.
	Observe func(models ...M) M
	// Failing is the percentage of requests with a failing store call.
	Failing int
	// Ready is called before such a request, and its calls are not counted. It can, for
	// example, use a token so that its verification is cached. It may be nil.
	Ready func(as string)
}

// Attempt is a request with the refusal expected by the model, "" for none, and otherwise
// its change. Change is called after the response, without data if the store failed.
type Attempt[M any] struct {
	As, Query string
	Vars      Vars
	Refused   string
	Change    func(m M, a Answer)
	// Despite is set if the change is made although the request is refused.
	Despite bool
}

// Try returns an attempt.
func Try[M any](as, query string, v Vars, refused string, change func(m M, a Answer)) Attempt[M] {
	return Attempt[M]{As: as, Query: query, Vars: v, Refused: refused, Change: change}
}

// NewRandom returns a source of randomness for a seed.
func NewRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 5)) }

// Make performs an attempt in the world and the model.
func (t *Trial[M]) Make(a Attempt[M]) {
	t.World.T.Helper()
	fault, failed := faultdb.Fault{}, func() bool { return false }
	if t.IntN(100) < t.Failing {
		fault = faultdb.On("", 1+t.IntN(8), faultdb.Internal)
		if t.IntN(2) == 0 {
			fault = fault.Late()
		}
		if t.Ready != nil {
			t.World.Advance(10 * time.Second)
			t.Ready(a.As)
		}
		failed = t.World.Client.Arm(fault)
	}
	answer := t.World.Asks(a.As, a.Query, a.Vars)
	happened, got := failed(), answer.Refusal()
	t.World.Settle()
	before, after := t.Model, clone(t.Model)
	if a.Refused == "" || a.Despite {
		a.Change(after, answer)
	}
	now := t.Observe(before, after)
	switch seen := asJSON(now); {
	case got != a.Refused && !(happened && got == "INTERNAL"):
		t.World.T.Fatalf("%s asks %s %v with %s: refused with %q, want %q", a.As, a.Query, a.Vars, fault, got, a.Refused)
	case seen == asJSON(after):
		t.Model = after
	case got == "INTERNAL" && seen == asJSON(before):
	default:
		t.World.T.Fatalf(
			"%s asks %s %v with %s, answered %q: there is\n%s\nbefore\n%s\nafter\n%s",
			a.As,
			a.Query,
			a.Vars,
			fault,
			got,
			seen,
			asJSON(before),
			asJSON(after),
		)
	}
	t.World.Whole()
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func clone[M any](m M) (c M) {
	if err := json.Unmarshal([]byte(asJSON(m)), &c); err != nil {
		panic(err)
	}
	return c
}

// Either returns the first applicable refusal, given pairs of a condition and a refusal; ""
// if none applies.
func Either(pairs ...any) string {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i].(bool) {
			return pairs[i+1].(string)
		}
	}
	return ""
}
