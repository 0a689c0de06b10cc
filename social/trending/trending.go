// Package trending lists what is viewed a lot lately: posts, and users by their posts.
//
// What a view earns is stored with the view, and a post's own trend begins and ends with its
// being there for everybody: see social.Trend.
package trending

import (
	"context"
	"errors"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps trends.
type Store interface {
	// Posts and Users return what trends, highest score first.
	Posts(ctx context.Context, q page.Query) (page.Page[social.PostID], error)
	Users(ctx context.Context, q page.Query) (page.Page[social.UserID], error)
	// DeflatePosts and DeflateUsers halve trends for each day that began, and return how many
	// there are.
	DeflatePosts(ctx context.Context, now time.Time) (int, error)
	DeflateUsers(ctx context.Context, now time.Time) (int, error)
	// CutPosts and CutUsers remove up to a number of the lowest trends, those that hardly
	// count.
	CutPosts(ctx context.Context, most int) error
	CutUsers(ctx context.Context, most int) error
	// RemoveUser removes the trend of a user, if it is not newer than a time.
	RemoveUser(ctx context.Context, id social.UserID, at time.Time) error
}

// Service lists trends and lets them sink. All fields must be set.
type Service struct {
	Store Store
	// Most is how many trends of a kind are kept while there are some that hardly count.
	Most int
}

// Posts returns trending posts, highest score first. Which of them the viewer sees is another
// question.
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

// Deflate halves all trends for each day that began, and cuts the tail of each kind. It does
// nothing a second time on the same day.
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

// UserRemoved ends the trend of a user who is gone.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, _ string, _ outbox.Tell) (next string, rows int, err error) {
	return "", 1, s.Store.RemoveUser(ctx, e.UserID, e.RemovedAt)
}
