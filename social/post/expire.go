package post

import (
	"context"
	"errors"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/social"
)

// EditExpiresAt sets when a post of the caller expires; nil means never.
func (s *Service) EditExpiresAt(ctx context.Context, c social.Caller, id social.PostID, at *time.Time, d social.Detail) (*social.SeenPost, error) {
	return s.move(ctx, c, id, "edit", d, func(f social.PostFacts) (social.PostFacts, error) {
		return f.Expiring(at, s.Now())
	})
}

// DeleteExpired deletes the posts that expired today or yesterday, in UTC. An error with one post
// does not affect the others.
func (s *Service) DeleteExpired(ctx context.Context, now time.Time) error {
	today := now.UTC().Truncate(24 * time.Hour)
	var failures []error
	for id, err := range page.All(page.Of(ctx, s.Store.Expired, today), page.Of(ctx, s.Store.Expired, now.UTC())) {
		if err == nil {
			err = s.expire(ctx, id, now)
		}
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

// DeleteLongExpired deletes the posts that expired before today and were missed. It reads
// all posts. An error with one post does not affect the others.
func (s *Service) DeleteLongExpired(ctx context.Context, now time.Time) error {
	ids, err := s.Store.ExpiredBefore(ctx, now.UTC().Truncate(24*time.Hour))
	failures := []error{err}
	for _, id := range ids {
		failures = append(failures, s.expire(ctx, id, now))
	}
	return errors.Join(failures...)
}

// expire deletes a post that has expired before now.
func (s *Service) expire(ctx context.Context, id social.PostID, now time.Time) error {
	attempts := 0
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		attempts++
		return s.expireOne(ctx, a, id, now, attempts > 1)
	})
}

// expireOne deletes a post if it has expired. Changed is set if that failed with Conflict before,
// perhaps because the owner's profile was removed.
func (s *Service) expireOne(ctx context.Context, a *decision.Attempt, id social.PostID, now time.Time, changed bool) error {
	facts, err := s.Store.Facts(ctx, "", []social.PostID{id}, 0)
	p := facts[id].Post
	if err != nil || p == nil || !p.Expired(now) {
		return err
	}
	if changed {
		owner, err := s.Profiles.Profile(ctx, p.PostedByUserID)
		if err != nil {
			return err
		}
		if owner == nil || p.Outlives(owner) {
			return s.purge(ctx, p)
		}
	}
	step, err := s.step(ctx, p, p.Gone())
	if err != nil {
		return err
	}
	return s.apply(ctx, a, step, step.StatusChanged(s.Now()))
}
