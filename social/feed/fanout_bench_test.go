package feed_test

import (
	"fmt"
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// BenchmarkFanOut adds a post by a user with 10,000 followers and waits until all feeds
// contain it. It reports feed rows per second.
func BenchmarkFanOut(b *testing.B) {
	const many = 10_000
	w := apptest.Bench(b, System)
	w.Do(followers(Users("ana"), "ana", many)...)
	posted := 0
	for b.Loop() {
		posted++
		w.Must("ana", fmt.Sprintf(`mutation { addPost(postId: "p%d", postType: TEXT_ONLY, text: "t") { postId } }`, posted))
		if err := w.Host.Outbox.Drain(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	if n := places(w, "p1"); n != many+1 {
		b.Errorf("%d places, want %d", n, many+1)
	}
	b.ReportMetric(float64(posted*(many+1))/b.Elapsed().Seconds(), "rows/s")
}
