// Package setting decides on what can be said of posts, and gives ids to programs that
// load data by other ways.
package setting

import (
	"context"
	"time"

	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// Store keeps settings. Save fails with ErrChanged when they are not as read.
type Store interface {
	Facts(ctx context.Context, w archive.Wanted) (*archive.Facts, error)
	Allocate(ctx context.Context, n int) (archive.IDRange, error)
	Save(ctx context.Context, before, after *archive.Settings) error
}

// Service is the area. Its fields are set once.
type Service struct {
	Store Store
	Gate  archive.Gate
	// Events has the clock.
	Events outbox.Sender
}

// Settings shows what can be said of posts.
func (s *Service) Settings(ctx context.Context, v viewer.Viewer) (*archive.Settings, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	return s.settings(ctx)
}

func (s *Service) settings(ctx context.Context) (*archive.Settings, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Settings: true})
	if err != nil {
		return nil, err
	}
	return facts.Settings, nil
}

// Save replaces what can be said of posts. Given is nil for settings that were never saved.
func (s *Service) Save(ctx context.Context, v viewer.Viewer, entries []archive.PostMetadataField, given *time.Time) (*archive.Settings, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Admin); err != nil {
		return nil, err
	}
	return retry.OnConflict(func() (*archive.Settings, error) {
		before, err := s.settings(ctx)
		if err != nil {
			return nil, err
		}
		after, err := before.Edited(entries, given, s.Events.Now())
		if err != nil {
			return nil, err
		}
		return after, s.Store.Save(ctx, before, after)
	})
}

// Allocate takes consecutive ids that nobody else gets.
func (s *Service) Allocate(ctx context.Context, v viewer.Viewer, n int) (*archive.IDRange, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Admin); err != nil {
		return nil, err
	}
	if err := archive.CheckAllocated(n); err != nil {
		return nil, err
	}
	r, err := s.Store.Allocate(ctx, n)
	if err != nil {
		return nil, err
	}
	return &r, nil
}
