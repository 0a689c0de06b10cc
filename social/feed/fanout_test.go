package feed_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"stoa/internal/kit/bus"
	"stoa/internal/kit/lease"
	"stoa/internal/kit/page"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
	"stoa/social/feed"
	"stoa/store/storetest"
)

// bounded is a feed store that keeps the most places it was ever given at once.
type bounded struct {
	feed.Store
	most, written atomic.Int64
}

func (b *bounded) Put(ctx context.Context, items []social.FeedItem) error {
	b.most.Store(max(b.most.Load(), int64(len(items))))
	b.written.Add(int64(len(items)))
	return b.Store.Put(ctx, items)
}

type noMetrics struct{}

func (noMetrics) Delivered(string, time.Duration) {}
func (noMetrics) Failed(string)                   {}

// process is one that delivers what is committed on the world's store.
func (w *world) process(name string, feeds *feed.Service) (*outbox.Dispatcher, outbox.Sender) {
	now := func() time.Time { return w.now }
	store := ops.Open(w.store.DB)
	d := outbox.New(outbox.Config{
		Store: store.Outbox, Leases: &lease.Keeper{Store: store.Leases, Holder: name, For: time.Minute, Now: now},
		Bus: &bus.Local{}, Now: now, Log: slog.New(slog.NewTextHandler(w.t.Output(), nil)), Metrics: noMetrics{}, Poll: time.Hour, Wait: time.Minute,
	})
	outbox.FanOut(d, "feed", feeds.PostMoved)
	return d, outbox.Sender{Clock: now, NewID: uuid.NewString, Dispatcher: d}
}

// publish adds a post and delivers its event as far as a mutation does.
func (w *world) publish(s outbox.Sender, owner, id string) {
	w.t.Helper()
	p := &social.Post{
		PostID: social.PostID(id), PostedByUserID: w.users[owner], Type: social.TextOnly, Status: social.PostCompleted, PostedAt: w.tick(), Text: "t",
	}
	e := s.New(w.t.Context(), social.PostMoved{UserID: p.PostedByUserID, PostID: p.PostID, To: p.Status})
	w.ok(w.store.Posts.Take(w.t.Context(), social.NewPostStep(nil, p, nil, p.PostedAt), e...))
	s.Committed(w.t.Context(), e...)
}

// places counts the feeds that hold a post.
func (w *world) places(id string) int {
	w.t.Helper()
	n := 0
	for q := (page.Query{First: 1000}); ; {
		p, err := w.store.Feeds.OfPost(w.t.Context(), social.PostID(id), q)
		w.ok(err)
		n += len(p.Items)
		if q.After = p.Next; q.After == "" {
			return n
		}
	}
}

// A post to many followers is answered after some hundred of them. The others follow
// while nobody waits, in another process if that one dies, a page at a time, and keep no
// other event from being delivered.
func TestAPostToFiftyThousandFollowers(t *testing.T) {
	t.Parallel()
	const followers = 50_000
	w := newWorld(t, "ana", "ben")
	fill := w.store.NewFill()
	for i := range followers {
		fill.Follow(social.Follow{
			FollowerUserID: storetest.UserID(fmt.Sprint("follower", i)), FollowedUserID: w.users["ana"],
			Status: social.Following, FollowedAt: storetest.Noon.Add(time.Duration(i) * time.Microsecond),
		})
		if fill.Len() == 5000 {
			w.ok(fill.Run(t.Context()))
		}
	}
	w.ok(fill.Run(t.Context()))
	feeds := &bounded{Store: w.store.Feeds}
	w.service.Store = feeds

	_, sender := w.process("a", w.service)
	w.publish(sender, "ana", "p1")
	if n := w.places("p1"); n < 500 || n > 700 {
		t.Errorf("the answer waited for %d places, want 500 and not many more", n)
	}
	w.publish(sender, "ben", "p2")
	equal(t, "ben's own feed meanwhile", w.feed("ben"), "p2")

	// The first process dies. Its heir goes on at the cursor.
	heir, sender := w.process("b", w.service)
	w.publish(sender, "ben", "p3")
	equal(t, "ben's own feed while the heir has not begun", w.feed("ben"), "p3 p2")
	w.now = w.now.Add(time.Hour)
	w.ok(heir.Drain(t.Context()))
	equal(t, "places", w.places("p1"), followers+1)
	if most := feeds.most.Load(); most > page.Max+1 {
		t.Errorf("%d places were held at once", most)
	}
	// The first process has not removed its event, so that the heir begins the event again
	// as its mutation did, and finds the lane.
	if again := feeds.written.Load() - followers - 3; again > 700 {
		t.Errorf("%d places were written again", again)
	}
}
