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
}

// CommentFacts are a comment and whether the viewer who asked for it reported it.
type CommentFacts struct {
	Comment *Comment
	Flagged bool
}

// Users returns whom a reader of c meets: its author and, if d asks for them, the
// users that its text mentions. A user may come up more than once.
func (c *Comment) Users(d Detail) []UserID {
	ids := []UserID{c.UserID}
	if d.Has(TaggedUsers) {
		ids = taggedUsers(ids, c.TextTags)
	}
	return ids
}

// See shows the comment to the viewer who sees users as given and last viewed its post
// at postViewedAt, zero for never. It returns nil when the author is not among users,
// being gone.
func (f CommentFacts) See(users map[UserID]*SeenUser, postViewedAt time.Time) *SeenComment {
	author := users[f.Comment.UserID]
	if author == nil {
		return nil
	}
	return f.Comment.See(author, f.Flagged, postViewedAt, seeTags(f.Comment.TextTags, users))
}

// Outlives reports whether c is left of a deleted post whose id another has now, posted
// at postedAt. Such a comment is gone for everybody: its removal is late, no more.
func (c *Comment) Outlives(postedAt time.Time) bool { return c.CommentedAt.Before(postedAt) }

// Visible reports whether lists show the comment to the viewer: not if its author
// blocks them. Whether they may see the post is not asked here.
func (s *SeenComment) Visible() bool { return !s.author.rel.BlockedBy }

// CheckComment refuses a comment on the post by user, its viewer. In which status the
// post is does not matter.
func (s *SeenPost) CheckComment(user UserID) error {
	owner, rel := s.owner.UserID(), s.owner.rel
	switch {
	case On(s.post.CommentsDisabled):
		return refusal.Invalidf("Comments are disabled on post `%s`", s.post.PostID)
	case rel.BlockedBy:
		return refusal.Invalidf("Post owner `%s` has blocked user `%s`", owner, user)
	case rel.Blocks:
		return refusal.Invalidf("User `%s` has blocked post owner `%s`", user, owner)
	case !s.owner.Published():
		return refusal.Invalidf("Post owner `%s` is private and user `%s` is not a follower", owner, user)
	default:
		return nil
	}
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
