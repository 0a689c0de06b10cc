package view

import (
	"context"
	"errors"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/together"
	"stoa/internal/outbox"
	"stoa/social"
)

// pause is how long the first of several views of a hot post waits for others. An entry costs
// about 30 write units beside those of its views, so it should have more than ten.
const pause = 100 * time.Millisecond

// gathered is a view of a hot post.
type gathered struct {
	owner social.UserID
	view  social.GatheredView
}

// gather stores views of a hot post as an entry of the journal, whose event has them stored and
// counted before the reports are answered.
func (s *Service) gather(ctx context.Context, id social.PostID, all []gathered) []error {
	errs := make([]error, len(all))
	entry := social.PostViewsGathered{ID: s.NewID(), PostID: id, Owner: all[0].owner}
	var places []int
	for i, g := range all {
		with, added := entry.With(g.view)
		if !added || g.owner != entry.Owner {
			errs[i] = refusal.ErrChanged // it is decided again, alone
			continue
		}
		entry, places = with, append(places, i)
	}
	err := decision.Do(ctx, s.Frame, func(a *decision.Attempt) error { return s.Store.Gather(ctx, entry, a.Emit(entry)...) })
	if err == nil {
		err = s.settled(ctx, entry)
	}
	for _, i := range places {
		errs[i] = err
	}
	return errs
}

// settled makes sure that the views of an entry are there: if its event could not be delivered yet,
// the reports fail when this does.
func (s *Service) settled(ctx context.Context, e social.PostViewsGathered) error {
	pending, err := s.Store.Pending(ctx, e)
	if !pending || err != nil {
		return err
	}
	return s.PostViewsGathered(ctx, e, nil)
}

// writers is how many views of an entry are stored at a time.
const writers = 16

// PostViewsGathered stores the views of an entry of the journal and counts them. It may be called
// again, and in several processes at a time: views tell which entry they are from, and only one
// call ends the entry.
func (s *Service) PostViewsGathered(ctx context.Context, e social.PostViewsGathered, _ outbox.Tell) error {
	lost := 0 // conflicts with changed trends
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		f, err := s.Store.GatheredFacts(ctx, e)
		if err != nil || !f.Pending {
			return err
		}
		stored := make([]social.Stored, len(e.Views))
		err = together.Each(ctx, len(e.Views), writers, func(ctx context.Context, i int) error {
			do := f.Store(e, i)
			stored[i] = do
			if do.Nothing() {
				return nil
			}
			return s.Store.Settle(ctx, e.Views[i], do, f.Post)
		})
		if err != nil {
			return err
		}
		step := f.Count(e, stored, lost < social.TrendAttempts, s.FollowedByAll)
		var news []outbox.Record
		if step.IsNews() {
			news = a.Emit(step.News())
		}
		if err = s.Store.Count(ctx, step, news...); errors.Is(err, social.ErrTrendChanged) {
			lost++
		}
		return err
	})
}
