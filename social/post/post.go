// Package post manages posts: who may see them, what may be published, and how they are
// edited and deleted.
//
// A post leaves this package only as a SeenPost, made for a viewer who may see it. Ids from
// an index or a feed are no permission: pass them through Items.
package post

import (
	"context"
	"log/slog"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/together"
	"stoa/internal/kit/turns"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores posts.
type Store interface {
	social.PostReader
	social.PostLister
	social.AlbumPostReader
	// Together runs independent reads, concurrently if these wait for a server.
	Together(ctx context.Context, reads ...together.Work) error
	// Mark adds those marks in d that are of likes and views to facts that were read for the
	// viewer. It reads none that cannot exist, and no views of the viewer's own posts.
	Mark(ctx context.Context, viewer social.UserID, facts map[social.PostID]social.PostFacts, d social.Detail) error
	// WithUnviewedComments returns a user's posts with comments that the user has not
	// viewed, latest unviewed comment first.
	WithUnviewedComments(ctx context.Context, owner social.UserID, q page.Query) (page.Page[*social.Post], error)
	// Search returns the posts whose keywords match a text, best match first, starting at
	// offset, and whether there are more.
	Search(ctx context.Context, text string, offset, limit int) (ids []social.PostID, more bool, err error)
	// Scores returns the trending scores of those posts among ids that are trending.
	Scores(ctx context.Context, ids []social.PostID) (map[social.PostID]float64, error)
	// Keywords returns distinct keywords of posts that match a text.
	Keywords(ctx context.Context, text string, limit int) ([]string, error)
	// LastPostedAt returns the time of a user's newest post, even if it has been deleted,
	// or zero if there was none.
	LastPostedAt(ctx context.Context, owner social.UserID) (time.Time, error)
	// Apply stores a step with its counters, and e. It fails with ErrTaken if the id of a
	// new post is in use, and with Conflict if a new post is not later than all other posts
	// of its owner, or the post or an album has changed.
	Apply(ctx context.Context, step social.PostStep, e ...outbox.Record) error
	// Edit stores those parts of the edited post p that edit changes, and e. It fails with
	// Conflict if the owner no longer has the post, or if keywords are edited and the
	// stored ones differ from those of before.
	Edit(ctx context.Context, before, p *social.Post, edit social.PostEdit, in *desk.CaseStep, e ...outbox.Record) error
	// Expired returns the posts that expire before a time, on the day of the moment before it.
	Expired(ctx context.Context, before time.Time, q page.Query) (page.Page[social.PostID], error)
	// ExpiredBefore returns the posts that expire before t. It reads all posts.
	ExpiredBefore(ctx context.Context, t time.Time) ([]social.PostID, error)
	// Behind returns the post of an album with the lowest rank above rank, or nil.
	Behind(ctx context.Context, id social.AlbumID, rank float64) (*social.PostPlace, error)
	// Unshelve takes posts out of a deleted album, all or none. It fails with Conflict if
	// one of them has changed.
	Unshelve(ctx context.Context, left []*social.Post) error
	UploadStore
}

// People reads users and resolves mentions in texts.
type People interface {
	social.People
	social.Tagger
}

// Service implements the post area. All fields are required.
type Service struct {
	decision.Frame
	Store    Store
	Albums   social.AlbumReader
	People   People
	Profiles social.ProfileReader
	// Files may be nil if all posts are text-only.
	Files      Files
	Moderators social.Moderators
	// Flags weighs flags, and takes them off posts; Cases has the cases of what was flagged.
	Flags social.Flags
	Cases social.Cases
	// FollowedByAll is the user whose posts earn no trend.
	FollowedByAll social.FollowedByAll
	// Checker checks posts before others are shown them; nil if nothing is checked.
	Checker desk.Checker
	// Adding lets one post of an owner and an id be added at a time, as the files of all of them are
	// stored in the same place.
	Adding *turns.Turns
	// Process identifies this process among all servers that process uploads.
	Process string
	Logger  *slog.Logger
}

// step returns the step from before to after at the present time, with the post's albums.
func (s *Service) step(ctx context.Context, before, after *social.Post) (social.PostStep, error) {
	albums, err := s.Albums.Facts(ctx, after.PostedByUserID, social.AlbumsOf(before, after))
	if err != nil {
		return social.PostStep{}, err
	}
	return social.NewPostStep(before, after, albums, s.Now()), nil
}

// apply stores a step with its events. The decision ends when all times in it have passed.
// The causes are events other than those of stories and albums.
func (s *Service) apply(ctx context.Context, a *decision.Attempt, step social.PostStep, causes ...outbox.Event) error {
	return s.Store.Apply(ctx, step, s.effects(a, step, causes...)...)
}

// effects returns the events of a step, with its causes.
func (s *Service) effects(a *decision.Attempt, step social.PostStep, causes ...outbox.Event) []outbox.Record {
	if m, moved := step.StoryChanged(); moved {
		causes = append(causes, m)
	}
	for _, e := range step.AlbumPostsChanged() {
		causes = append(causes, e)
	}
	a.Until(step.Until())
	return a.Emit(causes...)
}

// own returns the facts of the caller's post with the details in d, or an error if it does
// not exist or belongs to another user.
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

// show returns the caller's own post as they see it. It reads only mentioned users, and is
// called before anything is written, so that a change never fails after it was stored.
func (s *Service) show(ctx context.Context, c social.Caller, f social.PostFacts, d social.Detail) (*social.SeenPost, error) {
	users := social.SeenUsers{}
	if met := f.Users(); len(met) > 1 {
		var err error
		if users, err = s.People.VisibleTo(ctx, c, met, d); err != nil {
			return nil, err
		}
	}
	users[c.UserID] = c.See()
	return f.See(users), nil
}
