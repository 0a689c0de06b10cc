package post

import (
	"context"
	"errors"

	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// PublishRequested is the publisher. Searches read the state of posts themselves, so it
// only reports. It ignores a request that is no longer current.
func (s *Service) PublishRequested(ctx context.Context, e archive.PublishRequested, _ outbox.Tell) error {
	p, err := s.post(ctx, e.PostID)
	if p == nil || p.Deleting || err != nil {
		return err
	}
	for _, r := range []archive.WorkerReport{archive.Started, archive.Completed} {
		p, err := s.change(ctx, e.PostID, false, func(p *archive.Post, _ *archive.Settings) (*archive.Post, error) {
			if r == archive.Started && !p.AwaitsPublisher() {
				return p, nil
			}
			return p.ReportPublish(r, "", s.Now())
		})
		switch {
		case errors.Is(err, archive.ErrNoPost):
			return nil
		case err != nil:
			return err
		case !p.BeingPublished():
			return nil
		}
	}
	return nil
}

// PostChanged publishes a change to subscribers.
func (s *Service) PostChanged(_ context.Context, e archive.PostChanged, tell outbox.Tell) error {
	tell(archive.PostNews(e))
	return nil
}

// Listen returns a channel of changed posts: one, those of a collection, or all. It is
// closed when ctx ends, when the viewer may no longer read, and when its reader falls
// behind.
func (s *Service) Listen(ctx context.Context, v viewer.Viewer, id, collection *archive.ID) (<-chan *archive.Post, error) {
	admit := func(ctx context.Context) error {
		_, err := s.Gate.Admit(ctx, v, archive.Reader)
		return err
	}
	return outbox.Follow(ctx, s.Bus, archive.PostSubject, s.Now(), admit, func(ctx context.Context, n *archive.PostNews) (*archive.Post, bool, error) {
		if id != nil && n.PostID != *id || collection != nil && n.CollectionID != *collection {
			return nil, false, nil
		}
		archive.MemoFrom(ctx).Forget()
		if err := admit(ctx); err != nil {
			return nil, false, err
		}
		p, err := outbox.Shared(ctx, "post", func(ctx context.Context) (*archive.Post, error) { return s.post(ctx, n.PostID) })
		return p, false, err
	})
}
