// Package post decides about posts: who sees one, what may be published, how a post
// changes and how it ends.
//
// A post leaves this package as a SeenPost only, made for one viewer after its rules
// were asked. Ids from an index or a feed are no permission: pass them through Items.
package post

import (
	"context"
	"time"

	"stoa"
	"stoa/internal/kit/page"
)

// Store keeps posts.
type Store interface {
	// Facts returns the posts among ids that exist, with the marks of the viewer that d
	// asks for. No ids cost nothing.
	Facts(ctx context.Context, viewer stoa.UserID, ids []stoa.PostID, d stoa.Detail) (map[stoa.PostID]stoa.PostFacts, error)
	// ByUser returns the posts of a user in a status, newest first.
	ByUser(ctx context.Context, owner stoa.UserID, status stoa.PostStatus, q page.Query) (page.Page[*stoa.Post], error)
	// Add stores a new post with what its status counts, and e. It fails with ErrTaken
	// when the id is in use.
	Add(ctx context.Context, p *stoa.Post, e stoa.Event) error
	// Edit stores those parts of p, an edited post, that edit changes. It fails with
	// Conflict when the owner has no such post any more.
	Edit(ctx context.Context, p *stoa.Post, edit stoa.PostEdit) error
	// Delete removes a post with what its status counted, and stores e. It fails with
	// Conflict when p is no longer the owner's or in its status.
	Delete(ctx context.Context, p *stoa.Post, e stoa.Event) error
}

// People knows users.
type People interface {
	// Visible returns the users among ids that exist, as the viewer sees them. An id may
	// come up more than once.
	Visible(ctx context.Context, v stoa.Viewer, ids []stoa.UserID, d stoa.Detail) (map[stoa.UserID]*stoa.SeenUser, error)
	// Tags returns the mentions of text that name somebody now.
	Tags(ctx context.Context, text string) ([]stoa.TextTag, error)
}

// Likes knows likes.
type Likes interface {
	// RemoveOfPost removes the likes of a post that is gone.
	RemoveOfPost(ctx context.Context, id stoa.PostID) error
}

// Events takes note of what happened.
type Events interface {
	// Committed is told of events once they are stored.
	Committed(ctx context.Context, e ...stoa.Event)
}

// Service decides about posts. All fields must be set.
type Service struct {
	Store  Store
	People People
	Likes  Likes
	Events Events
	// Now is the clock; posts are dated to the microsecond.
	Now func() time.Time
	// NewID makes ids of events.
	NewID func() string
}

func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

// moved is the event of p going from one status to another.
func (s *Service) moved(p *stoa.Post, from, to stoa.PostStatus, at time.Time) stoa.Event {
	return stoa.Event{
		ID: s.NewID(), At: at, Kind: stoa.PostMoved,
		UserID: p.PostedByUserID, PostID: p.PostID, PostFrom: from, PostTo: to,
	}
}

// own returns the facts of the caller's post id with all marks, or refuses with the
// text for a post that does not exist or is somebody else's.
func (s *Service) own(ctx context.Context, c stoa.Caller, id stoa.PostID, verb string) (stoa.PostFacts, error) {
	facts, err := s.Store.Facts(ctx, c.UserID, []stoa.PostID{id}, stoa.LikeMark|stoa.ViewMark|stoa.FlagMark)
	f, found := facts[id]
	switch {
	case err != nil:
		return f, err
	case !found:
		return f, stoa.Missing("Post `%s` does not exist", id)
	case f.Post.PostedByUserID != c.UserID:
		return f, stoa.Refuse("Cannot %s another User's post", verb)
	default:
		return f, nil
	}
}

// show shows the caller their own post. It reads only users whom the text mentions, and
// is called before anything is written, so that a change never fails after it is made.
func (s *Service) show(ctx context.Context, c stoa.Caller, f stoa.PostFacts) (*stoa.SeenPost, error) {
	users := map[stoa.UserID]*stoa.SeenUser{}
	if len(f.Post.TextTags) > 0 {
		var err error
		users, err = s.People.Visible(ctx, c.Viewer, f.Post.Users(stoa.TaggedUsers), stoa.BothWays)
		if err != nil {
			return nil, err
		}
	}
	users[c.UserID] = c.User.See(stoa.Relation{Self: true})
	return f.See(users), nil
}
