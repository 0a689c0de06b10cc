// Package comment manages comments on posts: who may comment, who may delete a comment, and
// what lists show.
//
// Whoever sees a post may see its comments, so lists are requested with a SeenPost.
// Comments of a deleted post disappear with it for clients, although their rows are removed
// later.
package comment

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/gather"
	"stoa/internal/kit/page"
	"stoa/internal/kit/together"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores comments.
type Store interface {
	social.CommentReader
	// Find returns the facts of a comment, if it exists, with the details in d, except when
	// its post was viewed.
	Find(ctx context.Context, viewer social.UserID, id social.CommentID, d social.Detail) (f social.CommentFacts, found bool, err error)
	// ByPost returns the comments of a post, oldest first or, if reverse, newest first.
	ByPost(ctx context.Context, id social.PostID, q page.Query, reverse bool) (page.Page[*social.Comment], error)
	// Facts returns the facts of comments on a post, with the details in d.
	Facts(ctx context.Context, viewer social.UserID, post social.PostID, comments []*social.Comment, d social.Detail) ([]social.CommentFacts, error)
	// Together runs independent reads, concurrently if these wait for a server.
	Together(ctx context.Context, reads ...together.Work) error
	// ViewedAt returns when a user last viewed a post, or zero if never.
	ViewedAt(ctx context.Context, user social.UserID, post social.PostID) (time.Time, error)

	// ByUser returns the comments of a user, oldest first.
	ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Comment], error)
	// All returns all comments, in no particular order.
	All(ctx context.Context, q page.Query) (page.Page[*social.Comment], error)

	// Add stores a comment on p with its counters, the change of the card that counts it,
	// and e. It fails with ErrTaken if the id is in use, and with Conflict if p is gone or
	// no longer takes comments, or the card or the number it shows has changed.
	Add(ctx context.Context, c *social.Comment, p *social.Post, card social.CardChange, e ...outbox.Record) error
	// AddAll stores comments on p with its counters and the events of each, and the change of the
	// card that counts them. It returns the error of each and the change. Comments that fail with Conflict are left out.
	AddAll(
		ctx context.Context, added []*social.Comment, events [][]outbox.Record, p *social.Post, card func(n int) social.CardChange,
	) ([]error, social.CardChange)
	// AddHeld stores a comment on p that is held, with its case, and e. It fails like Add. Release
	// shows others a held comment, which r would remove, with its counters and case, and stores e.
	// It fails with Conflict like Remove.
	AddHeld(ctx context.Context, c *social.Comment, p *social.Post, in desk.CaseStep, e ...outbox.Record) error
	Release(ctx context.Context, r social.CommentRemoval, e ...outbox.Record) error
	// Purge deletes a comment whose author's profile was removed. It is like Remove,
	// without the author's counters. If p is nil, the post is gone and only the comment is
	// deleted.
	Purge(ctx context.Context, c *social.Comment, p *social.Post, unviewed bool, e ...outbox.Record) error
	// Remove stores a removal with its counters, and e. It fails with Conflict if the
	// comment or its post is gone, if the owner has viewed the post since, and for a forced
	// removal also if flags or views were added.
	Remove(ctx context.Context, r social.CommentRemoval, e ...outbox.Record) error
	// Flag stores a flag of a comment on p with its case. It fails with Conflict if either is
	// gone or has been flagged or viewed since, or p has another status.
	Flag(ctx context.Context, c *social.Comment, p *social.Post, flag social.Flag, report desk.CaseStep, e ...outbox.Record) error
	// Keep stores a comment that a moderator decided to keep, without its flags, with the
	// decision and e. It fails with Conflict if the comment is gone or has been flagged since.
	Keep(ctx context.Context, c *social.Comment, cleared []social.Flag, decided desk.CaseStep, e ...outbox.Record) error
	// Restore takes a forced removal back, and stores e. It fails with ErrTaken if the id is in use, and
	// with Conflict if the post or the author's profile is gone, or the owner has viewed the
	// post since.
	Restore(ctx context.Context, r social.CommentRemoval, e ...outbox.Record) error
	// RemoveLeftovers deletes comments on a deleted post and updates their authors'
	// counters. It leaves those on a newer post with the same id.
	RemoveLeftovers(ctx context.Context, id social.PostID, comments []*social.Comment) error
}

// People reads users and resolves mentions in texts.
type People interface {
	social.People
	social.Tagger
}

// Cards computes the card that shows the owner of a post the number of unviewed comments.
type Cards interface {
	// MoreComments returns that card as it changes when another n comments are added. It is
	// valid only while p's number of unviewed comments is unchanged.
	MoreComments(ctx context.Context, p *social.Post) (change func(n int) social.CardChange, err error)
}

// Service implements the comment area. All fields are required.
type Service struct {
	decision.Frame
	Store    Store
	Posts    social.PostReader
	People   People
	Profiles social.ProfileReader
	Flags    social.Flags
	// Cases has the cases of what was flagged.
	Cases social.Cases
	Cards Cards
	// Moderators remove a comment with one flag.
	Moderators social.Moderators
	// BadWords are the words for which comments are removed.
	BadWords social.BadWordList
	// Checker checks comments before others are shown them; nil if nothing is checked.
	Checker desk.Checker
	// HotFrom is the number of comments on a post within a second from which they are stored
	// together; 0 means social.HotFrom.
	HotFrom int

	// hot gathers comments on hot posts; nil until the area is registered.
	hot *gather.Calls[social.PostID, adding, error]
}

// post reads a post with the marks in d.
func (s *Service) post(ctx context.Context, viewer social.UserID, id social.PostID, d social.Detail) (f social.PostFacts, found bool, err error) {
	facts, err := s.Posts.Facts(ctx, viewer, []social.PostID{id}, d)
	f, found = facts[id]
	return f, found, err
}
