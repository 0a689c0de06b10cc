// Package post decides on posts: what is said of them, and how publishing and loading go
// on.
//
// Workers are told by events, which are stored with the change that asks for the work.
// They report through the same states whether they run here or elsewhere.
package post

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// Store keeps posts. Changes fail with ErrChanged when a post is not as read.
type Store interface {
	Facts(ctx context.Context, w archive.Wanted) (*archive.Facts, error)
	NewID(ctx context.Context) (archive.ID, error)
	// All lists posts by collection, OfCollection those of one.
	All(ctx context.Context, q page.Query) (page.Page[*archive.Post], error)
	OfCollection(ctx context.Context, id archive.ID, q page.Query) (page.Page[*archive.Post], error)
	// Create fails with a BadReference to a collection that is not there.
	Create(ctx context.Context, p *archive.Post, events ...outbox.Record) error
	Change(ctx context.Context, before, after *archive.Post, events ...outbox.Record) error
	// Delete removes a post that is being deleted, if it is there.
	Delete(ctx context.Context, p *archive.Post, events ...outbox.Record) error
}

// Contents removes what posts hold.
type Contents interface {
	// Wipe removes a part of it and reports whether there may be more.
	Wipe(ctx context.Context, post archive.ID) (records int, more bool, err error)
}

// Workers knows who may report.
type Workers interface {
	AdmitWorker(ctx context.Context, v viewer.Viewer) error
}

// Service is the area. Its fields are set once.
type Service struct {
	Store    Store
	Contents Contents
	Gate     archive.Gate
	Workers  Workers
	Bus      outbox.Bus
	Events   outbox.Sender
}

// List lists posts, of one collection unless that is nil, in one state unless that is nil.
func (s *Service) List(ctx context.Context, v viewer.Viewer, operation string, collection *archive.ID, status *archive.PostStatus, args page.Args) (page.Page[*archive.Post], error) {
	var of, in string
	if collection != nil {
		of = collection.String()
	}
	if status != nil {
		in = string(*status)
	}
	l, err := archive.ListOf(args, operation, v.UserID, of, in)
	if err != nil {
		return page.Page[*archive.Post]{}, err
	}
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return page.Page[*archive.Post]{}, err
	}
	read := func(q page.Query) (page.Page[*archive.Post], error) { return s.Store.All(ctx, q) }
	if collection != nil {
		read = func(q page.Query) (page.Page[*archive.Post], error) { return s.Store.OfCollection(ctx, *collection, q) }
	}
	if status == nil {
		p, err := read(l.Query)
		return archive.Seal(l, p, err)
	}
	p, err := page.Refill(l.Query, read, func(all []*archive.Post) ([]*archive.Post, error) {
		return slices.DeleteFunc(all, func(p *archive.Post) bool { return p.Status != *status }), nil
	})
	return archive.Seal(l, p, err)
}

// Post shows a post, nil when there is none.
func (s *Service) Post(ctx context.Context, v viewer.Viewer, id archive.ID) (*archive.Post, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	return s.post(ctx, id)
}

func (s *Service) post(ctx context.Context, id archive.ID) (*archive.Post, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{id}})
	if err != nil {
		return nil, err
	}
	return facts.Posts[id], nil
}

// Create makes a post, always as a draft.
func (s *Service) Create(ctx context.Context, v viewer.Viewer, plan archive.PostPlan) (*archive.Post, error) {
	author, err := s.Gate.Admit(ctx, v, archive.Contributor)
	if err != nil {
		return nil, err
	}
	facts, err := s.Store.Facts(ctx, archive.Wanted{Settings: true, Collections: []archive.ID{plan.CollectionID}})
	if err != nil {
		return nil, err
	}
	if facts.Collections[plan.CollectionID] == nil {
		return nil, archive.BadReference("collection", plan.CollectionID)
	}
	if _, err := archive.NewPost(1, author, plan, facts.Settings, s.Events.Now()); err != nil {
		return nil, err // before an id is lost on it
	}
	id, err := s.Store.NewID(ctx)
	if err != nil {
		return nil, err
	}
	p, err := archive.NewPost(id, author, plan, facts.Settings, s.Events.Now())
	if err != nil {
		return nil, err
	}
	events := s.Events.New(ctx, eventsOf(nil, p)...)
	if err := s.Store.Create(ctx, p, events...); err != nil {
		return nil, err
	}
	s.Events.Committed(ctx, events...)
	return p, nil
}

