// Package blob keeps objects, which are named byte strings, in a directory or in an S3
// bucket.
//
// Objects are written whole or not at all: a reader sees the bytes of one Put and never
// a mixture. Deleting what is not there succeeds, so that deletions can be repeated.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"time"
)

// ErrNotFound is the answer for a key under which nothing is stored.
var ErrNotFound = errors.New("blob: no such object")

// ErrKey is the answer for a key that no object can have.
var ErrKey = errors.New("blob: not a valid key")

// Info describes an object.
type Info struct {
	Size int64
	// ETag differs between different contents of one key. It comes in quotes, as HTTP
	// writes it.
	ETag       string
	ModifiedAt time.Time
}

// Range is a part of an object, which Start lies in. The zero Range is all of it.
type Range struct {
	Start int64
	// Length is how many bytes are wanted at most, or 0 for all from Start on.
	Length int64
}

// Store keeps objects. It may be used from several goroutines.
type Store interface {
	// Put stores all that r yields, in place of what was there, and returns its length.
	// It uses constant memory. When r fails nothing changes, and Put returns r's error.
	Put(ctx context.Context, key string, r io.Reader) (int64, error)
	// Open reads an object. The caller closes the reader. Info tells of the whole
	// object, whatever the range.
	Open(ctx context.Context, key string, part Range) (io.ReadCloser, Info, error)
	// Head describes an object.
	Head(ctx context.Context, key string) (Info, error)
	// Copy stores under to what is stored under from.
	Copy(ctx context.Context, from, to string) error
	// Delete removes an object if it is there.
	Delete(ctx context.Context, key string) error
	// DeleteTree removes every object whose key begins with prefix and a slash.
	DeleteTree(ctx context.Context, prefix string) error
}

// Presigner is a Store that lets clients read without asking the process again.
type Presigner interface {
	// Presign returns an address at which method, which is GET or HEAD, is answered
	// until the time given has passed.
	Presign(ctx context.Context, method, key string, expires time.Duration) (string, error)
}

// Local is a Store whose objects other programs on this machine can read as files.
type Local interface {
	// Path is the file of an object, which must not be written to. It may change with
	// the next Put.
	Path(key string) (string, error)
}

// Limits of a key, from what both file systems and S3 take.
const (
	maxKey     = 1000
	maxSegment = 200
)

// CheckKey refuses what is no key. A key is one or more segments with slashes between
// them, made of ASCII letters, digits and `-._:`. No segment begins with a dot, so none
// leads anywhere else.
func CheckKey(key string) error {
	if len(key) <= maxKey && !strings.ContainsFunc(key, isForeign) {
		valid := true
		for segment := range strings.SplitSeq(key, "/") {
			valid = valid && segment != "" && segment[0] != '.' && len(segment) <= maxSegment
		}
		if valid {
			return nil
		}
	}
	if len(key) > 60 {
		key = key[:60] + "…"
	}
	return fmt.Errorf("%w: %q", ErrKey, key)
}

func isForeign(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._:/", r))
}

// contentTypes are media types by the ending of keys.
var contentTypes = map[string]string{
	".jpg":  "image/jpeg",
	".heic": "image/heic",
	".mov":  "video/quicktime",
	".m3u8": "application/vnd.apple.mpegurl",
	".ts":   "video/mp2t",
}

// ContentType is the media type under which an object is served. It follows from the
// key alone: what a client said of its bytes is never repeated to others.
func ContentType(key string) string {
	if t, ok := contentTypes[path.Ext(key)]; ok {
		return t
	}
	return "application/octet-stream"
}

// Open opens the store that address names: `file:DIR`, whose directory is made when it
// is missing, `memory:`, or `s3://BUCKET?region=REGION&endpoint=URL`, where both
// parameters may be left out and credentials come from AWS's usual places. What names no
// store is an *AddressError.
func Open(ctx context.Context, address string) (Store, error) {
	if address == "memory:" {
		return NewMemory(), nil
	}
	if dir, ok := strings.CutPrefix(address, "file:"); ok && dir != "" {
		return OpenDir(dir)
	}
	if u, err := url.Parse(address); err == nil && u.Scheme == "s3" && u.Host != "" && strings.Trim(u.Path, "/") == "" {
		q := u.Query()
		for name := range q {
			if name != "region" && name != "endpoint" {
				return nil, &AddressError{fmt.Sprintf("%q: unknown parameter %q: s3 takes region and endpoint", address, name)}
			}
		}
		return openS3(ctx, u.Host, q.Get("region"), q.Get("endpoint"))
	}
	return nil, &AddressError{fmt.Sprintf("%q names no place for media: write file:DIR or s3://BUCKET?region=…&endpoint=…", address)}
}

// AddressError says what is wrong with the address of a store.
type AddressError struct{ text string }

func (e *AddressError) Error() string { return e.text }
