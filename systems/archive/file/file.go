// Package file decides who may transfer files, and unpacks archives of images.
package file

import (
	"context"
	"io"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// Files keeps uploads and images.
type Files interface {
	// Exists reports whether there is a file.
	Exists(ctx context.Context, key string) (bool, error)
	// Get and Put return leave to transfer a file, for as long as TicketLife.
	Get(key string) *archive.Ticket
	Put(key string) *archive.Ticket
	// Write stores a file in place of what was there.
	Write(ctx context.Context, key string, data []byte) error
	Delete(ctx context.Context, key string) error
	// DeleteTree removes all files whose keys begin with a prefix and a slash.
	DeleteTree(ctx context.Context, prefix string) error
	// Archive opens an upload to read entries of it anywhere, and tells its size. It fails
	// with ErrNoFile.
	Archive(ctx context.Context, key string) (file io.ReaderAt, size int64, end func(), err error)
}

// Pictures makes what is kept of images.
type Pictures interface {
	// Scan fails with a refusal for what is no image, or costs too much.
	Scan(ctx context.Context, data []byte) (*archive.Scan, error)
}

// Store reads posts.
type Store interface {
	Facts(ctx context.Context, w archive.Wanted) (*archive.Facts, error)
	All(ctx context.Context, q page.Query) (page.Page[*archive.Post], error)
	// Change fails with ErrChanged when a post is not as read.
	Change(ctx context.Context, before, after *archive.Post, events ...outbox.Record) error
}

// Service is the area. Its fields are set once.
type Service struct {
	Store    Store
	Files    Files
	Pictures Pictures
	Gate     archive.Gate
	// Events also has the clock and makes ids.
	Events outbox.Sender
}

// Request gives leave to upload a file.
func (s *Service) Request(ctx context.Context, v viewer.Viewer, contentType string) (*archive.Ticket, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Contributor); err != nil {
		return nil, err
	}
	kind := archive.UploadFor(contentType)
	if kind == archive.NoUpload {
		return nil, archive.BadInput("INVALID_TYPE", "Files of type %.80q are not taken: give text/csv or application/zip", contentType)
	}
	return s.Files.Put(archive.NewUpload(kind, s.Events.NewID())), nil
}

// Content gives leave to download an upload.
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

// Image gives leave to see an image of a post.
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

// FilesLeft receives the event of its name and removes files that no post refers to.
func (s *Service) FilesLeft(ctx context.Context, e archive.FilesLeft, _ outbox.Tell) error {
	if e.PostID != 0 {
		facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{e.PostID}})
		if err != nil {
			return err
		}
		if facts.Posts[e.PostID] == nil {
			if err := s.Files.DeleteTree(ctx, e.PostID.Images()); err != nil {
				return err
			}
		}
	}
	used, err := s.used(ctx, e.Keys)
	if err != nil {
		return err
	}
	for _, key := range e.Keys {
		if used[key] {
			continue
		}
		if err := s.Files.Delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// used tells which of some uploads posts refer to.
func (s *Service) used(ctx context.Context, keys []string) (map[string]bool, error) {
	used := map[string]bool{}
	if len(keys) == 0 {
		return used, nil
	}
	for q := (page.Query{First: page.Max}); ; {
		p, err := s.Store.All(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, post := range p.Items {
			for _, key := range post.Keys() {
				used[key] = true
			}
		}
		if p.Next == "" {
			return used, nil
		}
		q.After = p.Next
	}
}
