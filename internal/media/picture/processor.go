package picture

import (
	"context"
	"errors"
	"image"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"
)

// Limits limit the cost of one picture.
type Limits struct {
	// Bytes is the maximum size of the file.
	Bytes int
	// Pixels is the maximum size of the picture before cropping.
	Pixels int
	// Time is the timeout of decoding, without waiting for others. It stops pictures
	// designed to take forever, and suffices for a large picture on a busy machine.
	Time time.Duration
	// Memory is the approximate memory for all pictures being processed concurrently. A
	// picture that needs more by itself is processed alone, and is too large if it needs more
	// than Largest.
	Memory, Largest int64
	// Workers is the number of pictures processed concurrently.
	Workers int
}

// DefaultLimits returns limits that accept photos of 50 megapixels from phones, HEIC and
// cropped ones included; of 108 if they are JPEG files and not cropped. PNG files may have 37
// megapixels, progressive JPEG files 33.
func DefaultLimits() Limits {
	return Limits{
		Bytes: 64 << 20, Pixels: 120_000_000, Time: time.Minute,
		Memory: 192 << 20, Largest: 288 << 20, Workers: runtime.GOMAXPROCS(0),
	}
}

// Processor processes a limited number of pictures at a time. Its methods wait for their
// turn.
type Processor struct {
	limits  Limits
	workers *semaphore.Weighted
	memory  *semaphore.Weighted
	reading *semaphore.Weighted
}

// NewProcessor returns a processor with the given limits. A process should have one.
func NewProcessor(limits Limits) *Processor {
	return &Processor{
		limits:  limits,
		workers: semaphore.NewWeighted(int64(limits.Workers)),
		memory:  semaphore.NewWeighted(limits.Memory),
		reading: semaphore.NewWeighted(int64(limits.Bytes)),
	}
}

// Reading waits until a file of some bytes may be read into memory, to be processed: all such
// files together are no larger than one may be. The second result ends that.
func (p *Processor) Reading(ctx context.Context, size int64) (end func(), err error) {
	size = min(size, int64(p.limits.Bytes))
	if err := p.reading.Acquire(ctx, size); err != nil {
		return nil, err
	}
	return func() { p.reading.Release(size) }, nil
}

// Input is an uploaded picture.
type Input struct {
	Data []byte
	// Formats are the accepted formats.
	Formats []Format
	// Crop is the part of the upright picture to keep. The zero Rectangle keeps all of it.
	Crop image.Rectangle
}

// Picture is a picture in all its sizes.
type Picture struct {
	// Format is the format of the upload. Native is a JPEG file unless PNG or WebP was
	// kept.
	Format Format
	// Cropped is set if the crop excludes a part of the picture.
	Cropped bool
	// Width and Height are the native size of the upright picture.
	Width, Height int
	// Colors are five representative colors, or nil if the picture is all white.
	Colors []Color
	// Native is the unmodified input, except for its location and what follows its end, if
	// clients support its format.
	Native []byte
	// Thumbnails are JPEG files, one for each of Sizes.
	Thumbnails [][]byte
}

// All returns the files by size name.
func (p *Picture) All() map[string][]byte {
	all := map[string][]byte{Native: p.Native}
	for i, s := range Sizes {
		all[s.Name] = p.Thumbnails[i]
	}
	return all
}

// fixedCost is the memory for a picture's smaller renditions.
const fixedCost = 40 << 20

// begin waits for a worker and for memory, and starts the timeout. The second result ends
// both.
func (p *Processor) begin(ctx context.Context, cost int64) (context.Context, func(), error) {
	if err := p.workers.Acquire(ctx, 1); err != nil {
		return nil, nil, err
	}
	cost = min(cost, p.limits.Memory)
	if err := p.memory.Acquire(ctx, cost); err != nil {
		p.workers.Release(1)
		return nil, nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, p.limits.Time)
	return bounded, func() {
		cancel()
		p.collect(cost)
		p.memory.Release(cost)
		p.workers.Release(1)
	}, nil
}

// collect collects what a large picture has left behind, so that the next step or picture
// does not add to it.
func (p *Processor) collect(cost int64) {
	if cost > p.limits.Memory/2 {
		debug.FreeOSMemory()
	}
}

// spare takes idle workers for decoding tiles concurrently. The second result releases
// them.
func (p *Processor) spare() (int, func()) {
	n := 0
	for p.workers.TryAcquire(1) {
		n++
	}
	return n, func() { p.workers.Release(int64(n)) }
}

// tooSlow returns the error for a picture that exceeded its timeout, unless the caller's
// context is done.
func tooSlow(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return &Unfit{Reason: TooSlow}
	}
	return err
}
