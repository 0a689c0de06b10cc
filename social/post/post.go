// Package post decides about posts: who sees one, what may be published, how a post
// changes and how it ends.
//
// A post leaves this package as a SeenPost only, made for one viewer after its rules
// were asked. Ids from an index or a feed are no permission: pass them through Items.
package post

import (
	"context"
	"log/slog"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps posts.
type Store interface {
	social.PostReader
	// ByUser returns the posts of a user in a status, newest first.
	ByUser(ctx context.Context, owner social.UserID, status social.PostStatus, q page.Query) (page.Page[*social.Post], error)
	// WithUnviewedComments returns the posts of a user with comments that the user has not
	// viewed, latest unviewed comment first.
	WithUnviewedComments(ctx context.Context, owner social.UserID, q page.Query) (page.Page[*social.Post], error)
	// Search returns the posts whose keywords match a text, from an offset on, the best
	// first, and whether there are more.
	Search(ctx context.Context, text string, offset, limit int) (ids []social.PostID, more bool, err error)
	// Scores returns the trending scores of those posts among ids that are trending.
	Scores(ctx context.Context, ids []social.PostID) (map[social.PostID]float64, error)
	// Keywords returns different keywords of posts that match a text.
	Keywords(ctx context.Context, text string, limit int) ([]string, error)
	// LastPostedAt is the time of the post that a user added last, even if that is gone;
	// zero before the first.
	LastPostedAt(ctx context.Context, owner social.UserID) (time.Time, error)
	// Take makes a step with all that it counts, and stores e. It fails with ErrTaken when
	// the id of a new post is in use, and with Conflict when a new post is not posted later
	// than all its owner's others, or the post or an album is not as the step was decided
	// on.
	Take(ctx context.Context, step social.PostStep, e ...outbox.Record) error
	// Edit stores those parts of p, an edited post that was as before says, that edit
	// changes, and e. It fails with Conflict when the owner has no such post any more, and
	// when its keywords change from others than those before.
	Edit(ctx context.Context, before, p *social.Post, edit social.PostEdit, e ...outbox.Record) error
	// Expired returns the posts that end on the day of a time, not after it.
	Expired(ctx context.Context, until time.Time, after string) (ids []social.PostID, next string, err error)
	// ExpiredBefore returns the posts that end before a time, by looking at all there are.
	ExpiredBefore(ctx context.Context, t time.Time) ([]social.PostID, error)
	// Behind returns the post of an album with the lowest rank above one, nil when there is
	// none.
	Behind(ctx context.Context, id social.AlbumID, rank float64) (*social.PostPlace, error)
	// LeftInAlbum returns posts that are in an album, shown there or not, up to a number.
	LeftInAlbum(ctx context.Context, id social.AlbumID, most int) ([]social.PostID, error)
	// Unshelve takes posts out of an album that is gone, all or none. It fails with
	// Conflict when one of them is not as given any more.
	Unshelve(ctx context.Context, left []*social.Post) error
	UploadStore
}

// People knows users and the names in texts.
type People interface {
	social.People
	social.Tagger
}

// Service decides about posts. All fields must be set.
type Service struct {
	Store  Store
	Albums social.AlbumReader
	People People
	// Files may be nil where all posts are of text.
	Files  Files
	Events outbox.Sender
	// Process names this process among all that work on the same posts.
	Process string
	Logger  *slog.Logger
}

// step decides what becomes of the albums of a post as it turns into another, at the
// present time.
func (s *Service) step(ctx context.Context, before, after *social.Post) (social.PostStep, error) {
	albums, err := s.Albums.Facts(ctx, after.PostedByUserID, social.AlbumsOf(before, after))
	if err != nil {
		return social.PostStep{}, err
	}
	return social.NewPostStep(before, after, albums, s.Events.Now()), nil
}

// take makes a step with what it causes, and waits until all times in it have passed. The
// causes are events besides those of stories and albums.
func (s *Service) take(ctx context.Context, step social.PostStep, causes ...outbox.Event) error {
	if m, moved := step.Storied(); moved {
		causes = append(causes, m)
	}
	for _, a := range step.Arranged() {
		causes = append(causes, a)
	}
	e := s.Events.New(ctx, causes...)
	if err := s.Store.Take(ctx, step, e...); err != nil {
		return err
	}
	s.Events.Committed(ctx, e...)
	s.Events.Await(step.Until())
	return nil
}

// own returns the facts of the caller's post id with the details that d asks for, or
// refuses with the text for a post that does not exist or is somebody else's.
func (s *Service) own(ctx context.Context, c social.Caller, id social.PostID, verb string, d social.Detail) (social.PostFacts, error) {
	facts, err := s.Store.Facts(ctx, c.UserID, []social.PostID{id}, d)
	f, found := facts[id]
	switch {
	case err != nil:
		return f, err
	case !found, f.Post.PostedByUserID == c.UserID && f.Post.Outlives(c.User):
		return f, missing(id)
	case f.Post.PostedByUserID != c.UserID:
		return f, refusal.Invalidf("Cannot %s another User's post", verb)
	default:
		return f, nil
	}
}

func missing(id social.PostID) error { return refusal.NotFoundf("Post `%s` does not exist", id) }

// show shows the caller their own post. It reads only users whom the text mentions, and
// is called before anything is written, so that a change never fails after it is made.
func (s *Service) show(ctx context.Context, c social.Caller, f social.PostFacts, d social.Detail) (*social.SeenPost, error) {
	users := social.SeenUsers{}
	if met := f.Users(); len(met) > 1 {
		var err error
		if users, err = s.People.Visible(ctx, c.Viewer, met, d); err != nil {
			return nil, err
		}
	}
	users[c.UserID] = c.See()
	return f.See(users), nil
}
