// Package blob stores objects, which are named byte strings, in a directory or in an S3
// bucket.
//
// Writes are atomic: a reader sees the bytes of one Put and never a mixture. Deleting a
// missing object succeeds, so that deletions can be repeated.
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

// ErrNotFound is the error for a key without an object.
var ErrNotFound = errors.New("blob: no such object")

// ErrKey is the error for an invalid key.
var ErrKey = errors.New("blob: not a valid key")

// Info describes an object.
type Info struct {
	Size int64
	// ETag differs between different contents of one key. It is quoted, as in HTTP.
	ETag       string
	ModifiedAt time.Time
}

// Range is a part of an object, which must contain Start. The zero Range is the whole
// object.
type Range struct {
	Start int64
	// Length is the maximum number of bytes; 0 means everything from Start.
	Length int64
}

// Store stores objects. It may be used concurrently.
type Store interface {
	// Put stores the content of r, replacing the object if it exists, and returns its
	// length. It uses constant memory. If r fails, nothing changes, and Put returns r's
	// error.
	Put(ctx context.Context, key string, r io.Reader) (int64, error)
	// Open opens an object for reading. The caller must close the reader. Info describes
	// the whole object, whatever the range.
	Open(ctx context.Context, key string, part Range) (io.ReadCloser, Info, error)
	// Head describes an object.
	Head(ctx context.Context, key string) (Info, error)
	// Copy copies the object from to the key to.
	Copy(ctx context.Context, from, to string) error
	// Delete removes an object if it exists.
	Delete(ctx context.Context, key string) error
	// DeleteTree removes all objects whose keys begin with prefix and a slash.
	DeleteTree(ctx context.Context, prefix string) error
}

// Presigner is a Store that clients can read directly.
type Presigner interface {
	// Presign returns a URL for reading an object with method, which is GET or HEAD, for the
	// given time. Its response has the header Cache-Control given by cache.
	Presign(ctx context.Context, method, key string, expires time.Duration, cache string) (string, error)
}

// Local is a Store whose objects are files on this machine.
type Local interface {
	// Path returns the file of an object, which must not be modified. It may change with
	// the next Put.
	Path(key string) (string, error)
}

// Limits of a key that suit both file systems and S3.
const (
	maxKey     = 1000
	maxSegment = 200
)

// CheckKey returns an error for invalid keys. A key consists of one or more segments
// separated by slashes, of ASCII letters, digits and `-._:|@+=`, which user ids are made of.
// No segment begins with a dot, so keys cannot refer to other directories.
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
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._:|@+=/", r))
}

// contentTypes are media types by the extension of keys.
var contentTypes = map[string]string{
	".jpg":  "image/jpeg",
	".heic": "image/heic",
	".mov":  "video/quicktime",
	".m3u8": "application/vnd.apple.mpegurl",
	".ts":   "video/mp2t",
}

// ContentType returns the media type that an object is served with. It depends only on the
// key: a client's statement about its bytes is never passed on to others.
func ContentType(key string) string {
	if t, ok := contentTypes[path.Ext(key)]; ok {
		return t
	}
	return "application/octet-stream"
}

// Open opens the store with an address: `file:DIR`, whose directory is created if
// necessary, `memory:`, or `s3://BUCKET?region=REGION&endpoint=URL`, whose parameters are
// optional and which uses AWS's default credentials. For other addresses it returns an
// *AddressError.
func Open(ctx context.Context, address string) (Store, error) {
	open, err := parse(address)
	if err != nil {
		return nil, err
	}
	return open(ctx)
}

// CheckAddress returns the *AddressError that Open would return, and opens nothing.
func CheckAddress(address string) error {
	_, err := parse(address)
	return err
}

// parse returns what opens the store with an address.
func parse(address string) (open func(context.Context) (Store, error), err error) {
	if address == "memory:" {
		return func(context.Context) (Store, error) { return NewMemory(), nil }, nil
	}
	if dir, ok := strings.CutPrefix(address, "file:"); ok && dir != "" {
		return func(context.Context) (Store, error) { return OpenDir(dir) }, nil
	}
	if u, err := url.Parse(address); err == nil && u.Scheme == "s3" && u.Host != "" && strings.Trim(u.Path, "/") == "" {
		q := u.Query()
		for name := range q {
			if name != "region" && name != "endpoint" {
				return nil, &AddressError{fmt.Sprintf("%q: unknown parameter %q: s3 takes region and endpoint", address, name)}
			}
		}
		endpoint := q.Get("endpoint")
		e, err := url.Parse(endpoint)
		if endpoint != "" && (err != nil || e.Scheme != "http" && e.Scheme != "https" || e.Host == "") {
			return nil, &AddressError{fmt.Sprintf("%q: the endpoint %q is not a URL: write one like https://s3.example", address, endpoint)}
		}
		if u.User != nil || e.User != nil { // they would not be used, and be shown wherever the address is
			return nil, &AddressError{
				fmt.Sprintf("the bucket %s: credentials do not belong in the address: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", u.Host),
			}
		}
		return func(ctx context.Context) (Store, error) { return openS3(ctx, u.Host, q.Get("region"), endpoint) }, nil
	}
	return nil, &AddressError{fmt.Sprintf("%q names no place for files: write file:DIR or s3://BUCKET?region=…&endpoint=…", address)}
}

// AddressError is the error for an invalid address of a store.
type AddressError struct{ text string }

func (e *AddressError) Error() string { return e.text }
