package social

import (
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
)

// PostStep is a decided change of a post and of the albums that it enters, leaves or moves
// in. It is stored as a whole or not at all.
type PostStep struct {
	// Before is the post that the decision is based on, nil for a new post.
	Before *Post
	// After is the post after the step. With status DELETING the post is deleted.
	After  *Post
	Albums []AlbumStep

	// Image is the new information about the post's image, nil if unchanged. Metadata is
	// the metadata sent with the image of a new post.
	Image    *PostImage
	Metadata string
	// OwnerGone is set if the owner's profile was removed, so that their counters and
	// albums need no updates.
	OwnerGone bool
	// Upload is the file whose processing the step starts; nil for other steps.
	Upload *PostUpload
	// Flag is the flag added to the post, or nil.
	Flag *Flag
	// Cleared are flags taken off the post.
	Cleared []Flag
	// Case is the change of the post's case, or nil.
	Case *desk.CaseStep
	// Trend is the initial trend of a post whose completion earns points, or nil.
	Trend *Trend
	// Forced is 1 if moderation archives the post, and -1 if it takes that back.
	Forced int
}

// AlbumStep is the effect of a step on an album. An unchanged album is required to exist.
type AlbumStep struct{ Before, After *Album }

// AlbumsOf returns the albums that must be read for a step from one state of a post to
// another. before may be nil.
func AlbumsOf(before, after *Post) []AlbumID {
	var ids []AlbumID
	if before != nil && before.AlbumID != "" {
		ids = append(ids, before.AlbumID)
	}
	if after.AlbumID != "" && (before == nil || before.AlbumID != after.AlbumID) {
		ids = append(ids, after.AlbumID)
	}
	return ids
}

// NewPostStep returns the step from one state of a post, nil for a new one, to another.
// albums has those albums in AlbumsOf that exist; a post leaves an album that does not. A
// completed post that enters an album, or is completed in it, goes to its back; a post with
// another rank than before has moved there; posts that are not completed have no rank.
func NewPostStep(before, after *Post, albums map[AlbumID]AlbumFacts, at time.Time) PostStep {
	p := *after
	s := PostStep{Before: before, After: &p}
	from, old := place(before, albums)
	to, _ := place(&p, albums)
	if to == nil {
		p.AlbumID = ""
	}
	switch {
	case to == nil:
		p.AlbumRank = 0
	case p.Status != PostCompleted:
		p.AlbumRank = Unranked
	case from == nil || from.AlbumID != to.AlbumID || old == Unranked:
		p.AlbumRank = backRank(to.RankCount + 1)
	}
	if p.Status == PostDeleting {
		to = nil
	}
	completed := p.PostedAt
	switch {
	case from != nil && to != nil && from.AlbumID == to.AlbumID:
		if old == p.AlbumRank {
			s.keep(to)
			break
		}
		a := to.changed(one(p.AlbumRank != Unranked)-one(old != Unranked), at, completed)
		a.RankCount += one(p.AlbumRank != Unranked)
		s.Albums = append(s.Albums, AlbumStep{to, a})
	default:
		if from != nil && old != Unranked {
			s.Albums = append(s.Albums, AlbumStep{from, from.changed(-1, at)})
		}
		switch {
		case to == nil:
		case p.AlbumRank == Unranked:
			s.keep(to)
		default:
			a := to.changed(1, at, completed)
			a.RankCount++
			s.Albums = append(s.Albums, AlbumStep{to, a})
		}
	}
	return s
}

// place returns the post's album, if it exists, and the post's rank.
func place(p *Post, albums map[AlbumID]AlbumFacts) (*Album, float64) {
	if p == nil || p.AlbumID == "" {
		return nil, Unranked
	}
	return albums[p.AlbumID].Album, p.AlbumRank
}

// keep requires an album to exist.
func (s *PostStep) keep(a *Album) { s.Albums = append(s.Albums, AlbumStep{a, a}) }

// Changed reports whether the content of the album or its order changes.
func (s AlbumStep) Changed() bool { return s.Before != s.After }

// AlbumPostsChanged returns events for the albums whose content or order changes.
func (s PostStep) AlbumPostsChanged() []AlbumPostsChanged {
	var events []AlbumPostsChanged
	for _, a := range s.Albums {
		if a.Changed() {
			events = append(events, AlbumPostsChanged{AlbumID: a.After.AlbumID, Owner: a.After.OwnedByUserID, At: a.After.PostsLastUpdatedAt})
		}
	}
	return events
}

// Gone returns the post as shown while it is deleted.
func (p *Post) Gone() *Post {
	after := *p
	after.Status = PostDeleting
	return &after
}

