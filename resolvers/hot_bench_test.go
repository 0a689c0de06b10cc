package resolvers_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// BenchmarkCrowd has 500 users a second do the same to one post for three seconds, over a store
// 12 ms away. It reports quantiles of the time that they wait, from when they ask, and the share
// of transactions that are canceled because of others. Run it with -benchtime 1x.
func BenchmarkCrowd(b *testing.B) {
	const crowd, every, latency = 1500, 2 * time.Millisecond, 12 * time.Millisecond
	for _, c := range []struct{ name, mutation, count string }{
		{"likes", `mutation { onymouslyLikePost(postId: "%s") { postId } }`, "onymousLikeCount"},
		{"comments", `mutation { addComment(commentId: "%s-%d", postId: "%[1]s", text: "hello") { commentId } }`, "commentsCount"},
		{"views", `mutation { reportPostViews(postIds: ["%s"]) }`, "viewedByCount"},
	} {
		b.Run(c.name, func(b *testing.B) {
			w, store := apptest.BenchDistant(b, System)
			w.Do(Users("ben")...)
			for i := range crowd {
				w.Do(Users(fmt.Sprint("user", i))...)
			}
			posted := 0
			for b.Loop() {
				b.StopTimer()
				store.SetLatency(0)
				post := fmt.Sprint("p", posted)
				posted++
				w.Do(Given{}.Post("ben", post)...)
				store.SetLatency(latency)
				store.Transactions.Store(0)
				store.Canceled.Store(0)
				b.StartTimer()
				waits := make([]time.Duration, crowd)
				var all sync.WaitGroup
				begun := time.Now()
				for i := range crowd {
					due := begun.Add(time.Duration(i) * every)
					time.Sleep(time.Until(due))
					all.Go(func() {
						query := fmt.Sprintf(c.mutation, post)
						if strings.Contains(c.mutation, "%d") {
							query = fmt.Sprintf(c.mutation, post, i)
						}
						send(b, w, fmt.Sprint("user", i), query)
						waits[i] = time.Since(due)
					})
				}
				all.Wait()
				b.StopTimer()
				slices.Sort(waits)
				for _, q := range []int{50, 99} {
					b.ReportMetric(float64(waits[crowd*q/100].Milliseconds()), fmt.Sprintf("p%d-ms", q))
				}
				b.ReportMetric(100*float64(store.Canceled.Load())/float64(store.Transactions.Load()), "%canceled")
				b.ReportMetric(float64(crowd)/time.Since(begun).Seconds(), "mutations/s")
				store.SetLatency(0)
				w.Settle()
				Tells(w, "ben", fmt.Sprintf(`{ post(postId: %q) { %s } }`, post, c.count), fmt.Sprintf(`{"post":{%q:%d}}`, c.count, crowd))
				b.StartTimer()
			}
		})
	}
}

// send sends a request, which must succeed.
func send(b *testing.B, w *World, as, query string) {
	body := strings.NewReader(fmt.Sprintf(`{"query":%q}`, w.People.Fill(query)))
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", body)
	if err != nil {
		b.Error(err)
		return
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {as}}
	answer := counted{header: http.Header{}}
	if w.Handler.ServeHTTP(&answer, r); answer.status != http.StatusOK || answer.failed {
		b.Errorf("%s: status %d, failed %t", as, answer.status, answer.failed)
	}
}
