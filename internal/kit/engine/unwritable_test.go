package engine

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// noNewFiles is a file system in which existing files can be written, but none created or
// removed, like a directory of mode 0500, or a read-only one if err is EROFS.
type noNewFiles struct {
	vfs.FS
	err error
}

func (n noNewFiles) refuse(op, name string) error {
	return &os.PathError{Op: op, Path: name, Err: n.err}
}

func (n noNewFiles) Create(name string, _ vfs.DiskWriteCategory) (vfs.File, error) {
	return nil, n.refuse("open", name)
}

func (n noNewFiles) ReuseForWrite(_, to string, _ vfs.DiskWriteCategory) (vfs.File, error) {
	return nil, n.refuse("rename", to)
}

func (n noNewFiles) Remove(name string) error { return n.refuse("remove", name) }

func (n noNewFiles) Lock(name string) (io.Closer, error) {
	if n.err == syscall.EROFS {
		return nil, n.refuse("open", name)
	}
	return n.FS.Lock(name)
}

// A directory that cannot be written is one clear error, also if it has a database.
func TestDirectoryThatCannotBeWritten(t *testing.T) {
	for _, cause := range []syscall.Errno{syscall.EROFS, syscall.EACCES, syscall.EPERM} {
		t.Run(cause.Error(), func(t *testing.T) {
			disk := vfs.NewMem()
			at := func(fs vfs.FS) (*Engine, error) { return open("data", fs, options{cacheSize: 1 << 20}, nil) }
			e, err := at(disk)
			if err != nil {
				t.Fatal(err)
			}
			create(t, e, testTable("things"))
			shut(t, e)
			_, err = at(noNewFiles{disk, cause})
			var unwritable *UnwritableError
			if !errors.As(err, &unwritable) || unwritable.Dir != "data" || !errors.Is(err, cause) || !strings.Contains(err.Error(), `"data" cannot be written`) {
				t.Errorf("opened with %v", err)
			}
			e, err = at(disk)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := disk.Stat("data/" + probeFile); err == nil {
				t.Error("the probe is left in the directory")
			}
			shut(t, e)
		})
	}
}

func TestRealDirectoryThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("modes do not bind root; the tests of real disks mount a read-only file system")
	}
	dir := t.TempDir()
	shut(t, openDir(t, dir))
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if _, err := Open(dir); !errors.As(err, new(*UnwritableError)) || !errors.Is(err, syscall.EACCES) {
		t.Errorf("opened with %v", err)
	}
}

// Little space is said when the database is opened, with the figures.
func TestLittleSpaceIsSaid(t *testing.T) {
	for free, want := range map[int64]string{
		16 << 20: "",
		6 << 20:  "little disk space is free",
		1 << 20:  "the disk is full; refusing writes",
	} {
		var log strings.Builder
		d := &smallDisk{FS: vfs.NewMem(), left: free}
		e, err := open("data", d, options{cacheSize: 1 << 20}, []Option{WithLogger(slog.New(slog.NewTextHandler(&log, nil)))})
		if err != nil {
			t.Fatal(err)
		}
		shut(t, e)
		said := log.String()
		if want == "" && strings.Contains(said, "disk") || !strings.Contains(said, want) {
			t.Errorf("with %d bytes, the log says %q", free, said)
		}
		if want != "" && !(strings.Contains(said, "freeMiB=") && strings.Contains(said, "neededMiB=2") && strings.Contains(said, "advisedMiB=8")) {
			t.Errorf("with %d bytes, the log gives no figures: %q", free, said)
		}
	}
}
