package seed

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/fake"
	"stoa/social"
)

// storyLife is the lifetime of a post that is a story from the start.
const storyLife = social.StoryHorizon

// stories returns the stories of person i as of now, oldest first, without comments or
// likes.
func (n *network) stories(i int, now time.Time) []written {
	r := n.random(i, ofStories)
	if r.IntN(3) > 0 {
		return nil
	}
	stories := make([]written, 1+r.IntN(3))
	for k := range stories {
		text, tags := n.compose(r, i, postSentences)
		age := time.Minute + time.Duration(r.Int64N(int64(storyLife/2)))
		at := now.Add(-age).Truncate(time.Microsecond)
		stories[k].post = social.Post{
			PostID: social.PostID(fake.UUID(r)), PostedByUserID: n.people[i].id, Type: social.TextOnly, Status: social.PostCompleted,
			PostedAt: at, ExpiresAt: at.Add(storyLife), Text: text, TextTags: tags, LikesDisabled: likable,
		}
	}
	slices.SortFunc(stories, func(a, b written) int { return a.post.PostedAt.Compare(b.post.PostedAt) })
	return stories
}

// watch adds views of stories of person i by about half of the readers, by which the stories
// and the person trend.
func (w *writer) watch(i int, stories []written) {
	r := w.random(i, ofViews)
	readers := w.readers[i]
	var ofUser *social.Trend
	for k := range stories {
		p := &stories[k].post
		ofPost := (*social.Trend)(nil).Earned(1, p.PostedAt)
		for _, n := range r.Perm(len(readers))[:(len(readers)+1)/2] {
			at := p.PostedAt.Add(time.Duration(r.Int64N(int64(w.now.Sub(p.PostedAt))))).Truncate(time.Microsecond)
			w.fill.PostView(social.PostView{
				PostID: p.PostID, UserID: w.people[readers[n]].id, FirstViewedAt: at, LastViewedAt: at, ViewCount: 1, ThumbnailViewCount: 1,
			})
			p.ViewedByCount++
			ofPost, ofUser = ofPost.Earned(1, at), ofUser.Earned(1, at)
		}
		w.fill.PostTrend(p.PostID, *ofPost.Deflated(w.now))
		w.tallies[w.people[i].id].views += p.ViewedByCount
	}
	if ofUser != nil {
		w.fill.UserTrend(w.people[i].id, *ofUser.Deflated(w.now))
	}
}

// tell gives images to the stories of person i, if they are a painter, adding them to
// painted, and writes the first story for each follower.
func (w *writer) tell(ctx context.Context, i int, stories []written, painted map[social.PostID]*social.PostImage) error {
	if len(stories) == 0 {
		return nil
	}
	r := w.random(i, ofStoryPictures)
	posts := make([]*social.Post, len(stories))
	for k := range stories {
		p := &stories[k].post
		posts[k] = p
		if !w.paints(i) {
			continue
		}
		about, err := w.picture(ctx, r, p)
		if err != nil {
			return err
		}
		painted[p.PostID] = about
	}
	first := social.FirstOf(w.people[i].id, posts)
	for _, reader := range w.readers[i] {
		w.fill.FirstStory(social.FirstStory{
			FollowedUserID: first.PostedByUserID, FollowerUserID: w.people[reader].id,
			PostID: first.PostID, ExpiresAt: first.ExpiresAt,
		})
	}
	w.result.Stories += len(stories)
	w.watch(i, stories)
	return nil
}
