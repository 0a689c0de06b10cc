package picture

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"stoa/internal/media/picture/heif/heiftest"
	"stoa/internal/media/picture/picturetest"
)

var photo = sync.OnceValue(func() []byte { return picturetest.JPEG(picturetest.Photo(4032, 3024), nil) })

func BenchmarkProcess(b *testing.B) {
	b.Run("jpeg-12MP", func(b *testing.B) { benchmark(b, photo(), 1) })
	b.Run("jpeg-12MP-ten-at-once", func(b *testing.B) { benchmark(b, photo(), 10) })
	b.Run("jpeg-1MP", func(b *testing.B) { benchmark(b, picturetest.JPEG(picturetest.Photo(1152, 864), nil), 1) })
	b.Run("heic-12MP", func(b *testing.B) { benchmark(b, heiftest.Phone().File(), 1) })
}

// benchmark processes n copies of an image concurrently, and reports the peak memory of the
// process.
func benchmark(b *testing.B, data []byte, n int) {
	p := NewProcessor(DefaultLimits())
	runtime.GC()
	stop, peak := make(chan struct{}), make(chan uint64)
	go func() {
		most := uint64(0)
		for {
			select {
			case <-stop:
				peak <- most
				return
			case <-time.After(2 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.Sys-m.HeapReleased)
			}
		}
	}()
	b.ResetTimer()
	for b.Loop() {
		var all sync.WaitGroup
		for range n {
			all.Go(func() {
				if _, err := p.Process(context.Background(), Input{Data: data, Formats: anyFormat}); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
	}
	b.StopTimer()
	close(stop)
	b.ReportMetric(float64(<-peak)/1e6, "peak-MB")
	b.ReportMetric(float64(len(data))/1e6, "file-MB")
}
