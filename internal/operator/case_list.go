package operator

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/together"
)

// Order is an order of cases.
type Order string

// Orders.
const (
	// ByReports has most reports first, then oldest.
	ByReports Order = "REPORTS"
	// ByDue has those first that are due first.
	ByDue Order = "DUE"
)

// Query selects cases; "" selects all.
type Query struct {
	Status desk.CaseStatus
	System string
	Kind   desk.ContentKind
	Author UserID
	Order  Order
}

func (q Query) matches(c *Case) bool {
	return c.Status == q.Status && (q.System == "" || q.System == c.System) && (q.Kind == "" || q.Kind == c.Kind) && (q.Author == "" || q.Author == c.AuthorID)
}

// Cases returns cases of a status: the open ones with most reports first, then oldest, unless
// the query has another order; those of an author newest first.
func (s *Service) Cases(ctx context.Context, q Query, args page.Args) (page.Page[*Case], error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return page.Page[*Case]{}, err
	}
	if err := s.serves(q.System); err != nil {
		return page.Page[*Case]{}, err
	}
	l, err := page.ListOf(args, "operator.cases", a.UserID, string(q.Status), q.System, string(q.Kind), string(q.Author), string(q.Order))
	if err != nil {
		return page.Page[*Case]{}, err
	}
	read := func(rows page.Query) (page.Page[*Case], error) {
		switch {
		case q.Author != "":
			return s.Store.CasesOf(ctx, q.Author, rows)
		case q.Order == ByDue:
			return s.Store.CasesByAge(ctx, q.Status, rows)
		case q.System != "" || q.Kind != "":
			return s.shelves(ctx, q, rows)
		default:
			return s.Store.Cases(ctx, q.Status, rows)
		}
	}
	return page.Fill(l, read, func(all []*Case) (some []*Case, err error) {
		for _, c := range all {
			if q.matches(c) {
				some = append(some, c)
			}
		}
		return some, nil
	})
}

// serves refuses the name of a system that is not served, which "" is not.
func (s *Service) serves(name string) error {
	var served []string
	for _, system := range s.Systems {
		if name == "" || name == system.Name {
			return nil
		}
		served = append(served, system.Name)
	}
	return badInput("system", "No system `%s` is served: write one of %s", name, strings.Join(served, ", "))
}

// shelves merges the lists of cases of each kind and system that a query selects. Its cursor
// is the rank of the last case, and the number of cases of that rank that have been returned.
func (s *Service) shelves(ctx context.Context, q Query, rows page.Query) (p page.Page[*Case], err error) {
	var bound, seen int
	if rows.After != "" {
		if n, err := fmt.Sscanf(rows.After, "%d:%d", &bound, &seen); n != 2 || err != nil || seen < 0 || seen > maxSeen {
			return p, page.ErrToken
		}
	}
	var lists [][]*Case
	var reads []together.Work
	take := rows.First + seen + 1
	for _, system := range s.Systems {
		for _, kind := range desk.Kinds {
			if q.System != "" && q.System != system.Name || q.Kind != "" && q.Kind != kind {
				continue
			}
			i := len(lists)
			lists = append(lists, nil)
			reads = append(reads, func(ctx context.Context) (err error) {
				lists[i], err = s.Store.CasesIn(ctx, q.Status, system.Name, kind, bound, take)
				return err
			})
		}
	}
	if err := together.Do(ctx, reads...); err != nil {
		return p, err
	}
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b *Case) int { return cmp.Compare(b.Rank, a.Rank) })
	for skip := seen; skip > 0 && len(all) > 0 && all[0].Rank == bound; skip-- {
		all = all[1:]
	}
	if len(all) <= rows.First {
		p.Items = all
		return p, nil
	}
	p.Items = all[:rows.First]
	last, same := p.Items[rows.First-1].Rank, 0
	if last == bound {
		same = seen
	}
	for _, c := range p.Items {
		if c.Rank == last {
			same++
		}
	}
	p.Next = fmt.Sprintf("%d:%d", last, same)
	return p, nil
}

// maxSeen is the maximum number of cases of one rank in a cursor. Cases have the same rank if
// they are opened in the same millisecond with the same number of reports.
const maxSeen = 1000
