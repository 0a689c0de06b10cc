// Package post decides about posts: who sees one, what may be published, how a post
// changes and how it ends.
//
// A post leaves this package as a SeenPost only, made for one viewer after its rules
// were asked. Ids from an index or a feed are no permission: pass them through Items.
package post

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps posts.
type Store interface {
	social.PostReader
	// ByUser returns the posts of a user in a status, newest first.
	ByUser(ctx context.Context, owner social.UserID, status social.PostStatus, q page.Query) (page.Page[*social.Post], error)
	// WithUnviewedComments returns the posts of a user with comments that the user has not
	// viewed, latest unviewed comment first.
	WithUnviewedComments(ctx context.Context, owner social.UserID, q page.Query) (page.Page[*social.Post], error)
	// Add stores a new post with what its status counts, and e. It fails with ErrTaken
	// when the id is in use.
	Add(ctx context.Context, p *social.Post, e ...outbox.Record) error
	// Edit stores those parts of p, an edited post, that edit changes, and e. It fails
	// with Conflict when the owner has no such post any more.
	Edit(ctx context.Context, p *social.Post, edit social.PostEdit, e ...outbox.Record) error
	// Move gives a post another status with what that counts, and stores e. It fails with
	// Conflict when p is no longer the owner's or in its status.
	Move(ctx context.Context, p *social.Post, to social.PostStatus, e ...outbox.Record) error
	// Delete removes a post with what its status counted, and stores e. It fails with
	// Conflict when p is no longer the owner's or in its status.
	Delete(ctx context.Context, p *social.Post, e ...outbox.Record) error
}

// People knows users and the names in texts.
type People interface {
	social.People
	social.Tagger
}

// Service decides about posts. All fields must be set.
type Service struct {
	Store  Store
	People People
	Events outbox.Sender
}

// own returns the facts of the caller's post id with the details that d asks for, or
// refuses with the text for a post that does not exist or is somebody else's.
func (s *Service) own(ctx context.Context, c social.Caller, id social.PostID, verb string, d social.Detail) (social.PostFacts, error) {
	facts, err := s.Store.Facts(ctx, c.UserID, []social.PostID{id}, d)
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
func (s *Service) show(ctx context.Context, c social.Caller, f social.PostFacts, d social.Detail) (*social.SeenPost, error) {
	users := social.SeenUsers{}
	if met := f.Users(); len(met) > 1 {
		var err error
		if users, err = s.People.Visible(ctx, c.Viewer, met, d); err != nil {
			return nil, err
		}
	}
	users[c.UserID] = c.See()
	return f.See(users), nil
}
