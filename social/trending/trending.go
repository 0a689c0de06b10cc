// Package trending lists trending posts, which were viewed a lot lately, and the users who
// posted them.
//
// The points that a view earns are stored with the view, and a post's trend is created and
// deleted as the post becomes public and ceases to be; see social.Trend.
package trending

import (
	"context"
	"errors"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores trends.
type Store interface {
	// Posts and Users return trending posts and users, highest score first.
	Posts(ctx context.Context, q page.Query) (page.Page[social.PostID], error)
	Users(ctx context.Context, q page.Query) (page.Page[social.UserID], error)
	// DeflatePosts and DeflateUsers halve trends for each day that has started, and return
	// the number of trends.
	DeflatePosts(ctx context.Context, now time.Time) (int, error)
	DeflateUsers(ctx context.Context, now time.Time) (int, error)
	// CutPosts and CutUsers delete at most most of the lowest trends, and only negligible
	// ones.
	CutPosts(ctx context.Context, most int) error
	CutUsers(ctx context.Context, most int) error
	// RemoveUser deletes the trend of a user without a profile.
	RemoveUser(ctx context.Context, id social.UserID) error
}

// Service implements the trending area. All fields are required.
type Service struct {
	Store Store
	// Most is the number of trends of a kind above which negligible ones are deleted.
	Most int
}

// Posts returns trending posts, highest score first. It does not check which of them the
// viewer may see.
func (s *Service) Posts(ctx context.Context, list page.Args) (*page.Page[social.PostID], error) {
	q, err := list.Query()
	if err != nil {
		return nil, err
	}
	posts, err := s.Store.Posts(ctx, q)
	return &posts, err
}

// Users returns trending users, highest score first.
func (s *Service) Users(ctx context.Context, list page.Args) (*page.Page[social.UserID], error) {
	q, err := list.Query()
	if err != nil {
		return nil, err
	}
	users, err := s.Store.Users(ctx, q)
	return &users, err
}

// Deflate halves all trends for each day that has started, and deletes surplus negligible
// ones. Running it again on the same day has no effect.
func (s *Service) Deflate(ctx context.Context, now time.Time) error {
	return errors.Join(
		s.sink(ctx, now, s.Store.DeflatePosts, s.Store.CutPosts),
		s.sink(ctx, now, s.Store.DeflateUsers, s.Store.CutUsers),
	)
}

func (s *Service) sink(ctx context.Context, now time.Time, deflate func(context.Context, time.Time) (int, error), cut func(context.Context, int) error) error {
	n, err := deflate(ctx, now)
	if err != nil || n <= s.Most {
		return err
	}
	return cut(ctx, n-s.Most)
}

// UserRemoved deletes the trend of a removed profile. That of a new one is its own, since
// the removal's transaction deleted the former.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, _ string, _ outbox.Tell) (next string, rows int, err error) {
	return "", 1, s.Store.RemoveUser(ctx, e.UserID)
}
