package apptest

import (
	"encoding/json"
	"math/rand/v2"
	"time"

	"stoa/internal/kit/faultdb"
)

// Trial makes random requests in a world and in a naive model of it, while the store fails
// now and then. Requests are refused as the model says. After each there is what the model
// says comes after it, or, when the store failed, what was there before; never a part.
type Trial[M any] struct {
	World *World
	*rand.Rand
	// Model is what there is. JSON must be able to hold all of it.
	Model M
	// Observe is what everybody sees together. What nobody sees any more it takes from one
	// of the models, which are what there was and what there may be now.
	Observe func(models ...M) M
	// Failing is how many requests in a hundred meet a call of the store that fails.
	Failing int
	// Ready is done before such a request, with no call of it counted: say, a token is shown
	// whose check is remembered then. It may be nil.
	Ready func(as string)
}

// Attempt is a request with the refusal that the model expects, "" for none, and the change
// that it makes otherwise. Change runs when the request has been answered, without data when
// the store failed.
type Attempt[M any] struct {
	As, Query string
	Vars      Vars
	Refused   string
	Change    func(m M, a Answer)
}

// Try is an attempt.
func Try[M any](as, query string, v Vars, refused string, change func(m M, a Answer)) Attempt[M] {
	return Attempt[M]{As: as, Query: query, Vars: v, Refused: refused, Change: change}
}

// NewRandom is the chance of a seed.
func NewRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 5)) }

// Make makes an attempt in both.
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
	if a.Refused == "" {
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
		t.World.T.Fatalf("%s asks %s %v with %s, answered %q: there is\n%s\nbefore\n%s\nafter\n%s", a.As, a.Query, a.Vars, fault, got, seen, asJSON(before), asJSON(after))
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

// Either is the first refusal of some, given pairs of whether it holds and what it is; ""
// when none holds.
func Either(pairs ...any) string {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i].(bool) {
			return pairs[i+1].(string)
		}
	}
	return ""
}
