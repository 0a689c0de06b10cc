package apptest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"stoa/internal/host"
	"stoa/internal/kit/faultdb"
)

// sweep repeats the request of a scenario with each of its store calls failing once: before
// taking effect, after it, and as throttled if it is a transaction. In all cases, the
// response must be a server error or the right one, and the right one if retrying was
// sufficient. The change must happen completely, with all its effects, or not at all. All
// stored data must match its declarations, and the same request, when repeated, must
// restore the state as if nothing had failed.
//
// Then the request runs concurrently with itself: an equal one is executed before each
// transaction.
func (s Scenario) sweep(w *World) {
	s.Then = nil
	w.prepare(s)
	before, at := w.state(), w.mark()
	right, calls := w.attempt(s, faultdb.Fault{})
	after := w.state()
	if len(right.Errors) > 0 || reflect.DeepEqual(before, after) {
		return
	}
	fresh := func() *World {
		w := w.Another()
		w.prepare(s)
		return w
	}
	w = fresh()
	for _, fault := range faultsOf(calls) {
		a, _ := w.attempt(s, fault)
		w.judge(s, fault, a, right)
		now := w.state()
		unchanged := reflect.DeepEqual(now, before)
		if d := Difference("store", now, after); !unchanged && d != "" {
			w.T.Errorf("%s\nleaves a change made in part: %s", fault, w.People.Name(d))
		}
		w.reset(at)
		if unchanged && fault.IsEarly() {
			continue // nothing has changed
		}
		w.repeat(s, fault, after)
		w = fresh()
	}
	w.repeat(s, faultdb.On("", 1, faultdb.Internal), after)
	for i, operation := range calls {
		if operation == "TransactWriteItems" {
			fresh().meet(s, i+1, after)
		}
	}
}

// repeat sends the request again after a failure.
func (w *World) repeat(s Scenario, after faultdb.Fault, want any) {
	w.T.Helper()
	w.attempt(s, faultdb.Fault{})
	if d := Difference("store", w.state(), want); d != "" && !s.Adds {
		w.T.Errorf("%s\nis not healed by the same request: %s", after, w.People.Name(d))
	}
	w.wantNoProblems("the same request after %s", after)
}

// meet sends the request while an equal one is executed before the n-th store call: by
// another process, since this one may have it wait.
func (w *World) meet(s Scenario, n int, want any) {
	w.T.Helper()
	other := w.Beside("other")
	other.tokens = maps.Clone(w.tokens)
	a, _ := w.attempt(s, faultdb.Before("", n, func() { other.send(s.As, s.request()) }))
	other.Settle()
	for _, e := range a.Errors {
		if e.ErrorType != clientError {
			w.T.Errorf("two such requests, one before call %d of the other, are answered by %s", n, e)
		}
	}
	if d := Difference("store", w.state(), want); d != "" && !s.Adds {
		w.T.Errorf("two such requests, one before call %d of the other, leave something else than one: %s", n, w.People.Name(d))
	}
	w.wantNoProblems("two such requests, one before call %d of the other,", n)
}

func (w *World) wantNoProblems(format string, args ...any) {
	w.T.Helper()
	for _, problem := range w.Problems() {
		w.T.Errorf(format+"\nleaves %s", append(args, problem)...)
	}
	for _, drift := range w.TakeDrifts() {
		w.T.Errorf(format+"\nlets a counter drift: %+v", append(args, drift)...)
	}
}

// clientError is the type of errors caused by the request.
const clientError = "ClientError"

// faultsOf returns the possible faults of calls.
func faultsOf(calls []string) []faultdb.Fault {
	var early, late []faultdb.Fault
	for i, operation := range calls {
		early = append(early, faultdb.On("", i+1, faultdb.Internal))
		late = append(late, faultdb.On("", i+1, faultdb.Internal).Late())
		if operation == "TransactWriteItems" {
			late = append(late, faultdb.On("", i+1, faultdb.Throttled))
		}
	}
	return slices.Concat(early, late)
}

// attempt sends the request with a fault and waits for its effects. It returns the store
// calls made.
func (w *World) attempt(s Scenario, fault faultdb.Fault) (Answer, []string) {
	w.T.Helper()
	record := w.Client.Record()
	disarm := w.Client.Arm(fault)
	a := w.Send(s.As, s.request())
	disarm()
	calls := record()
	w.Settle()
	w.TakeHeard()
	return a, calls
}

// judge fails the test if a response is neither right nor a server error, or if the stored
// data is wrong.
func (w *World) judge(s Scenario, fault faultdb.Fault, got, right Answer) {
	w.T.Helper()
	for _, e := range got.Errors {
		if e.ErrorType == clientError || fault.Effect() == faultdb.Throttled {
			w.T.Errorf("%s\nis answered by %v\nquery %s", fault, e, oneLine(s.Query))
		}
	}
	if len(got.Errors) == 0 && string(got.Data) != string(right.Data) && !s.Lags {
		w.T.Errorf("%s\nis answered by %s\nwant %s", fault, w.People.Name(string(got.Data)), w.People.Name(string(right.Data)))
	}
	w.wantNoProblems("%s", fault)
}

// mark is the state of a world's clock, ids and secrets.
type mark struct {
	clock, ids int64
	secrets    []byte
}

func (w *World) mark() mark { return mark{w.clock.Load(), w.ids.Load(), w.random.mark()} }

func (w *World) reset(to mark) {
	w.clock.Store(to.clock)
	w.ids.Store(to.ids)
	w.random.reset(to.secrets)
}

// state returns all stored items by table and key, except those that only trigger effects.
// Lines of the audit log have their number instead of their id, which would be another one
// if a second process has taken one meanwhile.
func (w *World) state() any {
	w.T.Helper()
	state := map[string]any{}
	for table, items := range w.Rows() {
		lines := 0
		for _, item := range items {
			pk, _ := item["partitionKey"].(string)
			if strings.HasPrefix(pk, outboxKey) || strings.HasPrefix(pk, laneKey) || strings.HasPrefix(pk, leaseKey) || strings.HasPrefix(pk, secretKey) {
				continue
			}
			if pk == auditKey {
				lines++
				for _, name := range []string{"sortKey", "gsiA1SortKey", "gsiA2SortKey"} {
					at, _, _ := strings.Cut(item[name].(string), "/")
					item[name] = fmt.Sprint(at, "/", lines)
				}
			}
			state[table+" "+keyOf(item)] = item
		}
	}
	return state
}

// isMutation reports whether the scenario changes something and has no explicit fault.
func (s Scenario) isMutation() bool {
	return strings.HasPrefix(strings.TrimSpace(s.Query), "mutation") && s.Error == "" && s.Code == "" && s.Fault.IsZero() && s.Meanwhile == nil
}

// run runs a scenario and then its sweep.
func (s Scenario) run(t *testing.T, system host.System, options []Option) {
	Test(t, system, func(w *World) { w.Play(s) }, options...)
	if t.Failed() || !s.isMutation() || testing.Short() {
		return
	}
	Test(t, system, s.sweep, options...)
}
