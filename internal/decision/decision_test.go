package decision_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
)

type happened struct{ What string }

func (happened) EventName() string   { return "happened" }
func (happened) OrderingKey() string { return "key" }

type ignored struct{}

func (ignored) EventName() string   { return "ignored" }
func (ignored) OrderingKey() string { return "key" }

type heard string

func (heard) Subject() string { return "subject" }

// journal is a Sender that notes what it is told to do.
type journal struct{ notes []string }

func (j *journal) Wants(e outbox.Event) bool { _, ok := e.(happened); return ok }

func (j *journal) Committed(_ context.Context, records ...outbox.Record) {
	for _, r := range records {
		j.notes = append(j.notes, "delivered "+string(r.Data))
	}
}

func (j *journal) Doubt(records ...outbox.Record) {
	for _, r := range records {
		j.notes = append(j.notes, "doubtful "+string(r.Data))
	}
}

func (j *journal) Shard(string) int { return 0 }

func (j *journal) InOrder(_ string, commit func() error) error { return commit() }

func (j *journal) Tell(_ context.Context, messages ...outbox.Message) {
	for _, m := range messages {
		j.notes = append(j.notes, "told "+string(m.(heard)))
	}
}

// commit is a store method whose transaction succeeds.
func commit(records ...outbox.Record) error {
	outbox.MarkStored(records)
	return nil
}

var (
	errChanged = refusal.Conflictf("changed")
	errWrong   = refusal.Invalidf("wrong")
)

func TestRun(t *testing.T) {
	cases := []struct {
		name   string
		decide func(a *decision.Attempt, attempt int) error
		notes  string
		err    string
	}{
		{"stored events are delivered", func(a *decision.Attempt, _ int) error {
			return commit(a.Emit(happened{"a"}, ignored{}, happened{"b"})...)
		}, `delivered {"What":"a"}, delivered {"What":"b"}`, ""},
		{"nothing is delivered for a refusal", func(a *decision.Attempt, _ int) error {
			a.Emit(happened{"a"})
			a.Tell(heard("m"))
			return errWrong
		}, "", "wrong"},
		{"a conflict is decided again, with events of its own", func(a *decision.Attempt, attempt int) error {
			records := a.Emit(happened{fmt.Sprint(attempt)})
			if attempt == 1 {
				return errChanged
			}
			return commit(records...)
		}, `delivered {"What":"2"}`, ""},
		{"what a failed attempt has stored is delivered", func(a *decision.Attempt, attempt int) error {
			if attempt == 1 {
				_ = commit(a.Emit(happened{"first step"})...)
				return errChanged
			}
			return nil
		}, `delivered {"What":"first step"}`, ""},
		{"messages are told upon success", func(a *decision.Attempt, attempt int) error {
			a.Tell(heard(fmt.Sprint(attempt)))
			if attempt == 1 {
				return errChanged
			}
			return commit(a.Emit(happened{"a"})...)
		}, `told 2, delivered {"What":"a"}`, ""},
		{"an event that was forgotten is an error", func(a *decision.Attempt, _ int) error {
			a.Emit(happened{"a"})
			return commit()
		}, "", "event happened was not stored"},
		{"an event without a receiver is not", func(a *decision.Attempt, _ int) error {
			a.Emit(ignored{})
			return nil
		}, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var j journal
			f := decision.Frame{Clock: time.Now, NewID: func() string { return "id" }, Events: &j}
			attempts := 0
			err := decision.Do(t.Context(), f, func(a *decision.Attempt) error {
				attempts++
				return c.decide(a, attempts)
			})
			if got := fmt.Sprint(err); c.err == "" && err != nil || !strings.Contains(got, c.err) {
				t.Errorf("err = %v, want %q", err, c.err)
			}
			if got := strings.Join(j.notes, ", "); got != c.notes {
				t.Errorf("%s, want %s", got, c.notes)
			}
		})
	}
}

func TestOnceReturnsConflicts(t *testing.T) {
	attempts := 0
	_, err := decision.Once(t.Context(), decision.Frame{}, func(*decision.Attempt) (int, error) {
		attempts++
		return 0, errChanged
	})
	if !errors.Is(err, errChanged) || attempts != 1 {
		t.Errorf("%v after %d attempts", err, attempts)
	}
	err = decision.DoOnce(t.Context(), decision.Frame{}, func(*decision.Attempt) error {
		attempts++
		return errChanged
	})
	if !errors.Is(err, errChanged) || attempts != 2 {
		t.Errorf("DoOnce: %v after %d attempts", err, attempts-1)
	}
}

