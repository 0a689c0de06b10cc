package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// Comment is a comment as stored. Clients never get one: they get a SeenComment.
type Comment struct {
	CommentID   CommentID
	PostID      PostID
	UserID      UserID
	CommentedAt time.Time
	Text        string
	TextTags    []TextTag
	FlagCount   int
}

// Outlives reports whether c is left of a deleted post whose id another has now, posted
// at postedAt. Such a comment is gone for everybody: its removal is late, no more.
func (c *Comment) Outlives(postedAt time.Time) bool { return c.CommentedAt.Before(postedAt) }

// CheckComment refuses a comment on the post by its viewer, who sees its owner as given,
// with BlockedTie and MatchTie. In which status the post is does not matter.
func (f PostFacts) CheckComment(owner *SeenUser, now time.Time) error {
	owner.read.need(BlockedTie|MatchTie, "owner of a post")
	id, user, rel := owner.UserID(), f.Viewer, owner.rel
	switch {
	case On(f.Post.CommentsDisabled):
		return refusal.Invalidf("Comments are disabled on post `%s`", f.Post.PostID)
	case rel.BlockedBy:
		return refusal.Forbiddenf("Post owner `%s` has blocked user `%s`", id, user)
	case rel.Blocks:
		return refusal.Forbiddenf("User `%s` has blocked post owner `%s`", user, id)
	case !owner.Published():
		return refusal.Invalidf("Post owner `%s` is private and user `%s` is not a follower", id, user)
	case f.Post.Type == ImagePost && owner.match.locks(now):
		return refusal.Invalidf("Cannot add comment unless it is a confirmed match on dating")
	default:
		return nil
	}
}

// NextCommentAt is the time of a comment that is added now.
func (p *Post) NextCommentAt(now time.Time) time.Time {
	if now.Before(p.PostedAt) {
		now = p.PostedAt
	}
	if next := p.UnviewedCommentAt.Add(time.Microsecond); !p.UnviewedCommentAt.IsZero() && now.Before(next) {
		now = next
	}
	return now
}

// CheckRemoval refuses to let user, who is neither its author nor the owner of its
// post p, delete the comment.
func (c *Comment) CheckRemoval(user UserID, p *Post) error {
	if user == c.UserID || user == p.PostedByUserID {
		return nil
	}
	return refusal.Invalidf("User is not authorized to delete comment `%s`", c.CommentID)
}

// CountsAsUnviewed reports whether the comment is among those that the owner of its
// post p, who last viewed it at viewedAt, has not viewed. Comments of owners on their
// own posts never are.
func (c *Comment) CountsAsUnviewed(p *Post, viewedAt time.Time) bool {
	return c.UserID != p.PostedByUserID && viewedAt.Before(c.CommentedAt)
}

// CommentRemoval is the end of a comment on a post that stays.
type CommentRemoval struct {
	Comment *Comment
	Post    *Post
	// Unviewed: the comment counts among those that the post's owner has not viewed.
	Unviewed bool
	// Forced: moderation removes it.
	Forced bool
}
