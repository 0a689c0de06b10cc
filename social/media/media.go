// Package media makes and keeps the files of posts and photos, and knows at which addresses
// clients read and send them.
//
// It decides nothing: areas say what a file is for, and the machinery of
// stoa/internal/media what becomes of it.
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

// Verifier tells images that show what their camera took.
type Verifier interface {
	// Verify judges the image that can be read at url. What it cannot judge is a
	// *social.Unfit.
	Verify(ctx context.Context, url string, image *social.PostImage) (bool, error)
}

// Service is all of it. Its fields are set once.
type Service struct {
	Store blob.Store
	Links *signedurl.Signer
	// Placeholders is where placeholder photos are served, without a slash at the end.
	Placeholders string
	Cookies      func(ctx context.Context) (*signedurl.CookieSigner, error)
	Pictures     *picture.Processor
	Films        *video.Transcoder
	// DefaultArt is where the sizes of the art of empty albums are served.
	DefaultArt string
	// Verifier is nil to judge images by what is said about them.
	Verifier Verifier
	Log      *slog.Logger

	mu sync.Mutex
	// busy are the posts that this process works on.
	busy map[social.PostID]bool
}

// Alone does work unless this process is working on that post already.
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
