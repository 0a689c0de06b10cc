package apptest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/host"
	"stoa/internal/kit/faultdb"
)

// Scenario is one request and all its effects. Omitted fields are not checked, except that
// a refused request must not change counters or store events unless the scenario says so.
type Scenario struct {
	Name string
	// Given prepares the world.
	Given []Step
	// Later is how far to advance the clock before the request, and Job a job to run.
	Later time.Duration
	Job   string

	// As is the user who sends the request, "" for an anonymous one. There is no request if
	// Query is empty. Path is the path of another API than the system's.
	As        string
	Path      string
	Query     string
	Variables map[string]any
	// Meanwhile is executed between the request's decision and its first transaction. Its
	// effects count as the request's.
	Meanwhile []Step
	// Fault is a fault of one of the request's store calls.
	Fault faultdb.Fault
	// Adds is set if the request has further effects when repeated. Lags is set if it has
	// effects that it does not wait for, or if its response depends on them when the store
	// fails. See Run.
	Adds, Lags bool

	// Want is the data as JSON in any layout. Error is the text of the only error, and Code
	// its code; if empty, there must be none.
	Want, Error, Code string
	// Counts are the changes of counters, such as "ben.followerCount": 1. The same
	// attributes of other items must not change; other attributes are not checked. See
	// World.Counters for the names.
	Counts Counts
	// Events are the numbers of stored events by name, including indirect ones.
	Events Events
	// Hears is everything that listeners receive, in order, as JSON.
	Hears Hears
	// Calls is the maximum number of store calls of the request.
	Calls Calls
	// Drifts lists the counters that were already wrong and therefore cannot be updated,
	// such as "ben.followerCount".
	Drifts []string

	// Then lists further requests in the same world, in order.
	Then []Scenario
}

type (
	// Counts are changes of counters. If empty but not nil, nothing may change.
	Counts = map[string]int
	// Events are numbers of events by kind. If empty but not nil, there must be none.
	Events = map[string]int
	// Hears are events by name of their listener. If empty but not nil, there must be none.
	Hears = map[string][]string
	// Calls are the numbers of store calls and of round trips, which concurrent calls
	// share. Zero means any.
	Calls struct{ Total, RoundTrips int }
)

// Run runs each scenario in its own world. If the scenario changes something, its request
// is then repeated with a failure of each of its store calls (see sweep), except in short
// tests.
func Run(t *testing.T, system host.System, scenarios []Scenario, options ...Option) {
	t.Helper()
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			s.run(t, system, options)
		})
	}
}

// Play runs a scenario and compares its effects.
func (w *World) Play(s Scenario) {
	w.T.Helper()
	w.play(s)
	for _, problem := range w.Problems() {
		w.T.Error(problem)
	}
}

func (w *World) play(s Scenario) {
	w.T.Helper()
	w.prepare(s)
	if (s.Error != "" || s.Code != "") && s.Meanwhile == nil {
		orNothing(&s.Counts)
		orNothing(&s.Events)
	}
	before := w.Counters()
	w.TakeEvents()
	w.TakeHeard()
	w.Client.Reset()
	if s.Job != "" {
		w.RunJob(s.Job)
	}
	if s.Query != "" {
		w.makeRequest(s)
	}
	w.settleAfter(s)
	if s.Counts != nil {
		w.differs("counters shift by", shifts(before, w.Counters()), s.Counts, attribute)
	}
	if events := w.TakeEvents(); s.Events != nil {
		w.differs("events", events, s.Events, itself)
	}
	if heard := w.TakeHeard(); s.Hears != nil {
		w.compareHeard(heard, s.Hears)
	}
	w.compareDrifts(s.Drifts)
	for _, then := range s.Then {
		w.play(then)
	}
}

// settleAfter fails the test if a request had effects that were not complete when it was
// answered.
func (w *World) settleAfter(s Scenario) {
	w.T.Helper()
	if !s.isMutation() || s.Lags {
		w.Settle()
		return
	}
	answered := w.state()
	w.Settle()
	if d := Difference("store", answered, w.state()); d != "" {
		w.T.Errorf("what follows from the request came after its answer: %s\nquery   %s", w.People.Name(d), oneLine(s.Query))
	}
}

func (w *World) compareDrifts(want []string) {
	w.T.Helper()
	got := []string{}
	for _, d := range w.TakeDrifts() {
		got = append(got, w.label(map[string]any{"partitionKey": d.PK, "sortKey": d.SK})+"."+d.Attribute)
	}
	if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		w.T.Errorf("counters that drift %v\nwant %v", got, want)
	}
}

func orNothing(want *map[string]int) {
	if *want == nil {
		*want = map[string]int{}
	}
}

func (w *World) prepare(s Scenario) {
	w.T.Helper()
	w.Do(s.Given...)
	w.Advance(s.Later)
}

