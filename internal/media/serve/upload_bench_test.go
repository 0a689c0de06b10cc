package serve

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"testing"
)

// forgetful accepts uploads and discards them.
type forgetful struct{}

func (forgetful) Limit(string) int64                     { return 64 << 20 }
func (forgetful) Owner(string) string                    { return "" }
func (forgetful) Uploaded(context.Context, Upload) error { return nil }

// BenchmarkUpload sends 50 MiB over a connection. It reports the memory allocated per
// upload by server and client together, which does not grow with the size.
func BenchmarkUpload(b *testing.B) {
	const size = 50 << 20
	w := newWorld(b)
	w.handler.Receiver = forgetful{}
	address := w.handler.Links.Upload(native)
	b.SetBytes(size)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		answer, _ := w.send("PUT", address, io.LimitReader(rand.NewChaCha8([32]byte{}), size), "Content-Type", "image/jpeg")
		if answer.StatusCode != http.StatusOK {
			b.Fatalf("answered %d", answer.StatusCode)
		}
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/1e6, "MB-allocated/op")
}
