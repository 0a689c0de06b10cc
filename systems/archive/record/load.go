package record

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// Files reads uploads.
type Files interface {
	// Open returns a reader of an upload starting at offset. It fails with ErrNoFile.
	Open(ctx context.Context, key string, offset int64) (io.ReadCloser, error)
	// Write stores a file, replacing any existing one, and Delete deletes one that may exist.
	Write(ctx context.Context, key string, data []byte) error
	Delete(ctx context.Context, key string) error
}

// progress is the progress of a load.
type progress struct {
	Phase string
	// Key is that of the file; empty if nothing is loaded after the wipe.
	Key string
	// Collection is the post's collection.
	Collection archive.ID
	Headers    []string         `json:",omitempty"`
	At         archive.Position `json:",omitzero"`
	// First to Last are the ids allocated to the next blocks.
	First archive.ID `json:",omitempty"`
	Last  archive.ID `json:",omitempty"`
	// Count is the number of records written.
	Count int `json:",omitempty"`
	// Now is the creation time of the records.
	Now time.Time `json:",omitzero"`
}

// Phases of a load. Each consists of chunks, and the progress stored between chunks is all
// that the next one needs, in any process. A repeated chunk has the same effect, as the ids
// of its records were allocated before.
const (
	checking = "check"
	wiping   = "wipe"
	loading  = "load"
)

// Sizes of chunks: rows that are checked, blocks of rows that are written, the approximate
// memory of such a block, and parts that are wiped.
const (
	checkedRows = 100_000
	blockRows   = 2_500
	blockBytes  = 4 << 20
	valueBytes  = 48 // of a value, even if it is empty
	chunkRows   = 20_000
	chunkBytes  = 32 << 20
	wipedParts  = 10
)

// RecordsRequested loads the records of a post from an upload.
func (s *Service) RecordsRequested(ctx context.Context, e archive.RecordsRequested, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.work(ctx, archive.ImportRequested{PostID: e.PostID, By: e.By}, cursor)
}

// ImportRequested loads the records of a post from a file that was sent in a request, or
// only deletes the previous ones.
func (s *Service) ImportRequested(ctx context.Context, e archive.ImportRequested, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	next, rows, err = s.work(ctx, e, cursor)
	if next == "" && err == nil && e.Key != "" {
		err = s.Files.Delete(ctx, e.Key)
	}
	return next, rows, err
}

// work does the next chunk of a load.
func (s *Service) work(ctx context.Context, e archive.ImportRequested, cursor string) (next string, rows int, err error) {
	if cursor == "" {
		return s.start(ctx, e)
	}
	var p progress
	if err := json.Unmarshal([]byte(cursor), &p); err != nil {
		return "", 0, err
	}
	post, collections, err := s.mineIn(ctx, e.PostID, e.By, p.Collection)
	if err == nil {
		err = s.step(ctx, post, collections[p.Collection], &p)
	}
	switch kind := refusal.KindOf(err); {
	case errors.Is(err, archive.ErrTakenOver), errors.Is(err, archive.ErrNoPost), errors.Is(err, errLoaded):
		return "", 0, nil
	case err != nil && kind != 0 && kind != refusal.Conflict:
		// The file is invalid, so another attempt would not help.
		return "", 0, s.fail(ctx, post, p.Phase, err)
	case err != nil:
		return "", 0, err
	}
	return p.cursor()
}

// hasIDs reports whether there are enough for a block.
func (p *progress) hasIDs() bool { return p.Last-p.First+1 >= blockRows }

func (p *progress) cursor() (string, int, error) {
	data, err := json.Marshal(p)
	return string(data), outbox.Later, err
}

// errLoaded is returned when a load has been reported as ended.
var errLoaded = errors.New("loaded")

// start reports that the load has started, unless it is no longer requested.
func (s *Service) start(ctx context.Context, e archive.ImportRequested) (next string, rows int, err error) {
	post, err := decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*archive.Post, error) {
		facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{e.PostID}})
		if err != nil {
			return nil, err
		}
		before := facts.Posts[e.PostID]
		switch {
		case before == nil || before.Deleting || before.RecordsKey == "" && e.Key == "" && !e.Nothing || !before.Records.Awaits(e.By):
			return nil, nil
		case before.Records.Status == archive.Loading:
			return before, nil
		}
		after := *before
		started, err := after.ReportRecords(archive.Started, "", e.By, s.Now())
		if err != nil {
			return nil, err
		}
		return started, s.Posts.Change(ctx, before, started, a.Emit(started.Changed())...)
	})
	if post == nil || err != nil {
		return "", 0, err
	}
	p := progress{Phase: checking, Key: cmp.Or(e.Key, post.RecordsKey), Collection: post.CollectionID, Now: s.Now()}
	if e.Nothing {
		p.Phase, p.Key = wiping, ""
	}
	return p.cursor()
}

// fail reports that the load has failed in a phase. Until content is deleted, the post
// keeps the previous one.
func (s *Service) fail(ctx context.Context, post *archive.Post, phase string, why error) error {
	count := post.RecordCount
	if phase != checking {
		var err error
		if count, err = s.Store.Count(ctx, post.ID); err != nil {
			return err
		}
	}
	_, err := s.finish(ctx, post, post.Records.By, messageOf(why), count)
	if errors.Is(err, archive.ErrTakenOver) || errors.Is(err, archive.ErrNoPost) {
		return nil
	}
	return err
}
