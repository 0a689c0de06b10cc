package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"syscall"
)

// contextReader is a reader that fails once its context is done.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

func nonce() string { return rand.Text() }

// isNotDir reports whether there is a file in place of a directory.
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// ReadAll returns the whole object, or ErrTooLarge if it has more than limit bytes.
func ReadAll(ctx context.Context, s Store, key string, limit int64) ([]byte, error) {
	r, info, err := s.Open(ctx, key, Range{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if info.Size > limit {
		return nil, ErrTooLarge
	}
	data := make([]byte, info.Size)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, err
	}
	return data, nil
}

// ErrTooLarge is the error for an object that exceeds a reader's limit.
var ErrTooLarge = errors.New("blob: object is too large")

// NewSeeker returns a seekable reader of an object, as required by [net/http.ServeContent].
// info is the result of Head.
func NewSeeker(ctx context.Context, s Store, key string, info Info) io.ReadSeekCloser {
	return &seeker{ctx: ctx, store: s, key: key, size: info.Size}
}

// seeker opens its object at the current position when it is first read.
type seeker struct {
	ctx   context.Context
	store Store
	key   string
	size  int64
	at    int64
	open  io.ReadCloser
}

func (s *seeker) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += s.at
	case io.SeekEnd:
		offset += s.size
	}
	if offset < 0 {
		return 0, errors.New("blob: seek before the start")
	}
	if offset == s.at {
		return offset, nil
	}
	s.at = offset
	return offset, s.Close()
}

func (s *seeker) Read(p []byte) (int, error) {
	if s.at >= s.size {
		return 0, io.EOF
	}
	if s.open == nil {
		r, _, err := s.store.Open(s.ctx, s.key, Range{Start: s.at})
		if err != nil {
			return 0, err
		}
		s.open = r
	}
	n, err := s.open.Read(p)
	s.at += int64(n)
	return n, err
}

func (s *seeker) Close() error {
	if s.open == nil {
		return nil
	}
	err := s.open.Close()
	s.open = nil
	return err
}
