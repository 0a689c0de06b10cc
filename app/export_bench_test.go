package app_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/engine/enginetest"
	. "stoa/social/socialtest"
)

// BenchmarkExport reports the memory that the export of a person holds beyond what the process
// holds before it, at most, in MiB, and its size. Both are without garbage: the export waits while that is
// collected. The data are on disk, as in memory they would be part of the heap. STOA_EXPORT_SHARE is the share
// of 10,000 posts and 100,000 messages that the person has, by default a hundredth.
func BenchmarkExport(b *testing.B) {
	share := 0.01
	if s, err := strconv.ParseFloat(os.Getenv("STOA_EXPORT_SHARE"), 64); err == nil {
		share = s
	}
	w := apptest.BenchOn(b, enginetest.Open(b, b.TempDir()), Staffed, StaffOptions()...)
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
		idle, to := heap(), &observed{}
		if err := w.Host.Desk.Service.WriteExport(b.Context(), w.ID("ana"), to); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(max(to.peak, idle)-idle)/(1<<20), "MiB-above-idle")
		b.ReportMetric(float64(to.bytes)/(1<<20), "MiB-written")
	}
}

// heap returns the bytes that are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// observed discards what is written to it, and looks at the heap every now and then.
type observed struct {
	bytes, seen int
	peak        uint64
}

func (o *observed) Write(p []byte) (int, error) {
	if o.bytes += len(p); o.bytes-o.seen >= 32<<10 || o.seen == 0 {
		o.seen, o.peak = o.bytes, max(o.peak, heap())
	}
	return len(p), nil
}
