// Package album decides about albums: who sees one, how it changes and how it ends.
//
// What an album shows is decided with the posts: see social.PostStep.
package album

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps albums.
type Store interface {
	social.AlbumReader
	// ByUser returns the albums of a user as facts for a viewer, oldest first or newest
	// first.
	ByUser(ctx context.Context, viewer, owner social.UserID, q page.Query, reverse bool) (page.Page[social.AlbumFacts], error)
	// Add stores a new album, and e. It fails with ErrTaken when the id is in use.
	Add(ctx context.Context, a *social.Album, e ...outbox.Record) error
	// Edit stores those parts of a, an edited album, that edit changes. It fails with
	// Conflict when the owner has no such album any more.
	Edit(ctx context.Context, a *social.Album, edit social.AlbumEdit) error
	// Delete removes an album, and stores e. It fails with Conflict when it is gone.
	Delete(ctx context.Context, a *social.Album, e ...outbox.Record) error
	// DeleteLeftover removes an album of a profile that was removed, uncounted, and stores e.
	// It fails with Conflict when it is gone, or belongs to the owner's present profile.
	DeleteLeftover(ctx context.Context, a *social.Album, e ...outbox.Record) error
	// SetArt stores the hash of an album's art. It fails with Conflict when the album is
	// gone or has other art than a says.
	SetArt(ctx context.Context, a *social.Album, artHash string) error
	// Due returns albums that are to be deleted by a time, for being empty.
	Due(ctx context.Context, by time.Time, after string) (ids []social.AlbumID, next string, err error)
	// DeleteEmpty is Delete for an album that is as given. It fails with Conflict when the
	// album shows anything by now.
	DeleteEmpty(ctx context.Context, a *social.Album, e ...outbox.Record) error
}

// Posts knows what albums hold.
type Posts interface {
	social.PostReader
	// InAlbum returns the posts that an album shows, by rank.
	InAlbum(ctx context.Context, id social.AlbumID, q page.Query) (page.Page[social.PostID], error)
	// LeftInAlbum returns posts that are in an album, shown there or not, up to a number.
	LeftInAlbum(ctx context.Context, id social.AlbumID, most int) ([]social.PostID, error)
}

// Service decides about albums. All fields must be set.
type Service struct {
	Store  Store
	Posts  Posts
	People social.People
	Art    Art
	Events outbox.Sender
	Logger *slog.Logger
}

// Add makes an empty album of the caller. The id of one that is gone stays in use while
// posts are taken out of it.
func (s *Service) Add(ctx context.Context, c social.Caller, id social.AlbumID, name, description string) (*social.SeenAlbum, error) {
	if err := id.Check(); err != nil {
		return nil, err
	}
	if err := social.CheckAlbumTexts(name, description); err != nil {
		return nil, err
	}
	taken := refusal.Invalidf("Album `%s` already exists", id)
	left, err := s.Posts.LeftInAlbum(ctx, id, 1)
	if err != nil {
		return nil, err
	}
	if len(left) > 0 {
		return nil, taken
	}
	a := social.NewAlbum(c.UserID, id, name, description, c.User.NotBefore(s.Events.Now()))
	switch err := s.Store.Add(ctx, a); {
	case errors.Is(err, refusal.ErrTaken):
		return nil, taken
	case err != nil:
		return nil, err
	}
	return see(c, social.NewAlbumFacts(c, a)), nil
}

// Edit changes an album of the caller.
func (s *Service) Edit(ctx context.Context, c social.Caller, id social.AlbumID, edit social.AlbumEdit) (*social.SeenAlbum, error) {
	if err := edit.Given(); err != nil {
		return nil, err
	}
	return retry.OnConflict(func() (*social.SeenAlbum, error) {
		f, err := s.own(ctx, c, id)
		if err != nil {
			return nil, err
		}
		if err := edit.Check(); err != nil {
			return nil, err
		}
		f = f.Edited(edit)
		return see(c, f), s.Store.Edit(ctx, f.Album, edit)
	})
}

