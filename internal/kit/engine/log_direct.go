package engine

import (
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"stoa/internal/kit/engine/osfile"
)

// directLog is a log that is gathered in memory and written past the page cache, in
// whole blocks, by calls that return when the disk has them. Through the page cache a
// sync waits for the write and then for the flush, and after each wait an idle processor
// takes its time to go on; here it is one call and one wait.
//
// It is for the one goroutine that writes a log. Its File reads what was synced.
type directLog struct {
	vfs.File
	disk   blockFile
	room   []byte // begins with a block, in memory as in the file
	filled int    // of the room
	at     int64  // where in the file the room belongs
	length int64  // of the file
	synced bool   // all that is gathered
}

// blockFile writes whole blocks in the places of blocks, and returns when it has them.
type blockFile interface {
	io.WriterAt
	io.Closer
}

// gathered is how much is written at once at most, besides zeros ahead.
const gathered = 256 << 10

// newDirectLog returns a log in f that is written through d. Where d refuses to write so,
// it fails, and the first block of f may be zeros.
func newDirectLog(f vfs.File, d blockFile) (*directLog, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	l := &directLog{File: f, disk: d, room: osfile.InBlocks(gathered + logStep), length: info.Size(), synced: true}
	return l, l.put(osfile.Block)
}

// Write gathers p. It fails when what was gathered before cannot be written.
func (l *directLog) Write(p []byte) (n int, err error) {
	l.synced = false
	for {
		taken := copy(l.room[l.filled:gathered], p[n:])
		n += taken
		l.filled += taken
		if n == len(p) {
			return n, nil
		}
		if err := l.write(); err != nil {
			return n, err
		}
	}
}

// write puts what is gathered on disk, and keeps what may share its block with what
// comes.
func (l *directLog) write() error {
	size := wholeBlocks(l.filled)
	clear(l.room[l.filled:size])
	if !l.grow(size) {
		if err := l.put(size); err != nil {
			return err
		}
	}
	full := l.filled / osfile.Block * osfile.Block
	l.filled = copy(l.room, l.room[full:l.filled])
	l.at += int64(full)
	return nil
}

// grow writes the first size bytes of the room and zeros ahead, as a logFile has them, if
// the file is too short for what is in the room. It reports whether it did: there may be
// no space for the zeros.
func (l *directLog) grow(size int) bool {
	if l.at+int64(size) <= l.length {
		return false
	}
	clear(l.room[size : size+logStep])
	return l.put(size+logStep) == nil
}

// put writes the first size bytes of the room.
func (l *directLog) put(size int) error {
	if _, err := l.disk.WriteAt(l.room[:size], l.at); err != nil {
		return err
	}
	l.length = max(l.length, l.at+int64(size))
	return nil
}

// wholeBlocks returns how many bytes the blocks have that n bytes take.
func wholeBlocks(n int) int { return (n + osfile.Block - 1) / osfile.Block * osfile.Block }

// Sync returns when all that was written is on disk. After it failed it can be tried
// again.
func (l *directLog) Sync() error {
	if l.synced {
		return nil
	}
	if err := l.write(); err != nil {
		return err
	}
	l.synced = true
	return nil
}

func (l *directLog) SyncData() error { return l.Sync() }

func (l *directLog) SyncTo(int64) (fullSync bool, err error) { return true, l.Sync() }

func (l *directLog) Close() error {
	err := l.Sync()
	for _, c := range []io.Closer{l.disk, l.File} {
		if closed := c.Close(); err == nil {
			err = closed
		}
	}
	return err
}
