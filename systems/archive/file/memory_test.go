package file

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"testing"

	"stoa/internal/kit/refusal"
	"stoa/systems/archive"
)

// pictures takes files that begin with an x.
type pictures struct{}

func (pictures) Reading(context.Context, int64) (func(), error) { return func() {}, nil }

func (pictures) Check(beginning []byte) error {
	if !bytes.HasPrefix(beginning, []byte("x")) {
		return refusal.New(refusal.BadInput, "IMAGE", "no image")
	}
	return nil
}

func (pictures) Scan(context.Context, []byte) (*archive.Scan, error) { panic("not scanned here") }

// packed returns an archive with an entry.
func packed(t *testing.T, content []byte) *zip.File {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	w, err := z.Create("a.jpg")
	if err == nil {
		_, err = w.Write(content)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return r.File[0]
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// A small archive can have large entries that are no images, and large images are held once.
func TestMemoryOfEntries(t *testing.T) {
	const size = 32 << 20
	for name, test := range map[string]struct {
		first byte
		most  uint64
	}{"an image": {'x', size + 1<<20}, "no image": {'y', 1 << 20}} {
		content := make([]byte, size)
		content[0] = test.first
		f := packed(t, content)
		before := allocated()
		data, err := (&Service{Pictures: pictures{}}).content(f)
		if took := allocated() - before; took > test.most {
			t.Errorf("%s takes %d bytes, more than %d", name, took, test.most)
		}
		if test.first == 'x' && (err != nil || !bytes.Equal(data, content)) || test.first != 'x' && refusal.KindOf(err) != refusal.BadInput {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
}

// counter counts the bytes that are read.
type counter struct {
	file io.ReaderAt
	n    int
}

func (c *counter) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.file.ReadAt(p, at)
	c.n += n
	return n, err
}

// A directory is read no further than it may be long, whatever it says.
func TestDirectoriesOfTooManyEntries(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range 6 * maxEntries {
		if _, err := z.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("%06d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	read := &counter{file: bytes.NewReader(b.Bytes())}
	_, err := open(read, int64(b.Len()))
	if refusal.KindOf(err) != refusal.BadInput {
		t.Error(err)
	}
	if most := 3 * maxEntries * (46 + 6); read.n > most {
		t.Errorf("%d bytes of the directory are read, more than %d", read.n, most)
	}
}
