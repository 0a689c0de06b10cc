package operator

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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
// the query has another order, and the decided ones latest first.
func (s *Service) Cases(ctx context.Context, q Query, args page.Args) (page.Page[*Case], error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return page.Page[*Case]{}, err
	}
	l, err := page.ListOf(args, "operator.cases", a.UserID, string(q.Status), q.System, string(q.Kind), string(q.Author), string(q.Order))
	if err != nil {
		return page.Page[*Case]{}, err
	}
	read := func(rows page.Query) (page.Page[*Case], error) {
		switch {
		case q.Author != "":
			return s.ofAuthor(ctx, q, rows)
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

// place returns where a case is in the order of the query: higher ones come first.
func (q Query) place(c *Case) int {
	if q.Order == ByDue {
		return -int(c.OpenedAt.UnixMicro())
	}
	return c.Rank
}

// ofAuthor returns cases of an author. It reads all of them, since no index has them in order.
func (s *Service) ofAuthor(ctx context.Context, q Query, rows page.Query) (p page.Page[*Case], err error) {
	at, err := cursorOf(rows.After)
	if err != nil {
		return p, err
	}
	var all []*Case
	take := rows.First + at.seen + 1
	for c, err := range page.All(page.Of(ctx, s.Store.CasesOf, q.Author)) {
		if err != nil {
			return p, err
		}
		if q.matches(c) && (at.place == 0 || q.place(c) <= at.place) {
			all = append(all, c)
		}
		if len(all) > take+page.Max {
			all = q.first(all, take)
		}
	}
	return q.merge(all, at, rows.First), nil
}

// shelves merges the lists of cases of each kind and system that a query selects.
func (s *Service) shelves(ctx context.Context, q Query, rows page.Query) (p page.Page[*Case], err error) {
	at, err := cursorOf(rows.After)
	if err != nil {
		return p, err
	}
	var lists [][]*Case
	var reads []together.Work
	take := rows.First + at.seen + 1
	for _, system := range s.Systems {
		for _, kind := range desk.Kinds {
			if q.System != "" && q.System != system.Name || q.Kind != "" && q.Kind != kind {
				continue
			}
			i := len(lists)
			lists = append(lists, nil)
			reads = append(reads, func(ctx context.Context) (err error) {
				lists[i], err = s.Store.CasesIn(ctx, q.Status, system.Name, kind, at.place, take)
				return err
			})
		}
	}
	if err := together.Do(ctx, reads...); err != nil {
		return p, err
	}
	return q.merge(slices.Concat(lists...), at, rows.First), nil
}

// cursor is the place of the last case that has been returned, 0 for none, and the number of
// cases of that place that have been.
type cursor struct{ place, seen int }

// maxSeen is the maximum number of cases of one place in a cursor. Cases have the same rank if
// they are opened in the same millisecond with the same number of reports.
const maxSeen = 1000

func cursorOf(after string) (at cursor, err error) {
	if after == "" {
		return at, nil
	}
	if n, err := fmt.Sscanf(after, "%d:%d", &at.place, &at.seen); n != 2 || err != nil || at.seen < 0 || at.seen > maxSeen {
		return at, page.ErrToken
	}
	return at, nil
}

// first returns the first cases of the query, at most n.
func (q Query) first(all []*Case, n int) []*Case {
	slices.SortStableFunc(all, func(a, b *Case) int { return cmp.Compare(q.place(b), q.place(a)) })
	return all[:min(n, len(all))]
}

// merge returns the page after a cursor of cases in any order, none of which is before it.
func (q Query) merge(all []*Case, at cursor, first int) (p page.Page[*Case]) {
	all = q.first(all, len(all))
	for skip := at.seen; skip > 0 && len(all) > 0 && q.place(all[0]) == at.place; skip-- {
		all = all[1:]
	}
	if len(all) <= first {
		p.Items = all
		return p
	}
	p.Items = all[:first]
	last := cursor{place: q.place(p.Items[first-1])}
	if last.place == at.place {
		last.seen = at.seen
	}
	for _, c := range p.Items {
		if q.place(c) == last.place {
			last.seen++
		}
	}
	p.Next = fmt.Sprintf("%d:%d", last.place, last.seen)
	return p
}
