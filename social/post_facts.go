package social

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stamp"
)

// PostFacts are a post and the viewer's marks on it, read together. Only a store creates
// them; methods here return the facts after a change.
type PostFacts struct {
	// Viewer is the viewer they were read for, Read the details that were read.
	Viewer UserID
	Read   Detail

	Post  *Post
	Marks Marks
	// Album is the post's album, if it exists.
	Album *Album
	// Image is nil if nothing is stored about the post's image.
	Image *PostImage
}

// PostImageRow is the stored information about a post's image.
var PostImageRow = Details.New("POST_IMAGE")

// PostReader reads posts.
type PostReader interface {
	// Facts returns those posts that exist, with the details in d. It is free for no ids.
	Facts(ctx context.Context, viewer UserID, ids []PostID, d Detail) (map[PostID]PostFacts, error)
}

// PostLister lists the posts of users.
type PostLister interface {
	// ByUser returns the posts of a user of the given status, newest first.
	ByUser(ctx context.Context, owner UserID, status PostStatus, q page.Query) (page.Page[*Post], error)
}

// AlbumPostReader reads which posts are in an album.
type AlbumPostReader interface {
	// LeftInAlbum returns at most most posts that are in an album, shown there or not.
	LeftInAlbum(ctx context.Context, id AlbumID, most int) ([]PostID, error)
}

// NewPostFacts returns the facts of a post that the caller has just added, without marks.
// They have those details in d that the post alone determines. It panics if the post is
// another user's.
func NewPostFacts(c Caller, p *Post, d Detail) PostFacts {
	mine(c.Viewer, p.PostedByUserID)
	return PostFacts{Viewer: c.UserID, Read: d & (LikeMark | ViewMark | FlagMark | TaggedUsers | PostImageRow | PostAlbum), Post: p}
}

// With returns the facts with the given information about the post's image.
func (f PostFacts) With(image *PostImage) PostFacts {
	f.Image = image
	return f
}

// WithAlbum returns the facts with the post's album, if it is among albums. An album of
// another user has reused the id and is ignored.
func (f PostFacts) WithAlbum(albums map[AlbumID]AlbumFacts) PostFacts {
	f.Album, f.Read = nil, f.Read|PostAlbum
	if a, found := albums[f.Post.AlbumID]; found && a.Album.OwnedByUserID == f.Post.PostedByUserID {
		f.Album = a.Album
	}
	return f
}

// Users returns the users that a reader of the post sees: its owner, and the mentioned
// users if they are shown. There may be duplicates.
func (f PostFacts) Users() []UserID {
	ids := []UserID{f.Post.PostedByUserID}
	if f.Read.Has(TaggedUsers) {
		ids = taggedUsers(ids, f.Post.TextTags)
	}
	return ids
}

// Hidden reports whether the post's status alone hides it from the viewer, so that its
// users need not be read.
func (f PostFacts) Hidden() bool {
	return f.Post.Status != PostCompleted && f.Post.PostedByUserID != f.Viewer
}

// Owner returns the owner of the post as the viewer sees them, or nil if they are gone.
func (f PostFacts) Owner(users SeenUsers) *SeenUser {
	return users.maker(f.Post.PostedByUserID, f.Viewer, f.Post.PostedAt)
}

// See returns the post as its viewer sees it, or nil if they may not see it. Owners see
// their posts in every status, others only completed posts of owners who publish to them.
func (f PostFacts) See(users SeenUsers) *SeenPost {
	owner := f.Owner(users)
	if owner == nil || f.Post.Outlives(owner.user) || !owner.IsSelf() && (f.Post.Status != PostCompleted || !owner.Published()) {
		return nil
	}
	s := &SeenPost{post: f.Post, owner: owner, marks: f.Marks.of(owner), album: f.Album, image: f.Image, read: f.Read}
	if f.Read.Has(TaggedUsers) {
		s.tags = seeTags(f.Post.TextTags, users, f.Post.TextAt())
	}
	return s
}

// Edited returns the facts after an edit. The tags are those of the new text.
func (f PostFacts) Edited(edit PostEdit, tags []TextTag, at time.Time) PostFacts {
	f.Post = edit.Of(f.Post, tags, at)
	return f
}

// After returns the facts after step, which must be a step of their post.
func (f PostFacts) After(step PostStep) PostFacts {
	f.Post = step.After
	switch a := step.album(); {
	case f.Post.AlbumID == "":
		f.Album = nil
	case a != nil:
		f.Album = a
	}
	return f
}

// Deleting returns the facts of the post as shown while it is deleted.
func (f PostFacts) Deleting() PostFacts {
	f.Post = f.Post.Gone()
	return f
}

// Archived returns the facts after the owner has archived the post, or an error if they
// cannot.
func (f PostFacts) Archived() (PostFacts, error) {
	if f.Post.Status != PostCompleted {
		return f, refusal.Invalidf("Cannot archive post with status `%s`", f.Post.Status)
	}
	return f.in(PostArchived, RemovedByAuthor), nil
}

// Restored returns the facts after the owner has restored the post, or an error if they
// cannot, because of its status or because moderation removed it.
func (f PostFacts) Restored() (PostFacts, error) {
	if f.Post.Status != PostArchived {
		return f, refusal.Invalidf("Post `%s` is not archived (has status `%s`)", f.Post.PostID, f.Post.Status)
	}
	switch {
	case f.Post.RemovedBy == RemovedByModerator:
		return f, refusal.Invalidf("Post `%s` was removed by a moderator", f.Post.PostID)
	case f.Post.Held:
		return f, refusal.Invalidf("Post `%s` waits for a moderator", f.Post.PostID)
	case f.Post.RemovedBy == RemovedByProgram:
		return f, refusal.Invalidf("Post `%s` was removed by the content check", f.Post.PostID)
	}
	return f.in(PostCompleted, ""), nil
}

// Expiring returns the facts after the owner has set when the post expires, nil for never,
// or an error if they cannot.
func (f PostFacts) Expiring(at *time.Time, now time.Time) (PostFacts, error) {
	p := *f.Post
	p.ExpiresAt = time.Time{}
	if at != nil {
		p.ExpiresAt = at.UTC().Truncate(time.Microsecond)
		if p.ExpiresAt.Before(now) {
			return f, refusal.Invalidf("Cannot set expiresAt to date time in the past: %s", stamp.MilliOf(*at))
		}
		// Keys have four digits for the year: a later one would sort before today and expire
		// at once.
		if p.ExpiresAt.Year() > 9999 {
			return f, refusal.Invalidf("Cannot set expiresAt to date time after the year 9999: %s", stamp.MilliOf(*at))
		}
	}
	f.Post = &p
	return f, nil
}

func (f PostFacts) in(status PostStatus, by RemovedBy) PostFacts {
	p := *f.Post
	p.Status, p.RemovedBy = status, by
	f.Post = &p
	return f
}
