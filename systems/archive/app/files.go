package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"stoa/internal/area"
	"stoa/internal/host"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/internal/media/blob"
	"stoa/internal/media/picture"
	"stoa/internal/media/serve"
	"stoa/internal/media/signedurl"
	"stoa/systems/archive"
)

// tree is the key prefix of the system's files, which distinguishes them from those of
// other systems.
const tree = Name + "/"

// files stores uploads and images in the host's blob store.
type files struct {
	store  blob.Store
	links  *signedurl.Signer
	mounts map[string]http.Handler
}

func newFiles(h *host.Host) *files {
	f := &files{store: h.Media.Files}
	f.links, f.mounts = h.Media.ServeAt("/"+Name+"/media", archive.TicketLife, f,
		string(archive.RecordsUpload), string(archive.ImagesUpload), "application/x-zip-compressed", "application/octet-stream")
	return f
}

// Register registers the handlers that serve the files.
func (f *files) Register(r *area.Registry) {
	for pattern, handler := range f.mounts {
		r.Mount(pattern, handler)
	}
}

// Limit returns the maximum size of an upload, in bytes.
func (f *files) Limit(string) int64 { return archive.MaxUpload }

// Owner returns the user who uploads to a place.
func (f *files) Owner(place string) string {
	owner, _ := ofPlace(place)
	return owner
}

// uploadPlace returns where a user uploads a file: its key below their id.
func uploadPlace(owner viewer.UserID, key string) string { return tree + string(owner) + "/" + key }

func ofPlace(place string) (owner, key string) {
	owner, key, _ = strings.Cut(strings.TrimPrefix(place, tree), "/")
	return owner, key
}

// Uploaded stores an upload. An existing file stays unchanged, as it may be being loaded.
func (f *files) Uploaded(ctx context.Context, u serve.Upload) error {
	if u.TooLarge {
		return nil
	}
	_, key := ofPlace(u.Key)
	switch _, err := f.store.Head(ctx, tree+key); {
	case errors.Is(err, blob.ErrNotFound):
		return f.store.Copy(ctx, u.Staged, tree+key)
	default:
		return err
	}
}

func (f *files) Exists(ctx context.Context, key string) (bool, error) {
	_, err := f.store.Head(ctx, tree+key)
	if errors.Is(err, blob.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (f *files) Get(key string) *archive.Ticket {
	return &archive.Ticket{URL: f.links.Read(tree + key), Key: key, ExpiresAt: f.links.Expiry()}
}

func (f *files) Put(owner viewer.UserID, key string) *archive.Ticket {
	return &archive.Ticket{URL: f.links.Upload(uploadPlace(owner, key)), Key: key, ExpiresAt: f.links.Expiry()}
}

func (f *files) Write(ctx context.Context, key string, data []byte) error {
	_, err := f.store.Put(ctx, tree+key, bytes.NewReader(data))
	return err
}

func (f *files) Delete(ctx context.Context, key string) error {
	return f.store.Delete(ctx, tree+key)
}

func (f *files) DeleteTree(ctx context.Context, prefix string) error {
	return f.store.DeleteTree(ctx, tree+prefix)
}

// Open returns a reader of an upload starting at offset.
func (f *files) Open(ctx context.Context, key string, offset int64) (io.ReadCloser, error) {
	info, err := f.head(ctx, key)
	if err != nil {
		return nil, err
	}
	if offset >= info.Size {
		return io.NopCloser(strings.NewReader("")), nil
	}
	r, _, err := f.store.Open(ctx, tree+key, blob.Range{Start: offset})
	return r, missing(err)
}

func (f *files) head(ctx context.Context, key string) (blob.Info, error) {
	info, err := f.store.Head(ctx, tree+key)
	return info, missing(err)
}

// missing replaces the error for a missing file by the system's own.
func missing(err error) error {
	if errors.Is(err, blob.ErrNotFound) {
		return archive.ErrNoFile
	}
	return err
}

// Archive opens an upload for random access.
func (f *files) Archive(ctx context.Context, key string) (io.ReaderAt, int64, func(), error) {
	info, err := f.head(ctx, key)
	if err != nil {
		return nil, 0, nil, err
	}
	seeker := blob.NewSeeker(ctx, f.store, tree+key, info)
	return &readerAt{file: seeker}, info.Size, func() { _ = seeker.Close() }, nil
}

// readerAt implements random access to a file that is efficient to read sequentially.
type readerAt struct {
	mu   sync.Mutex
	file io.ReadSeeker
}

func (r *readerAt) ReadAt(p []byte, at int64) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.file.Seek(at, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(r.file, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// pictures creates the stored forms of images.
type pictures struct{ *picture.Processor }

func (p pictures) Check(beginning []byte) error { return refused(p.Processor.Check(input(beginning))) }

func (p pictures) Scan(ctx context.Context, data []byte) (*archive.Scan, error) {
	scan, err := p.Processor.Scan(ctx, input(data), archive.ThumbnailWidth, archive.ThumbnailQuality)
	if err != nil {
		return nil, refused(err)
	}
	return &archive.Scan{Image: scan.Native, Thumbnail: scan.Thumbnail, Width: scan.Width, Height: scan.Height}, nil
}

func input(data []byte) picture.Input {
	return picture.Input{Data: data, Formats: []picture.Format{picture.JPEG, picture.PNG, picture.HEIC, picture.WebP}}
}

// refused replaces the error for a file that is no image by a refusal.
func refused(err error) error {
	if unfit := (*picture.Unfit)(nil); errors.As(err, &unfit) {
		return refusal.New(refusal.BadInput, "IMAGE", "%s", unfit.Reason)
	}
	return err
}
