package engine

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cockroachdb/pebble/v2/vfs"

	"stoa/internal/kit/engine/raw"
)

// smallDisk is a file system with a given number of free bytes. Removing the reserve frees
// its space; removing other files does not.
type smallDisk struct {
	vfs.FS
	mu       sync.Mutex
	left     int64
	reserved int64
}

func (d *smallDisk) take(n int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left < n {
		return &os.PathError{Op: "write", Err: syscall.ENOSPC}
	}
	d.left -= n
	return nil
}

func (d *smallDisk) set(left int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left = left
}

func (d *smallDisk) GetDiskUsage(string) (vfs.DiskUsage, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return vfs.DiskUsage{AvailBytes: uint64(d.left), TotalBytes: 16 << 20}, nil
}

func (d *smallDisk) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := d.FS.Create(name, category)
	if err != nil {
		return nil, err
	}
	return &smallDiskFile{f, d, strings.Contains(name, reserveFile)}, nil
}

func (d *smallDisk) ReuseForWrite(from, to string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := d.FS.ReuseForWrite(from, to, category)
	if err != nil {
		return nil, err
	}
	return &smallDiskFile{f, d, false}, nil
}

func (d *smallDisk) Remove(name string) error {
	err := d.FS.Remove(name)
	if err == nil && strings.HasSuffix(name, reserveFile) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.left += d.reserved
		d.reserved = 0
	}
	return err
}

type smallDiskFile struct {
	vfs.File
	disk      *smallDisk
	isReserve bool
}

func (f *smallDiskFile) Write(p []byte) (int, error) {
	if err := f.disk.take(int64(len(p))); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

func (f *smallDiskFile) Preallocate(_, n int64) error {
	if !f.isReserve {
		return nil
	}
	if err := f.disk.take(n); err != nil {
		return err
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.disk.reserved = n
	return nil
}

func onSmallDisk(t *testing.T, d *smallDisk) *Engine {
	t.Helper()
	e, err := open("data", d, options{cacheSize: 1 << 20, diskPause: time.Millisecond}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (e *Engine) putText(sk, text string) error {
	return e.WriteOne(context.Background(), raw.Write{Action: raw.Put, Table: "things", Fields: fieldsOf(item("pk", "p", "sk", sk, "text", text))})
}

// When the disk fills up, writes in progress succeed, later writes are refused, reads
// continue, and writes are accepted again once there is space.
func TestFullDisk(t *testing.T) {
	for name, fill := range map[string]func(*smallDisk, *Engine) error{
		"by others": func(d *smallDisk, e *Engine) error {
			d.set(100) // the next write finds no space
			return e.putText("under way", long(1000))
		},
		"seen in time": func(d *smallDisk, e *Engine) error {
			err := e.putText("under way", long(1000))
			d.set(1000)
			e.disk.look()
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := &smallDisk{FS: vfs.NewMem(), left: 16 << 20}
			e := onSmallDisk(t, d)
			create(t, e, testTable("things"))
			if err := e.putText("before", "x"); err != nil {
				t.Fatal(err)
			}
			if err := fill(d, e); err != nil {
				t.Fatalf("the write that was under way: %v", err)
			}
			for what, err := range map[string]error{
				"health": e.Health(), "raw write": e.putText("refused", "x"), "put": putting(key("p", "refused"))(e),
				"update": updating("SET a = :a", item(":a", 1))(e),
			} {
				if !errors.Is(err, ErrDiskFull) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if _, err := e.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("things")}); !errors.Is(err, ErrDiskFull) {
				t.Errorf("deleting a table: %v", err)
			}
			for _, sk := range []string{"before", "under way"} {
				if get(t, e, key("p", sk)) == nil {
					t.Errorf("%s is not read", sk)
				}
			}
			d.set(16 << 20)
			e.disk.look()
			if err := errors.Join(e.Health(), e.putText("after", "x")); err != nil {
				t.Errorf("with room: %v", err)
			}
			shut(t, e)
			e = onSmallDisk(t, d)
			for sk, want := range map[string]bool{"before": true, "under way": true, "refused": false, "after": true} {
				if got := get(t, e, key("p", sk)); (got != nil) != want {
					t.Errorf("%s was stored: %v", sk, got != nil)
				}
			}
			shut(t, e)
		})
	}
}

// Without any space left, even in the reserve, a write in progress fails, and readers do
// not wait. Once there is space, the write takes effect and others are accepted.
func TestDiskWithoutReserve(t *testing.T) {
	d, e := exhausted(t)
	if got := get(t, e, key("p", "under way")); got == nil || !errors.Is(e.Health(), ErrDiskFull) {
		t.Errorf("read %v, health %v", got, e.Health())
	}
	d.set(16 << 20)
	for e.Health() != nil {
		e.disk.look()
	}
	if err := e.putText("after", "x"); err != nil {
		t.Errorf("with room: %v", err)
	}
	shut(t, e)
	e = onSmallDisk(t, d)
	for _, sk := range []string{"before", "under way", "after"} {
		if get(t, e, key("p", sk)) == nil {
			t.Errorf("%s is not there after a restart", sk)
		}
	}
	shut(t, e)
}

// A write that blocks in the storage for lack of space for its log delays neither its
// caller nor others. Once there is space, it takes effect and is counted.
func TestBlockedWrite(t *testing.T) {
	d := &smallDisk{FS: vfs.NewMem(), left: 16 << 20}
	e := onSmallDisk(t, d)
	create(t, e, testTable("things"))
	if err := errors.Join(e.putText("before", "x"), e.putText("changed", "old")); err != nil {
		t.Fatal(err)
	}
	d.set(4 << 20)
	e.disk.look()
	if !e.disk.tight.Load() || e.Health() != nil {
		t.Fatal("there is room, but not for long")
	}
	if err := d.Remove("data/" + reserveFile); err != nil {
		t.Fatal(err)
	}
	d.set(0)
	put := func(sk, text string) raw.Write {
		return raw.Write{Action: raw.Put, Table: "things", Fields: fieldsOf(item("pk", "p", "sk", sk, "text", text))}
	}
	large := []raw.Write{put("changed", long(300_000)), put("large 1", long(300_000)), put("large 2", long(300_000)), put("large 3", long(300_000))}
	err := e.WriteAll(t.Context(), large)
	if !errors.Is(err, ErrDiskFull) || !errors.Is(err, errUnsettled) {
		t.Fatalf("the write that blocks: %v", err)
	}
	if got := get(t, e, key("p", "changed")); !reflect.DeepEqual(got["text"], item("text", "old")["text"]) || get(t, e, key("p", "large 1")) != nil {
		t.Errorf("what is not stored yet is read")
	}
	// Even if there seems to be space, or was when it was checked, no other write can be
	// decided meanwhile.
	e.disk.full.Store(false)
	for what, err := range map[string]error{
		"a write":          e.putText("changed", "y"),
		"one under way":    errorOf(e.applyRaw(t.Context(), []raw.Write{put("changed", "y")})),
		"deleting a table": deleting("things")(e),
		"health":           e.Health(),
	} {
		if !errors.Is(err, ErrDiskFull) {
			t.Errorf("%s: %v", what, err)
		}
	}
	d.set(16 << 20)
	for e.Health() != nil {
		e.disk.look()
	}
	if err := e.putText("after", "x"); err != nil {
		t.Errorf("with room: %v", err)
	}
	for range 2 {
		for _, sk := range []string{"before", "changed", "large 1", "large 2", "large 3", "after"} {
			got := get(t, e, key("p", sk))
			if got == nil || (sk == "changed" || strings.HasPrefix(sk, "large")) && !reflect.DeepEqual(got["text"], item("text", long(300_000))["text"]) {
				t.Errorf("%s is not there", sk)
			}
		}
		out, err := e.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("things")})
		if err != nil || *out.Table.ItemCount != 6 {
			t.Errorf("%d items, %v", *out.Table.ItemCount, err)
		}
		shut(t, e)
		e = onSmallDisk(t, d)
	}
	shut(t, e)
}

