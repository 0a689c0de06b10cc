package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Posts keeps posts and what their status counts.
type Posts struct{ db *keyspec.DB }

func postKey(id social.PostID) keyspec.Key { return posts.Key(string(id)) }

// postDetails are the details that Facts reads. The users mentioned in a text are named
// in the post's own row.
var postDetails = social.LikeMark | social.ViewMark | social.FlagMark | social.TaggedUsers

// Facts returns the posts among ids that exist, with the details that d asks for. All of it is read in one call for up to 25 posts with all marks, or 100
// without any.
func (s *Posts) Facts(ctx context.Context, viewer social.UserID, ids []social.PostID, d social.Detail) (map[social.PostID]social.PostFacts, error) {
	b := s.db.NewBatch()
	found := posts.FetchEach(b, len(ids), func(i int) keyspec.Key { return postKey(ids[i]) })
	liked := fetchMarks(b, likes, d.Has(social.LikeMark), ids, viewer)
	viewed := fetchMarks(b, postViews, d.Has(social.ViewMark), ids, viewer)
	flagged := fetchMarks(b, postFlags, d.Has(social.FlagMark), ids, viewer)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	facts := make(map[social.PostID]social.PostFacts, len(ids))
	for i, id := range ids {
		item := found.At(i)
		if item == nil {
			continue
		}
		f := social.PostFacts{Viewer: viewer, Read: d & postDetails, Post: item.post()}
		// A mark from before the post is left of another that had the id.
		if like := liked.at(i); like != nil && like.LikedAt >= item.PostedAt {
			f.Marks.Like, f.Marks.LikedAt = like.LikeStatus, like.LikedAt.Time()
		}
		if view := viewed.at(i); view != nil && view.LastViewedAt >= item.PostedAt {
			f.Marks.LastViewedAt = view.LastViewedAt.Time()
		}
		if flag := flagged.at(i); flag != nil {
			f.Marks.Flagged = flag.CreatedAt >= item.PostedAt
		}
		facts[id] = f
	}
	return facts, nil
}

// ByUser returns the posts of a user in a status, newest first, by A2.
func (s *Posts) ByUser(ctx context.Context, owner social.UserID, status social.PostStatus, q page.Query) (page.Page[*social.Post], error) {
	return stored.List(ctx, s.db, posts.Begins(A2, string(owner), string(status)), q, true, (*postItem).post)
}

// WithUnviewedComments returns the posts of a user with comments that the user has not
// viewed, latest unviewed comment first, by A3.
func (s *Posts) WithUnviewedComments(ctx context.Context, owner social.UserID, q page.Query) (page.Page[*social.Post], error) {
	return stored.List(ctx, s.db, posts.Begins(A3, string(owner)), q, true, (*postItem).post)
}

// Add stores a new post with its owner's counters, and e. It fails with ErrTaken when
// the id is in use and with Conflict when the owner is gone.
func (s *Posts) Add(ctx context.Context, p *social.Post, e ...outbox.Record) error {
	tx := s.db.NewTx()
	item := postItemOf(p)
	created := posts.Create(tx, item)
	profiles.Check(tx, item.owner()).Exists()
	postCounts.Moved(tx, nil, &item)
	ops.Record(tx, e...)
	err := tx.Run(ctx)
	if keyspec.Refused(err, created) {
		return refusal.ErrTaken
	}
	return stored.Outcome(err)
}

