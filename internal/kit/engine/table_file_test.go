package engine

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// pieces is a file system whose files note the sizes of their writes, and fail on demand.
type pieces struct {
	vfs.FS
	sizes []int
	fails error
}

func (p *pieces) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := p.FS.Create(name, category)
	return &pieceFile{f, p}, err
}

type pieceFile struct {
	vfs.File
	of *pieces
}

func (f *pieceFile) Write(p []byte) (int, error) {
	if f.of.fails != nil {
		return 0, f.of.fails
	}
	f.of.sizes = append(f.of.sizes, len(p))
	return f.File.Write(p)
}

func TestTablesAreWrittenInLargePieces(t *testing.T) {
	under := &pieces{FS: vfs.NewMem()}
	fs := tableFiles{under}
	random := rand.New(rand.NewPCG(1, 2))
	content := make([]byte, 3*tableBuffer+777)
	for i := range content {
		content[i] = byte(random.Uint32())
	}
	f, err := fs.Create("1.sst", "")
	if err != nil {
		t.Fatal(err)
	}
	for rest := content; len(rest) > 0; {
		n := min(len(rest), 1+random.IntN(20_000))
		if got, err := f.Write(rest[:n]); got != n || err != nil {
			t.Fatal(got, err)
		}
		rest = rest[n:]
	}
	if whole, err := f.SyncTo(2 * tableBuffer); whole || err != nil {
		t.Errorf("synced wholly: %v, %v", whole, err)
	}
	if want := []int{tableBuffer, tableBuffer, tableBuffer}; !slices.Equal(under.sizes, want) {
		t.Errorf("written in pieces of %d", under.sizes)
	}
	if info, err := f.Stat(); err != nil || info.Size() != int64(len(content)) {
		t.Errorf("its size is %d, %v", info.Size(), err)
	}
	for _, sync := range []func() error{f.Sync, f.SyncData, f.Close} {
		if err := sync(); err != nil {
			t.Error(err)
		}
	}
	stored, err := fs.Open("1.sst")
	if err != nil {
		t.Fatal(err)
	}
	defer stored.Close()
	if got, err := io.ReadAll(stored); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes are stored of %d, %v", len(got), len(content), err)
	}
}

// What was gathered is in the file after each of these, and its failure is told.
func TestGatheredBytesAreFlushed(t *testing.T) {
	for name, flush := range map[string]func(vfs.File) error{
		"Sync":     vfs.File.Sync,
		"SyncData": vfs.File.SyncData,
		"SyncTo":   func(f vfs.File) error { _, err := f.SyncTo(3); return err },
		"Stat":     func(f vfs.File) error { _, err := f.Stat(); return err },
		"Close":    vfs.File.Close,
	} {
		t.Run(name, func(t *testing.T) {
			under := &pieces{FS: vfs.NewMem()}
			f, err := tableFiles{under}.Create("1.sst", "")
			if err != nil {
				t.Fatal(err)
			}
			f.Write([]byte("abc"))
			if err := flush(f); err != nil || !slices.Equal(under.sizes, []int{3}) {
				t.Errorf("written in pieces of %d, %v", under.sizes, err)
			}
			if name == "Close" {
				if f, err = (tableFiles{under}).Create("2.sst", ""); err != nil {
					t.Fatal(err)
				}
			}
			f.Write([]byte("defghi"))
			under.fails = errors.New("no space is left")
			if name == "SyncTo" {
				_, err = f.SyncTo(9)
			} else {
				err = flush(f)
			}
			if err != under.fails {
				t.Errorf("a failure is told as %v", err)
			}
		})
	}
}

// Logs are synced piece by piece and come unchanged.
func TestOtherFilesAreLeftAlone(t *testing.T) {
	under := &pieces{FS: vfs.NewMem()}
	f, err := tableFiles{under}.Create("1.log", "")
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("abc"))
	if !slices.Equal(under.sizes, []int{3}) {
		t.Errorf("written in pieces of %d", under.sizes)
	}
}