// change decides on a post until what was decided holds.
func (s *Service) change(ctx context.Context, id archive.ID, settings bool, decide func(p *archive.Post, settings *archive.Settings) (*archive.Post, error)) (*archive.Post, error) {
	return retry.OnConflict(func() (*archive.Post, error) {
		facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{id}, Settings: settings})
		if err != nil {
			return nil, err
		}
		before := facts.Posts[id]
		if before == nil {
			return nil, archive.ErrNoPost
		}
		after, err := decide(before, facts.Settings)
		if err != nil || after.LastUpdateTime.Equal(before.LastUpdateTime) {
			return after, err
		}
		events := s.Events.New(ctx, eventsOf(before, after)...)
		if err := s.Store.Change(ctx, before, after, events...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, events...)
		return after, nil
	})
}

func (s *Service) edited(ctx context.Context, v viewer.Viewer, id archive.ID, decide func(p *archive.Post, settings *archive.Settings) (*archive.Post, error)) (*archive.Post, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Editor); err != nil {
		return nil, err
	}
	return s.change(ctx, id, true, decide)
}

// Edit changes what is said of a post, and where its contents come from.
func (s *Service) Edit(ctx context.Context, v viewer.Viewer, id archive.ID, c archive.PostChange, given time.Time) (*archive.Post, error) {
	return s.edited(ctx, v, id, func(p *archive.Post, settings *archive.Settings) (*archive.Post, error) {
		return p.Edited(c, settings, given, s.Events.Now())
	})
}

// Publish asks for a post to be published.
func (s *Service) Publish(ctx context.Context, v viewer.Viewer, id archive.ID, given time.Time) (*archive.Post, error) {
	return s.edited(ctx, v, id, func(p *archive.Post, _ *archive.Settings) (*archive.Post, error) {
		return p.Publish(given, s.Events.Now())
	})
}

// Unpublish asks for a post to be taken back.
func (s *Service) Unpublish(ctx context.Context, v viewer.Viewer, id archive.ID, given time.Time) (*archive.Post, error) {
	return s.edited(ctx, v, id, func(p *archive.Post, _ *archive.Settings) (*archive.Post, error) {
		return p.Unpublish(given, s.Events.Now())
	})
}

// Delete deletes a post with all that belongs to it. One that died on the way can be
// repeated.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, id archive.ID) (bool, error) {
	p, err := s.edited(ctx, v, id, func(p *archive.Post, _ *archive.Settings) (*archive.Post, error) { return p.Doom(s.Events.Now()) })
	if err != nil {
		return false, err
	}
	for more := true; more; {
		if _, more, err = s.Contents.Wipe(ctx, id); err != nil {
			return false, err
		}
	}
	events := s.Events.New(ctx, archive.FilesLeft{Keys: p.Keys(), PostID: p.ID})
	if err := s.Store.Delete(ctx, p, events...); err != nil {
		return false, err
	}
	s.Events.Committed(ctx, events...)
	return true, nil
}

// ReportPublish, ReportRecords and ReportImages take what workers elsewhere say.
func (s *Service) ReportPublish(ctx context.Context, v viewer.Viewer, id archive.ID, r archive.WorkerReport, message string) (*archive.Post, error) {
	return s.reported(ctx, v, id, func(p *archive.Post) (*archive.Post, error) { return p.ReportPublish(r, message, s.Events.Now()) })
}

func (s *Service) ReportRecords(ctx context.Context, v viewer.Viewer, id archive.ID, r archive.WorkerReport, message string) (*archive.Post, error) {
	return s.reported(ctx, v, id, func(p *archive.Post) (*archive.Post, error) {
		return p.ReportRecords(r, message, string(v.UserID), s.Events.Now())
	})
}

func (s *Service) ReportImages(ctx context.Context, v viewer.Viewer, id archive.ID, r archive.WorkerReport, message string) (*archive.Post, error) {
	return s.reported(ctx, v, id, func(p *archive.Post) (*archive.Post, error) {
		return p.ReportImages(r, message, string(v.UserID), s.Events.Now())
	})
}

func (s *Service) reported(ctx context.Context, v viewer.Viewer, id archive.ID, decide func(p *archive.Post) (*archive.Post, error)) (*archive.Post, error) {
	if err := s.Workers.AdmitWorker(ctx, v); err != nil {
		return nil, err
	}
	return s.change(ctx, id, false, func(p *archive.Post, _ *archive.Settings) (*archive.Post, error) { return decide(p) })
}
