package search

import (
	"context"
	"iter"
	"reflect"

	"stoa/internal/kit/keyspec"
)

// Source provides the stored documents of an index.
type Source interface {
	// All yields all documents. Those that change meanwhile may be yielded in either state.
	All(ctx context.Context) iter.Seq2[Document, error]
	// Load returns the current documents among ids, by id.
	Load(ctx context.Context, ids []string) (map[string]Document, error)
}

// Rebuilt is the progress of Rebuild.
type Rebuilt struct {
	// Documents and Rows are the numbers written, whether or not they existed before.
	Documents, Rows int
	// Removed is the number of removed rows that belonged to no document.
	Removed int
}

// rebuildChunk is the number of documents written at a time.
const rebuildChunk = 200

// Rebuild writes the rows of all documents and removes all others, while the index is in
// use, and then enables it. It can be repeated after an interruption. It calls progress,
// which may be nil, after each chunk.
func (f *Finder) Rebuild(ctx context.Context, source Source, progress func(Rebuilt)) (Rebuilt, error) {
	r := rebuild{Finder: f, source: source, progress: progress}
	if err := r.write(ctx); err != nil {
		return r.done, err
	}
	if err := r.sweep(ctx); err != nil {
		return r.done, err
	}
	return r.done, f.markComplete(ctx)
}

type rebuild struct {
	*Finder
	source   Source
	progress func(Rebuilt)
	done     Rebuilt
}

// write puts the rows of all documents.
func (r *rebuild) write(ctx context.Context) error {
	chunk := map[string]Document{}
	for d, err := range r.source.All(ctx) {
		if err != nil {
			return err
		}
		if chunk[d.ID] = d; len(chunk) < rebuildChunk {
			continue
		}
		if err := r.writeChunk(ctx, chunk); err != nil {
			return err
		}
		clear(chunk)
	}
	return r.writeChunk(ctx, chunk)
}

func (r *rebuild) writeChunk(ctx context.Context, chunk map[string]Document) error {
	if len(chunk) == 0 {
		return nil
	}
	rows, err := r.settle(ctx, map[string][]wordItem{}, chunk)
	r.done.Documents += len(chunk)
	r.done.Rows += rows
	r.tell()
	return err
}

// sweep removes rows that do not match their documents.
func (r *rebuild) sweep(ctx context.Context) error {
	for _, field := range r.kind.Fields {
		for _, initial := range initials {
			all := r.words.Begins(keyspec.Primary, r.kind.Name, field.Name, string(initial))
			for page := (keyspec.Page{Limit: rebuildChunk}); ; {
				rows, next, err := all.Page(ctx, r.db, page)
				if err != nil {
					return err
				}
				if err := r.sweepRows(ctx, rows); err != nil {
					return err
				}
				if page.After = next; next == "" {
					break
				}
			}
		}
	}
	return nil
}

func (r *rebuild) sweepRows(ctx context.Context, rows []wordItem) error {
	found := map[string][]wordItem{}
	var ids []string
	for _, row := range rows {
		if found[row.ID] == nil {
			ids = append(ids, row.ID)
		}
		found[row.ID] = append(found[row.ID], row)
	}
	if len(ids) == 0 {
		return nil
	}
	documents, err := r.source.Load(ctx, ids)
	if err != nil {
		return err
	}
	for id, rows := range found {
		stale := r.missing(rows, r.rowsOf(documents, id))
		if r.done.Removed += len(stale); len(stale) == 0 {
			delete(found, id)
			delete(documents, id)
		}
	}
	if len(found) == 0 {
		return nil
	}
	_, err = r.settle(ctx, found, documents)
	r.tell()
	return err
}

// settle brings the rows of documents up to date, given some stored rows of the same ids,
// and returns the number of rows written. It then checks whether a document has changed
// meanwhile, whose own change may have been overwritten, and repeats that. The last writer
// therefore always knows the stored state.
func (r *rebuild) settle(ctx context.Context, stored map[string][]wordItem, documents map[string]Document) (put int, err error) {
	for {
		ids := map[string]bool{}
		for id := range stored {
			ids[id] = true
		}
		for id := range documents {
			ids[id] = true
		}
		if len(ids) == 0 {
			return put, nil
		}
		bulk := r.db.NewBulk()
		asked := make([]string, 0, len(ids))
		for id := range ids {
			asked = append(asked, id)
			rows := r.rowsOf(documents, id)
			for _, row := range rows {
				r.words.PutIn(bulk, row)
			}
			for _, row := range r.missing(stored[id], rows) {
				r.words.DeleteIn(bulk, r.words.KeyOf(&row))
			}
			stored[id] = rows
			put += len(rows)
		}
		if err := bulk.Run(ctx); err != nil {
			return put, err
		}
		now, err := r.source.Load(ctx, asked)
		if err != nil {
			return put, err
		}
		for id := range ids {
			was, had := documents[id]
			is, has := now[id]
			if had == has && reflect.DeepEqual(was, is) {
				delete(stored, id)
				delete(now, id)
			}
		}
		documents = now
	}
}

func (r *rebuild) rowsOf(documents map[string]Document, id string) []wordItem {
	if d, ok := documents[id]; ok {
		return r.rows(&d)
	}
	return nil
}

// missing returns the rows whose keys are not among others.
func (r *rebuild) missing(rows, others []wordItem) []wordItem {
	keys := make(map[keyspec.Key]bool, len(others))
	for i := range others {
		keys[r.words.KeyOf(&others[i])] = true
	}
	var missing []wordItem
	for _, row := range rows {
		if !keys[r.words.KeyOf(&row)] {
			missing = append(missing, row)
		}
	}
	return missing
}

func (r *rebuild) tell() {
	if r.progress != nil {
		r.progress(r.done)
	}
}