func errorOf[A, B any](_ A, _ B, err error) error { return err }

func deleting(table string) func(e *Engine) error {
	return func(e *Engine) error {
		_, err := e.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: &table})
		return err
	}
}

// Background work can be stopped without any space left.
func TestCloseWithoutReserve(t *testing.T) {
	d, e := exhausted(t)
	if err := e.Close(); !errors.Is(err, ErrDiskFull) {
		t.Errorf("closing: %v", err)
	}
	d.set(16 << 20)
}

// exhausted returns an engine on a disk without space, with a write in progress.
func exhausted(t *testing.T) (*smallDisk, *Engine) {
	t.Helper()
	d := &smallDisk{FS: vfs.NewMem(), left: 16 << 20}
	e := onSmallDisk(t, d)
	create(t, e, testTable("things"))
	if err := e.putText("before", "x"); err != nil {
		t.Fatal(err)
	}
	if err := d.Remove("data/" + reserveFile); err != nil {
		t.Fatal(err)
	}
	d.set(0)
	if err := e.putText("under way", "x"); !errors.Is(err, ErrDiskFull) {
		t.Fatalf("a write that is under way: %v", err)
	}
	return d, e
}

// A database on a full disk is opened using its reserve; if that is used up too, opening is
// refused with a remedy.
func TestOpenOnFullDisk(t *testing.T) {
	d := &smallDisk{FS: vfs.NewMem(), left: 16 << 20}
	e := onSmallDisk(t, d)
	create(t, e, testTable("things"))
	if err := e.putText("before", "x"); err != nil {
		t.Fatal(err)
	}
	shut(t, e)
	d.set(0)
	e = onSmallDisk(t, d)
	if get(t, e, key("p", "before")) == nil || !errors.Is(e.putText("refused", "x"), ErrDiskFull) {
		t.Error("it is not read, or written")
	}
	shut(t, e)
	d.set(0)
	if _, err := open("data", d, options{diskPause: time.Millisecond}, nil); !errors.Is(err, ErrDiskFull) || !strings.Contains(err.Error(), "free some space and start again") {
		t.Errorf("opened with no space at all: %v", err)
	}
}

func TestReserveIsProportional(t *testing.T) {
	mem := vfs.NewMem()
	for total, want := range map[uint64]uint64{0: maxReserve, 160 << 20: 10 << 20, 1 << 40: maxReserve} {
		mem.TestingSetDiskUsage(vfs.DiskUsage{TotalBytes: total})
		if got := newDisk("", mem, nil).reserve; got != want {
			t.Errorf("of %d bytes %d are reserved, want %d", total, got, want)
		}
	}
}
