package engine

import (
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/aws/smithy-go"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// ErrDiskFull is the error of writes while the disk is full. Reads continue, and writes are
// accepted again once there is space.
var ErrDiskFull error = &diskFull{
	"The disk of the database is full: nothing can be written until there is room",
	"Nothing can be stored at the moment: try again later",
}

// errUnsettled is the ErrDiskFull of writes in progress when even the reserve is used up. They
// may take effect once there is space.
var errUnsettled error = &diskFull{
	"The disk of the database is full: whether this was written is known when there is room",
	"It is not known whether this was stored, as there is no room at the moment: look before trying again",
}

// diskFull is an error in the form of DynamoDB's server.
type diskFull struct{ text, outage string }

func (d *diskFull) Error() string                 { return d.text }
func (d *diskFull) ErrorCode() string             { return "InternalServerError" }
func (d *diskFull) ErrorMessage() string          { return d.text }
func (d *diskFull) ErrorFault() smithy.ErrorFault { return smithy.FaultServer }
func (d *diskFull) Is(target error) bool          { return target == ErrDiskFull }

// Outage returns a message for clients, which need not know about disks.
func (d *diskFull) Outage() string { return d.outage }

// Storage that cannot append to its log or manifest is lost, so the disk must never be full
// for it. A reserve file keeps space for writes in progress when the disk fills up: it is
// then removed, and write requests are refused from then on. If the reserve is used up
// too, all other file writes wait. Everything continues once the reserve can be recreated.
const (
	reserveFile = "RESERVE"
	// maxReserve is sufficient to flush all recent writes. On small disks, the reserve is
	// one part in reservePart.
	maxReserve  = 64 << 20
	reservePart = 16
	// diskInterval is the interval of checks of the disk, and ampleReserves the number of
	// reserves of free space that are not used up between two checks.
	diskInterval  = time.Second
	ampleReserves = 8
)

// disk monitors the space available to the files of a database.
type disk struct {
	fs      vfs.FS // without waiting writes
	dir     string
	log     *slog.Logger
	reserve uint64 // bytes
	pause   time.Duration

	full atomic.Bool // write requests are refused
	// tight is set while space may run out before the next check.
	tight atomic.Bool
	// left is the number of writes in progress whose callers no longer wait for them.
	left atomic.Int64
	// stuck counts writes waiting for space without a reserve.
	stuck stuck
	// waiting receives a value when something starts to wait for space, and again at each
	// check.
	waiting chan struct{}
}

// newDisk returns a monitor of a directory's space.
func newDisk(dir string, fs vfs.FS, log *slog.Logger) *disk {
	d := &disk{fs: fs, dir: dir, log: log, reserve: maxReserve, pause: diskInterval, waiting: make(chan struct{}, 1)}
	if usage, err := fs.GetDiskUsage(dir); err == nil {
		d.reserve = min(d.reserve, usage.TotalBytes/reservePart)
	}
	return d
}

// files returns the file system for the storage, in which writes wait while the disk is
// full.
func (d *disk) files() vfs.FS { return vfs.OnDiskFull(d.fs, d.exhausted) }

// exhausted is called when a write has found no space; the write is retried when it
// returns.
func (d *disk) exhausted() {
	d.refuse()
	if d.fs.Remove(d.reservePath()) == nil {
		return
	}
	d.stuck.begin()
	for isFull(d.makeReserve()) {
		signal(d.waiting)
		time.Sleep(d.pause)
	}
	d.stuck.end()
	// Waiting writes need the space more than future ones.
	_ = d.fs.Remove(d.reservePath())
}

// stuck reports whether anything is waiting indefinitely.
type stuck struct {
	mu    sync.Mutex
	many  int
	begun chan struct{} // closed while anything waits
}

func (s *stuck) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.many++; s.many == 1 {
		close(s.channel())
	}
}

func (s *stuck) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.many--; s.many == 0 {
		s.begun = nil
	}
}

