// Package post decides about posts: who sees one, what may be published, how a post
// changes and how it ends.
//
// A post leaves this package as a SeenPost only, made for one viewer after its rules
// were asked. Ids from an index or a feed are no permission: pass them through Items.
package post

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Store keeps posts.
type Store interface {
	// Facts returns the posts among ids that exist, with the marks of the viewer that d
	// asks for. No ids cost nothing.
	Facts(ctx context.Context, viewer social.UserID, ids []social.PostID, d social.Detail) (map[social.PostID]social.PostFacts, error)
	// ByUser returns the posts of a user in a status, newest first.
	ByUser(ctx context.Context, owner social.UserID, status social.PostStatus, q page.Query) (page.Page[*social.Post], error)
	// Add stores a new post with what its status counts, and e. It fails with ErrTaken
	// when the id is in use.
	Add(ctx context.Context, p *social.Post, e social.Event) error
	// Edit stores those parts of p, an edited post, that edit changes. It fails with
	// Conflict when the owner has no such post any more.
	Edit(ctx context.Context, p *social.Post, edit social.PostEdit) error
	// Delete removes a post with what its status counted, and stores e. It fails with
	// Conflict when p is no longer the owner's or in its status.
	Delete(ctx context.Context, p *social.Post, e social.Event) error
}

// People knows users.
type People interface {
	// Visible returns the users among ids that exist, as the viewer sees them. An id may
	// come up more than once.
	Visible(ctx context.Context, v social.Viewer, ids []social.UserID, d social.Detail) (map[social.UserID]*social.SeenUser, error)
	// Tags returns the mentions of text that name somebody now.
	Tags(ctx context.Context, text string) ([]social.TextTag, error)
}

// Likes knows likes.
type Likes interface {
	// RemoveOfPost removes the likes of a post that is gone.
	RemoveOfPost(ctx context.Context, id social.PostID) error
}

// Events takes note of what happened.
type Events interface {
	// Committed is told of events once they are stored.
	Committed(ctx context.Context, e ...social.Event)
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
func (s *Service) moved(p *social.Post, from, to social.PostStatus, at time.Time) social.Event {
	return social.Event{
		ID: s.NewID(), At: at, Kind: social.PostMoved,
		UserID: p.PostedByUserID, PostID: p.PostID, PostFrom: from, PostTo: to,
	}
}

// own returns the facts of the caller's post id with all marks, or refuses with the
// text for a post that does not exist or is somebody else's.
func (s *Service) own(ctx context.Context, c social.Caller, id social.PostID, verb string) (social.PostFacts, error) {
	facts, err := s.Store.Facts(ctx, c.UserID, []social.PostID{id}, social.LikeMark|social.ViewMark|social.FlagMark)
	f, found := facts[id]
	switch {
	case err != nil:
		return f, err
	case !found:
		return f, refusal.NotFoundf("Post `%s` does not exist", id)
	case f.Post.PostedByUserID != c.UserID:
		return f, refusal.Invalidf("Cannot %s another User's post", verb)
	default:
		return f, nil
	}
}

// show shows the caller their own post. It reads only users whom the text mentions, and
// is called before anything is written, so that a change never fails after it is made.
func (s *Service) show(ctx context.Context, c social.Caller, f social.PostFacts) (*social.SeenPost, error) {
	users := map[social.UserID]*social.SeenUser{}
	if len(f.Post.TextTags) > 0 {
		var err error
		users, err = s.People.Visible(ctx, c.Viewer, f.Post.Users(social.TaggedUsers), social.BothWays)
		if err != nil {
			return nil, err
		}
	}
	users[c.UserID] = c.User.See(social.Relation{Self: true})
	return f.See(users), nil
}
