package operator

import (
	"context"
	"strings"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
)

// Content is what people can report in a system.
type Content interface {
	// Shown returns what moderators see of items of one kind, by id, as far as they exist.
	Shown(ctx context.Context, kind desk.ContentKind, ids []string) (map[string]*Shown, error)
	// Reports returns the reports that are with an item.
	Reports(ctx context.Context, kind desk.ContentKind, id string, q page.Query) (page.Page[desk.Report], error)
	// Decide carries out a verdict together with the step of the item's case, in one
	// transaction. It does nothing, and found is false, if the item is gone. It fails with a
	// Conflict if the case or the item has changed.
	Decide(ctx context.Context, v desk.Verdict, step desk.CaseStep) (found bool, err error)
}

// RemovedBy says who removed an item.
type RemovedBy string

// RemovedByAuthor also stands for items that are gone with their authors.
const RemovedByAuthor RemovedBy = "AUTHOR"

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

// excerptRunes is the maximum length of an excerpt.
const excerptRunes = 500

// Excerpt returns the beginning of a text, for Shown.
func Excerpt(text string) string {
	n := 0
	for i := range text {
		if n == excerptRunes {
			return text[:i]
		}
		n++
	}
	return text
}

// gone is what is left of an item that its author has deleted.
var gone = &Shown{Media: []string{}, RemovedBy: RemovedByAuthor}

// Query selects cases; "" selects all.
type Query struct {
	Status desk.CaseStatus
	System string
	Kind   desk.ContentKind
	Author UserID
}

func (q Query) matches(c *Case) bool {
	return c.Status == q.Status && (q.System == "" || q.System == c.System) && (q.Kind == "" || q.Kind == c.Kind) && (q.Author == "" || q.Author == c.AuthorID)
}

// Cases returns cases of a status: the open ones with most reports first, then oldest.
func (s *Service) Cases(ctx context.Context, q Query, args page.Args) (page.Page[*Case], error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return page.Page[*Case]{}, err
	}
	l, err := page.ListOf(args, "operator.cases", a.UserID, string(q.Status), q.System, string(q.Kind), string(q.Author))
	if err != nil {
		return page.Page[*Case]{}, err
	}
	read := func(rows page.Query) (page.Page[*Case], error) {
		if q.Author != "" {
			return s.Store.CasesOf(ctx, q.Author, rows)
		}
		return s.Store.Cases(ctx, q.Status, rows)
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

// Case returns a case, or nil.
func (s *Service) Case(ctx context.Context, id string) (*Case, error) {
	if _, err := s.Actor(ctx); err != nil {
		return nil, err
	}
	return s.caseOf(ctx, id)
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

// Contents returns what moderators see of items. It is for batches.
func (s *Service) Contents(ctx context.Context, items []desk.Item) (map[desk.Item]*Shown, error) {
	type shelf struct {
		system string
		kind   desk.ContentKind
	}
	ids := map[shelf][]string{}
	for _, i := range items {
		of := shelf{i.System, i.Kind}
		ids[of] = append(ids[of], i.ItemID)
	}
	all := map[desk.Item]*Shown{}
	for of, some := range ids {
		content := s.content(of.system)
		if content == nil {
			continue
		}
		shown, err := content.Shown(ctx, of.kind, some)
		if err != nil {
			return nil, err
		}
		for id, what := range shown {
			all[desk.Item{System: of.system, Kind: of.kind, ItemID: id}] = what
		}
	}
	for _, i := range items {
		if all[i] == nil {
			all[i] = gone
		}
	}
	return all, nil
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

// maxNote is the maximum length of a note, in bytes.
const maxNote = 4000

// DecideCase decides a case, once or again.
func (s *Service) DecideCase(ctx context.Context, id string, revision int, v desk.Verdict, note string) (*Case, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if len(note) > maxNote {
		return nil, badInput("note", "A note has at most %d bytes", maxNote)
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*Case, error) {
		c, err := s.caseOf(ctx, id)
		switch {
		case err != nil:
			return nil, err
		case c == nil:
			return nil, refusal.NotFoundf("Case `%s` does not exist", id)
		case c.Revision != revision:
			return nil, stale(c)
		}
		step := c.Decide(desk.Decision{By: a.UserID, When: s.Now(), Verdict: v, Note: note})
		line := s.line(a, act{
			action: "decideCase", subject: c.ID(), note: note,
			before: fields{"status": c.Status, "revision": c.Revision}, after: fields{"status": step.After.Status, "revision": step.After.Revision, "verdict": v},
		})
		step.Line = &line
		found := false
		if content := s.content(c.System); content != nil {
			if found, err = content.Decide(ctx, v, step); err != nil {
				return nil, err
			}
		}
		if !found {
			step.After.Gone = true
			err = s.Store.Decide(ctx, step)
		}
		return &step.After, err
	})
}

// stale refuses a decision about another revision, with the present case for the client.
func stale(c *Case) error {
	decisions := []any{}
	for _, d := range c.Decisions {
		decisions = append(decisions, map[string]any{"who": map[string]any{"id": d.By}, "when": d.When, "verdict": d.Verdict, "note": d.Note})
	}
	return refusal.New(refusal.Taken, "", "Case `%s` has been changed meanwhile: look at it again", c.ID()).With("case", map[string]any{
		"id": c.ID(), "system": c.System, "kind": c.Kind, "itemId": c.ItemID, "status": c.Status, "revision": c.Revision, "openedAt": c.OpenedAt,
		"lastReportedAt": c.LastReportedAt, "reportCount": c.ReportCount, "decisions": decisions,
	})
}

// CaseOpened returns the cases that are opened from now on.
func (s *Service) CaseOpened(ctx context.Context) (<-chan *Case, error) {
	admit := func(ctx context.Context) error { _, err := s.Actor(ctx); return err }
	return outbox.Follow(ctx, s.Bus, desk.CasesOpened, s.Now(), admit, func(ctx context.Context, m *desk.CaseOpened) (*Case, bool, error) {
		c, err := outbox.Shared(ctx, "case", func(ctx context.Context) (*Case, error) { return s.Store.Case(ctx, m.Item) })
		return c, false, err
	})
}