// channel returns the channel, creating it if necessary. The lock must be held.
func (s *stuck) channel() chan struct{} {
	if s.begun == nil {
		s.begun = make(chan struct{})
	}
	return s.begun
}

// now returns a channel that is closed once anything waits.
func (s *stuck) now() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.channel()
}

// stalled returns a channel that receives a value while something waits for space. It may
// receive once for a wait that is over.
func (d *disk) stalled() <-chan struct{} {
	if d == nil {
		return nil
	}
	return d.waiting
}

func (d *disk) refuse() {
	d.tight.Store(true)
	if !d.full.Swap(true) {
		d.log.Error("the disk is full; refusing writes until space is available", "directory", d.dir)
	}
}

// sayLittle warns if so little space is free that it may soon be used up. It is called once,
// when the database is opened.
func (d *disk) sayLittle() {
	usage, err := d.fs.GetDiskUsage(d.dir)
	if err != nil || usage.AvailBytes >= ampleReserves*d.reserve {
		return
	}
	const mib = 1 << 20
	d.log.Warn("little disk space is free; writes are refused when there is less than needed", "directory", d.dir,
		"freeMiB", usage.AvailBytes/mib, "neededMiB", 2*d.reserve/mib, "advisedMiB", ampleReserves*d.reserve/mib)
}

// look enables or disables writes according to the free space. Besides the reserve, an
// equal amount must be free, and twice that amount to accept writes again.
func (d *disk) look() {
	if isFull(d.makeReserve()) {
		d.refuse()
		return
	}
	least := d.reserve
	if d.full.Load() {
		least *= 2
	}
	usage, err := d.fs.GetDiskUsage(d.dir)
	d.tight.Store(err != nil || usage.AvailBytes < ampleReserves*d.reserve)
	switch {
	case err == nil && usage.AvailBytes < least:
		d.refuse()
	case d.full.Swap(false):
		d.log.Info("disk space is available again; accepting writes", "directory", d.dir)
	}
}

// watch checks the disk until closed.
func (d *disk) watch(closed <-chan struct{}) {
	tick := time.NewTicker(diskInterval)
	defer tick.Stop()
	for {
		select {
		case <-closed:
			return
		case <-tick.C:
			d.look()
		}
	}
}

func (d *disk) reservePath() string { return d.fs.PathJoin(d.dir, reserveFile) }

// makeReserve creates the reserve unless it exists.
func (d *disk) makeReserve() error {
	path := d.reservePath()
	if _, err := d.fs.Stat(path); err == nil {
		return nil
	}
	err := d.fill(path + ".new")
	if err == nil {
		err = d.fs.Rename(path+".new", path)
	}
	if err != nil {
		_ = d.fs.Remove(path + ".new")
	}
	return err
}

func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) }

// fill creates a file with allocated space. If the file system cannot allocate it, it is
// written.
func (d *disk) fill(path string) error {
	f, err := d.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	err = f.Preallocate(0, int64(d.reserve))
	if errors.Is(err, errors.ErrUnsupported) {
		err = writeZeros(f, int64(d.reserve))
	}
	return errors.Join(err, f.Close())
}

func writeZeros(f vfs.File, n int64) error {
	zeros := make([]byte, 1<<20)
	for n > 0 {
		written, err := f.Write(zeros[:min(n, int64(len(zeros)))])
		if err != nil {
			return err
		}
		n -= int64(written)
	}
	return nil
}

// writable returns the reason why nothing can be written, or nil.
func (d *disk) writable() error {
	if d != nil && (d.full.Load() || d.left.Load() > 0) {
		return ErrDiskFull
	}
	return nil
}

// Health returns the reason why the database cannot serve all requests: it is closed, its
// disk is full and it refuses writes, or writes are stalled. It returns nil otherwise.
func (e *Engine) Health() error {
	if e.closed.Err() != nil {
		return errClosed
	}
	if err := e.disk.writable(); err != nil {
		return err
	}
	return e.stalls.health()
}
