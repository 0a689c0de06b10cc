// Package comment decides about comments on posts: who may comment, who may delete a
// comment, and what a list of them shows.
//
// Seeing a post is seeing its comments, so lists are asked for with a SeenPost. Comments
// of a deleted post vanish with it for clients, although their rows follow a little
// later.
package comment

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps comments.
type Store interface {
	// Find returns a comment, if there is one, with the details that d asks for, except
	// when its post was viewed.
	Find(ctx context.Context, viewer social.UserID, id social.CommentID, d social.Detail) (f social.CommentFacts, found bool, err error)
	// ByPost returns the comments of a post, first comment first, or the latest first.
	ByPost(ctx context.Context, id social.PostID, q page.Query, reverse bool) (page.Page[*social.Comment], error)
	// Facts adds the details that d asks for to comments on a post.
	Facts(ctx context.Context, viewer social.UserID, post social.PostID, comments []*social.Comment, d social.Detail) ([]social.CommentFacts, error)
	// ViewedAt returns when a user last viewed a post, zero for never.
	ViewedAt(ctx context.Context, user social.UserID, post social.PostID) (time.Time, error)

	// ByUser returns the comments of a user, the first first.
	ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Comment], error)
	// All returns all comments, in no useful order.
	All(ctx context.Context, q page.Query) (page.Page[*social.Comment], error)
	// Comment returns a comment, nil when there is none.
	Comment(ctx context.Context, id social.CommentID) (*social.Comment, error)

	// Add stores a comment on p with what it counts, the change of a card that counts it, and
	// e. It fails with ErrTaken when the id is in use, and with Conflict when p is gone or takes
	// no comments any more, or the card or what it counts has changed.
	Add(ctx context.Context, c *social.Comment, p *social.Post, card social.CardChange, e ...outbox.Record) error
	// Purge removes a comment whose author has no profile any more: as Remove, with nothing
	// counted for the author. Without p, which is gone then, the comment alone goes.
	Purge(ctx context.Context, c *social.Comment, p *social.Post, unviewed bool, e ...outbox.Record) error
	// Remove makes a removal with all that it counts, and stores e. It fails with Conflict
	// when the comment or its post is gone, when the owner viewed the post since, and a
	// forced one also when flags or views have come.
	Remove(ctx context.Context, r social.CommentRemoval, e ...outbox.Record) error
	// Flag stores a flag of a comment on p. It fails with Conflict when either is gone or
	// has been flagged or viewed since.
	Flag(ctx context.Context, c *social.Comment, p *social.Post, flag social.Flag) error
	// RemoveLeftovers removes comments on a post that is gone, with what they counted for
	// their authors. It leaves those on a newer post with the same id.
	RemoveLeftovers(ctx context.Context, id social.PostID, comments []*social.Comment) error
}

// People knows users and the names in texts.
type People interface {
	social.People
	social.Tagger
}

// Cards knows the card by which the owner of a post is told how many comments they have not
// viewed.
type Cards interface {
	// OneMoreComment is what becomes of that card when one more comes. It holds as long as p
	// counts what it tells.
	OneMoreComment(ctx context.Context, p *social.Post) (social.CardChange, error)
}

// Service decides about comments. All fields must be set.
type Service struct {
	Store  Store
	Posts  social.PostReader
	People People
	Flags  social.FlagClearer
	Cards  Cards
	// BadWords are those for which comments are removed.
	BadWords social.BadWordList
	Events   outbox.Sender
}

// post reads a post with the marks that d asks for.
func (s *Service) post(ctx context.Context, viewer social.UserID, id social.PostID, d social.Detail) (f social.PostFacts, found bool, err error) {
	facts, err := s.Posts.Facts(ctx, viewer, []social.PostID{id}, d)
	f, found = facts[id]
	return f, found, err
}

// others reads those users among ids that are not the caller, with the ties that d asks
// for, and adds the caller, who is known.
func (s *Service) others(ctx context.Context, c social.Caller, ids []social.UserID, d social.Detail) (social.SeenUsers, error) {
	var unknown []social.UserID
	for _, id := range ids {
		if id != c.UserID {
			unknown = append(unknown, id)
		}
	}
	users := social.SeenUsers{}
	if len(unknown) > 0 {
		var err error
		if users, err = s.People.Visible(ctx, c.Viewer, unknown, d); err != nil {
			return nil, err
		}
	}
	users[c.UserID] = c.See()
	return users, nil
}
