package flag

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// maxWeighed is the number of flags on something that are weighed. If there are more, the others
// weigh as much on average.
const maxWeighed = 1000

// Weigh returns what flags weigh, in tenths. It reads them only if that can make a difference.
func (s *Service) Weigh(ctx context.Context, w social.Weighing) (int, error) {
	if !s.Weighs || !w.Suffices(w.Full()) || w.Suffices(0) {
		return w.Full(), nil
	}
	weight, err := s.weights(ctx, []social.UserID{w.By})
	if err != nil {
		return 0, err
	}
	others, weighed := 0, 0
	list := func(q page.Query) (page.Page[social.Flag], error) { return s.Store.Of(ctx, w.Kind, w.ID, q) }
	for p, err := range page.Pages(maxWeighed/page.Max, list) {
		if err != nil {
			return 0, err
		}
		of, err := s.weights(ctx, page.Map(p, func(f social.Flag) social.UserID { return f.UserID }).Items)
		if err != nil {
			return 0, err
		}
		others, weighed = others+of, weighed+len(p.Items)
	}
	if weighed >= maxWeighed && w.Count > weighed {
		others = others * w.Count / weighed
	}
	return weight + others, nil
}

// weights returns what a report of each of some users weighs, altogether.
func (s *Service) weights(ctx context.Context, users []social.UserID) (weight int, err error) {
	known, err := s.Cases.Reporters(ctx, users)
	if err != nil {
		return 0, err
	}
	for _, id := range users {
		weight += known[id].Weight()
	}
	return weight, nil
}

// Where the reports of an item are.
const (
	withItem = "item"
	withCase = "case"
)

// kindOf returns the kind of flags on the item of a case, "" for a person, who is not flagged.
func kindOf(i desk.Item) social.FlagKind {
	for _, kind := range social.FlagKinds {
		if kind.CaseItem(i.ItemID) == i {
			return kind
		}
	}
	return ""
}

// CaseMoved notes for those who reported an item how their reports were decided, a page at a time:
// first flags on the item, then those that a decision has moved to its case.
func (s *Service) CaseMoved(ctx context.Context, e desk.CaseMoved, cursor string, _ outbox.Tell) (_ string, rows int, err error) {
	c, err := s.Cases.Case(ctx, e.Item)
	if c == nil || err != nil {
		return "", 0, err
	}
	where, after, next := page.Lists([]string{withItem, withCase}, cursor)
	q := page.Query{First: page.Max, After: after}
	var found page.Page[desk.Report]
	switch kind := kindOf(e.Item); {
	case where == withCase:
		found, err = s.Cases.Reports(ctx, e.Item, q)
	case kind != "":
		var flags page.Page[social.Flag]
		flags, err = s.Store.Of(ctx, kind, e.Item.ItemID, q)
		found = page.Page[desk.Report]{Items: social.Reports(flags.Items), Next: flags.Next}
	}
	if err != nil {
		return "", 0, err
	}
	for _, r := range found.Items {
		if d := c.DecisionOn(r); d != nil {
			if err := s.judged(ctx, r.By, c.Item, d.Verdict); err != nil {
				return "", 0, err
			}
			rows++
		}
	}
	return next(found.Next), rows, nil
}

// judged notes what was decided about an item for somebody who reported it, unless they are gone.
func (s *Service) judged(ctx context.Context, by social.UserID, i desk.Item, v desk.Verdict) error {
	err := decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
		known, err := s.Cases.Reporters(ctx, []social.UserID{by})
		if err != nil {
			return err
		}
		before := desk.Reporter{UserID: by}
		if known[by] != nil {
			before = *known[by]
		}
		after, changed := before.With(i, v)
		if !changed {
			return nil
		}
		return s.Cases.SaveReporter(ctx, before.Revision, after)
	})
	if err != nil {
		return err
	}
	u, err := s.Profiles.Profile(ctx, by)
	if u != nil || err != nil {
		return err
	}
	return s.Cases.ForgetReporter(ctx, by)
}
