package store

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Comments stores comments, and the counters of their posts and authors.
type Comments struct{ db *keyspec.DB }

// maxCommentsRemoved is the maximum number of comments that a transaction can remove, each
// with a counter of its author, in addition to checking the post.
const maxCommentsRemoved = 49

// commentDetails are the details that Facts reads. The users mentioned in a text are in the
// comment's own row.
var commentDetails = social.FlagMark | social.ViewMark | social.TaggedUsers

// Find returns a comment if it exists, with the details in d, in one batch. The time of the
// viewer's last view of its post is not included, because the post is not known in advance.
func (s *Comments) Find(ctx context.Context, viewer social.UserID, id social.CommentID, d social.Detail) (f social.CommentFacts, found bool, err error) {
	b := s.db.NewBatch()
	comment := comments.Fetch(b, commentKey(id))
	flagged := fetchMarks(b, commentFlags, d.Has(social.FlagMark), []social.CommentID{id}, viewer)
	if err := b.Run(ctx); err != nil || comment.At(0) == nil {
		return f, false, err
	}
	f = social.CommentFacts{Viewer: viewer, Read: d & commentDetails &^ social.ViewMark, Comment: comment.At(0).comment()}
	f.Flagged = flagsSince(flagged.at(0), f.Comment.CommentedAt)
	return f, true, nil
}

// Comment returns a comment, or nil if it does not exist.
func (s *Comments) Comment(ctx context.Context, id social.CommentID) (*social.Comment, error) {
	item, err := comments.Get(ctx, s.db, commentKey(id))
	if item == nil || err != nil {
		return nil, err
	}
	return item.comment(), nil
}

// ByPost returns the comments on a post from A1, in either order of creation.
func (s *Comments) ByPost(ctx context.Context, id social.PostID, q page.Query, reverse bool) (page.Page[*social.Comment], error) {
	return stored.List(ctx, s.db, comments.Begins(A1, string(id)), q, reverse, (*commentItem).comment)
}

// Facts returns the facts of comments on a post, with the details in d. It makes at most
// one batch request.
func (s *Comments) Facts(ctx context.Context, viewer social.UserID, post social.PostID, on []*social.Comment, d social.Detail) ([]social.CommentFacts, error) {
	ids := make([]social.CommentID, len(on))
	for i, c := range on {
		ids[i] = c.CommentID
	}
	b := s.db.NewBatch()
	flagged := fetchMarks(b, commentFlags, d.Has(social.FlagMark), ids, viewer)
	views := fetchMarks(b, postViews, d.Has(social.ViewMark), []social.PostID{post}, viewer)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	var viewedAt time.Time
	if view := views.at(0); view != nil {
		viewedAt = view.LastViewedAt.Time()
	}
	facts := make([]social.CommentFacts, len(on))
	for i, c := range on {
		facts[i] = social.CommentFacts{
			Viewer: viewer, Read: d & commentDetails,
			Comment: c, Flagged: flagsSince(flagged.at(i), c.CommentedAt), PostViewedAt: viewedAt,
		}
	}
	return facts, nil
}

// ViewedAt returns when a user last viewed a post, or the zero time if never.
func (s *Comments) ViewedAt(ctx context.Context, user social.UserID, post social.PostID) (time.Time, error) {
	view, err := postViews.Get(ctx, s.db, postViews.Key(string(post), string(user)))
	if view == nil || err != nil {
		return time.Time{}, err
	}
	return view.LastViewedAt.Time(), nil
}