// Delete removes an album of the caller and answers with it as it was. Its posts stay, and
// leave it by the event.
func (s *Service) Delete(ctx context.Context, c social.Caller, id social.AlbumID) (*social.SeenAlbum, error) {
	return retry.OnConflict(func() (*social.SeenAlbum, error) {
		f, err := s.own(ctx, c, id)
		if err != nil {
			return nil, err
		}
		return see(c, f), s.remove(ctx, f.Album, s.Store.Delete)
	})
}

// remove ends an album by a method of the store.
func (s *Service) remove(ctx context.Context, a *social.Album, by func(context.Context, *social.Album, ...outbox.Record) error) error {
	e := s.Events.New(ctx, social.AlbumDeleted{AlbumID: a.AlbumID, Owner: a.OwnedByUserID, CreatedAt: a.CreatedAt, ArtHash: a.ArtHash})
	if err := by(ctx, a, e...); err != nil {
		return err
	}
	s.Events.Committed(ctx, e...)
	return nil
}

// own returns the facts of the caller's album id, or refuses with the text for an album
// that does not exist or is somebody else's.
func (s *Service) own(ctx context.Context, c social.Caller, id social.AlbumID) (social.AlbumFacts, error) {
	facts, err := s.Store.Facts(ctx, c.UserID, []social.AlbumID{id})
	f, found := facts[id]
	switch {
	case err != nil:
		return f, err
	case !found:
		return f, refusal.NotFoundf("Album `%s` does not exist", id)
	case f.Album.OwnedByUserID != c.UserID:
		return f, refusal.Invalidf("Caller `%s` does not own Album `%s`", c.UserID, id)
	default:
		return f, nil
	}
}

// see shows callers an album of their own.
func see(c social.Caller, f social.AlbumFacts) *social.SeenAlbum {
	return f.See(social.SeenUsers{c.UserID: c.See()})
}

// Album returns an album, nil when there is none or the viewer may not see it.
func (s *Service) Album(ctx context.Context, v social.Viewer, id social.AlbumID, d social.Detail) (*social.SeenAlbum, error) {
	facts, err := s.Store.Facts(ctx, v.UserID, []social.AlbumID{id})
	f, found := facts[id]
	if err != nil || !found {
		return nil, err
	}
	users, err := s.People.Visible(ctx, v, []social.UserID{f.Album.OwnedByUserID}, d)
	if err != nil {
		return nil, err
	}
	return f.See(users), nil
}

// ByUser returns the albums of a user, oldest first or, reversed, newest first; nil when
// the viewer may not see what the user publishes.
func (s *Service) ByUser(ctx context.Context, v social.Viewer, of *social.SeenUser, list page.Args, reverse bool, d social.Detail) (*page.Page[*social.SeenAlbum], error) {
	q, err := list.Query()
	if err != nil || !of.Published() {
		return nil, err
	}
	facts, err := s.Store.ByUser(ctx, v.UserID, of.UserID(), q, reverse)
	if err != nil {
		return nil, err
	}
	seen := page.Page[*social.SeenAlbum]{Next: facts.Next}
	if len(facts.Items) == 0 {
		return &seen, nil
	}
	users, err := s.People.Visible(ctx, v, []social.UserID{of.UserID()}, d)
	if err != nil {
		return nil, err
	}
	for _, f := range facts.Items {
		if a := f.See(users); a != nil {
			seen.Items = append(seen.Items, a)
		}
	}
	return &seen, nil
}

// Shows returns the posts that an album shows, in their order.
func (s *Service) Shows(ctx context.Context, a *social.SeenAlbum, list page.Args) (*page.Page[social.PostID], error) {
	q, err := list.Query()
	if err != nil {
		return nil, err
	}
	posts, err := s.Posts.InAlbum(ctx, a.AlbumID(), q)
	if err != nil {
		return nil, err
	}
	return &posts, nil
}
