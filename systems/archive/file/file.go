// Package file issues tickets for file transfers, and unpacks archives of images.
package file

import (
	"context"
	"io"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// Files stores uploads and images.
type Files interface {
	// Exists reports whether a file exists.
	Exists(ctx context.Context, key string) (bool, error)
	// Get and Put return a ticket to transfer a file, Put for its owner, valid for TicketLife.
	Get(key string) *archive.Ticket
	Put(owner viewer.UserID, key string) *archive.Ticket
	// Write stores a file, replacing an existing one.
	Write(ctx context.Context, key string, data []byte) error
	Delete(ctx context.Context, key string) error
	// DeleteTree deletes all files whose keys start with a prefix and a slash.
	DeleteTree(ctx context.Context, prefix string) error
	// Archive opens an upload for random access and returns its size. It fails with
	// ErrNoFile.
	Archive(ctx context.Context, key string) (file io.ReaderAt, size int64, end func(), err error)
}

// Pictures creates the stored forms of images.
type Pictures interface {
	// Reading waits until a file of some bytes may be read into memory, to be scanned. The
	// second result ends that.
	Reading(ctx context.Context, size int64) (end func(), err error)
	// Check returns a refusal if the beginning of a file shows that Scan would refuse it.
	Check(beginning []byte) error
	// Scan returns a refusal for a file that is not an image, or is too expensive to
	// decode.
	Scan(ctx context.Context, data []byte) (*archive.Scan, error)
}

// Store reads posts.
type Store interface {
	archive.FactReader
	archive.PostLister
	// Change fails with refusal.Conflict if the post has changed since it was read.
	Change(ctx context.Context, before, after *archive.Post, events ...outbox.Record) error
}

// Uploads stores uploads. Changes fail with refusal.Conflict if something has changed since
// it was read.
type Uploads interface {
	Create(ctx context.Context, u *archive.StoredUpload) error
	// Unused returns the uploads that no post has referred to since a time.
	Unused(ctx context.Context, since time.Time, q page.Query) (page.Page[*archive.StoredUpload], error)
	// Release stores an upload to which a post no longer refers; p is nil if there is no post.
	Release(ctx context.Context, before, after *archive.StoredUpload, post archive.ID, p *archive.Post) error
	// MarkForDeletion stores an upload to be deleted, and Delete deletes it.
	MarkForDeletion(ctx context.Context, before, after *archive.StoredUpload) error
	Delete(ctx context.Context, key string) error
}

// Service implements the file area. Its fields are set once.
type Service struct {
	decision.Frame
	Store    Store
	Uploads  Uploads
	Files    Files
	Pictures Pictures
	Gate     archive.Gate
	// WorkElsewhere is set if external workers load images.
	WorkElsewhere bool
}

// Request returns a ticket to upload a file.
func (s *Service) Request(ctx context.Context, v viewer.Viewer, contentType string) (*archive.Ticket, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Contributor); err != nil {
		return nil, err
	}
	kind := archive.UploadFor(contentType)
	if kind == archive.NoUpload {
		return nil, archive.BadInput("INVALID_TYPE", "Files of type %.80q are not taken: give text/csv or application/zip", contentType)
	}
	u := &archive.StoredUpload{Key: archive.NewUpload(kind, s.NewID()), UnusedSince: s.Now().UTC()}
	if err := s.Uploads.Create(ctx, u); err != nil {
		return nil, err
	}
	return s.Files.Put(v.UserID, u.Key), nil
}

// Content returns a ticket to download an upload.
func (s *Service) Content(ctx context.Context, v viewer.Viewer, key string) (*archive.Ticket, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	if archive.UploadOf(key) == archive.NoUpload {
		return nil, archive.ErrNoFile
	}
	return s.get(ctx, key)
}

func (s *Service) get(ctx context.Context, key string) (*archive.Ticket, error) {
	there, err := s.Files.Exists(ctx, key)
	if err != nil {
		return nil, err
	}
	if !there {
		return nil, archive.ErrNoFile
	}
	return s.Files.Get(key), nil
}

// Image returns a ticket to download an image of a post.
func (s *Service) Image(ctx context.Context, v viewer.Viewer, post archive.ID, path string, thumbnail bool) (*archive.Ticket, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	key := archive.ImageFile(post, path)
	if thumbnail {
		key = archive.ThumbnailFile(key)
	}
	return s.get(ctx, key)
}
