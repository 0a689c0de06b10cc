package picture

import (
	"context"
	"errors"
	"image"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"
)

// Limits bound what one picture may cost.
type Limits struct {
	// Bytes of the file.
	Bytes int
	// Pixels of the picture, before it is cropped.
	Pixels int
	// Time that decoding may take, waiting for others not counted. It ends what was made
	// to take for ever, and leaves enough for a large picture on a busy machine.
	Time time.Duration
	// Memory that all pictures which are processed at the same time take, about. A
	// picture that alone needs more is too large.
	Memory int64
	// Workers is how many pictures are processed at the same time.
	Workers int
}

// DefaultLimits let pass what cameras of phones make.
func DefaultLimits() Limits {
	return Limits{
		Bytes: 64 << 20, Pixels: 120_000_000, Time: time.Minute,
		Memory: 512 << 20, Workers: runtime.GOMAXPROCS(0),
	}
}

// Processor processes pictures, a few at a time. Its methods wait for their turn.
type Processor struct {
	limits  Limits
	workers *semaphore.Weighted
	memory  *semaphore.Weighted
}

// NewProcessor returns a processor with limits of its own. A process needs one.
func NewProcessor(limits Limits) *Processor {
	return &Processor{
		limits:  limits,
		workers: semaphore.NewWeighted(int64(limits.Workers)),
		memory:  semaphore.NewWeighted(limits.Memory),
	}
}

// Input is a picture as it was uploaded.
type Input struct {
	Data []byte
	// Formats are those to accept.
	Formats []Format
	// Crop is the part to keep of the picture as it is shown. The zero Rectangle keeps
	// all of it.
	Crop image.Rectangle
}

// Picture is a picture in all its sizes.
type Picture struct {
	// Format is what was uploaded. Native is a JPEG file unless PNG or WebP was kept.
	Format Format
	// Cropped is false when the crop was all of the picture.
	Cropped bool
	// Width and Height are the native size, as shown.
	Width, Height int
	// Colors are five, or nil when there are none to speak of.
	Colors []Color
	// Native is the input byte for byte where that can be shown as it is, apart from the
	// place where it was taken.
	Native []byte
	// Thumbnails are JPEG files, one for each of Sizes.
	Thumbnails [][]byte
}

// All returns the files by the names of their sizes.
func (p *Picture) All() map[string][]byte {
	all := map[string][]byte{Native: p.Native}
	for i, s := range Sizes {
		all[s.Name] = p.Thumbnails[i]
	}
	return all
}

// fixedCost is what a picture takes besides its pixels: its smaller renditions.
const fixedCost = 40 << 20

// begin waits for a worker and for memory, and bounds the time from then on. The second
// result ends both.
func (p *Processor) begin(ctx context.Context, cost int64) (context.Context, func(), error) {
	if err := p.workers.Acquire(ctx, 1); err != nil {
		return nil, nil, err
	}
	if err := p.memory.Acquire(ctx, cost); err != nil {
		p.workers.Release(1)
		return nil, nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, p.limits.Time)
	return bounded, func() {
		cancel()
		p.memory.Release(cost)
		p.workers.Release(1)
	}, nil
}

// spare takes the workers that have nothing to do, for tiles that can be decoded beside
// each other. The second result gives them back.
func (p *Processor) spare() (int, func()) {
	n := 0
	for p.workers.TryAcquire(1) {
		n++
	}
	return n, func() { p.workers.Release(int64(n)) }
}

// tooSlow says that a picture took its time, unless it was the caller who gave up.
func tooSlow(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return &Unfit{Reason: TooSlow}
	}
	return err
}