func (s Scenario) request() Request {
	return Request{Query: s.Query, Variables: s.Variables, Path: s.Path}
}

func (w *World) makeRequest(s Scenario) {
	w.T.Helper()
	if s.Meanwhile != nil {
		defer w.Meanwhile(s.Meanwhile)()
	}
	disarm := w.Client.Arm(s.Fault)
	a := w.Send(s.As, s.request())
	if happened := disarm(); !happened && !s.Fault.IsZero() {
		w.T.Errorf("fault %s did not happen; calls: %s", s.Fault, w.Client)
	}
	if s.Calls != (Calls{}) {
		w.T.Logf("%d store calls in %d round trips (%s)", w.Client.Total(), w.Client.RoundTrips(), w.Client)
	}
	if c := s.Calls; c.Total > 0 && w.Client.Total() > c.Total || c.RoundTrips > 0 && w.Client.RoundTrips() > c.RoundTrips {
		w.T.Errorf("%d store calls in %d round trips (%s), want at most %d in %d", w.Client.Total(), w.Client.RoundTrips(), w.Client, c.Total, c.RoundTrips)
	}
	w.compareErrors(s, a)
	if s.Want != "" {
		w.Compare(s.Query, a.Data, s.Want)
	}
}

// Meanwhile executes steps before the next transaction. It returns a check that this has
// happened.
func (w *World) Meanwhile(steps []Step) (check func()) {
	w.T.Helper()
	happened := w.Before(1, steps...)
	return func() {
		w.T.Helper()
		if !happened() {
			w.T.Error("the request made no transaction, so nothing happened meanwhile")
		}
	}
}

// Before executes steps before the n-th transaction from now on, unless the function that
// it returns is called first, which reports whether that has happened.
func (w *World) Before(n int, steps ...Step) (happened func() bool) {
	w.T.Helper()
	return w.Client.Arm(faultdb.Before("TransactWriteItems", n, func() {
		w.busy.Store(true)
		defer w.busy.Store(false)
		for _, step := range steps {
			step(w)
		}
	}))
}

func (w *World) compareErrors(s Scenario, a Answer) {
	w.T.Helper()
	switch want := w.People.Fill(s.Error); {
	case s.Error == "" && s.Code == "" && len(a.Errors) > 0:
		w.T.Errorf("refused: %s\nquery   %s", w.People.Name(a.Errors[0].String()), oneLine(s.Query))
	case s.Error == "" && s.Code == "":
	case len(a.Errors) != 1, s.Error != "" && a.Errors[0].Message != want, s.Code != "" && a.Errors[0].Extensions.Code != s.Code:
		var got []string
		for _, e := range a.Errors {
			got = append(got, w.People.Name(e.String()))
		}
		w.T.Errorf("errors  %s\nwant    %s %q\nquery   %s\nanswer  %s", strings.Join(got, "; "), s.Code, s.Error, oneLine(s.Query), w.People.Name(string(a.Data)))
	}
}

// differs fails the test if numbers differ from the wanted ones. It compares only names of
// the kinds among the wanted ones, or all names if nothing is wanted.
func (w *World) differs(what string, got, want map[string]int, kind func(name string) string) {
	w.T.Helper()
	kinds := map[string]bool{}
	for name := range want {
		kinds[kind(name)] = true
	}
	all := maps.Clone(want)
	maps.Copy(all, got)
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if got[name] != want[name] && (len(want) == 0 || kinds[kind(name)]) {
			wrong = append(wrong, fmt.Sprintf("%s %d, want %d", name, got[name], want[name]))
		}
	}
	if wrong != nil {
		w.T.Errorf("%s: %s", what, strings.Join(wrong, "; "))
	}
}

// attribute returns the attribute in a counter's name, or the name of an event itself.
func attribute(name string) string { return name[strings.LastIndex(name, ".")+1:] }
func itself(name string) string    { return name }

// shifts returns the changes of counters.
func shifts(before, after map[string]int) map[string]int {
	shifts := map[string]int{}
	for _, counters := range []map[string]int{before, after} {
		for name := range counters {
			if by := after[name] - before[name]; by != 0 {
				shifts[name] = by
			}
		}
	}
	return shifts
}

func (w *World) compareHeard(got, want Hears) {
	w.T.Helper()
	names := slices.Sorted(maps.Keys(got))
	for name := range want {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if len(got[name]) != len(want[name]) {
			w.T.Errorf("%s hears %s\nwant %s", name, w.People.Name(strings.Join(got[name], " ")), strings.Join(want[name], " "))
			continue
		}
		for i, event := range got[name] {
			d, err := compare([]byte(event), w.People.Fill(want[name][i]))
			if err != nil {
				w.T.Fatal(err)
			}
			if d != "" {
				w.T.Errorf("event %d that %s hears: %s", i+1, name, w.People.Name(d))
			}
		}
	}
}