// Add stores a comment on p with the counters of p and of the author, and stores e. A
// comment by a user other than p's owner also moves p to the top of the owner's posts with
// unviewed comments; card is the change of the owner's card that counts them. It fails with
// ErrTaken if the id is in use, and with Conflict if p no longer exists or no longer
// accepts comments, the author has another profile, or the card or its number of comments
// has changed.
func (s *Comments) Add(ctx context.Context, c *social.Comment, p *social.Post, card social.CardChange, e ...outbox.Record) error {
	tx := s.db.NewTx()
	item := commentItemOf(c)
	created := comments.Create(tx, item)
	postCommentCounts.Moved(tx, nil, &item)
	commentCounts.Moved(tx, nil, &item)
	profiles.Check(tx, profileKey(c.UserID)).If(hadProfile, item.CommentedAt)
	on := posts.Update(tx, postKey(p.PostID)).
		If(samePost, p.PostedByUserID, keyspec.StampOf(p.PostedAt)).
		If("attribute_not_exists(commentsDisabled) OR commentsDisabled = ?", false)
	if c.UserID != p.PostedByUserID {
		on.Shift("commentsUnviewedCount", 1).
			Set("lastUnreadCommentAt", keyspec.StampOf(c.CommentedAt)).Given("postedByUserId", p.PostedByUserID)
	}
	if card.After != nil {
		changeCard(tx, card)
		asCounted(on, "commentsUnviewedCount", p.CommentsUnviewedCount)
	}
	ops.Record(tx, e...)
	err := tx.Run(ctx)
	if keyspec.Refused(err, created) {
		return refusal.ErrTaken
	}
	return stored.Outcome(err)
}

// Remove carries out a removal, updates all counters, and stores e. It fails with Conflict
// if the comment or its post no longer exists, the owner has viewed the post since, or, for
// a forced removal, the flags or viewers have changed since the decision.
func (s *Comments) Remove(ctx context.Context, r social.CommentRemoval, e ...outbox.Record) error {
	return countingFor(func(authors bool) (keyspec.Action, error) {
		tx := s.db.NewTx()
		c, p, item := r.Comment, r.Post, commentItemOf(r.Comment)
		removed := comments.Delete(tx, comments.KeyOf(&item)).If("commentedAt = ?", item.CommentedAt)
		postCommentCounts.Moved(tx, &item, nil)
		on := leavePost(tx, c, p, r.Unviewed)
		if r.Forced {
			asCounted(removed, "flagCount", c.FlagCount)
			asCounted(on, "viewedByCount", p.ViewedByCount)
		}
		author := profiles.Update(tx, profileKey(c.UserID))
		if authors {
			uncountComment(tx, &item)
			if r.Forced {
				author.Shift("commentForcedDeletionCount", 1)
			}
		}
		ops.Record(tx, e...)
		return author, tx.Run(ctx)
	})
}

// countingFor runs a write that also updates a counter in a profile. If the action profile
// is refused because the user no longer has that profile, it runs the write again without
// the counter.
func countingFor(write func(counts bool) (profile keyspec.Action, err error)) error {
	profile, err := write(true)
	if keyspec.Refused(err, profile) {
		_, err = write(false)
	}
	return stored.Outcome(err)
}

// ByUser returns the comments of a user, oldest first, from A2.
func (s *Comments) ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Comment], error) {
	return stored.List(ctx, s.db, comments.Begins(A2, string(user)), q, false, (*commentItem).comment)
}