// StatusChanged returns the event for a step that changes the post's status.
func (s PostStep) StatusChanged(at time.Time) PostStatusChanged {
	m := PostStatusChanged{
		PostID:         s.After.PostID,
		UserID:         s.After.PostedByUserID,
		Type:           s.After.Type,
		To:             s.After.Status,
		At:             at,
		OriginalPostID: s.After.OriginalPostID,
	}
	if s.Before != nil {
		m.From = s.Before.Status
		if m.To == PostDeleting {
			m.Unviewed = s.Before.CommentsUnviewedCount
		}
		m.Liked = m.From == PostArchived && m.To == PostCompleted && s.Before.OnymousLikeCount+s.Before.AnonymousLikeCount > 0
		m.SetAsUserPhoto = m.First() && On(s.Before.SetAsUserPhoto)
	}
	return m
}

// With returns the step with new information about the post's image, nil if there is none.
func (s PostStep) With(image *PostImage) PostStep {
	s.Image = image
	return s
}

// Until returns the latest time that the step stores. Times of new posts and of albums may
// be ahead of the clock.
func (s PostStep) Until() (last time.Time) {
	if s.Before == nil {
		last = s.After.PostedAt
	}
	for _, a := range s.Albums {
		if a.Changed() && a.After.PostsLastUpdatedAt.After(last) {
			last = a.After.PostsLastUpdatedAt
		}
	}
	return last
}

// album returns the post's album after the step.
func (s PostStep) album() *Album {
	for _, a := range s.Albums {
		if a.After.AlbumID == s.After.AlbumID {
			return a.After
		}
	}
	return nil
}

// ranked reports whether the post has a rank in its album.
func (p *Post) ranked() bool { return p.AlbumID != "" && p.AlbumRank != Unranked }

// Into returns the post after it is moved into an album of its owner, or out of its album
// if id is "", or an error if it cannot be.
func (p *Post) Into(id AlbumID, albums map[AlbumID]AlbumFacts) (*Post, error) {
	after := *p
	after.AlbumID, after.AlbumRank = id, Unranked
	if id == p.AlbumID {
		return p, nil
	}
	if id == "" {
		after.AlbumRank = 0
		return &after, nil
	}
	switch f, found := albums[id]; {
	case !found:
		return nil, refusal.NotFoundf("Album `%s` does not exist", id)
	case f.Album.OwnedByUserID != p.PostedByUserID:
		return nil, refusal.Invalidf("Album `%s` and post `%s` belong to different users", id, p.PostID)
	default:
		return &after, nil
	}
}

// CheckPreceding refuses a post that p cannot be placed behind. preceding is nil if it does
// not exist; id is the requested id.
func (p *Post) CheckPreceding(id PostID, preceding *Post) error {
	switch {
	case preceding == nil:
		return refusal.NotFoundf("Preceding post `%s` does not exist", id)
	case preceding.PostedByUserID != p.PostedByUserID:
		return refusal.Invalidf("Preceding post `%s` does not belong to caller", id)
	case preceding.AlbumID != p.AlbumID:
		return refusal.Invalidf("Preceding post `%s` is not in album post is in", id)
	default:
		return nil
	}
}

// Movable reports whether p, which is in an album, can move behind preceding, or to the
// front if that is nil. Only ranked posts move, and no post follows itself.
func (p *Post) Movable(preceding *Post) bool {
	return p.ranked() && (preceding == nil || preceding.PostID != p.PostID)
}

// PostPlace is the position of a post in its album.
type PostPlace struct {
	PostID PostID
	Rank   float64
}

// leastGap is the distance of ranks below which there is no room between them: repeated moves
// to the same place halve it each time. It is far greater than the least distance that ranks
// can have, so that there is a rank for a post that is moved there all the same.
const leastGap = 1e-12

// Crowds reports whether there is no room between the rank anchor and n, the place with the
// lowest rank above it, nil if there is none. In front of an album there always is.
func (n *PostPlace) Crowds(anchor float64) bool {
	return n != nil && anchor != Unranked && n.Rank-anchor < leastGap
}

// Anchor returns the rank behind which a post is to be placed, Unranked for the front. It
// is the front, too, if preceding has no rank.
func Anchor(preceding *Post) float64 {
	if preceding == nil {
		return Unranked
	}
	return preceding.AlbumRank
}

// Behind returns p placed behind the rank anchor in album a. next is the post with the
// lowest rank above anchor, or nil. It returns p itself if p is there already.
func (p *Post) Behind(anchor float64, next *PostPlace, a *Album) *Post {
	after := *p
	n := a.RankCount + 1
	switch {
	case next != nil && next.PostID == p.PostID:
		return p
	case anchor == Unranked:
		after.AlbumRank = frontRank(n)
	case next == nil:
		after.AlbumRank = backRank(n)
	default:
		after.AlbumRank = (anchor + next.Rank) / 2
	}
	return &after
}
