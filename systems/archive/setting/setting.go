// Package setting manages the metadata fields of posts, and allocates ids to programs that
// load data by other means.
package setting

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
)

// Store stores settings. Save fails with refusal.Conflict if they have changed since they
// were read.
type Store interface {
	archive.FactReader
	archive.Numberer
	Save(ctx context.Context, before, after *archive.Settings) error
}

// Service implements the setting area. Its fields are set once.
type Service struct {
	decision.Frame
	Store Store
	Gate  archive.Gate
}

// Settings returns the metadata fields of posts.
func (s *Service) Settings(ctx context.Context, v viewer.Viewer) (*archive.Settings, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	return s.settings(ctx)
}

func (s *Service) settings(ctx context.Context) (*archive.Settings, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Settings: true})
	return facts.Settings, err
}

// Save replaces the metadata fields of posts. given is nil if they were never saved.
func (s *Service) Save(ctx context.Context, v viewer.Viewer, entries []archive.PostMetadataField, given *time.Time) (*archive.Settings, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Admin); err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*archive.Settings, error) {
		before, err := s.settings(ctx)
		if err != nil {
			return nil, err
		}
		after, err := before.Edited(entries, given, s.Now())
		if err != nil {
			return nil, err
		}
		return after, s.Store.Save(ctx, before, after)
	})
}

// Allocate allocates consecutive ids.
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