// Purge removes a comment whose author no longer has a profile, updates the counters of p,
// and stores e. unviewed is set if the comment is one that p's owner has not viewed. p is
// nil if the post no longer exists. Purge fails with Conflict like Remove.
func (s *Comments) Purge(ctx context.Context, c *social.Comment, p *social.Post, unviewed bool, e ...outbox.Record) error {
	tx := s.db.NewTx()
	item := commentItemOf(c)
	comments.Delete(tx, comments.KeyOf(&item)).If("commentedAt = ?", item.CommentedAt)
	if p != nil {
		postCommentCounts.Moved(tx, &item, nil)
		leavePost(tx, c, p, unviewed)
	}
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// leavePost returns an update of p that removes the comment from its unviewed ones if
// unviewed is set, provided that the owner has not viewed p since.
func leavePost(tx *keyspec.Tx, c *social.Comment, p *social.Post, unviewed bool) keyspec.Update {
	on := posts.Update(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, keyspec.StampOf(p.PostedAt))
	if unviewed {
		postViews.Check(tx, postViews.Key(string(p.PostID), string(p.PostedByUserID))).
			If("attribute_not_exists(lastViewedAt) OR lastViewedAt < ?", keyspec.StampOf(c.CommentedAt))
		removeUnviewed(on, p)
	}
	return on
}

// Flag stores a flag of a comment on p. It fails with Conflict if either no longer exists,
// or the flags or viewers differ from those in p and c.
func (s *Comments) Flag(ctx context.Context, c *social.Comment, p *social.Post, flag social.Flag) error {
	tx := s.db.NewTx()
	at := keyspec.StampOf(c.CommentedAt)
	asCounted(comments.Update(tx, commentKey(c.CommentID)).If("commentedAt = ?", at), "flagCount", c.FlagCount)
	asCounted(posts.Check(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, keyspec.StampOf(p.PostedAt)), "viewedByCount", p.ViewedByCount)
	flagRowsOf[social.FlagOnComment].add(tx, flag, at)
	return stored.Outcome(tx.Run(ctx))
}

// removeUnviewed decrements the unviewed comments of p. If none are left, it removes p from
// its owner's posts with unviewed comments.
func removeUnviewed(on keyspec.Update, p *social.Post) {
	if p.CommentsUnviewedCount > 1 {
		on.If("commentsUnviewedCount > ?", 1).Shift("commentsUnviewedCount", -1)
		return
	}
	on.If("attribute_not_exists(commentsUnviewedCount) OR commentsUnviewedCount <= ?", 1).
		Remove("commentsUnviewedCount", "lastUnreadCommentAt").Given("postedByUserId", p.PostedByUserID)
}

// RemoveLeftovers removes comments on a post that no longer exists, and updates the
// counters of their authors. It keeps those on a newer post with the same id.
func (s *Comments) RemoveLeftovers(ctx context.Context, id social.PostID, on []*social.Comment) error {
	for chunk := range slices.Chunk(on, maxCommentsRemoved) {
		if err := s.removeLeftovers(ctx, id, chunk); err != nil {
			return err
		}
	}
	return nil
}

// removeLeftovers falls back to single comments if some are not leftovers or no longer
// exist, or if an author has another profile.
func (s *Comments) removeLeftovers(ctx context.Context, id social.PostID, on []*social.Comment) error {
	write := func(counts bool) (author keyspec.Action, err error) {
		latest := on[0].CommentedAt
		tx := s.db.NewTx()
		for _, c := range on {
			item := commentItemOf(c)
			comments.Delete(tx, comments.KeyOf(&item)).If("commentedAt = ?", item.CommentedAt)
			author = profiles.Update(tx, profileKey(c.UserID))
			if counts {
				uncountComment(tx, &item)
			}
			if c.CommentedAt.After(latest) {
				latest = c.CommentedAt
			}
		}
		posts.Check(tx, postKey(id)).If(gonePost, keyspec.StampOf(latest))
		return author, tx.Run(ctx)
	}
	if len(on) == 1 {
		return ignoreConflict(countingFor(write))
	}
	_, err := write(true)
	if refusal.KindOf(stored.Outcome(err)) != refusal.Conflict {
		return err
	}
	for single := range slices.Chunk(on, 1) {
		if err := s.removeLeftovers(ctx, id, single); err != nil {
			return err
		}
	}
	return nil
}

// uncountComment decrements the counter of a comment's author, who must still have the
// profile they wrote it with.
func uncountComment(tx *keyspec.Tx, item *commentItem) {
	commentCounts.Moved(tx, item, nil)
	profiles.Update(tx, profileKey(item.UserID)).If(hadProfile, item.CommentedAt).Shift("commentDeletedCount", 1)
}

func commentKey(id social.CommentID) keyspec.Key { return comments.Key(string(id)) }

func (i *commentItem) comment() *social.Comment {
	return &social.Comment{
		CommentID:   i.CommentID,
		PostID:      i.PostID,
		UserID:      i.UserID,
		CommentedAt: i.CommentedAt.Time(),
		Text:        i.Text,
		TextTags:    textTagsOf(i.TextTags),
		FlagCount:   i.FlagCount,
	}
}

func commentItemOf(c *social.Comment) commentItem {
	return commentItem{
		CommentID:   c.CommentID,
		PostID:      c.PostID,
		UserID:      c.UserID,
		CommentedAt: keyspec.StampOf(c.CommentedAt),
		Text:        c.Text,
		TextTags:    textTagItems(c.Text, c.TextTags),
	}
}
