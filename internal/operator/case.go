package operator

import (
	"cmp"
	"context"
	"iter"
	"strings"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/together"
	"stoa/internal/outbox"
)

// Content is what people can report in a system.
type Content interface {
	// Shown returns what moderators see of items, as far as they exist.
	Shown(ctx context.Context, items []desk.Item) (map[desk.Item]*Shown, error)
	// Context returns what an item refers to, or what was written before it, oldest first.
	Context(ctx context.Context, c *Case) ([]*ContextItem, error)
	// Reports returns the reports that are with an item.
	Reports(ctx context.Context, kind desk.ContentKind, id string, q page.Query) (page.Page[desk.Report], error)
	// Decide carries out a verdict together with the step of the item's case, in one
	// transaction, with e. It does nothing, and found is false, if the item is gone. It fails
	// with a Conflict if the case or the item has changed.
	Decide(ctx context.Context, v desk.Verdict, step desk.CaseStep, e ...outbox.Record) (found bool, err error)
}

// CaseStore stores cases and what belongs to them.
type CaseStore interface {
	// Cases returns the cases of a status, highest rank first, CasesByAge oldest first, and
	// CasesOf those of an author, newest first.
	Cases(ctx context.Context, status desk.CaseStatus, q page.Query) (page.Page[*Case], error)
	CasesByAge(ctx context.Context, status desk.CaseStatus, q page.Query) (page.Page[*Case], error)
	CasesOf(ctx context.Context, author UserID, q page.Query) (page.Page[*Case], error)
	// CasesIn returns cases of a status about one kind of content of a system, highest rank
	// first, at most n. A bound other than 0 excludes higher ranks.
	CasesIn(ctx context.Context, status desk.CaseStatus, system string, kind desk.ContentKind, bound, n int) ([]*Case, error)
	// CasesOpened returns the cases of a status that were opened within a period, CasesDecided
	// those that are decided, and were last at a time or later.
	CasesOpened(ctx context.Context, status desk.CaseStatus, from, to time.Time) iter.Seq2[*Case, error]
	CasesDecided(ctx context.Context, from time.Time) iter.Seq2[*Case, error]
	// Decide stores a step of a case that changes nothing of its item, and e.
	Decide(ctx context.Context, step desk.CaseStep, e ...outbox.Record) error

	// Templates returns the saved answers, by title. RemoveTemplate removes one.
	Templates(ctx context.Context) ([]*Template, error)
	SaveTemplate(ctx context.Context, t Template, l AuditLine) error
	RemoveTemplate(ctx context.Context, id string, l AuditLine) error
}

// RemovedBy says who removed an item.
type RemovedBy = desk.RemovedBy

// Shown is what moderators see of an item.
type Shown struct {
	// Excerpt is the beginning of the text.
	Excerpt string
	// Media are signed URLs of pictures.
	Media []string
	// Visible is set if others than the author may see it.
	Visible bool
	// RemovedBy is "" for what is not removed.
	RemovedBy RemovedBy
}

// Excerpt returns the beginning of a text, for Shown.
func Excerpt(text string) string { return desk.Excerpt(text) }

// shownGone is what is left of a case's item that is not in its system any more.
func shownGone(c *Case, now time.Time) *Shown {
	s := &Shown{Media: []string{}, RemovedBy: cmp.Or(c.RemovedBy, desk.RemovedByAuthor)}
	if c.IsKept(now) {
		s.Excerpt = c.Kept.Excerpt
	}
	return s
}

// ContextItem is something that a case's item refers to, or that was written before it.
type ContextItem struct {
	Kind   desk.ContentKind
	ItemID string
	// AuthorID is "" for what nobody wrote.
	AuthorID UserID
	When     time.Time
	Excerpt  string
	Media    []string
}

// Case returns a case, or nil. Looking at it renews a claim of the caller.
func (s *Service) Case(ctx context.Context, id string) (*Case, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	c, err := s.caseOf(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.look(ctx, a, c)
}

func (s *Service) caseOf(ctx context.Context, id string) (*Case, error) {
	item, ok := desk.ItemOf(id)
	if !ok {
		return nil, nil
	}
	return s.Store.Case(ctx, item)
}

// content returns the content of a system, or nil if it has none here.
func (s *Service) content(system string) Content {
	for _, of := range s.Systems {
		if of.Name == system {
			return of.Content
		}
	}
	return nil
}

// Contents returns what moderators see of the items of cases. It is for batches.
func (s *Service) Contents(ctx context.Context, cases []*Case) (map[*Case]*Shown, error) {
	items := map[string][]desk.Item{}
	for _, c := range cases {
		if c.RemovedBy == "" {
			items[c.System] = append(items[c.System], c.Item)
		}
	}
	found := make([]map[desk.Item]*Shown, len(s.Systems))
	var reads []together.Work
	for i, system := range s.Systems {
		if some := items[system.Name]; len(some) > 0 && system.Content != nil {
			reads = append(reads, func(ctx context.Context) (err error) {
				found[i], err = system.Content.Shown(ctx, some)
				return err
			})
		}
	}
	if err := together.Do(ctx, reads...); err != nil {
		return nil, err
	}
	all := map[*Case]*Shown{}
	for _, c := range cases {
		for _, some := range found {
			if all[c] == nil {
				all[c] = some[c.Item]
			}
		}
		if all[c] == nil {
			all[c] = shownGone(c, s.Now())
		}
	}
	return all, nil
}

// Context returns what the item of a case refers to, or what was written before it.
func (s *Service) Context(ctx context.Context, c *Case) ([]*ContextItem, error) {
	content := s.content(c.System)
	if content == nil {
		return []*ContextItem{}, nil
	}
	all, err := content.Context(ctx, c)
	if all == nil {
		all = []*ContextItem{}
	}
	return all, err
}

// Marks of the two lists of reports in cursors.
const (
	withItem = "i"
	withCase = "c"
)

// Reports returns the reports of a case: those with its item, then those kept with the case.
func (s *Service) Reports(ctx context.Context, c *Case, args page.Args) (page.Page[*desk.Report], error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return page.Page[*desk.Report]{}, err
	}
	l, err := page.ListOf(args, "operator.reports", a.UserID, c.ID())
	if err != nil {
		return page.Page[*desk.Report]{}, err
	}
	p, err := s.reports(ctx, c, l.Query)
	return page.Seal(l, p, err)
}

func (s *Service) reports(ctx context.Context, c *Case, q page.Query) (page.Page[*desk.Report], error) {
	list, after, _ := strings.Cut(q.After, ":")
	var all []*desk.Report
	if list != withCase {
		if content := s.content(c.System); content != nil {
			p, err := content.Reports(ctx, c.Kind, c.ItemID, page.Query{First: q.First, After: after})
			if err != nil {
				return page.Page[*desk.Report]{}, err
			}
			for _, r := range p.Items {
				all = append(all, &r)
			}
			if p.Next != "" {
				return page.Page[*desk.Report]{Items: all, Next: withItem + ":" + p.Next}, nil
			}
			if len(all) == q.First {
				return page.Page[*desk.Report]{Items: all, Next: withCase + ":"}, nil
			}
		}
		after = ""
	}
	p, err := s.Store.Reports(ctx, c.Item, page.Query{First: q.First - len(all), After: after})
	if err != nil {
		return page.Page[*desk.Report]{}, err
	}
	for _, r := range p.Items {
		all = append(all, &r)
	}
	next := ""
	if p.Next != "" {
		next = withCase + ":" + p.Next
	}
	return page.Page[*desk.Report]{Items: all, Next: next}, nil
}
