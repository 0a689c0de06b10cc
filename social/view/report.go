package view

import (
	"cmp"
	"context"
	"errors"

	"stoa/internal/decision"
	"stoa/internal/outbox"
	"stoa/social"
)

// Report records that the caller has viewed posts, once for each occurrence of an id, one
// post after the other. Posts that do not exist or are not completed are skipped. Viewing a
// copy also counts as viewing its original.
func (s *Service) Report(ctx context.Context, c social.Caller, ids []social.PostID, t social.ViewType) error {
	if err := social.CheckViewReport(ids); err != nil {
		return err
	}
	times := map[social.PostID]int{}
	var distinct []social.PostID
	for _, id := range ids {
		if times[id]++; times[id] == 1 && id.Valid() {
			distinct = append(distinct, id)
		}
	}
	facts, err := s.facts(ctx, c, nil, distinct...)
	if err != nil {
		return err
	}
	for _, id := range distinct {
		if err := s.view(ctx, c, id, t, times[id], facts); err != nil {
			return err
		}
	}
	return nil
}

// view records views of a post and of its original. The points they earn are dropped if the
// trends keep changing. view deletes the posts it changes from known.
func (s *Service) view(ctx context.Context, c social.Caller, id social.PostID, t social.ViewType, times int, known facts) error {
	lost, attempts := 0, 0 // lost are conflicts with changed trends
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		attempts++
		var err error
		if known, err = s.facts(ctx, c, known, id); err != nil {
			return err
		}
		viewed := known[id]
		if !viewed.Viewable() {
			return nil
		}
		steps := []social.PostViewStep{viewed.Reported(t, times, s.Now())}
		if original := viewed.Post.OriginalPostID; original != "" && original != id {
			if known, err = s.facts(ctx, c, known, original); err != nil {
				return err
			}
			if f := known[original]; f.Viewable() {
				steps = append(steps, f.Reported(t, times, steps[0].After.LastViewedAt))
			}
		}
		events := make([]outbox.Event, len(steps))
		for i, step := range steps {
			carded := step.Own() // the card of unviewed comments may be on its way
			if !carded {
				if carded, err = s.Cards.Refer(ctx, step.Post.PostID, c.UserID); err != nil {
					return err
				}
			}
			if v, ok := step.Gathered(); ok && len(steps) == 1 && !carded && attempts == 1 && a.MayShare() && s.hot.Hot(id) {
				delete(known, id)
				outcome, err := s.hot.Do(ctx, id, gathered{step.Post.PostedByUserID, v})
				return cmp.Or(err, outcome)
			}
			events[i] = step.Event(carded)
			delete(known, step.Post.PostID)
			if lost == social.TrendAttempts {
				continue
			}
			if steps[i], err = s.trending(ctx, step); err != nil {
				return err
			}
		}
		if err = s.Store.Add(ctx, steps, a.Emit(events...)...); errors.Is(err, social.ErrTrendChanged) {
			lost++
		}
		return err
	})
}

// facts maps posts to their facts, which are empty for posts that do not exist.
type facts map[social.PostID]social.PostViewFacts

// facts reads posts that are not in known, and adds them.
func (s *Service) facts(ctx context.Context, c social.Caller, known facts, ids ...social.PostID) (facts, error) {
	if known == nil {
		known = facts{}
	}
	var unknown []social.PostID
	for _, id := range ids {
		if _, ok := known[id]; !ok {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return known, nil
	}
	read, err := s.Store.Facts(ctx, c.UserID, unknown)
	for _, id := range unknown {
		known[id] = read[id]
	}
	return known, err
}

// trending returns the step with the points that its view earns.
func (s *Service) trending(ctx context.Context, step social.PostViewStep) (social.PostViewStep, error) {
	if !step.MayTrend() {
		return step, nil
	}
	f, err := s.Trends.Facts(ctx, step.Post.PostID, step.Post.PostedByUserID)
	return step.Trending(f, s.FollowedByAll), err
}
