package engine

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// fullDisk is a file system whose files cannot grow ahead.
type fullDisk struct{ vfs.FS }

func (d fullDisk) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := d.FS.Create(name, category)
	return fullFile{f}, err
}

type fullFile struct{ vfs.File }

func (f fullFile) WriteAt([]byte, int64) (int, error) { return 0, errNoSpace }

func TestLogsGrowAheadInSteps(t *testing.T) {
	const end = 3*logStep + 777
	for _, c := range []struct {
		name  string
		on    func(vfs.FS) vfs.FS
		grows int // how often the file is found longer than before
		most  int64
	}{
		{"ahead", func(fs vfs.FS) vfs.FS { return logFiles{FS: fs} }, 3, end + logStep},
		{"on a full disk", func(fs vfs.FS) vfs.FS { return logFiles{FS: fullDisk{fs}} }, -1, end},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "000001.log")
			f, err := c.on(vfs.Default).Create(name, "")
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, 2))
			var content []byte
			grows, length := 0, int64(0)
			for len(content) < end {
				p := randomBytes(random, min(end-len(content), 1+random.IntN(9000)))
				if n, err := f.Write(p); n != len(p) || err != nil {
					t.Fatal(n, err)
				}
				content = append(content, p...)
				info, err := f.Stat()
				if err != nil {
					t.Fatal(err)
				}
				if info.Size() > length {
					grows, length = grows+1, info.Size()
				}
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if c.grows >= 0 && grows != c.grows || length > c.most {
				t.Errorf("grew %d times to %d bytes, want %d times and at most %d", grows, length, c.grows, c.most)
			}
			got, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			checkLog(t, got, content, 0)
		})
	}
}

func TestOnlyLogsGrowAhead(t *testing.T) {
	under := vfs.NewMem()
	f, err := logFiles{FS: under}.Create("MANIFEST-000001", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if info, err := f.Stat(); err != nil || info.Size() != 1 {
		t.Errorf("%v, %v", info, err)
	}
	f.Close()
}

// What is behind the last record of a process that was killed is zeros.
func TestRecordsBeforeZerosAreRead(t *testing.T) {
	dir, copied := t.TempDir(), t.TempDir()
	e, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	create(t, e, testTable("things"))
	const items = 100
	text := strings.Repeat("x", 4000)
	for i := range items {
		put(t, e, item("pk", fmt.Sprint(i), "sk", "s", "text", text))
	}
	err = os.CopyFS(copied, os.DirFS(dir)) // as a killed process leaves it
	e.Close()
	if err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(copied, "*"+logSuffix))
	if err != nil || len(logs) == 0 {
		t.Fatal(logs, err)
	}
	last, err := os.ReadFile(logs[len(logs)-1])
	if tail := len(last) - len(bytes.TrimRight(last, "\x00")); err != nil || tail == 0 || tail == len(last) {
		t.Errorf("%v: the last log has %d bytes, %d of them zeros at its end", err, len(last), tail)
	}
	again, err := Open(copied)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for i := range items {
		if got := get(t, again, key(fmt.Sprint(i), "s")); got == nil {
			t.Errorf("item %d is lost", i)
		}
	}
}
