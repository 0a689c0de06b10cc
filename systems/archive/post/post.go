// Package post manages posts: their metadata, publishing and loading.
//
// Workers are notified by events, stored with the change that requests the work. They
// report through the same states whether they run in this process or elsewhere.
package post

import (
	"context"
	"errors"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// Store stores posts. Changes fail with refusal.Conflict if a post has changed since it
// was read.
type Store interface {
	archive.FactReader
	archive.Numberer
	archive.PostLister
	// Create fails with a BadReference if the collection does not exist. Like Edit, it also
	// stores new references to uploads.
	Create(ctx context.Context, p *archive.Post, referred []string, events ...outbox.Record) error
	Edit(ctx context.Context, before, after *archive.Post, referred []string, events ...outbox.Record) error
	Change(ctx context.Context, before, after *archive.Post, events ...outbox.Record) error
	// Delete deletes a post that is being deleted. It fails with ErrNoPost if it is gone.
	Delete(ctx context.Context, p *archive.Post, events ...outbox.Record) error
}

// Workers checks who may report.
type Workers interface {
	AdmitWorker(ctx context.Context, v viewer.Viewer) error
}

// Service implements the post area. Its fields are set once.
type Service struct {
	decision.Frame
	Store    Store
	Contents archive.ContentWiper
	Gate     archive.Gate
	Workers  Workers
	Bus      outbox.Bus
	// WorkElsewhere is set if external workers publish posts.
	WorkElsewhere bool
}

// List returns posts, of one collection unless that is nil, in one state unless that is
// nil.
func (s *Service) List(
	ctx context.Context,
	v viewer.Viewer,
	operation string,
	collection *archive.ID,
	status *archive.PostStatus,
	args page.Args,
) (page.Page[*archive.Post], error) {
	var of, in string
	if collection != nil {
		of = collection.String()
	}
	if status != nil {
		in = string(*status)
	}
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return page.Page[*archive.Post]{}, err
	}
	l, err := page.ListOf(args, "archive."+operation, v.UserID, of, in)
	if err != nil {
		return page.Page[*archive.Post]{}, err
	}
	read := page.In(ctx, s.Store.All)
	if collection != nil {
		read = page.Of(ctx, s.Store.OfCollection, *collection)
	}
	if status == nil {
		p, err := read(l.Query)
		return page.Seal(l, p, err)
	}
	return page.Fill(l, read, func(all []*archive.Post) ([]*archive.Post, error) {
		return slices.DeleteFunc(all, func(p *archive.Post) bool { return p.Status != *status }), nil
	})
}

// Post returns a post, or nil if it does not exist.
func (s *Service) Post(ctx context.Context, v viewer.Viewer, id archive.ID) (*archive.Post, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	return s.post(ctx, id)
}

func (s *Service) post(ctx context.Context, id archive.ID) (*archive.Post, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{id}})
	return facts.Posts[id], err
}

// Create creates a post, always as a draft.
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
	if _, err := archive.NewPost(1, author, plan, facts.Settings, s.Now()); err != nil {
		return nil, err // before an id is wasted
	}
	var keys []string
	if keys = append(keys, plan.ImageKeys...); plan.RecordsKey != "" {
		keys = append(keys, plan.RecordsKey)
	}
	referred, err := s.referable(ctx, keys)
	if err != nil {
		return nil, err
	}
	id, err := s.Store.NewID(ctx)
	if err != nil {
		return nil, err
	}
	p, err := archive.NewPost(id, author, plan, facts.Settings, s.Now())
	if err != nil {
		return nil, err
	}
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (*archive.Post, error) {
		return p, s.Store.Create(ctx, p, referred, a.Emit(eventsOf(nil, p)...)...)
	})
}

// referable returns those uploads whose references are stored.
func (s *Service) referable(ctx context.Context, keys []string) ([]string, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	facts, err := s.Store.Facts(ctx, archive.Wanted{Uploads: keys})
	if err != nil {
		return nil, err
	}
	return archive.Referable(keys, facts.Uploads)
}

// change stores a decision on a post, and decides again after a conflict.
func (s *Service) change(
	ctx context.Context,
	id archive.ID,
	settings bool,
	decide func(p *archive.Post, settings *archive.Settings) (*archive.Post, error),
) (*archive.Post, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*archive.Post, error) {
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
		added := slices.DeleteFunc(after.Keys(), func(key string) bool { return slices.Contains(before.Keys(), key) })
		referred, err := s.referable(ctx, added)
		if err != nil {
			return nil, err
		}
		return after, s.Store.Edit(ctx, before, after, referred, a.Emit(eventsOf(before, after)...)...)
	})
}

