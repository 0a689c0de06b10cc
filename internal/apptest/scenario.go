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

// Scenario is one request and everything that comes of it. What is left out is not
// looked at, but what is refused must leave counters as they were and store no event,
// unless the scenario says otherwise.
type Scenario struct {
	Name string
	// Given prepares the world.
	Given []Step
	// Later turns the clock before the request, and Job runs a job.
	Later time.Duration
	Job   string

	// As is who makes the request, "" for nobody. There is none when Query is empty.
	As        string
	Query     string
	Variables map[string]any
	// Meanwhile happens between the request's decision and its first transaction. What
	// comes of it counts as the request's.
	Meanwhile []Step
	// Fault happens to one of the request's store calls.
	Fault faultdb.Fault
	// Adds says that the request does more when it is made twice, and Lags that it causes
	// more than it waits for, or answers with what comes later when the store fails. See
	// Run.
	Adds, Lags bool

	// Want is the data as JSON in any layout. Error is the text of the only error, and
	// Code its code; there must be none otherwise.
	Want, Error, Code string
	// Counts are the counters that change, and by how much: "ben.followerCount": 1. Those of
	// the same attributes elsewhere must not; what other attributes count belongs to other
	// tests. See World.Counters for the names.
	Counts Counts
	// Events are how many events of some names are stored, those that come of others too.
	Events Events
	// Hears is all that listeners hear in order, as JSON.
	Hears Hears
	// Calls is the most that the request may ask of the store.
	Calls Calls
	// Drifts are the counters that were wrong already and thus cannot be shifted, as
	// "ben.followerCount".
	Drifts []string

	// Then are further requests in the same world, one after the other.
	Then []Scenario
}

type (
	// Counts are shifts of counters. Empty but not nil, nothing may change.
	Counts = map[string]int
	// Events are numbers of events by kind. Empty but not nil, there may be none.
	Events = map[string]int
	// Hears are events by the name of their listener. Empty but not nil, nobody may
	// hear anything.
	Hears = map[string][]string
	// Calls are numbers of store calls, and of the times that some had to be waited for.
	// Zero means any.
	Calls struct{ Total, RoundTrips int }
)

// Run runs each scenario in a world of its own. The request of one that changes something
// is then made while each of its store calls fails once (see sweep), unless tests are to
// be short.
func Run(t *testing.T, system host.System, scenarios []Scenario, options ...Option) {
	t.Helper()
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			s.run(t, system, options)
		})
	}
}

// Play does what a scenario says and compares what comes of it.
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

// settleAfter fails the test when a request has caused something that was not there when
// it had been answered.
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

func (w *World) makeRequest(s Scenario) {
	w.T.Helper()
	if s.Meanwhile != nil {
		defer w.meanwhile(s.Meanwhile)()
	}
	disarm := w.Client.Arm(s.Fault)
	a := w.Send(s.As, Request{s.Query, s.Variables})
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

// meanwhile makes steps happen before the next transaction. It returns how to make sure
// that they did.
func (w *World) meanwhile(steps []Step) (check func()) {
	w.T.Helper()
	disarm := w.Client.Arm(faultdb.Before("TransactWriteItems", 1, func() {
		w.busy.Store(true)
		defer w.busy.Store(false)
		for _, step := range steps {
			step(w)
		}
	}))
	return func() {
		w.T.Helper()
		if !disarm() {
			w.T.Error("the request made no transaction, so nothing happened meanwhile")
		}
	}
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

// differs fails the test when numbers are not those wanted. Only names whose kind occurs
// among the wanted ones count, and all when none are wanted.
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

// attribute is the counter in the name of one, itself that of an event.
func attribute(name string) string { return name[strings.LastIndex(name, ".")+1:] }
func itself(name string) string    { return name }

// shifts are the counters that changed.
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
