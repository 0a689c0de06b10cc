package record

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"hash/maphash"
	"io"
	"sync"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/together"
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

// Phases of a load. Each consists of chunks, and the progress stored between chunks is all
// that the next one needs, in any process. A repeated chunk has the same effect, as the ids
// of its records were allocated before.
const (
	checking = "check"
	wiping   = "wipe"
	loading  = "load"
)

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

// RecordsRequested is the loader of records. It receives the event of its name.
func (s *Service) RecordsRequested(ctx context.Context, e archive.RecordsRequested, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.work(ctx, archive.ImportRequested{PostID: e.PostID, By: e.By}, cursor)
}

// ImportRequested receives the event of its name: it loads what came in a request, or only
// deletes what there was.
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
		s.loads.forget(e)
		return "", 0, nil
	case err != nil && kind != 0 && kind != refusal.Conflict:
		// The file is invalid, so another attempt would not help.
		s.loads.forget(e)
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
	post, err := retry.OnConflict(func() (*archive.Post, error) {
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
		started, err := after.ReportRecords(archive.Started, "", e.By, s.Events.Now())
		if err != nil {
			return nil, err
		}
		return started, s.changed(ctx, before, started)
	})
	if post == nil || err != nil {
		return "", 0, err
	}
	p := progress{Phase: checking, Key: cmp.Or(e.Key, post.RecordsKey), Collection: post.CollectionID, Now: s.Events.Now()}
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

// step processes a chunk and advances p past it.
func (s *Service) step(ctx context.Context, post *archive.Post, c *archive.Collection, p *progress) error {
	switch {
	case c == nil:
		return archive.ErrNoPost
	case p.Phase == checking:
		return s.check(ctx, c, p)
	case p.Phase == wiping:
		return s.wipeSome(ctx, post, p)
	default:
		return s.load(ctx, post, c, p)
	}
}

// open returns a reader of the file at the position in p.
func (s *Service) open(ctx context.Context, c *archive.Collection, p *progress) (*archive.CSV, func(), error) {
	file, err := s.Files.Open(ctx, p.Key, p.At.Offset)
	if err != nil {
		return nil, nil, err
	}
	end := func() { _ = file.Close() } // only read from
	if p.Headers != nil {
		return archive.GoOnCSV(file, c, p.Headers, p.At), end, nil
	}
	r, err := archive.OpenCSV(file, c)
	if err != nil {
		end()
		return nil, nil, err
	}
	return r, end, nil
}

// check reads rows to verify that the whole file can be loaded.
func (s *Service) check(ctx context.Context, c *archive.Collection, p *progress) error {
	s.checking.Lock()
	defer s.checking.Unlock()
	r, end, err := s.open(ctx, c, p)
	if err != nil {
		return err
	}
	defer end()
	for range checkedRows {
		switch _, err := r.Check(); {
		case errors.Is(err, io.EOF):
			*p = progress{Phase: wiping, Key: p.Key, Collection: p.Collection, Now: p.Now}
			return nil
		case err != nil:
			return err
		}
	}
	p.Headers, p.At = r.Headers(), r.Position()
	return nil
}

// wipeSome deletes a part of the post's previous content. When nothing is left, it
// allocates the ids of the first block, or ends the load if there is no file.
func (s *Service) wipeSome(ctx context.Context, post *archive.Post, p *progress) error {
	for range wipedParts {
		_, more, err := s.Store.Wipe(ctx, post.ID)
		if err != nil {
			return err
		}
		if !more && p.Key == "" {
			if _, err := s.finish(ctx, post, post.Records.By, "", 0); err != nil {
				return err
			}
			return errLoaded
		}
		if !more {
			ids, err := s.Store.Allocate(ctx, chunkRows)
			p.Phase, p.First, p.Last = loading, ids.First, ids.Last
			return err
		}
	}
	return nil
}

// load writes the records of a block.
func (s *Service) load(ctx context.Context, post *archive.Post, c *archive.Collection, p *progress) error {
	r, end, err := s.open(ctx, c, p)
	if err != nil {
		return err
	}
	defer end()
	b, err := s.read(ctx, r, post, c, p)
	for size := 0; err == nil; {
		var lists []*archive.Household
		if lists, err = s.merged(ctx, b, post, p); err != nil {
			return err
		}
		p.Count += len(b.records)
		p.First += archive.ID(len(b.records))
		size += b.size
		write := func(ctx context.Context) error { return s.Store.Write(ctx, b.records, lists) }
		if b.last || size >= chunkBytes || !p.hasIDs() {
			if err := write(ctx); err != nil {
				return err
			}
			return s.rest(ctx, r, post, b, p)
		}
		p.Headers, p.At = r.Headers(), r.Position()
		s.loads.note(post, p, b)
		var next *block
		err = together.Do(ctx, write, func(ctx context.Context) (err error) {
			next, err = s.read(ctx, r, post, c, p)
			return err
		})
		b = next
	}
	return err
}

