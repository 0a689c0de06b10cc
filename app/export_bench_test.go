package app_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// BenchmarkExport reports the memory that the export of a person holds beyond what the process
// holds before it, garbage aside, in MiB, and its size. STOA_EXPORT_SHARE is the share of 10,000 posts and
// 100,000 messages that the person has, by default a hundredth.
func BenchmarkExport(b *testing.B) {
	share := 0.01
	if s, err := strconv.ParseFloat(os.Getenv("STOA_EXPORT_SHARE"), 64); err == nil {
		share = s
	}
	w := apptest.Bench(b, Staffed, StaffOptions()...)
	w.Do(Users("ana", "ben").Does("ana", `mutation { createDirectChat(userId: "{ben}", chatId: "d", messageId: "m", messageText: "hi") { chatId } }`)...)
	for i := range int(10_000 * share) {
		w.Does("ana", `mutation($p: ID!) { addPost(postId: $p, postType: TEXT_ONLY, text: "a text of some words about nothing") { postId } }`,
			apptest.Vars{"p": fmt.Sprint("p", i)})
	}
	for i := range int(100_000 * share) {
		w.Does("ana", `mutation($m: ID!) { addChatMessage(chatId: "d", messageId: $m, text: "a message of some words") { messageId } }`,
			apptest.Vars{"m": fmt.Sprint("m", i)})
	}
	for b.Loop() {
		idle, peak := heap(), atomic.Uint64{}
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				case <-time.After(20 * time.Millisecond):
					peak.Store(max(peak.Load(), heap()))
				}
			}
		}()
		size := &counter{}
		if err := w.Host.Desk.Service.WriteExport(b.Context(), w.ID("ana"), size); err != nil {
			b.Fatal(err)
		}
		close(stop)
		<-stopped
		b.ReportMetric(float64(max(peak.Load(), idle)-idle)/(1<<20), "MiB-above-idle")
		b.ReportMetric(float64(size.n)/(1<<20), "MiB-written")
	}
}

// heap returns the bytes that are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}
