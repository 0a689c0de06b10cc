package heif

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"stoa/internal/media/picture/heif/heiftest"
	"stoa/internal/media/picture/picturetest"
)

// The discs of a scene, in reading order.
const (
	tl = iota
	tr
	bl
	br
)

func TestDecode(t *testing.T) {
	turned := func(turns byte, mirror bool) heiftest.Still {
		s := heiftest.Small()
		s.QuarterTurns, s.Mirror = turns, mirror
		return s
	}
	silent := heiftest.Limited()
	silent.Matrix = 0
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, c := range []struct {
		name          string
		file          []byte
		width, height int
		corners       [4]int
	}{
		{"grid of a phone", heiftest.Phone().File(), 4032, 3024, [4]int{tl, tr, bl, br}},
		{"small grid", heiftest.Small().File(), 300, 200, [4]int{tl, tr, bl, br}},
		{"turned anticlockwise", turned(1, false).File(), 200, 300, [4]int{tr, br, tl, bl}},
		{"upside down", turned(2, false).File(), 300, 200, [4]int{br, bl, tr, tl}},
		{"turned clockwise", turned(3, false).File(), 200, 300, [4]int{bl, tl, br, tr}},
		{"mirrored", turned(0, true).File(), 300, 200, [4]int{tr, tl, br, bl}},
		{"turned and mirrored", turned(3, true).File(), 200, 300, [4]int{tl, bl, tr, br}},
		{"colours that only the coded data tell", silent.File(), 300, 200, [4]int{tl, tr, bl, br}},
		{"colours of television", heiftest.Limited().File(), 300, 200, [4]int{tl, tr, bl, br}},
		{"without tiles", read("single.heic"), 300, 200, [4]int{tl, tr, bl, br}},
		{"10 bits", read("ten-bits.heic"), 300, 200, [4]int{tl, tr, bl, br}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, err := Parse(c.file)
			if err != nil {
				t.Fatal(err)
			}
			if f.Width != c.width || f.Height != c.height {
				t.Errorf("announced %d x %d, want %d x %d", f.Width, f.Height, c.width, c.height)
			}
			r, err := f.Decode(t.Context(), 2)
			if err != nil {
				t.Fatal(err)
			}
			if r.Width != c.width || r.Height != c.height {
				t.Errorf("decoded %d x %d, want %d x %d", r.Width, r.Height, c.width, c.height)
			}
			discs := picturetest.Corners(picturetest.Scene(300, 200))
			for i, got := range picturetest.Corners(r.Image()) {
				if want := discs[c.corners[i]]; !picturetest.Near(got, want, 8) {
					t.Errorf("corner %d: got %v, want %v", i, got, want)
				}
			}
		})
	}
}

// Decoded samples are bit-identical to those of another decoder.
func TestDecodeExactly(t *testing.T) {
	f, err := Parse(heiftest.Small().File())
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range heiftest.Sums() {
		tile, err := f.decodeTile(t.Context(), f.tiles[n])
		if err != nil {
			t.Fatal(err)
		}
		sum := md5.New()
		for _, p := range tile.Planes {
			for y := range p.Height {
				sum.Write(p.Pix[y*p.Stride:][:p.Width])
			}
		}
		if got := hex.EncodeToString(sum.Sum(nil)); got != want {
			t.Errorf("tile %d: got %s, want %s", n, got, want)
		}
	}
}

func TestWhatTheContainerTells(t *testing.T) {
	s := heiftest.Small()
	s.EXIF, s.ICC, s.Matrix = []byte("II*\x00 tags"), []byte("a profile"), 0
	f, err := Parse(s.File())
	if err != nil {
		t.Fatal(err)
	}
	if string(f.EXIF) != "II*\x00 tags" || string(f.ICC) != "a profile" {
		t.Errorf("got EXIF %q, profile %q", f.EXIF, f.ICC)
	}
	if f.TileWidth != 128 || f.TileHeight != 128 {
		t.Errorf("tiles of %d x %d", f.TileWidth, f.TileHeight)
	}
}

