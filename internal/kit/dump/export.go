package dump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Source is a source of items.
type Source interface {
	// Items calls visit with the items of a table, whose name includes the prefix, in a
	// stable order, starting after the item with the key after unless that is nil. It stops
	// at the first error of visit and returns it.
	Items(ctx context.Context, table string, after Item, visit func(Item) error) error
}

// Progress reports the number of items done and the approximate total.
type Progress func(done, total int)

// Export writes all items of the tables in h to a file. It sets the format in h.
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

// Resume resumes the interrupted export in file after its last complete item. Later items
// are read now, so the file is no longer a snapshot. h is the header of a new export: the
// file must be from the same tables. A file without a complete header is started again.
// Resume leaves the file unchanged if it fails with ErrComplete because nothing is missing,
// with a *MismatchError, or with an error of Reader.
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
		return Summary{}, &MismatchError{fmt.Sprintf("the file is an export of tables %s* in %s: continue it from that store", had.Prefix, had.Source)}
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

// truncate truncates file to size and seeks to its end.
func truncate(file File, size int64) error {
	if err := file.Truncate(size); err != nil {
		return fmt.Errorf("the export cannot be resumed: %w", err)
	}
	if _, err := file.Seek(size, io.SeekStart); err != nil {
		return fmt.Errorf("the export cannot be resumed: %w", err)
	}
	return nil
}

// skipWhole reads to the end of the complete part.
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

// export writes all items after a position and the end of the file.
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
