package osfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"
)

func TestInBlocks(t *testing.T) {
	for _, size := range []int{1, Block, 3*Block + 5} {
		p := InBlocks(size)
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(p))); at%Block != 0 || len(p) != size || cap(p) != size {
			t.Errorf("%d bytes at %x, %d wanted", len(p), at, size)
		}
	}
}

// What was written directly is read, and where that cannot be, nothing has changed.
func TestDirectWritesAreRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	want := bytes.Repeat([]byte("old "), 4096)
	if err := os.WriteFile(name, want, 0o600); err != nil {
		t.Fatal(err)
	}
	block := InBlocks(Block)
	copy(block, bytes.Repeat([]byte("new "), Block/4))
	switch err := writeDirect(name, block, 2*Block); {
	case err == nil:
		copy(want[2*Block:], block)
	case !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL): // as file systems refuse it
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: other bytes are read", err)
	}
}

func writeDirect(name string, p []byte, at int64) error {
	f, err := OpenDirect(name)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(p, at)
	return errors.Join(err, f.Close())
}

func TestOpenDirectMakesNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "none")
	if _, err := OpenDirect(name); err == nil {
		t.Error("a file that is not there was opened")
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Error("it was made")
	}
}

// What was given back is read again, whether it was on disk or not.
func TestGivenBackIsRead(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := bytes.Repeat([]byte("text"), 100_000)
	if _, err := f.Write(want); err != nil {
		t.Fatal(err)
	}
	for _, sync := range []bool{false, true} {
		if sync {
			if err := f.Sync(); err != nil {
				t.Fatal(err)
			}
		}
		GiveBack(f.Fd(), 0, 1<<20)
		GiveBack(f.Fd(), 5, 7)
		got := make([]byte, len(want))
		if _, err := f.ReadAt(got, 0); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: other bytes are read", err)
		}
	}
}
