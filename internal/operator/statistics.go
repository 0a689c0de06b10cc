package operator

import (
	"cmp"
	"context"
	"encoding/csv"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
)

// Statistics are figures about the cases of a period.
type Statistics struct {
	From, To time.Time
	Total    *CaseFigures
	// ByKind, ByRule, BySource and ByModerator have one line each for those that occur, most
	// decisions first. A line without a name stands for decisions that cite no rule.
	ByKind, ByRule, BySource, ByModerator []*CaseFigures
	// reports adds up the reports.
	reports func(ctx context.Context) ([]*ReporterFigures, error)
}

// ReporterFigures are those of the reports of somebody.
type ReporterFigures struct {
	UserID UserID
	// Decided is the number of reports that were decided about, Overturned that of those of what
	// was kept.
	Decided, Overturned int
}

// ByReporter returns the figures of those who reported, most reports first. It reads their reports.
func (s *Statistics) ByReporter(ctx context.Context) ([]*ReporterFigures, error) {
	return s.reports(ctx)
}

// CaseFigures are the figures of some cases.
type CaseFigures struct {
	Name string
	// Opened is the number of cases that were opened last within the period, Decided that of
	// decisions, Removed that of those that remove.
	Opened, Decided, Removed int
	// Appealed is the number of decisions about appeals, Overturned that of those that take
	// the first decision back.
	Appealed, Overturned int
	took                 []int
}

// MedianTime returns the median time to a decision in seconds, or nil without decisions.
func (f *CaseFigures) MedianTime() *float64 { return f.quantile(0.5) }

// P95Time returns the time in seconds that 95 % of decisions took at most, or nil.
func (f *CaseFigures) P95Time() *float64 { return f.quantile(0.95) }

func (f *CaseFigures) quantile(q float64) *float64 {
	if len(f.took) == 0 {
		return nil
	}
	slices.Sort(f.took)
	n := len(f.took)
	at := max(0, int(math.Ceil(q*float64(n)))-1)
	v := float64(f.took[at])
	if q == 0.5 && n%2 == 0 {
		v = float64(f.took[n/2-1]+f.took[n/2]) / 2
	}
	return &v
}

func (f *CaseFigures) decided(d desk.Decision) {
	f.Decided++
	f.took = append(f.took, d.Took)
	if d.Verdict == desk.Remove {
		f.Removed++
	}
	if d.OnAppeal {
		f.Appealed++
	}
	if d.Overturns {
		f.Overturned++
	}
}

// tally groups figures by name.
type tally map[string]*CaseFigures

func (t tally) of(name string) *CaseFigures {
	if t[name] == nil {
		t[name] = &CaseFigures{Name: name}
	}
	return t[name]
}

func (t tally) lines() []*CaseFigures {
	all := make([]*CaseFigures, 0, len(t))
	for _, f := range t {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *CaseFigures) int {
		if a.Decided != b.Decided {
			return b.Decided - a.Decided
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all
}

// maxPeriod is the longest period of statistics.
const maxPeriod = 2 * 366 * 24 * time.Hour

// Statistics returns figures about the cases of a period.
func (s *Service) Statistics(ctx context.Context, from, to time.Time) (*Statistics, error) {
	if _, err := s.Actor(ctx); err != nil {
		return nil, err
	}
	if !from.Before(to) || to.Sub(from) > maxPeriod {
		return nil, badInput("to", "A period ends after it begins, and within two years")
	}
	total := &CaseFigures{}
	kinds, rules, sources, moderators := tally{}, tally{}, tally{}, tally{}
	for _, status := range []desk.CaseStatus{desk.Open, desk.Decided} {
		for c, err := range s.Store.CasesOpened(ctx, status, from, to) {
			if err != nil {
				return nil, err
			}
			total.Opened++
			kinds.of(string(c.Kind)).Opened++
			sources.of(string(c.Source)).Opened++
		}
	}
	take := func(c *Case) {
		for _, d := range c.Decisions {
			if d.When.Before(from) || !d.When.Before(to) {
				continue
			}
			for _, f := range []*CaseFigures{
				total, kinds.of(string(c.Kind)), rules.of(d.Rule), sources.of(string(d.Source)), moderators.of(string(d.By)),
			} {
				f.decided(d)
			}
		}
	}
	for c, err := range s.decided(ctx, from) {
		if err != nil {
			return nil, err
		}
		take(c)
	}
	return &Statistics{
		From: from, To: to, Total: total, ByKind: kinds.lines(), ByRule: rules.lines(), BySource: sources.lines(), ByModerator: moderators.lines(),
		reports: func(ctx context.Context) ([]*ReporterFigures, error) { return s.reporters(ctx, from, to) },
	}, nil
}

// decided iterates over the cases of which something has been decided since a time, and others.
func (s *Service) decided(ctx context.Context, from time.Time) iter.Seq2[*Case, error] {
	return func(yield func(*Case, error) bool) {
		for c, err := range s.Store.CasesDecided(ctx, from) {
			if !yield(c, err) || err != nil {
				return
			}
		}
		// Cases that have been opened again since.
		for c, err := range s.Store.CasesOpened(ctx, desk.Open, from, s.Now().Add(time.Hour)) {
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// reporters returns the figures of those whose reports were decided about within a period.
func (s *Service) reporters(ctx context.Context, from, to time.Time) ([]*ReporterFigures, error) {
	figures := map[UserID]*ReporterFigures{}
	for c, err := range s.decided(ctx, from) {
		if err != nil {
			return nil, err
		}
		for r, err := range page.All(page.Of(ctx, s.reports, c)) {
			if err != nil {
				return nil, err
			}
			d := c.DecisionOn(*r)
			if d == nil || d.When.Before(from) || !d.When.Before(to) {
				continue
			}
			f := figures[r.By]
			if f == nil {
				f = &ReporterFigures{UserID: r.By}
				figures[r.By] = f
			}
			if f.Decided++; d.Verdict == desk.Keep {
				f.Overturned++
			}
		}
	}
	return slices.SortedFunc(maps.Values(figures), func(a, b *ReporterFigures) int {
		return cmp.Or(b.Decided-a.Decided, strings.Compare(string(a.UserID), string(b.UserID)))
	}), nil
}

// CSV returns the figures without names, for a report to the public.
func (s *Statistics) CSV() string {
	var text strings.Builder
	w := csv.NewWriter(&text)
	_ = w.Write([]string{"group", "name", "opened", "decided", "removed", "appealed", "overturned", "median_seconds", "p95_seconds"})
	line := func(group, name string, f *CaseFigures) {
		_ = w.Write([]string{group, name, strconv.Itoa(f.Opened), strconv.Itoa(f.Decided), strconv.Itoa(f.Removed), strconv.Itoa(f.Appealed),
			strconv.Itoa(f.Overturned), number(f.MedianTime()), number(f.P95Time())})
	}
	line("total", "", s.Total)
	for _, g := range []struct {
		name string
		of   []*CaseFigures
	}{{"kind", s.ByKind}, {"rule", s.ByRule}, {"source", s.BySource}} {
		for _, f := range g.of {
			line(g.name, f.Name, f)
		}
	}
	w.Flush()
	return text.String()
}

func number(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}
