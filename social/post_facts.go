package social

import (
	"context"
	"time"

	"stoa/internal/kit/refusal"
)

// PostFacts are a post and what its viewer has left on it, read together. Only a store
// makes them; what a change makes of them is a method here.
type PostFacts struct {
	// Viewer is for whom they were read, Read what was read besides the post.
	Viewer UserID
	Read   Detail

	Post  *Post
	Marks Marks
	// Album is the one that the post is in, if that is there.
	Album *Album
	// Image is nil for a post about whose image nothing is stored.
	Image *PostImage
}

// PostImageRow is what is stored about the image of a post.
var PostImageRow = Details.New("POST_IMAGE")

// PostReader reads posts.
type PostReader interface {
	// Facts returns the posts among ids that exist, with the details that d asks for. No
	// ids cost nothing.
	Facts(ctx context.Context, viewer UserID, ids []PostID, d Detail) (map[PostID]PostFacts, error)
}

// NewPostFacts are the facts about a post that the caller just wrote, on which nobody
// has left anything. Of the details that d asks for, they know what the post itself can
// tell. It panics when the post is somebody else's.
func NewPostFacts(c Caller, p *Post, d Detail) PostFacts {
	mine(c.Viewer, p.PostedByUserID)
	return PostFacts{Viewer: c.UserID, Read: d & (LikeMark | ViewMark | FlagMark | TaggedUsers | PostImageRow | PostAlbum), Post: p}
}

// With returns the facts with what is stored about the post's image.
func (f PostFacts) With(image *PostImage) PostFacts {
	f.Image = image
	return f
}

// WithAlbum returns the facts with the album that the post is in, if that is among those
// given. One that is not the post's owner's has taken the id of theirs.
func (f PostFacts) WithAlbum(albums map[AlbumID]AlbumFacts) PostFacts {
	f.Album, f.Read = nil, f.Read|PostAlbum
	if a, found := albums[f.Post.AlbumID]; found && a.Album.OwnedByUserID == f.Post.PostedByUserID {
		f.Album = a.Album
	}
	return f
}

// Users returns whom a reader of the post meets: its owner and, if they are shown, the
// users that its text mentions. A user may come up more than once.
func (f PostFacts) Users() []UserID {
	ids := []UserID{f.Post.PostedByUserID}
	if f.Read.Has(TaggedUsers) {
		ids = taggedUsers(ids, f.Post.TextTags)
	}
	return ids
}

// Hidden reports whether the post's own status hides it from the viewer, whoever owns
// it. Users need not be read for such a post.
func (f PostFacts) Hidden() bool {
	return f.Post.Status != PostCompleted && f.Post.PostedByUserID != f.Viewer
}

// Owner returns the owner of the post as the viewer sees them, nil when they are gone.
func (f PostFacts) Owner(users SeenUsers) *SeenUser {
	return users.maker(f.Post.PostedByUserID, f.Viewer, f.Post.PostedAt)
}

// See shows the post to its viewer, who sees users as given. It returns nil for a post
// that they may not see: owners see their posts in every status, others the completed
// ones of whoever publishes to them.
func (f PostFacts) See(users SeenUsers) *SeenPost {
	owner := f.Owner(users)
	if owner == nil || f.Post.Outlives(owner.user) || !owner.IsSelf() && (f.Post.Status != PostCompleted || !owner.Published()) {
		return nil
	}
	s := &SeenPost{post: f.Post, owner: owner, marks: f.Marks, album: f.Album, image: f.Image, read: f.Read}
	if f.Read.Has(TaggedUsers) {
		s.tags = seeTags(f.Post.TextTags, users, latest(f.Post.PostedAt, f.Post.TextEditedAt))
	}
	return s
}

// Edited returns the facts as they are once the post is edited at a time. The tags are those
// of the new text.
func (f PostFacts) Edited(edit PostEdit, tags []TextTag, at time.Time) PostFacts {
	f.Post = edit.Of(f.Post, tags, at)
	return f
}

// After returns the facts as they are once step is made, of which the post is that of the
// facts.
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

// Deleting returns the facts as they are while the post is deleted.
func (f PostFacts) Deleting() PostFacts {
	f.Post = f.Post.Gone()
	return f
}

// Archived returns the facts as they are once the owner has taken the post back, or the
// reason why that cannot be.
func (f PostFacts) Archived() (PostFacts, error) {
	if f.Post.Status != PostCompleted {
		return f, refusal.Invalidf("Cannot archive post with status `%s`", f.Post.Status)
	}
	return f.in(PostArchived), nil
}

// Restored returns the facts as they are once the owner has brought the post back, or the
// reason why that cannot be.
func (f PostFacts) Restored() (PostFacts, error) {
	if f.Post.Status != PostArchived {
		return f, refusal.Invalidf("Post `%s` is not archived (has status `%s`)", f.Post.PostID, f.Post.Status)
	}
	return f.in(PostCompleted), nil
}

// Expiring returns the facts as they are once the owner has chosen when the post ends, nil
// for never, or the reason why that cannot be.
func (f PostFacts) Expiring(at *time.Time, now time.Time) (PostFacts, error) {
	p := *f.Post
	p.ExpiresAt = time.Time{}
	if at != nil {
		p.ExpiresAt = at.UTC().Truncate(time.Microsecond)
		if p.ExpiresAt.Before(now) {
			return f, refusal.Invalidf("Cannot set expiresAt to date time in the past: %s", at.UTC().Format("2006-01-02T15:04:05.000Z"))
		}
	}
	f.Post = &p
	return f, nil
}

func (f PostFacts) in(status PostStatus) PostFacts {
	p := *f.Post
	p.Status = status
	f.Post = &p
	return f
}
