package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/cockroachdb/pebble/v2/vfs"

	"stoa/internal/kit/engine/osfile"
)

// blockDisk is a file that takes whole blocks only, from memory that begins with one.
// It has room for so many bytes, and counts its writes.
type blockDisk struct {
	content []byte
	room    int
	writes  int
	closed  bool
}

var errNoSpace = errors.New("no space left")

func (d *blockDisk) WriteAt(p []byte, at int64) (int, error) {
	d.writes++
	if at%osfile.Block != 0 || len(p)%osfile.Block != 0 || uintptr(unsafe.Pointer(unsafe.SliceData(p)))%osfile.Block != 0 {
		return 0, fmt.Errorf("%d bytes at %d are no whole blocks", len(p), at)
	}
	end := int(at) + len(p)
	if end > d.room {
		return 0, errNoSpace
	}
	if end > len(d.content) {
		d.content = append(d.content, make([]byte, end-len(d.content))...)
	}
	return copy(d.content[at:], p), nil
}

func (d *blockDisk) Close() error {
	d.closed = true
	return nil
}

// directOn returns a log on d, whose file is as long as d says.
func directOn(t *testing.T, d *blockDisk) *directLog {
	t.Helper()
	f, err := vfs.NewMem().Create("000001.log", "")
	if err == nil {
		_, err = f.Write(bytes.Clone(d.content))
	}
	if err != nil {
		t.Fatal(err)
	}
	l, err := newDirectLog(f, d)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// randomBytes has no zeros, so that they tell what was not written.
func randomBytes(random *rand.Rand, n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(1 + random.IntN(255))
	}
	return p
}

// After each sync the disk has all that was written, and what was there before or zeros.
func TestDirectLogHasWhatWasSynced(t *testing.T) {
	const used = 700_000
	for _, c := range []struct {
		name  string
		had   int // bytes of an older log
		least int
		most  int // writes, with one for each sync and each time that what is gathered is full
		sizes int
	}{
		{"a new log", 0, used, 300, 9000},
		{"a log used again", used / 4096 * 4096, used, 300, 9000},
		{"great records", 0, used, 40, 600_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, uint64(c.had)))
			d := &blockDisk{room: 4 << 20, content: bytes.Repeat([]byte{0xAA}, c.had)}
			l := directOn(t, d)
			var written []byte
			for len(written) < c.least {
				p := randomBytes(random, 1+random.IntN(c.sizes))
				if n, err := l.Write(p); n != len(p) || err != nil {
					t.Fatal(n, err)
				}
				written = append(written, p...)
				if random.IntN(3) > 0 {
					continue
				}
				if err := l.SyncData(); err != nil {
					t.Fatal(err)
				}
				checkLog(t, d.content, written, c.had)
			}
			before := d.writes
			if err := errors.Join(l.Sync(), l.Sync(), l.Close()); err != nil {
				t.Fatal(err)
			}
			checkLog(t, d.content, written, c.had)
			if !d.closed || d.writes > before+1 || d.writes > c.most {
				t.Errorf("closed: %v; %d writes, %d of them to end", d.closed, d.writes, d.writes-before)
			}
		})
	}
}

// checkLog checks that content begins with what was written, and goes on with zeros up
// to the end of a block and beyond, or with the older log.
func checkLog(t *testing.T, content, written []byte, had int) {
	t.Helper()
	if !bytes.HasPrefix(content, written) {
		t.Fatalf("of %d bytes synced the disk has others", len(written))
	}
	rest := content[len(written):]
	for i, b := range rest {
		if b != 0 && (b != 0xAA || len(written)+i >= had) {
			t.Fatalf("%d behind what was written is %x", i, b)
		}
	}
}

func TestDirectLogGrowsAheadInSteps(t *testing.T) {
	d := &blockDisk{room: 4 << 20}
	l := directOn(t, d)
	grown, length := 0, len(d.content)
	for range 3 * logStep / 1000 {
		if _, err := l.Write(make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		if err := l.Sync(); err != nil {
			t.Fatal(err)
		}
		if len(d.content) > length {
			grown, length = grown+1, len(d.content)
		}
	}
	if grown != 3 {
		t.Errorf("grew %d times to %d bytes", grown, length)
	}
}

// On a full disk the log goes on as long as records find room, and what fails can be
// tried again.
func TestDirectLogOnAFullDisk(t *testing.T) {
	d := &blockDisk{room: 100_000 / osfile.Block * osfile.Block}
	l := directOn(t, d)
	random := rand.New(rand.NewPCG(3, 4))
	var written []byte
	for {
		p := randomBytes(random, 5000)
		if _, err := l.Write(p); err != nil {
			t.Fatal(err)
		}
		written = append(written, p...)
		err := l.Sync()
		if err == nil {
			checkLog(t, d.content, written, 0)
			continue
		}
		if !errors.Is(err, errNoSpace) || wholeBlocks(len(written)) <= d.room {
			t.Fatalf("%d bytes of %d: %v", len(written), d.room, err)
		}
		break
	}
	if n, err := l.Write(make([]byte, 2*gathered)); err == nil || n > gathered {
		t.Fatal(n, err)
	}
	d.room = 4 << 20
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(d.content, written) {
		t.Error("what failed was forgotten")
	}
}

// Files of the operating system are written directly where they can be, and read back
// through the page cache.
func TestDirectLogsOnDisk(t *testing.T) {
	dir := t.TempDir()
	name, again := filepath.Join(dir, "000001.log"), filepath.Join(dir, "000002.log")
	fs := logFiles{FS: vfs.Default, direct: true}
	random := rand.New(rand.NewPCG(5, 6))
	write := func(name string, f vfs.File, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if _, direct := f.(*directLog); !direct {
			t.Log("the file system of the test has no direct writes")
		}
		var written []byte
		for range 50 {
			p := randomBytes(random, 1+random.IntN(20_000))
			if _, err := f.Write(p); err != nil {
				t.Fatal(err)
			}
			written = append(written, p...)
			if err := f.SyncData(); err != nil {
				t.Fatal(err)
			}
			if content, err := os.ReadFile(name); err != nil || !bytes.HasPrefix(content, written) {
				t.Fatalf("%v: of %d bytes synced others are read", err, len(written))
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f, err := fs.Create(name, "")
	write(name, f, err)
	f, err = fs.ReuseForWrite(name, again, "")
	write(again, f, err)
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Error("the old log is still there")
	}
}

// Where blocks are refused, logs are written as they were.
func TestLogsWithoutDirectWrites(t *testing.T) {
	f, err := vfs.NewMem().Create("000001.log", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newDirectLog(f, &blockDisk{room: 100}); !errors.Is(err, errNoSpace) {
		t.Error(err)
	}
	mem := vfs.NewMem()
	l, err := logFiles{FS: mem, direct: true}.Create("000001.log", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, plain := l.(*logFile); !plain {
		t.Errorf("%T", l)
	}
	if _, err := l.Write([]byte("record")); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	stored, err := mem.Open("000001.log")
	if err != nil {
		t.Fatal(err)
	}
	defer stored.Close()
	if got, err := io.ReadAll(stored); err != nil || !bytes.HasPrefix(got, []byte("record")) {
		t.Errorf("%.20q, %v", got, err)
	}
}