func TestSniff(t *testing.T) {
	for data, want := range map[string]bool{
		"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic": true,
		"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heix": true,
		"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif": false,
		"\x00\x00\x00\x14ftypqt  \x00\x00\x00\x00qt  ":     false,
		"\x00\x00\x00\x18ftyphe":                           false,
		"\xff\xd8\xff\xe0 a JPEG file begins so":           false,
		"":                                                 false,
	} {
		if got := Sniff([]byte(data)); got != want {
			t.Errorf("%q: got %v", data, got)
		}
	}
}

// Files that are truncated or damaged anywhere result in an error or an image, never in a
// panic, and quickly.
func TestDamagedFiles(t *testing.T) {
	whole := heiftest.Small()
	whole.EXIF = []byte("II*\x00")
	file := whole.File()
	mdat := bytes.Index(file, []byte("mdat"))
	random := rand.New(rand.NewPCG(1, 2))
	damage := func(n int) []byte {
		data := bytes.Clone(file)
		switch {
		case n%3 == 0:
			return data[:random.IntN(len(data))]
		case n%3 == 1: // in the structure
			for range 1 + random.IntN(4) {
				data[random.IntN(mdat)] = byte(random.IntN(256))
			}
		default: // in the coded pictures
			for range 1 + random.IntN(20) {
				data[mdat+random.IntN(len(data)-mdat)] ^= 1 << random.IntN(8)
			}
		}
		return data
	}
	for n := range 400 {
		f, err := Parse(damage(n))
		if err != nil {
			continue
		}
		if f.Width <= 0 || f.Height <= 0 || len(f.tiles) == 0 {
			t.Fatalf("file %d: %d x %d in %d tiles", n, f.Width, f.Height, len(f.tiles))
		}
		if f.Width*f.Height > 1<<20 || n%20 > 2 { // decoding all of them would take too long
			continue
		}
		if r, err := f.Decode(t.Context(), 1); err == nil && (r.Width != f.Width || r.Height != f.Height) {
			t.Fatalf("file %d: decoded %d x %d, announced %d x %d", n, r.Width, r.Height, f.Width, f.Height)
		}
	}
}

func TestRefused(t *testing.T) {
	change := func(old, new string) []byte {
		file := heiftest.Small().File()
		if !bytes.Contains(file, []byte(old)) {
			t.Fatalf("no %q in the file", old)
		}
		return bytes.ReplaceAll(file, []byte(old), []byte(new))
	}
	huge := heiftest.Small()
	huge.Width, huge.Height = 60000, 60000
	film := heiftest.Small()
	film.Film()
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"no meta box":          {change("meta", "atem"), "heif: no meta box"},
		"no primary picture":   {change("pitm", "mtip"), "heif: no primary picture"},
		"another codec":        {change("hvc1", "av01"), "heif: tile 0 is no HEVC picture"},
		"an overlay":           {change("grid", "iovl"), `heif: a "iovl" item is not supported`},
		"tiles that are away":  {change("dimg", "xxxx"), "heif: 0 tiles for a grid of 3 by 2"},
		"size beyond the grid": {huge.File(), "heif: tiles that do not fit their grid"},
		"a film":               {film.File(), "heif: 6 pictures where there should be one"},
		"no configuration":     {change("hvcC", "xxxx"), "heif: no decoder configuration"},
	} {
		f, err := Parse(c.file)
		if err == nil {
			_, err = f.Decode(t.Context(), 1)
		}
		var refused Error
		if !errors.As(err, &refused) || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

func TestDecodeStopsWithItsContext(t *testing.T) {
	f, err := Parse(heiftest.Phone().File())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Decode(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkDecode12Megapixels(b *testing.B) {
	file := heiftest.Phone().File()
	for b.Loop() {
		f, err := Parse(file)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.Decode(context.Background(), 1); err != nil {
			b.Fatal(err)
		}
	}
}