func TestEmitKeepsRecordsApart(t *testing.T) {
	f := decision.Frame{Clock: time.Now, NewID: func() string { return "id" }, Events: &journal{}}
	_ = decision.Do(t.Context(), f, func(a *decision.Attempt) error {
		first := a.Emit(happened{"a"})
		second := a.Emit(happened{"b"})
		if len(first) != 1 || len(second) != 1 || slices.Equal(first[0].Data, second[0].Data) {
			t.Errorf("%v, %v", first, second)
		}
		return commit(slices.Concat(first, second)...)
	})
}

func TestUntil(t *testing.T) {
	cases := []struct {
		ahead, want time.Duration
		canceled    bool
	}{
		{ahead: -time.Minute, want: 0},
		{ahead: 50 * time.Millisecond, want: 50 * time.Millisecond},
		{ahead: time.Hour, want: time.Second},
		{ahead: time.Hour, canceled: true, want: 0},
	}
	for _, c := range cases {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.canceled {
				cancel()
			}
			begun := time.Now()
			f := decision.Frame{Clock: time.Now}
			err := decision.Do(ctx, f, func(a *decision.Attempt) error {
				a.Until(begun.Add(c.ahead))
				a.Until(begun.Add(-time.Hour)) // the latest counts
				return nil
			})
			if took := time.Since(begun); err != nil || took != c.want {
				t.Errorf("a time %v ahead is awaited for %v, want %v (%v)", c.ahead, took, c.want, err)
			}
		})
	}
}

// Events of one millisecond are delivered in order, also in systems that store milliseconds.
func TestEventsHaveMicroseconds(t *testing.T) {
	at := time.Date(2030, 5, 1, 12, 0, 0, 123456000, time.UTC)
	f := decision.Frame{Clock: func() time.Time { return at }, Precision: time.Millisecond, NewID: func() string { return "id" }, Events: &journal{}}
	_ = decision.Do(t.Context(), f, func(a *decision.Attempt) error {
		if records := a.Emit(happened{"a"}); records[0].At != at {
			t.Errorf("an event of %v has the time %v", at, records[0].At)
		}
		return errWrong
	})
}

func TestNowIsAsItIsStored(t *testing.T) {
	at := time.Date(2030, 5, 1, 14, 0, 0, 123456789, time.FixedZone("", 2*60*60))
	for precision, want := range map[time.Duration]time.Time{
		0:                time.Date(2030, 5, 1, 12, 0, 0, 123456000, time.UTC),
		time.Millisecond: time.Date(2030, 5, 1, 12, 0, 0, 123000000, time.UTC),
	} {
		f := decision.Frame{Clock: func() time.Time { return at }, Precision: precision}
		if got := f.Now(); got != want {
			t.Errorf("with precision %v now is %v, want %v", precision, got, want)
		}
		f.NewID, f.Events = func() string { return "id" }, new(journal)
		err := decision.Do(t.Context(), f, func(a *decision.Attempt) error {
			records := a.Emit(happened{"1"})
			if want := at.UTC().Truncate(time.Microsecond); records[0].At != want {
				t.Errorf("with precision %v an event is of %v, want %v", precision, records[0].At, want)
			}
			return commit(records...)
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// A transaction whose answer was lost may have been committed; one that was refused was not.
func TestEventsOfUnansweredTransactionsAreDoubtful(t *testing.T) {
	for _, c := range []struct {
		err  error
		want []string
	}{
		{errors.New("no answer"), []string{`doubtful {"What":"this"}`}},
		{errChanged, nil},
		{nil, []string{`delivered {"What":"this"}`}},
	} {
		j := &journal{}
		f := decision.Frame{Clock: time.Now, NewID: func() string { return "id" }, Events: j}
		err := decision.DoOnce(t.Context(), f, func(a *decision.Attempt) error {
			records := a.Emit(happened{"this"})
			if c.err == nil {
				return commit(records...)
			}
			return c.err
		})
		if !errors.Is(err, c.err) || !slices.Equal(j.notes, c.want) {
			t.Errorf("%v: %q, want %q", err, j.notes, c.want)
		}
	}
}
