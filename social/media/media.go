// Package media creates and stores the files of posts and photos, and knows the URLs at
// which clients read and upload them.
//
// It makes no decisions: areas say what a file is for, and the packages in
// stoa/internal/media process it.
package media

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"stoa/internal/media/blob"
	"stoa/internal/media/picture"
	"stoa/internal/media/serve"
	"stoa/internal/media/signedurl"
	"stoa/internal/media/stock"
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
	// PublicURL is the URL of the service, without a trailing slash.
	PublicURL string
	// PlaceholderPhotos are shown for users without a photo; nil means none.
	PlaceholderPhotos *stock.Photos
	Cookies           func(ctx context.Context) (*signedurl.CookieSigner, error)
	Pictures          *picture.Processor
	Films             *video.Transcoder
	// Posts receives the files that clients upload.
	Posts Posts
	// Serve returns the handlers that serve files; see host.Media.
	Serve func(receiver serve.Receiver, streams func(key string) bool) map[string]http.Handler
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
