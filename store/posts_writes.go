package store

import (
	"cmp"
	"context"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Apply stores a step with its counters, and e. It fails with ErrTaken if the id of a new
// post is in use, and with Conflict if the owner is gone or has another profile, a new post
// is not later than all other posts of the owner, or the post or an album has changed since
// the decision.
func (s *Posts) Apply(ctx context.Context, step social.PostStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	created := takePostStep(tx, step)
	return stored.Outcome(ops.Commit(ctx, tx, e...), stored.On(refusal.ErrTaken, created))
}

// takePostStep adds a step to a transaction, with its conditions and counters. It returns
// the action that creates a new post.
func takePostStep(tx *keyspec.Tx, step social.PostStep) (created keyspec.Action) {
	var before, after *social.Post
	if step.Before != nil {
		before = storedPost(step.Before)
	}
	if step.After.Status != social.PostDeleting {
		after = storedPost(step.After)
	}
	switch {
	case before == nil:
		created = posts.Create(tx, *after)
		profiles.Update(tx, postOwner(after)).
			If("attribute_not_exists(lastPostedAt) OR lastPostedAt < ?", after.PostedAt).
			Set("lastPostedAt", after.PostedAt)
		postWords.Change(tx, nil, keywordsOf(after))
	case after == nil:
		withKeywords(asBefore(posts.Delete(tx, postKey(before.PostID)), before), before.Keywords)
		postWords.Change(tx, keywordsOf(before), nil)
		if !step.OwnerGone {
			profiles.Update(tx, postOwner(before)).Shift("postDeletedCount", 1)
		}
	default:
		u := posts.Change(tx, *before, *after)
		asBefore(u, before)
		if before.Status == social.PostArchived { // who archived it decides who may restore it
			asRemoved(u, before.RemovedBy)
		}
		switch hidden := before.VerificationHidden; { // the shown verification was derived from this
		case step.Image == nil:
		case hidden == nil:
			u.If("attribute_not_exists(verificationHidden)")
		default:
			u.If("verificationHidden = ?", *hidden)
		}
	}
	if !step.OwnerGone {
		counted := cmp.Or(after, before)
		profiles.Check(tx, postOwner(counted)).If(hadProfile, counted.PostedAt)
		postCounts.Moved(tx, before, after)
		if (before != nil && isCompleted(before)) != (after != nil && isCompleted(after)) {
			profiles.Update(tx, postOwner(counted)).Shift("postsVersion", 1)
		}
		for _, a := range step.Albums {
			takeAlbumStep(tx, a)
		}
		albumPostCounts.Moved(tx, before, after)
	}
	switch {
	case step.Trend != nil:
		postTrending.Put(tx, postTrendingItem{after.PostID, *step.Trend})
	case before != nil && isCompleted(before) && (after == nil || !isCompleted(after)):
		postTrending.Delete(tx, postTrendKey(before.PostID))
	}
	if step.Flag != nil {
		on := posts.Update(tx, postKey(step.Before.PostID))
		asCounted(on, "flagCount", step.Before.FlagCount)
		asCounted(on, "viewedByCount", step.Before.ViewedByCount)
		flagRowsOf[social.FlagOnPost].add(tx, *step.Flag, before.PostedAt)
	}
	if len(step.Cleared) > 0 {
		asCounted(posts.Update(tx, postKey(step.Before.PostID)), "flagCount", step.Before.FlagCount)
		for _, f := range step.Cleared {
			flagRowsOf[social.FlagOnPost].remove(tx, f)
		}
	}
	if step.Case != nil {
		ops.TakeCase(tx, *step.Case)
	}
	if step.Forced != 0 && !step.OwnerGone {
		profiles.Update(tx, postOwner(cmp.Or(after, before))).Shift("postForcedArchivingCount", step.Forced)
	}
	takeFiles(tx, step, before, after)
	return created
}

// Edit stores the fields of p that edit changes, and e; before is the post before the edit, and in the
// step of its case if it is held and its text is edited, otherwise nil.
// It fails with Conflict if the owner no longer has the post, or if keywords are edited
// that are not those of before.
func (s *Posts) Edit(ctx context.Context, before, p *social.Post, edit social.PostEdit, in *desk.CaseStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	u := posts.Update(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, p.PostedAt)
	after := storedPost(p)
	if edit.Text != nil {
		u.Set("text", after.Text).Set("textTags", after.TextTags).Set("textEditedAt", after.TextEditedAt)
	}
	if edit.Keywords != nil {
		u.Set("keywords", after.Keywords)
		withKeywords(u, before.Keywords)
		postWords.Change(tx, keywordsOf(before), keywordsOf(after))
	}
	choose(u, "commentsDisabled", edit.CommentsDisabled)
	choose(u, "likesDisabled", edit.LikesDisabled)
	choose(u, "sharingDisabled", edit.SharingDisabled)
	choose(u, "verificationHidden", edit.VerificationHidden)
	if edit.VerificationHidden != nil {
		// The shown verdict was derived from the stored one.
		u.If("postStatus = ?", p.Status).Set("isVerified", after.IsVerified).Set("isVerifiedHiddenValue", after.IsVerifiedHidden)
	}
	if in != nil {
		ops.TakeCase(tx, *in)
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// choose sets a switch unless choice is nil.
func choose(u keyspec.Update, attribute string, choice *bool) {
	if choice != nil {
		u.Set(attribute, choice)
	}
}

// asBefore makes a write conditional on all attributes that the post's keys are derived
// from.
func asBefore[W interface{ If(string, ...any) W }](w W, before *social.Post) W {
	w.If(samePost, before.PostedByUserID, before.PostedAt).If("postStatus = ?", before.Status)
	if before.AlbumID == "" {
		w.If("attribute_not_exists(albumId)")
	} else {
		w.If("albumId = ?", before.AlbumID)
	}
	if before.ExpiresAt.IsZero() {
		w.If("attribute_not_exists(expiresAt)")
	} else {
		w.If("expiresAt = ?", before.ExpiresAt)
	}
	return w
}

// asRemoved makes a write conditional on who archived the post.
func asRemoved(u keyspec.Update, by social.RemovedBy) {
	if by == "" {
		u.If("attribute_not_exists(removedBy)")
		return
	}
	u.If("removedBy = ?", by)
}

// asCounted makes a write conditional on a counter's value.
func asCounted[W interface{ If(string, ...any) W }](w W, attribute string, n int) {
	if n == 0 {
		w.If("attribute_not_exists("+attribute+") OR "+attribute+" = ?", 0)
		return
	}
	w.If(attribute+" = ?", n)
}

// withKeywords makes a write conditional on the post having the keywords that are indexed
// for it.
func withKeywords[W interface{ If(string, ...any) W }](w W, keywords []string) {
	if keywords == nil {
		w.If("attribute_not_exists(keywords)")
		return
	}
	w.If("keywords = ?", keywords)
}

// samePost distinguishes a post from a later one that reuses its id.
const samePost = "postedByUserId = ? AND postedAt = ?"

// postOf is true of the post that an item was added to at a time, and false for a newer
// post with the same id.
const postOf = "postedAt <= ?"

// gonePost is true if the post that items were added to at a time no longer exists, even if
// its id has been reused.
const gonePost = "attribute_not_exists(postId) OR postedAt > ?"