// Edit stores those parts of p, an edited post, that edit changes, and e. It fails with
// Conflict when the owner has no such post any more.
func (s *Posts) Edit(ctx context.Context, p *social.Post, edit social.PostEdit, e ...outbox.Record) error {
	tx := s.db.NewTx()
	u := posts.Update(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, keyspec.StampOf(p.PostedAt))
	after := postItemOf(p)
	if edit.Text != nil {
		u.Set("text", after.Text).Set("textTags", after.TextTags)
	}
	if edit.Keywords != nil {
		u.Set("keywords", after.Keywords)
	}
	choose(u, "commentsDisabled", edit.CommentsDisabled)
	choose(u, "likesDisabled", edit.LikesDisabled)
	choose(u, "sharingDisabled", edit.SharingDisabled)
	choose(u, "verificationHidden", edit.VerificationHidden)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// choose sets a switch, unless the choice is left as it is.
func choose(u keyspec.Update, attribute string, choice *bool) {
	if choice != nil {
		u.Set(attribute, choice)
	}
}

// Delete removes a post with what its status counted for its owner, and stores e. It
// fails with Conflict when p is no longer the owner's or in its status.
func (s *Posts) Delete(ctx context.Context, p *social.Post, e ...outbox.Record) error {
	tx := s.db.NewTx()
	posts.Delete(tx, postKey(p.PostID)).
		If(samePost, p.PostedByUserID, keyspec.StampOf(p.PostedAt)).
		If("postStatus = ?", p.Status)
	item := postItemOf(p)
	postCounts.Moved(tx, &item, nil)
	profiles.Update(tx, item.owner()).Shift("postDeletedCount", 1)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// Move gives a post, which is as p says, another status with what that counts for its
// owner, and stores e. It fails with Conflict when p is no longer the owner's or in its
// status.
func (s *Posts) Move(ctx context.Context, p *social.Post, to social.PostStatus, e ...outbox.Record) error {
	tx := s.db.NewTx()
	before, after := postItemOf(p), postItemOf(p)
	after.PostStatus = to
	posts.Change(tx, before, after).
		If(samePost, p.PostedByUserID, before.PostedAt).
		If("postStatus = ?", p.Status)
	postCounts.Moved(tx, &before, &after)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// postOf holds for the post of something that was put on it at a time, and for no newer
// one with its id.
const postOf = "postedAt <= ?"

// samePost tells a post from another that was given its id after it was deleted.
const samePost = "postedByUserId = ? AND postedAt = ?"

// gonePost holds for the post of things left at a time when that post is gone, also if
// its id was given to a newer one since.
const gonePost = "attribute_not_exists(postId) OR postedAt > ?"

func (i *postItem) post() *social.Post {
	return &social.Post{
		PostID:                i.PostID,
		PostedByUserID:        i.PostedByUserID,
		Type:                  i.PostType,
		Status:                i.PostStatus,
		PostedAt:              i.PostedAt.Time(),
		Text:                  i.Text,
		TextTags:              textTagsOf(i.TextTags),
		Keywords:              i.Keywords,
		IsVerified:            i.IsVerified,
		CommentsDisabled:      i.CommentsDisabled,
		LikesDisabled:         i.LikesDisabled,
		SharingDisabled:       i.SharingDisabled,
		VerificationHidden:    i.VerificationHidden,
		OriginalPostID:        i.OriginalPostID,
		ViewedByCount:         i.ViewedByCount,
		OnymousLikeCount:      i.OnymousLikeCount,
		AnonymousLikeCount:    i.AnonymousLikeCount,
		CommentCount:          i.CommentCount,
		CommentsUnviewedCount: i.CommentsUnviewedCount,
		UnviewedCommentAt:     i.LastUnreadCommentAt.Time(),
	}
}

// postItemOf makes the row of a post. Counters are zero in a new post and never written
// otherwise than by shifting them.
func postItemOf(p *social.Post) postItem {
	return postItem{
		PostID:             p.PostID,
		PostedByUserID:     p.PostedByUserID,
		PostType:           p.Type,
		PostStatus:         p.Status,
		PostedAt:           keyspec.StampOf(p.PostedAt),
		Text:               p.Text,
		TextTags:           textTagItems(p.TextTags),
		Keywords:           p.Keywords,
		OriginalPostID:     p.OriginalPostID,
		IsVerified:         p.IsVerified,
		CommentsDisabled:   p.CommentsDisabled,
		LikesDisabled:      p.LikesDisabled,
		SharingDisabled:    p.SharingDisabled,
		VerificationHidden: p.VerificationHidden,
	}
}
