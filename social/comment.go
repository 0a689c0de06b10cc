package social

import (
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
)

// Comment is a stored comment. Clients see it as a SeenComment.
type Comment struct {
	CommentID   CommentID `dynamo:"commentId"`
	PostID      PostID    `dynamo:"postId"`
	UserID      UserID    `dynamo:"userId"`
	CommentedAt time.Time `dynamo:"commentedAt"`
	Text        string    `dynamo:"text"`
	TextTags    []TextTag `dynamo:"textTags"`
	FlagCount   int       `dynamo:"flagCount"`
	// KeptAt is when a moderator last decided to keep the comment; zero for never.
	KeptAt time.Time `dynamo:"keptAt"`
	// Held is set while the comment waits for a moderator's decision because of the content
	// check. Until then, only its author sees it, and it is counted nowhere but for them.
	Held bool `dynamo:"held"`
	// Unchecked is set if the comment was shown although its content check failed.
	Unchecked bool `dynamo:"unchecked"`
}

// Outlives reports whether c belongs to a deleted post whose id has been reused by a post
// of the given time. Such a comment no longer exists for anybody; only its removal is late.
func (c *Comment) Outlives(postedAt time.Time) bool { return c.CommentedAt.Before(postedAt) }

// CheckComment refuses a comment that the viewer may not write on the post, whatever the
// post's status. The owner must be read with BlockedTie and MatchTie.
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

// NextCommentAt returns the time of a comment added now. Even if clocks of other processes
// are ahead, it is no earlier than the post, and after all comments that the owner has yet
// to view.
func (p *Post) NextCommentAt(now time.Time) time.Time {
	now = p.NotBefore(now)
	if next := p.UnviewedCommentAt.Add(time.Microsecond); !p.UnviewedCommentAt.IsZero() && now.Before(next) {
		now = next
	}
	return now
}

// Users returns the users that a reader of the comment sees: its author, and the mentioned
// users if d shows them. There may be duplicates.
func (c *Comment) Users(d Detail) []UserID {
	ids := []UserID{c.UserID}
	if d.Has(TaggedUsers) {
		ids = taggedUsers(ids, c.TextTags)
	}
	return ids
}

// CheckRemoval refuses to let a user delete the comment unless they are its author or the
// owner of its post p.
func (c *Comment) CheckRemoval(user UserID, p *Post) error {
	if user == c.UserID || user == p.PostedByUserID {
		return nil
	}
	return refusal.Invalidf("User is not authorized to delete comment `%s`", c.CommentID)
}

// CountsAsUnviewed reports whether the owner of post p, who last viewed it at viewedAt, has
// yet to view the comment. Their own comments always count as viewed.
func (c *Comment) CountsAsUnviewed(p *Post, viewedAt time.Time) bool {
	return !c.Held && c.UserID != p.PostedByUserID && viewedAt.Before(c.CommentedAt)
}

// CommentRemoval is the removal of a comment from a post that remains.
type CommentRemoval struct {
	Comment *Comment
	Post    *Post
	// Unviewed is set if the comment counts as unviewed by the post's owner.
	Unviewed bool
	// Forced is set if moderation removes the comment, or has removed it.
	Forced bool
	// Case is the change of the comment's case, or nil.
	Case *desk.CaseStep
}
