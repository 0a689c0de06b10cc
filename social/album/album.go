// Package album manages albums: who sees them, and how they are edited and deleted.
//
// Decisions about the posts in an album are made with the posts; see social.PostStep.
package album

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores albums.
type Store interface {
	social.AlbumReader
	// ByUser returns the facts of a user's albums, oldest first or, if reverse, newest
	// first.
	ByUser(ctx context.Context, viewer, owner social.UserID, q page.Query, reverse bool) (page.Page[social.AlbumFacts], error)
	// Add stores a new album and e. It fails with ErrTaken if the id is in use.
	Add(ctx context.Context, a *social.Album, e ...outbox.Record) error
	// Edit stores those parts of the edited album a that edit changes. It fails with
	// Conflict if the owner no longer has the album.
	Edit(ctx context.Context, a *social.Album, edit social.AlbumEdit) error
	// Delete deletes an album and stores e. It fails with Conflict if the album is gone.
	Delete(ctx context.Context, a *social.Album, e ...outbox.Record) error
	// DeleteLeftover deletes an album of a removed profile without updating counters, and
	// stores e. It fails with Conflict if the album is gone or belongs to the owner's
	// present profile.
	DeleteLeftover(ctx context.Context, a *social.Album, e ...outbox.Record) error
	// SetArt stores the hash of an album's art. It fails with Conflict if the album is gone
	// or its art differs from that in a.
	SetArt(ctx context.Context, a *social.Album, artHash string) error
	// Due returns empty albums that are due for deletion at the given time.
	Due(ctx context.Context, by time.Time, q page.Query) (page.Page[social.AlbumID], error)
	// DeleteEmpty is like Delete, but also fails with Conflict if the album is not empty
	// any more.
	DeleteEmpty(ctx context.Context, a *social.Album, e ...outbox.Record) error
}

// Posts reads the posts in albums.
type Posts interface {
	social.PostReader
	social.AlbumPostReader
	// InAlbum returns the posts that an album shows, ordered by rank.
	InAlbum(ctx context.Context, id social.AlbumID, q page.Query) (page.Page[social.PostID], error)
}

// Service implements the album area. All fields are required.
type Service struct {
	decision.Frame
	Store    Store
	Posts    Posts
	People   social.People
	Profiles social.ProfileReader
	Art      Art
	Logger   *slog.Logger
}

// Add creates an empty album of the caller. The id of a deleted album remains in use until
// all its posts have been taken out.
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
	a := social.NewAlbum(c.UserID, id, name, description, c.User.NotBefore(s.Now()))
	switch err := s.Store.Add(ctx, a); {
	case errors.Is(err, refusal.ErrTaken):
		return nil, taken
	case err != nil:
		return nil, err
	}
	return see(c, social.NewAlbumFacts(c, a)), nil
}

// Edit edits an album of the caller.
func (s *Service) Edit(ctx context.Context, c social.Caller, id social.AlbumID, edit social.AlbumEdit) (*social.SeenAlbum, error) {
	if err := edit.Given(); err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*social.SeenAlbum, error) {
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

// Delete deletes an album of the caller and returns it as it was. Its posts are taken out
// when the event is received.
func (s *Service) Delete(ctx context.Context, c social.Caller, id social.AlbumID) (*social.SeenAlbum, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenAlbum, error) {
		f, err := s.own(ctx, c, id)
		if err != nil {
			return nil, err
		}
		return see(c, f), s.Store.Delete(ctx, f.Album, a.Emit(deleted(f.Album))...)
	})
}

func deleted(a *social.Album) social.AlbumDeleted {
	return social.AlbumDeleted{AlbumID: a.AlbumID, Owner: a.OwnedByUserID, CreatedAt: a.CreatedAt, ArtHash: a.ArtHash}
}

// own returns the facts of the caller's album, or an error if it does not exist or belongs
// to another user.
func (s *Service) own(ctx context.Context, c social.Caller, id social.AlbumID) (social.AlbumFacts, error) {
	facts, err := s.Store.Facts(ctx, c.UserID, []social.AlbumID{id})
	f, found := facts[id]
	switch {
	case err != nil:
		return f, err
	case !found, f.Outlives(c.User):
		return f, refusal.NotFoundf("Album `%s` does not exist", id)
	case f.Album.OwnedByUserID != c.UserID:
		return f, refusal.Invalidf("Caller `%s` does not own Album `%s`", c.UserID, id)
	default:
		return f, nil
	}
}

// see returns the caller's own album as they see it.
func see(c social.Caller, f social.AlbumFacts) *social.SeenAlbum {
	return f.See(social.SeenUsers{c.UserID: c.See()})
}

// Album returns an album, or nil if it does not exist or the viewer may not see it.
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

// ByUser returns a user's albums, oldest first or, if reverse, newest first. It returns nil
// if the viewer may not see what the user publishes.
func (s *Service) ByUser(
	ctx context.Context, v social.Viewer, of *social.SeenUser, list page.Args, reverse bool, d social.Detail,
) (*page.Page[*social.SeenAlbum], error) {
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

// Shows returns the posts that an album shows, in order.
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
