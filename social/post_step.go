package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// PostStep is what one decision makes of a post, and of the albums that it enters, leaves
// or moves in. All of it is stored together or not at all.
type PostStep struct {
	// Before is the post on which was decided, nil for a new one.
	Before *Post
	// After is the post as it shall be. With status DELETING it goes.
	After  *Post
	Albums []AlbumStep

	// Image is what is known about the post's image after the step, nil for what was known
	// before; Metadata came along with the image of a new post.
	Image    *PostImage
	Metadata string
	// OwnerGone says that the owner's profile was removed: it goes with its counters, and its
	// albums with theirs.
	OwnerGone bool
	// Upload is the file with which the processing of the post begins; nil for other steps.
	Upload *PostUpload
	// Flag is what the post is reported with, nil for a step that is no report.
	Flag *Flag
	// Trend is the trend with which a post is completed that earns points, nil for others.
	Trend *Trend
	// Forced tells that the post is archived by moderation.
	Forced bool
}

// AlbumStep is what a step makes of an album. One that it leaves as it is must be there
// all the same.
type AlbumStep struct{ Before, After *Album }

// AlbumsOf are the albums that a step from one state of a post to another has to know. The
// first may be nil.
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

// NewPostStep is the step from one state of a post, nil for none, to another, made at a
// time. Of the albums that AlbumsOf names it is given those that exist: a post leaves one
// that is gone. A completed post that enters an album, or is completed in it, goes to its
// back; one that has another rank than before has moved there; no other has a rank.
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

// place returns the album that a post is in, if that is there, and the post's rank.
func place(p *Post, albums map[AlbumID]AlbumFacts) (*Album, float64) {
	if p == nil || p.AlbumID == "" {
		return nil, Unranked
	}
	return albums[p.AlbumID].Album, p.AlbumRank
}

// keep says that an album must be there.
func (s *PostStep) keep(a *Album) { s.Albums = append(s.Albums, AlbumStep{a, a}) }

// Changed reports whether the album shows anything else, or in another order.
func (s AlbumStep) Changed() bool { return s.Before != s.After }

// Arranged are the albums that show something else after the step, or show it in another
// order.
func (s PostStep) Arranged() []AlbumArranged {
	var events []AlbumArranged
	for _, a := range s.Albums {
		if a.Changed() {
			events = append(events, AlbumArranged{AlbumID: a.After.AlbumID, Owner: a.After.OwnedByUserID, At: a.After.PostsLastUpdatedAt})
		}
	}
	return events
}

// Gone returns the post as it is shown while it goes.
func (p *Post) Gone() *Post {
	after := *p
	after.Status = PostDeleting
	return &after
}

// Moved tells of a step, made at a time, that gives the post another status.
func (s PostStep) Moved(at time.Time) PostMoved {
	m := PostMoved{PostID: s.After.PostID, UserID: s.After.PostedByUserID, Type: s.After.Type, To: s.After.Status, At: at, OriginalPostID: s.After.OriginalPostID}
	if s.Before != nil {
		m.From = s.Before.Status
		m.SetAsUserPhoto = m.First() && On(s.Before.SetAsUserPhoto)
	}
	return m
}

// With returns the step with what is then known about the post's image, nil for nothing
// new.
func (s PostStep) With(image *PostImage) PostStep {
	s.Image = image
	return s
}

// Until is when all times that the step stores have passed: those of a new post and of
// albums may lie ahead of the clock.
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

// album returns the album that the post is in after the step.
func (s PostStep) album() *Album {
	for _, a := range s.Albums {
		if a.After.AlbumID == s.After.AlbumID {
			return a.After
		}
	}
	return nil
}

// ranked reports whether the post has a rank among those that its album shows.
func (p *Post) ranked() bool { return p.AlbumID != "" && p.AlbumRank != Unranked }

// Into returns the post as it is put into an album of its owner, or taken out for "", or
// the reason why that cannot be.
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

// CheckPreceding refuses a post, nil for none, behind which p cannot stand. The id is what
// was asked for.
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

// Movable reports whether p, which is in an album, can move behind a post, nil for the
// front: only what the album shows moves, and a post does not follow itself.
func (p *Post) Movable(preceding *Post) bool {
	return p.ranked() && (preceding == nil || preceding.PostID != p.PostID)
}

// PostPlace is where a post stands in its album.
type PostPlace struct {
	PostID PostID
	Rank   float64
}

// Anchor is the rank behind which p is to stand, and Unranked for the front. A post that
// the album does not show is no place to stand behind.
func Anchor(preceding *Post) float64 {
	if preceding == nil {
		return Unranked
	}
	return preceding.AlbumRank
}

// Behind returns p at its place in album a behind the rank anchor, where next is the post
// with the lowest rank above that, nil for none. It returns p itself when it stands there.
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
