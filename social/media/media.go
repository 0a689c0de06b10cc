// Package media creates and stores the files of posts and photos, and knows the URLs at
// which clients read and upload them.
//
// It makes no decisions: areas say what a file is for, and the packages in
// stoa/internal/media process it.
package media

import (
	"context"
	"log/slog"
	"sync"

	"stoa/internal/media/blob"
	"stoa/internal/media/picture"
	"stoa/internal/media/signedurl"
	"stoa/internal/media/video"
	"stoa/social"
)

// Verifier reports whether images are authentic, as taken by their camera.
type Verifier interface {
	// Verify checks the image that can be read at url. It returns a *social.Unfit for an
	// image that cannot be checked.
	Verify(ctx context.Context, url string, image *social.PostImage) (bool, error)
}

// Service implements the media area. Its fields are set once.
type Service struct {
	Store blob.Store
	Links *signedurl.Signer
	// Placeholders is the URL of placeholder photos, without a trailing slash.
	Placeholders string
	Cookies      func(ctx context.Context) (*signedurl.CookieSigner, error)
	Pictures     *picture.Processor
	Films        *video.Transcoder
	// DefaultArt is the URL of the sizes of the art of empty albums.
	DefaultArt string
	// Verifier verifies images; if nil, they are judged by their metadata.
	Verifier Verifier
	Log      *slog.Logger

	mu sync.Mutex
	// busy contains the posts that this process is working on.
	busy map[social.PostID]bool
}

// Alone calls work unless this process is already working on that post.
func (s *Service) Alone(ctx context.Context, id social.PostID, work func(ctx context.Context) error) error {
	if !s.take(id) {
		return nil
	}
	defer s.giveBack(id)
	return work(ctx)
}

func (s *Service) take(id social.PostID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[id] {
		return false
	}
	if s.busy == nil {
		s.busy = map[social.PostID]bool{}
	}
	s.busy[id] = true
	return true
}

func (s *Service) giveBack(id social.PostID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.busy, id)
}
