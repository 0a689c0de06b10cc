package record

import (
	"context"
	"errors"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// DeleteAll deletes the content of a post and returns the number of its records. Those of a
// large post are deleted in the background.
func (s *Service) DeleteAll(ctx context.Context, v viewer.Viewer, post archive.ID) (int, error) {
	u, p, err := s.admit(ctx, v, archive.Editor, post)
	if err != nil {
		return 0, err
	}
	if p.RecordCount > archive.MaxAtOnce {
		by := s.NewID()
		p, _, err = s.take(ctx, u, 0, p, by, archive.ImportRequested{PostID: post, By: by, Nothing: true})
		if err != nil {
			return 0, err
		}
		return p.RecordCount, nil
	}
	gone := 0
	_, err = s.replace(ctx, u, 0, p, func(_ context.Context, n int) (int, error) {
		gone = n
		return 0, nil
	})
	return gone, err
}

// replace reserves a post while fill replaces its content, and returns the post after that.
// read is the post as last read, and rows the number of rows that u imports. fill is called
// with the number of previous records and returns the number of new ones.
func (s *Service) replace(
	ctx context.Context,
	u *archive.User,
	rows int,
	read *archive.Post,
	fill func(ctx context.Context, gone int) (int, error),
) (*archive.Post, error) {
	by, id := s.NewID(), read.ID
	p, empty, err := s.take(ctx, u, rows, read, by)
	if err != nil {
		return nil, err
	}
	gone, count := 0, 0
	if !empty {
		gone, err = s.wipe(ctx, id)
	}
	if err == nil {
		count, err = fill(ctx, gone)
	}
	// Even if the request was cancelled, the post must not remain in the state of a load in
	// progress.
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		done, failed := s.finish(ctx, p, by, "", count)
		if failed == nil || refusal.KindOf(failed) != 0 {
			return done, failed
		}
		err = failed
	}
	failure := err
	if count, err = s.Store.Count(ctx, id); err == nil {
		_, err = s.finish(ctx, p, by, messageOf(failure), count)
	}
	if refusal.KindOf(err) != 0 {
		err = nil // the load has ended, or belongs to another one
	}
	return nil, errors.Join(failure, err)
}

// wipe deletes the content of a post and returns the number of its records.
func (s *Service) wipe(ctx context.Context, post archive.ID) (gone int, err error) {
	for more := true; more; {
		var n int
		if n, more, err = s.Store.Wipe(ctx, post); err != nil {
			return gone, err
		}
		gone += n
	}
	return gone, nil
}

// take starts a load of a post by u, unless another load is in progress, and reports whether
// the post has no content. read is the post as last read. The rows to be loaded count
// towards what u imports on the day.
func (s *Service) take(
	ctx context.Context,
	u *archive.User,
	rows int,
	read *archive.Post,
	by string,
	told ...outbox.Event,
) (p *archive.Post, empty bool, err error) {
	id, importer := read.ID, u
	p, err = decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*archive.Post, error) {
		before := read
		if read = nil; before == nil {
			facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{id}, Users: []archive.ID{u.ID}})
			if err != nil {
				return nil, err
			}
			before, importer = facts.Posts[id], facts.Users[u.ID]
			if before == nil {
				return nil, archive.ErrNoPost
			}
		}
		after, err := before.Import(by, u.Subject, s.Now())
		if err != nil {
			return nil, err
		}
		to, err := importer.Importing(rows, s.Limits, s.Now())
		if err != nil {
			return nil, err
		}
		empty = before.Records.Status == archive.Ready && before.RecordCount == 0
		return after, s.Posts.Import(ctx, before, after, importer, to, a.Emit(append(told, after.Changed())...)...)
	})
	return p, empty, err
}

// finish ends a load that still belongs to by, with a message if it failed. read is the
// post as read during the load.
func (s *Service) finish(ctx context.Context, read *archive.Post, by, message string, count int) (*archive.Post, error) {
	report := archive.Completed
	if message != "" {
		report = archive.Failed
	}
	id := read.ID
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (_ *archive.Post, err error) {
		before := read
		if read = nil; before == nil {
			if before, err = s.mine(ctx, id, by); err != nil {
				return nil, err
			}
		}
		after, err := before.ReportRecords(report, message, by, s.Now())
		if err != nil {
			return nil, err
		}
		after.RecordCount = count
		return after, s.Posts.Change(ctx, before, after, a.Emit(after.Changed())...)
	})
}

// messageOf returns the part of an error that clients may read.
func messageOf(err error) string {
	var refused *refusal.Error
	if errors.As(err, &refused) {
		return refused.Text
	}
	return "Records could not be loaded: load them again"
}

// mine reads a post loaded by by, or fails with ErrTakenOver if another loader has taken it
// over.
func (s *Service) mine(ctx context.Context, post archive.ID, by string) (*archive.Post, error) {
	p, _, err := s.mineIn(ctx, post, by)
	return p, err
}

// mineIn is like mine, and reads collections in the same call.
func (s *Service) mineIn(
	ctx context.Context,
	post archive.ID,
	by string,
	collections ...archive.ID,
) (*archive.Post, map[archive.ID]*archive.Collection, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{post}, Collections: collections})
	if err != nil {
		return nil, nil, err
	}
	p := facts.Posts[post]
	if p == nil {
		return nil, nil, archive.ErrNoPost
	}
	if p.Deleting || p.Records.Status != archive.Loading || p.Records.By != by {
		return nil, nil, archive.ErrTakenOver
	}
	return p, facts.Collections, nil
}
