package dump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Source is where items come from.
type Source interface {
	// Items calls visit with the items of a table, given with its prefix, in an order
	// that never changes: those behind the item with the key after, unless that is nil.
	// An error of visit ends the reading and is returned.
	Items(ctx context.Context, table string, after Item, visit func(Item) error) error
}

// Progress is told how many items of about how many are done.
type Progress func(done, total int)

// Export writes all items of the tables in h to a file. It names the format by itself.
func Export(ctx context.Context, to io.Writer, from Source, h Header, progress Progress) (Summary, error) {
	w, err := newWriter(to, h)
	if err != nil {
		return Summary{}, err
	}
	if err := w.export(ctx, from, position{}, progress); err != nil {
		return Summary{}, err
	}
	return Summary{Items: w.counts, OneMoment: h.OneMoment}, nil
}

// File is an open file.
type File interface {
	io.ReadWriteSeeker
	Truncate(size int64) error
}

// Resume continues the export in file, which was interrupted, from where it has
// everything. The items that follow are read now, so the whole is of one moment no
// more. h is what an export would begin with: the file must come from the same tables.
// A file without as much as a header is begun anew. A file that is not changed is
// refused with ErrComplete when nothing is missing, with a *MismatchError or with an
// error of Reader.
func Resume(ctx context.Context, file File, from Source, h Header, progress Progress) (Summary, error) {
	r, err := NewReader(file)
	var cut *IncompleteError
	if errors.As(err, &cut) {
		if err := truncate(file, 0); err != nil {
			return Summary{}, err
		}
		return Export(ctx, file, from, h, progress)
	}
	if err != nil {
		return Summary{}, err
	}
	if err := r.skipWhole(); err != nil {
		return Summary{}, err
	}
	had := r.Header()
	if had.Source != h.Source || had.Prefix != h.Prefix {
		return Summary{}, &MismatchError{fmt.Sprintf("the file is an export of tables %s* in %s: go on with it from there", had.Prefix, had.Source)}
	}
	if err := had.Fits(h.Tables); err != nil {
		return Summary{}, &MismatchError{err.Error()}
	}
	if err := truncate(file, r.whole); err != nil {
		return Summary{}, err
	}
	w := r.continued(file, h.TakenAt)
	if err := w.export(ctx, from, r.last, progress); err != nil {
		return Summary{}, err
	}
	return Summary{Items: w.counts, OneMoment: had.OneMoment && !r.resumed && r.last.table == ""}, nil
}

// truncate cuts file at size and goes there.
func truncate(file File, size int64) error {
	if err := file.Truncate(size); err != nil {
		return fmt.Errorf("the export cannot be continued: %w", err)
	}
	if _, err := file.Seek(size, io.SeekStart); err != nil {
		return fmt.Errorf("the export cannot be continued: %w", err)
	}
	return nil
}

// skipWhole reads to where the file was cut short.
func (r *Reader) skipWhole() error {
	for {
		_, err := r.Next()
		var cut *IncompleteError
		switch {
		case errors.As(err, &cut):
			return nil
		case err == io.EOF:
			return ErrComplete
		case err != nil:
			return err
		}
	}
}

// continued returns a writer for what follows the chunks that r has read.
func (r *Reader) continued(to io.Writer, now time.Time) *writer {
	w := &writer{to: to, header: r.header, sum: r.sum, chunks: r.chunks, counts: r.counts, last: r.last}
	if r.last.table != "" {
		w.resumedAt = &now
	}
	return w
}

// export writes all items behind a position and the end of the file.
func (w *writer) export(ctx context.Context, from Source, behind position, progress Progress) error {
	total := int(w.header.estimate())
	done := int(Summary{Items: w.counts}.Total())
	for i := range w.header.Tables {
		t := &w.header.Tables[i]
		var after Item
		if behind.table != "" {
			if t.Name != behind.table {
				continue
			}
			after, behind = behind.key, position{}
		}
		err := from.Items(ctx, w.header.Prefix+t.Name, after, func(item Item) error {
			if done++; done%1000 == 0 {
				progress(done, max(done, total))
			}
			return w.add(t, item)
		})
		if err != nil {
			return err
		}
	}
	return w.close()
}