// read reads the records of a block.
func (s *Service) read(ctx context.Context, r *archive.CSV, post *archive.Post, c *archive.Collection, p *progress) (*block, error) {
	b := newBlock(c, post.ID, p.Now)
	return b, s.readInto(ctx, b, r, p)
}

// readInto replaces the records of a block by the next ones of its file. Households also list
// the earlier ones.
func (s *Service) readInto(ctx context.Context, b *block, r *archive.CSV, p *progress) error {
	b.records, b.size = nil, 0
	for len(b.records) < blockRows && b.size < blockBytes {
		data, err := r.Next()
		if errors.Is(err, io.EOF) {
			b.last = true
			break
		}
		if err != nil {
			return err
		}
		if err := b.collection.Standardize(ctx, s.Places, data); err != nil {
			return err
		}
		for header, value := range data {
			b.size += valueBytes + len(header) + len(value)
		}
		b.add(p.First+archive.ID(len(b.records)), data)
	}
	return nil
}

// rest ends the load after its last block. Otherwise it allocates ids for the next chunk,
// updates the post to show that the load is alive, and advances p.
func (s *Service) rest(ctx context.Context, r *archive.CSV, post *archive.Post, b *block, p *progress) error {
	if b.last {
		if _, err := s.finish(ctx, post, post.Records.By, "", p.Count); err != nil {
			return err
		}
		return errLoaded
	}
	if !p.hasIDs() {
		ids, err := s.Store.Allocate(ctx, chunkRows)
		if err != nil {
			return err
		}
		p.First, p.Last = ids.First, ids.Last
	}
	alive := *post
	alive.RecordCount = p.Count
	alive.Touch(s.Events.Now())
	if err := s.Posts.Change(ctx, post, &alive); err != nil {
		return err
	}
	p.Headers, p.At = r.Headers(), r.Position()
	s.loads.note(post, p, b)
	return nil
}

// merged returns the households of a block, merged with what earlier blocks have written of
// them. It reads only those that may have been written.
func (s *Service) merged(ctx context.Context, b *block, post *archive.Post, p *progress) ([]*archive.Household, error) {
	lists := b.households()
	var w archive.Wanted
	for _, h := range lists {
		if p.Count > 0 && s.loads.mayHave(post, p, h.Number) {
			w.Households = append(w.Households, h.Ref())
		}
	}
	if len(w.Households) == 0 {
		return lists, nil
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	for _, h := range lists {
		before := facts.Households[h.Ref()]
		if before == nil {
			continue
		}
		var ids []archive.ID
		for _, id := range before.RecordIDs {
			if id < p.First { // those of an earlier attempt at this block are written again
				ids = append(ids, id)
			}
		}
		h.RecordIDs = append(ids, h.RecordIDs...)
		if len(h.RecordIDs) > archive.MaxHousehold {
			return nil, archive.TooLarge(p.At.Row)
		}
	}
	return lists, nil
}

// loads caches, for the loads in progress in this process, which households they have
// written, so that most need not be read again.
type loads struct {
	mu   sync.Mutex
	seed maphash.Seed
	all  map[string]*written
}

// written contains the households written by a load up to a row.
type written struct {
	row     int
	numbers map[uint64]struct{}
}

// maxNumbers is the maximum number of households cached for a load. Beyond it, all
// households are read again.
const maxNumbers = 500_000

func loadName(post archive.ID, by string) string { return post.String() + " " + by }

// note adds the households of a block that ends at the position in p.
func (l *loads) note(post *archive.Post, p *progress, b *block) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all, l.seed = map[string]*written{}, maphash.MakeSeed()
	}
	name := loadName(post.ID, post.Records.By)
	w := l.all[name]
	if w == nil {
		if p.Count != len(b.records) {
			return // the load was started by another process
		}
		w = &written{numbers: map[uint64]struct{}{}}
		l.all[name] = w
	}
	if len(w.numbers) > maxNumbers {
		return
	}
	for _, n := range b.numbers {
		w.numbers[maphash.String(l.seed, n)] = struct{}{}
	}
	w.row = p.At.Row
}

// mayHave reports whether a household may have been written by blocks before the position
// in p.
func (l *loads) mayHave(post *archive.Post, p *progress, number string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.all[loadName(post.ID, post.Records.By)]
	if w == nil || w.row != p.At.Row {
		return true
	}
	_, has := w.numbers[maphash.String(l.seed, number)]
	return has
}

func (l *loads) forget(e archive.ImportRequested) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.all, loadName(e.PostID, e.By))
}
