package osfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"unsafe"
)

// inBlocks returns n bytes that begin with a block in memory.
func inBlocks(n int) []byte {
	const block = 4096
	room := make([]byte, n+block)
	return room[int(-uintptr(unsafe.Pointer(unsafe.SliceData(room)))%block):][:n]
}

func TestDirectWritesAreRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, bytes.Repeat([]byte("old "), 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := OpenDirect(name)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("not on this system")
	}
	if err != nil {
		t.Skip("not on this file system:", err)
	}
	block := inBlocks(4096)
	copy(block, bytes.Repeat([]byte("new "), 1024))
	if _, err := f.WriteAt(block, 8192); err != nil {
		t.Skip("not on this file system:", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("old "), 4096)
	copy(want[8192:], block)
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: other bytes are read", err)
	}
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