func (s *Service) edited(
	ctx context.Context,
	v viewer.Viewer,
	id archive.ID,
	decide func(p *archive.Post, settings *archive.Settings) (*archive.Post, error),
) (*archive.Post, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Editor); err != nil {
		return nil, err
	}
	return s.change(ctx, id, true, decide)
}

// Edit changes the metadata and the uploads of a post.
func (s *Service) Edit(ctx context.Context, v viewer.Viewer, id archive.ID, c archive.PostChange, given time.Time) (*archive.Post, error) {
	return s.edited(ctx, v, id, func(p *archive.Post, settings *archive.Settings) (*archive.Post, error) {
		return p.Edited(c, settings, given, s.Now())
	})
}

// Publish requests the publication of a post.
func (s *Service) Publish(ctx context.Context, v viewer.Viewer, id archive.ID, given time.Time) (*archive.Post, error) {
	return s.edited(ctx, v, id, func(p *archive.Post, _ *archive.Settings) (*archive.Post, error) {
		return p.Publish(given, s.Now())
	})
}

// Unpublish requests the withdrawal of a post.
func (s *Service) Unpublish(ctx context.Context, v viewer.Viewer, id archive.ID, given time.Time) (*archive.Post, error) {
	return s.edited(ctx, v, id, func(p *archive.Post, _ *archive.Settings) (*archive.Post, error) {
		return p.Unpublish(given, s.Now())
	})
}

// Delete deletes a post with everything that belongs to it, a large one in the background.
// An interrupted deletion can be repeated.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, id archive.ID) (bool, error) {
	p, err := s.edited(ctx, v, id, func(p *archive.Post, _ *archive.Settings) (*archive.Post, error) { return p.StartDeletion(s.Now()) })
	if err != nil {
		return false, err
	}
	if p.RecordCount > archive.MaxAtOnce {
		return true, nil
	}
	for more := true; more; {
		if _, more, err = s.Contents.Wipe(ctx, id); err != nil {
			return false, err
		}
	}
	err = s.remove(ctx, p)
	return err == nil, err
}

// remove removes a post that holds nothing any more, unless another call has.
func (s *Service) remove(ctx context.Context, p *archive.Post) error {
	err := decision.DoOnce(ctx, s.Frame, func(a *decision.Attempt) error {
		return s.Store.Delete(ctx, p, a.Emit(archive.FilesLeft{Keys: p.Keys(), PostID: p.ID})...)
	})
	if errors.Is(err, archive.ErrNoPost) {
		return nil
	}
	return err
}

// wipedParts is the number of parts that a chunk of a deletion removes.
const wipedParts = 10

// DeletionRequested receives the event of its name: it deletes a large post, chunk by
// chunk. The cursor only says that the mutation has been answered.
func (s *Service) DeletionRequested(ctx context.Context, e archive.DeletionRequested, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	const behind = "behind the answer"
	if cursor == "" {
		return behind, outbox.Later, nil
	}
	p, err := s.post(ctx, e.PostID)
	if p == nil || !p.Deleting || err != nil {
		return "", 0, err
	}
	for range wipedParts {
		_, more, err := s.Contents.Wipe(ctx, p.ID)
		if err != nil {
			return "", 0, err
		}
		if !more {
			return "", 0, s.remove(ctx, p)
		}
	}
	return behind, outbox.Later, nil
}

// ReportPublish, ReportRecords and ReportImages apply reports by external workers.
func (s *Service) ReportPublish(ctx context.Context, v viewer.Viewer, id archive.ID, r archive.WorkerReport, message string) (*archive.Post, error) {
	return s.reported(ctx, v, id, func(p *archive.Post) (*archive.Post, error) { return p.ReportPublish(r, message, s.Now()) })
}

func (s *Service) ReportRecords(ctx context.Context, v viewer.Viewer, id archive.ID, r archive.WorkerReport, message string) (*archive.Post, error) {
	return s.reported(ctx, v, id, func(p *archive.Post) (*archive.Post, error) {
		return p.ReportRecords(r, message, string(v.UserID), s.Now())
	})
}

func (s *Service) ReportImages(ctx context.Context, v viewer.Viewer, id archive.ID, r archive.WorkerReport, message string) (*archive.Post, error) {
	return s.reported(ctx, v, id, func(p *archive.Post) (*archive.Post, error) {
		return p.ReportImages(r, message, string(v.UserID), s.Now())
	})
}

func (s *Service) reported(ctx context.Context, v viewer.Viewer, id archive.ID, decide func(p *archive.Post) (*archive.Post, error)) (*archive.Post, error) {
	if err := s.Workers.AdmitWorker(ctx, v); err != nil {
		return nil, err
	}
	return s.change(ctx, id, false, func(p *archive.Post, _ *archive.Settings) (*archive.Post, error) { return decide(p) })
}
