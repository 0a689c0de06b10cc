package store

import (
	"context"
	"slices"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Add stores a comment on p with the counters of p and of the author, and stores e. A
// comment by a user other than p's owner also moves p to the top of the owner's posts with
// unviewed comments; card is the change of the owner's card that counts them. It fails with
// ErrTaken if the id is in use, and with Conflict if p no longer exists or no longer
// accepts comments, the author has another profile, or the card or its number of comments
// has changed.
func (s *Comments) Add(ctx context.Context, c *social.Comment, p *social.Post, card social.CardChange, e ...outbox.Record) error {
	tx := s.db.NewTx()
	of := takeComment(tx, c, p)
	takesComments(tx, p, card)
	ops.Record(tx, e...)
	err := tx.Run(ctx)
	if keyspec.Refused(err, of[0]) {
		return refusal.ErrTaken
	}
	return stored.Outcome(err)
}

// AddAll stores comments on p, in the order of their times, as Add does, in one transaction with
// the card for their number. It returns the error of each and the change of the card. Comments
// that fail with Conflict are left out, unless all do because the post or the card has changed.
func (s *Comments) AddAll(
	ctx context.Context, added []*social.Comment, events [][]outbox.Record, p *social.Post, card func(n int) social.CardChange,
) (errs []error, made social.CardChange) {
	errs = addTogether(len(added), func(left []int) (of [][]keyspec.Action, err error) {
		tx := s.db.NewTx()
		unviewed := 0
		for _, i := range left {
			c := added[i]
			of = append(of, takeComment(tx, c, p))
			ops.Record(tx, events[i]...)
			if c.UserID != p.PostedByUserID {
				unviewed++
			}
		}
		made = card(unviewed)
		takesComments(tx, p, made)
		return of, tx.Run(ctx)
	})
	return errs, made
}

// AddHeld stores a comment on p that is held, with its case, and e. It fails like Add.
func (s *Comments) AddHeld(ctx context.Context, c *social.Comment, p *social.Post, in desk.CaseStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	created := comments.Create(tx, storedComment(c))
	commentCounts.Moved(tx, nil, c)
	profiles.Check(tx, profileKey(c.UserID)).If(hadProfile, c.CommentedAt)
	takesComments(tx, p, social.CardChange{})
	ops.TakeCase(tx, in)
	ops.Record(tx, e...)
	err := tx.Run(ctx)
	if keyspec.Refused(err, created) {
		return refusal.ErrTaken
	}
	return stored.Outcome(err)
}

// Release shows others a comment that was held, with all counters and its case, and stores e. It
// fails with Conflict if the comment is no longer held, the post no longer exists, or the owner
// has viewed the post since.
func (s *Comments) Release(ctx context.Context, r social.CommentRemoval, e ...outbox.Record) error {
	tx := s.db.NewTx()
	c, p := r.Comment, r.Post
	held := *c
	held.Held = true
	comments.Update(tx, commentKey(c.CommentID)).If("commentedAt = ? AND held = ?", c.CommentedAt, true).Remove("held").Set("keptAt", c.KeptAt)
	postCommentCounts.Moved(tx, &held, c)
	joinPost(tx, c, p, r.Unviewed)
	ops.TakeCase(tx, *r.Case)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// joinPost requires p, and adds the comment to its unviewed ones if unviewed is set, provided that
// the owner has not viewed p since.
func joinPost(tx *keyspec.Tx, c *social.Comment, p *social.Post, unviewed bool) {
	on := posts.Update(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, p.PostedAt)
	if !unviewed {
		return
	}
	unviewedBy(tx, c, p)
	on.Shift("commentsUnviewedCount", 1)
	if p.UnviewedCommentAt.IsZero() {
		asCounted(on, "commentsUnviewedCount", p.CommentsUnviewedCount)
		on.Set("lastUnreadCommentAt", c.CommentedAt).Given("postedByUserId", p.PostedByUserID)
	}
}

// takeComment adds a comment on p to a transaction, with its counters. It returns the actions that
// create it and require its author.
func takeComment(tx *keyspec.Tx, c *social.Comment, p *social.Post) []keyspec.Action {
	created := comments.Create(tx, storedComment(c))
	postCommentCounts.Moved(tx, nil, c)
	commentCounts.Moved(tx, nil, c)
	if c.UserID != p.PostedByUserID {
		posts.Update(tx, postKey(p.PostID)).Shift("commentsUnviewedCount", 1).
			Set("lastUnreadCommentAt", c.CommentedAt).Given("postedByUserId", p.PostedByUserID)
	}
	return []keyspec.Action{created, profiles.Check(tx, profileKey(c.UserID)).If(hadProfile, c.CommentedAt)}
}

// takesComments adds the conditions that p takes comments, and the card that counts them.
func takesComments(tx *keyspec.Tx, p *social.Post, card social.CardChange) {
	on := posts.Update(tx, postKey(p.PostID)).
		If(samePost, p.PostedByUserID, p.PostedAt).
		If("attribute_not_exists(commentsDisabled) OR commentsDisabled = ?", false)
	if card.After != nil {
		changeCard(tx, card)
		asCounted(on, "commentsUnviewedCount", p.CommentsUnviewedCount)
	}
}

// Flag stores a flag of a comment on p. It fails with Conflict if either no longer exists,
// or the flags, the viewers or the post's status differ from those in p and c.
func (s *Comments) Flag(ctx context.Context, c *social.Comment, p *social.Post, flag social.Flag, report desk.CaseStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	at := c.CommentedAt
	asCounted(comments.Update(tx, commentKey(c.CommentID)).If("commentedAt = ?", at), "flagCount", c.FlagCount)
	on := posts.Check(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, p.PostedAt).If("postStatus = ?", p.Status)
	asCounted(on, "viewedByCount", p.ViewedByCount)
	flagRowsOf[social.FlagOnComment].add(tx, flag, at)
	ops.TakeCase(tx, report)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// Keep stores a comment that a moderator decided to keep, without the flags that are cleared,
// with the decision and e. It fails with Conflict if the comment no longer exists or has been
// flagged since.
func (s *Comments) Keep(ctx context.Context, c *social.Comment, cleared []social.Flag, decided desk.CaseStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	on := comments.Update(tx, commentKey(c.CommentID)).If("commentedAt = ?", c.CommentedAt).Set("keptAt", c.KeptAt)
	asCounted(on, "flagCount", c.FlagCount)
	for _, f := range cleared {
		flagRowsOf[social.FlagOnComment].remove(tx, f)
	}
	ops.TakeCase(tx, decided)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// Restore takes a forced removal back with all counters, and stores e. It fails with ErrTaken if the id is
// in use, and with Conflict if the post or the author's profile no longer exists, or the
// owner has viewed the post since.
func (s *Comments) Restore(ctx context.Context, r social.CommentRemoval, e ...outbox.Record) error {
	tx := s.db.NewTx()
	c, p := r.Comment, r.Post
	created := comments.Create(tx, storedComment(c))
	postCommentCounts.Moved(tx, nil, c)
	joinPost(tx, c, p, r.Unviewed)
	commentCounts.Moved(tx, nil, c)
	profiles.Update(tx, profileKey(c.UserID)).If(hadProfile, c.CommentedAt).Shift("commentDeletedCount", -1).Shift("commentForcedDeletionCount", -1)
	ops.TakeCase(tx, *r.Case)
	ops.Record(tx, e...)
	err := tx.Run(ctx)
	if keyspec.Refused(err, created) {
		return refusal.ErrTaken
	}
	return stored.Outcome(err)
}

// unviewedBy checks that the owner of p has not viewed it since the comment.
func unviewedBy(tx *keyspec.Tx, c *social.Comment, p *social.Post) {
	postViews.Check(tx, postViews.Key(string(p.PostID), string(p.PostedByUserID))).
		If("attribute_not_exists(lastViewedAt) OR lastViewedAt < ?", c.CommentedAt)
}

// Remove carries out a removal, updates all counters, and stores e. It fails with Conflict
// if the comment or its post no longer exists, the owner has viewed the post since, or, for
// a forced removal, the flags or viewers have changed since the decision.
func (s *Comments) Remove(ctx context.Context, r social.CommentRemoval, e ...outbox.Record) error {
	return countingFor(func(authors bool) (keyspec.Action, error) {
		tx := s.db.NewTx()
		c, p := r.Comment, r.Post
		removed := comments.Delete(tx, commentKey(c.CommentID)).If("commentedAt = ?", c.CommentedAt)
		postCommentCounts.Moved(tx, c, nil)
		on := leavePost(tx, c, p, r.Unviewed)
		if r.Forced {
			asCounted(removed, "flagCount", c.FlagCount)
			asCounted(on, "viewedByCount", p.ViewedByCount)
		}
		author := profiles.Update(tx, profileKey(c.UserID))
		if authors {
			uncountComment(tx, c)
			if r.Forced {
				author.Shift("commentForcedDeletionCount", 1)
			}
		}
		if r.Case != nil {
			ops.TakeCase(tx, *r.Case)
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

// Purge removes a comment whose author no longer has a profile, updates the counters of p,
// and stores e. unviewed is set if the comment is one that p's owner has not viewed. p is
// nil if the post no longer exists. Purge fails with Conflict like Remove.
func (s *Comments) Purge(ctx context.Context, c *social.Comment, p *social.Post, unviewed bool, e ...outbox.Record) error {
	tx := s.db.NewTx()
	comments.Delete(tx, commentKey(c.CommentID)).If("commentedAt = ?", c.CommentedAt)
	if p != nil {
		postCommentCounts.Moved(tx, c, nil)
		leavePost(tx, c, p, unviewed)
	}
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// leavePost returns an update of p that removes the comment from its unviewed ones if
// unviewed is set, provided that the owner has not viewed p since.
func leavePost(tx *keyspec.Tx, c *social.Comment, p *social.Post, unviewed bool) keyspec.Update {
	on := posts.Update(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, p.PostedAt)
	if unviewed {
		unviewedBy(tx, c, p)
		removeUnviewed(on, p)
	}
	return on
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

// maxCommentsRemoved is the maximum number of comments that a transaction can remove, each
// with a counter of its author, in addition to checking the post.
const maxCommentsRemoved = 49

// removeLeftovers falls back to single comments if some are not leftovers or no longer
// exist, or if an author has another profile.
func (s *Comments) removeLeftovers(ctx context.Context, id social.PostID, on []*social.Comment) error {
	write := func(counts bool) (author keyspec.Action, err error) {
		latest := on[0].CommentedAt
		tx := s.db.NewTx()
		for _, c := range on {
			comments.Delete(tx, commentKey(c.CommentID)).If("commentedAt = ?", c.CommentedAt)
			author = profiles.Update(tx, profileKey(c.UserID))
			if counts {
				uncountComment(tx, c)
			}
			if c.CommentedAt.After(latest) {
				latest = c.CommentedAt
			}
		}
		posts.Check(tx, postKey(id)).If(gonePost, latest)
		return author, tx.Run(ctx)
	}
	if len(on) == 1 {
		return refusal.IgnoreConflict(countingFor(write))
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
func uncountComment(tx *keyspec.Tx, c *social.Comment) {
	commentCounts.Moved(tx, c, nil)
	profiles.Update(tx, profileKey(c.UserID)).If(hadProfile, c.CommentedAt).Shift("commentDeletedCount", 1)
}
