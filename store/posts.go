package store

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/search"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Posts stores posts and the counters of their status.
type Posts struct {
	db    *keyspec.DB
	words *search.Finder
}

func postKey(id social.PostID) keyspec.Key { return posts.Key(string(id)) }

// postDetails are the details that Facts reads. The users mentioned in a text are in the
// post's own row.
var postDetails = social.LikeMark | social.ViewMark | social.FlagMark | social.TaggedUsers | social.PostAlbum | social.PostImageRow

// Facts returns those posts that exist, with the details in d. One call reads up to 25
// posts with all marks, or 100 without any; their albums take another.
func (s *Posts) Facts(ctx context.Context, viewer social.UserID, ids []social.PostID, d social.Detail) (map[social.PostID]social.PostFacts, error) {
	b := s.db.NewBatch()
	found := posts.FetchEach(b, len(ids), func(i int) keyspec.Key { return postKey(ids[i]) })
	liked := fetchMarks(b, likes, d.Has(social.LikeMark), ids, viewer)
	viewed := fetchMarks(b, postViews, d.Has(social.ViewMark), ids, viewer)
	flagged := fetchMarks(b, postFlags, d.Has(social.FlagMark), ids, viewer)
	pictured := fetchImages(b, d.Has(social.PostImageRow), ids)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	facts := make(map[social.PostID]social.PostFacts, len(ids))
	for i, id := range ids {
		item := found.At(i)
		if item == nil {
			continue
		}
		f := social.PostFacts{Viewer: viewer, Read: d & postDetails, Post: item.post(), Image: pictured.image(i)}
		// A mark older than the post is a leftover of an earlier post with the same id.
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
	if d.Has(social.PostAlbum) {
		if err := s.addAlbums(ctx, viewer, facts); err != nil {
			return nil, err
		}
	}
	return facts, nil
}

// addAlbums adds the albums of posts.
func (s *Posts) addAlbums(ctx context.Context, viewer social.UserID, facts map[social.PostID]social.PostFacts) error {
	var ids []social.AlbumID
	for _, f := range facts {
		if f.Post.AlbumID != "" {
			ids = append(ids, f.Post.AlbumID)
		}
	}
	albums, err := (&Albums{s.db}).Facts(ctx, viewer, ids)
	if err != nil {
		return err
	}
	for id, f := range facts {
		facts[id] = f.WithAlbum(albums)
	}
	return nil
}

// ByUser returns a user's posts in a status, newest first, from A2.
func (s *Posts) ByUser(ctx context.Context, owner social.UserID, status social.PostStatus, q page.Query) (page.Page[*social.Post], error) {
	return stored.List(ctx, s.db, posts.Begins(A2, string(owner), string(status)), q, true, (*postItem).post)
}

// WithUnviewedComments returns a user's posts with comments they have not viewed, latest
// such comment first, from A3.
func (s *Posts) WithUnviewedComments(ctx context.Context, owner social.UserID, q page.Query) (page.Page[*social.Post], error) {
	return stored.List(ctx, s.db, posts.Begins(A3, string(owner)), q, true, (*postItem).post)
}

// Expired returns the posts that expire on the day of until, up to that time, from K1.
func (s *Posts) Expired(ctx context.Context, until time.Time, after string) (ids []social.PostID, next string, err error) {
	day, hour, _ := strings.Cut(strings.TrimSuffix(keyspec.StampOf(until).String(), "Z"), "T")
	p, err := stored.List(ctx, s.db, posts.Begins(K1, day).To(hour), page.Query{First: page.Max, After: after}, false, (*postItem).id)
	return p.Items, p.Next, err
}

// ExpiredBefore returns the posts that expire before a time. It scans the table.
func (s *Posts) ExpiredBefore(ctx context.Context, t time.Time) ([]social.PostID, error) {
	var ids []social.PostID
	err := s.db.Walk(ctx, posts.Each(func(i postItem) {
		if i.ExpiresAt != 0 && i.ExpiresAt < keyspec.StampOf(t) {
			ids = append(ids, i.PostID)
		}
	}))
	return ids, err
}

// InAlbum returns the posts shown in an album, by rank, from K3.
func (s *Posts) InAlbum(ctx context.Context, id social.AlbumID, q page.Query) (page.Page[social.PostID], error) {
	return stored.List(ctx, s.db, behind(id, social.Unranked), q, false, (*postItem).id)
}

// Behind returns the post of an album with the lowest rank above the given one, or nil if
// there is none.
func (s *Posts) Behind(ctx context.Context, id social.AlbumID, rank float64) (*social.PostPlace, error) {
	next, err := stored.List(ctx, s.db, behind(id, rank), page.Query{First: 1}, false, func(i *postItem) *social.PostPlace {
		return &social.PostPlace{PostID: i.PostID, Rank: i.rank()}
	})
	if err != nil || len(next.Items) == 0 {
		return nil, err
	}
	return next.Items[0], nil
}

// leastRank is the smallest positive rank that queries use. DynamoDB has no positive
// numbers below 1e-130.
const leastRank = 1e-120

// behind returns the range of posts in an album with ranks above the given one.
func behind(id social.AlbumID, rank float64) keyspec.Range[postItem] {
	above := math.Nextafter(rank, math.Inf(1))
	if rank == 0 {
		above = leastRank
	}
	return posts.Begins(K3, string(id)).From(strconv.FormatFloat(above, 'f', -1, 64))
}

// LeftInAlbum returns up to most posts that are in an album, shown or not.
func (s *Posts) LeftInAlbum(ctx context.Context, id social.AlbumID, most int) ([]social.PostID, error) {
	left, err := stored.List(ctx, s.db, posts.Begins(K3, string(id)), page.Query{First: most}, false, (*postItem).id)
	return left.Items, err
}

// Unshelve removes posts from an album that no longer exists, all or none. It fails with
// Conflict if one of them has changed.
func (s *Posts) Unshelve(ctx context.Context, left []*social.Post) error {
	tx := s.db.NewTx()
	for _, p := range left {
		before := postItemOf(p)
		after := before
		after.AlbumID, after.AlbumRank = "", nil
		asBefore(posts.Change(tx, before, after), &before)
	}
	return stored.Outcome(tx.Run(ctx))
}

// LastPostedAt returns the time of the last post that a user has added, even if it no
// longer exists; zero if they never added one.
func (s *Posts) LastPostedAt(ctx context.Context, owner social.UserID) (time.Time, error) {
	item, err := profiles.Get(ctx, s.db, profileKey(owner))
	if err != nil || item == nil {
		return time.Time{}, err
	}
	return item.LastPostedAt.Time(), nil
}

// Take stores a step with its counters, and e. It fails with ErrTaken if the id of a new
// post is in use, and with Conflict if the owner is gone or has another profile, a new post
// is not later than all other posts of the owner, or the post or an album has changed since
// the decision.
func (s *Posts) Take(ctx context.Context, step social.PostStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	created := takePostStep(tx, step)
	ops.Record(tx, e...)
	err := tx.Run(ctx)
	if created != nil && keyspec.Refused(err, created) {
		return refusal.ErrTaken
	}
	return stored.Outcome(err)
}

// takePostStep adds a step to a transaction, with its conditions and counters. It returns
// the action that creates a new post.
func takePostStep(tx *keyspec.Tx, step social.PostStep) (created keyspec.Action) {
	var before, after *postItem
	if step.Before != nil {
		item := postItemOf(step.Before)
		before = &item
	}
	if step.After.Status != social.PostDeleting {
		item := postItemOf(step.After)
		after = &item
	}
	switch {
	case before == nil:
		created = posts.Create(tx, *after)
		profiles.Update(tx, after.owner()).
			If("attribute_not_exists(lastPostedAt) OR lastPostedAt < ?", after.PostedAt).
			Set("lastPostedAt", after.PostedAt)
		postWords.Change(tx, nil, keywordsOf(after))
	case after == nil:
		withKeywords(asBefore(posts.Delete(tx, postKey(before.PostID)), before), before.Keywords)
		postWords.Change(tx, keywordsOf(before), nil)
		if !step.OwnerGone {
			profiles.Update(tx, before.owner()).Shift("postDeletedCount", 1)
		}
	default:
		u := posts.Change(tx, *before, *after)
		asBefore(u, before)
		switch hidden := before.VerificationHidden; { // the shown verification was derived from this
		case step.Image == nil:
		case hidden == nil:
			u.If("attribute_not_exists(verificationHidden)")
		default:
			u.If("verificationHidden = ?", *hidden)
		}
	}
	if !step.OwnerGone {
		counted := after
		if counted == nil {
			counted = before
		}
		profiles.Check(tx, counted.owner()).If(hadProfile, counted.PostedAt)
		postCounts.Moved(tx, before, after)
		for _, a := range step.Albums {
			takeAlbumStep(tx, a)
		}
		albumPostCounts.Moved(tx, before, after)
	}
	switch {
	case step.Trend != nil:
		postTrending.Put(tx, postTrendingItem{after.PostID, trendOf(step.Trend)})
	case before != nil && before.isCompleted() && (after == nil || !after.isCompleted()):
		postTrending.Delete(tx, postTrendKey(before.PostID))
	}
	if step.Flag != nil {
		on := posts.Update(tx, postKey(step.Before.PostID))
		asCounted(on, "flagCount", step.Before.FlagCount)
		asCounted(on, "viewedByCount", step.Before.ViewedByCount)
		flagRowsOf[social.FlagOnPost].add(tx, *step.Flag, before.PostedAt)
	}
	if step.Forced {
		profiles.Update(tx, before.owner()).Shift("postForcedArchivingCount", 1)
	}
	takeFiles(tx, step, before, after)
	return created
}

// asCounted makes a write conditional on a counter's value.
func asCounted[W interface{ If(string, ...any) W }](w W, attribute string, n int) {
	if n == 0 {
		w.If("attribute_not_exists("+attribute+") OR "+attribute+" = ?", 0)
		return
	}
	w.If(attribute+" = ?", n)
}

// asBefore makes a write conditional on all attributes that the post's keys are derived
// from.
func asBefore[W interface{ If(string, ...any) W }](w W, before *postItem) W {
	w.If(samePost, before.PostedByUserID, before.PostedAt).If("postStatus = ?", before.PostStatus)
	if before.AlbumID == "" {
		w.If("attribute_not_exists(albumId)")
	} else {
		w.If("albumId = ?", before.AlbumID)
	}
	if before.ExpiresAt == 0 {
		w.If("attribute_not_exists(expiresAt)")
	} else {
		w.If("expiresAt = ?", before.ExpiresAt)
	}
	return w
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

// Edit stores the fields of p that edit changes, and e; before is the post before the edit.
// It fails with Conflict if the owner no longer has the post, or if keywords are edited
// that are not those of before.
func (s *Posts) Edit(ctx context.Context, before, p *social.Post, edit social.PostEdit, e ...outbox.Record) error {
	tx := s.db.NewTx()
	u := posts.Update(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, keyspec.StampOf(p.PostedAt))
	after := postItemOf(p)
	if edit.Text != nil {
		u.Set("text", after.Text).Set("textTags", after.TextTags).Set("textEditedAt", after.TextEditedAt)
	}
	if edit.Keywords != nil {
		u.Set("keywords", after.Keywords)
		withKeywords(u, before.Keywords)
		from := postItemOf(before)
		postWords.Change(tx, keywordsOf(&from), keywordsOf(&after))
	}
	choose(u, "commentsDisabled", edit.CommentsDisabled)
	choose(u, "likesDisabled", edit.LikesDisabled)
	choose(u, "sharingDisabled", edit.SharingDisabled)
	choose(u, "verificationHidden", edit.VerificationHidden)
	if edit.VerificationHidden != nil {
		// The shown verdict was derived from the stored one.
		u.If("postStatus = ?", p.Status).Set("isVerified", after.IsVerified).Set("isVerifiedHiddenValue", after.IsVerifiedHiddenValue)
	}
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// choose sets a switch unless choice is nil.
func choose(u keyspec.Update, attribute string, choice *bool) {
	if choice != nil {
		u.Set(attribute, choice)
	}
}

// postOf is true of the post that an item was added to at a time, and false for a newer
// post with the same id.
const postOf = "postedAt <= ?"

// samePost distinguishes a post from a later one that reuses its id.
const samePost = "postedByUserId = ? AND postedAt = ?"

// gonePost is true if the post that items were added to at a time no longer exists, even if
// its id has been reused.
const gonePost = "attribute_not_exists(postId) OR postedAt > ?"

func (i *postItem) post() *social.Post {
	return &social.Post{
		PostID:                i.PostID,
		PostedByUserID:        i.PostedByUserID,
		Type:                  i.PostType,
		Status:                i.PostStatus,
		StatusReason:          i.PostStatusReason,
		PostedAt:              i.PostedAt.Time(),
		ExpiresAt:             i.ExpiresAt.Time(),
		AlbumID:               i.AlbumID,
		AlbumRank:             i.rank(),
		Text:                  i.Text,
		TextTags:              textTagsOf(i.TextTags),
		TextEditedAt:          i.TextEditedAt.Time(),
		Keywords:              i.Keywords,
		IsVerified:            i.IsVerified,
		IsVerifiedHidden:      i.IsVerifiedHiddenValue,
		Checksum:              i.Checksum,
		OriginalPostID:        i.OriginalPostID,
		SetAsUserPhoto:        i.SetAsUserPhoto,
		CommentsDisabled:      i.CommentsDisabled,
		LikesDisabled:         i.LikesDisabled,
		SharingDisabled:       i.SharingDisabled,
		VerificationHidden:    i.VerificationHidden,
		ViewedByCount:         i.ViewedByCount,
		FlagCount:             i.FlagCount,
		OnymousLikeCount:      i.OnymousLikeCount,
		AnonymousLikeCount:    i.AnonymousLikeCount,
		CommentCount:          i.CommentCount,
		CommentsUnviewedCount: i.CommentsUnviewedCount,
		UnviewedCommentAt:     i.LastUnreadCommentAt.Time(),
	}
}

// postItemOf returns the row of a post. Counters are zero in a new post, and later change
// by increments only.
func postItemOf(p *social.Post) postItem {
	item := postItem{
		PostID:                p.PostID,
		PostedByUserID:        p.PostedByUserID,
		PostType:              p.Type,
		PostStatus:            p.Status,
		PostStatusReason:      p.StatusReason,
		PostedAt:              keyspec.StampOf(p.PostedAt),
		ExpiresAt:             keyspec.StampOf(p.ExpiresAt),
		Text:                  p.Text,
		TextTags:              textTagItems(p.Text, p.TextTags),
		TextEditedAt:          keyspec.StampOf(p.TextEditedAt),
		Keywords:              p.Keywords,
		OriginalPostID:        p.OriginalPostID,
		IsVerified:            p.IsVerified,
		IsVerifiedHiddenValue: p.IsVerifiedHidden,
		Checksum:              p.Checksum,
		SetAsUserPhoto:        p.SetAsUserPhoto,
		CommentsDisabled:      p.CommentsDisabled,
		LikesDisabled:         p.LikesDisabled,
		SharingDisabled:       p.SharingDisabled,
		VerificationHidden:    p.VerificationHidden,
	}
	if p.AlbumID != "" {
		rank := p.AlbumRank
		item.AlbumID, item.AlbumRank = p.AlbumID, &rank
	}
	return item
}

func (i *postItem) id() social.PostID { return i.PostID }

// rank returns the post's place in its album, or 0 if it is in none.
func (i *postItem) rank() float64 {
	if i.AlbumRank == nil {
		return 0
	}
	return *i.AlbumRank
}
