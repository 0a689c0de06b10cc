package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/media/picture/heif/heiftest"
	"stoa/internal/media/picture/picturetest"
)

var anyFormat = []Format{JPEG, PNG, WebP, HEIC}

func process(t *testing.T, in Input) *Picture {
	t.Helper()
	if in.Formats == nil {
		in.Formats = anyFormat
	}
	p, err := NewProcessor(DefaultLimits()).Process(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decoded(t *testing.T, file []byte) image.Image {
	t.Helper()
	m, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// wantCorners compares the corners of an image with the discs of a scene, in reading order.
func wantCorners(t *testing.T, name string, m image.Image, tolerance int, want ...color.RGBA) {
	t.Helper()
	if len(want) == 0 {
		want = upright
	}
	for i, got := range picturetest.Corners(m) {
		if !picturetest.Near(got, want[i], tolerance) {
			t.Errorf("%s: corner %d is %v, want %v", name, i, got, want[i])
		}
	}
}

var upright = []color.RGBA{picturetest.TopLeft, picturetest.TopRight, picturetest.BottomLeft, picturetest.BottomRight}

func TestFormats(t *testing.T) {
	scene := picturetest.Scene(120, 80)
	gray := func(c color.RGBA) color.RGBA {
		y := color.GrayModel.Convert(c).(color.Gray).Y
		return color.RGBA{y, y, y, 255}
	}
	var grays, faded []color.RGBA
	for _, c := range upright {
		grays = append(grays, gray(c))
		faded = append(faded, color.RGBA{c.R/2 + 128, c.G/2 + 128, c.B/2 + 128, 255})
	}
	for _, c := range []struct {
		name    string
		data    []byte
		format  Format
		corners []color.RGBA
	}{
		{"JPEG", picturetest.JPEG(scene, nil), JPEG, nil},
		{"progressive JPEG", sample(t, "progressive.jpg"), JPEG, nil},
		{"grey JPEG", sample(t, "gray.jpg"), JPEG, grays},
		{"JPEG with a quarter of the chroma", sample(t, "411.jpg"), JPEG, nil},
		{"CMYK JPEG", sample(t, "cmyk.jpg"), JPEG, nil},
		{"PNG", picturetest.PNG(scene, nil), PNG, nil},
		{"WebP", sample(t, "lossy.webp"), WebP, nil},
		{"WebP without loss", sample(t, "lossless.webp"), WebP, nil},
		{"half transparent WebP", sample(t, "alpha.webp"), WebP, faded},
	} {
		p := process(t, Input{Data: c.data})
		if p.Format != c.format || p.Width != 120 || p.Height != 80 || p.Cropped {
			t.Errorf("%s: got %s, %d x %d, %v", c.name, p.Format, p.Width, p.Height, p.Cropped)
		}
		if !bytes.Equal(p.Native, c.data) {
			t.Errorf("%s: native is not what was uploaded", c.name)
		}
		if len(p.Colors) != 5 {
			t.Errorf("%s: %d colours", c.name, len(p.Colors))
		}
		for i, file := range p.Thumbnails[:3] {
			m, err := jpeg.Decode(bytes.NewReader(file))
			if err != nil || m.Bounds().Size() != image.Pt(120, 80) {
				t.Fatalf("%s in %s: %v, %v", c.name, Sizes[i].Name, m.Bounds(), err)
			}
			wantCorners(t, c.name, m, 24, c.corners...)
		}
		if m := decoded(t, p.Thumbnails[3]); m.Bounds().Size() != image.Pt(96, 64) {
			t.Errorf("%s: smallest size is %v", c.name, m.Bounds())
		}
	}
}

func TestAll(t *testing.T) {
	p := process(t, Input{Data: picturetest.JPEG(picturetest.Scene(40, 30), nil)})
	all := p.All()
	for _, name := range Names() {
		if len(all[name]) == 0 {
			t.Errorf("no %s", name)
		}
	}
	if want := []string{"native", "4K", "1080p", "480p", "64p"}; !slices.Equal(Names(), want) || len(all) != len(want) {
		t.Errorf("got %v and %d files", Names(), len(all))
	}
}

func TestTwelveMegapixels(t *testing.T) {
	scene := picturetest.Scene(1008, 756)
	large := image.NewRGBA(image.Rect(0, 0, 4032, 3024))
	for y := range 3024 {
		for x := range 4032 {
			large.SetRGBA(x, y, scene.RGBAAt(x/4, y/4))
		}
	}
	for orientation, sizes := range map[uint16][]image.Point{
		1: {{2880, 2160}, {1440, 1080}, {640, 480}, {85, 64}},
		6: {{1620, 2160}, {810, 1080}, {360, 480}, {48, 64}},
	} {
		var discs []color.RGBA
		for _, i := range cornersOf[orientation] {
			discs = append(discs, upright[i])
		}
		p := process(t, Input{Data: picturetest.JPEG(large, picturetest.EXIF{Order: binary.BigEndian, Orientation: orientation}.Block())})
		for i, want := range sizes {
			m := decoded(t, p.Thumbnails[i])
			if m.Bounds().Size() != want {
				t.Errorf("%d, %s is %v, want %v", orientation, Sizes[i].Name, m.Bounds().Size(), want)
			}
			wantCorners(t, Sizes[i].Name, m, 10, discs...)
		}
	}
}

// cornersOf holds the corners of a scene, by stored orientation, once the image is upright.
var cornersOf = map[uint16][4]int{
	1: {0, 1, 2, 3}, 2: {1, 0, 3, 2}, 3: {3, 2, 1, 0}, 4: {2, 3, 0, 1},
	5: {0, 2, 1, 3}, 6: {2, 0, 3, 1}, 7: {3, 1, 2, 0}, 8: {1, 3, 0, 2},
}

func TestOrientation(t *testing.T) {
	scene := picturetest.Scene(300, 200)
	for orientation, corners := range cornersOf {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			exif := picturetest.EXIF{Order: order, Orientation: orientation}.Block()
			for format, data := range map[Format][]byte{JPEG: picturetest.JPEG(scene, exif), PNG: picturetest.PNG(scene, exif)} {
				p := process(t, Input{Data: data})
				want := image.Pt(300, 200)
				if orientation >= 5 {
					want = image.Pt(200, 300)
				}
				if got := image.Pt(p.Width, p.Height); got != want {
					t.Errorf("%s, %d: got %v, want %v", format, orientation, got, want)
				}
				if !bytes.Equal(p.Native, data) {
					t.Errorf("%s, %d: native changed", format, orientation)
				}
				var discs []color.RGBA
				for _, i := range corners {
					discs = append(discs, upright[i])
				}
				for _, file := range p.Thumbnails[:3] {
					wantCorners(t, string(format), decoded(t, file), 10, discs...)
				}
			}
		}
	}
}

func TestCrop(t *testing.T) {
	scene := picturetest.Scene(300, 200)
	exif := picturetest.EXIF{Order: binary.BigEndian, Orientation: 6, GPS: true}.Block()
	profile := picturetest.Profile(100_000) // occupies two segments
	cutAt := len(iccPrefix) + 60_000
	icc := append([]byte(iccPrefix+"\x01\x02"), profile[:cutAt]...)
	icc2 := append([]byte(iccPrefix+"\x02\x02"), profile[cutAt:]...)
	data := picturetest.JPEG(scene, exif, append([]byte{0xe2}, icc...), append([]byte{0xe2}, icc2...))

	// Crops refer to the image as displayed, 200 x 300: here the upper half.
	p := process(t, Input{Data: data, Crop: image.Rect(0, 0, 199, 151)})
	if !p.Cropped || p.Width != 199 || p.Height != 151 {
		t.Errorf("got %d x %d, %v", p.Width, p.Height, p.Cropped)
	}
	for i, file := range [][]byte{p.Native, p.Thumbnails[0]} {
		m := decoded(t, file)
		if m.Bounds().Size() != image.Pt(199, 151) {
			t.Errorf("file %d: %v", i, m.Bounds())
		}
		for at, want := range map[image.Point]color.RGBA{{50, 50}: picturetest.BottomLeft, {150, 50}: picturetest.TopLeft} {
			if got := color.RGBAModel.Convert(m.At(at.X, at.Y)).(color.RGBA); !picturetest.Near(got, want, 10) {
				t.Errorf("file %d: at %v %v, want %v", i, at, got, want)
			}
		}
	}
	h, err := readHeader(JPEG, p.Native)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(h.icc, profile) {
		t.Error("the colour profile is another")
	}
	if got, want := tags(h.exif), tags(exif); len(want) < 8 || !slices.Equal(got, slices.DeleteFunc(want, isPlace)) {
		t.Errorf("tags\n%v, want\n%v", got, want)
	}
	if bytes.Contains(p.Native, []byte(picturetest.Place)) {
		t.Error("the place is still in the file")
	}
	if small, err := readHeader(JPEG, p.Thumbnails[3]); err != nil || small.exif != nil {
		t.Errorf("a thumbnail has EXIF: %v", err)
	}
}

func TestCropOfOtherFormats(t *testing.T) {
	exif := picturetest.EXIF{Order: binary.LittleEndian, Orientation: 1}.Block()
	for name, data := range map[string][]byte{
		"PNG":  picturetest.PNG(picturetest.Scene(120, 80), exif),
		"WebP": sample(t, "lossy.webp"),
	} {
		p := process(t, Input{Data: data, Crop: image.Rect(7, 5, 120, 80)})
		m, err := jpeg.Decode(bytes.NewReader(p.Native))
		if err != nil || m.Bounds().Size() != image.Pt(113, 75) || p.Width != 113 {
			t.Errorf("%s: %v, %v", name, m, err)
		}
		if h, _ := readHeader(JPEG, p.Native); name == "PNG" && !bytes.Equal(h.exif, exif) {
			t.Errorf("%s: EXIF was lost", name)
		}
	}
}

func TestCropThatChangesNothing(t *testing.T) {
	data := picturetest.JPEG(picturetest.Scene(120, 80), nil)
	for name, crop := range map[string]image.Rectangle{"none": {}, "all": image.Rect(0, 0, 120, 80)} {
		if p := process(t, Input{Data: data, Crop: crop}); p.Cropped || !bytes.Equal(p.Native, data) {
			t.Errorf("%s: native changed", name)
		}
	}
}

func TestHEIC(t *testing.T) {
	still := heiftest.Small()
	still.QuarterTurns = 3
	still.ICC = picturetest.Profile(600)
	still.EXIF = picturetest.EXIF{Order: binary.BigEndian, Orientation: 6, GPS: true}.Block()
	turned := []color.RGBA{upright[2], upright[0], upright[3], upright[1]}
	for name, c := range map[string]struct {
		crop    image.Rectangle
		want    image.Point
		corners []color.RGBA
	}{
		"whole":   {image.Rectangle{}, image.Pt(200, 300), turned},
		"cropped": {image.Rect(0, 0, 200, 200), image.Pt(200, 200), []color.RGBA{upright[2], upright[0]}},
	} {
		p := process(t, Input{Data: still.File(), Crop: c.crop})
		if p.Format != HEIC || image.Pt(p.Width, p.Height) != c.want || p.Cropped != !c.crop.Empty() || len(p.Colors) != 5 {
			t.Errorf("%s: got %s, %d x %d, %v", name, p.Format, p.Width, p.Height, p.Cropped)
		}
		for _, file := range [][]byte{p.Native, p.Thumbnails[0]} {
			m, err := jpeg.Decode(bytes.NewReader(file))
			if err != nil || m.Bounds().Size() != c.want {
				t.Fatalf("%s: %v, %v", name, m, err)
			}
			for i, at := range []image.Point{{50, 50}, {150, 50}} {
				if got := color.RGBAModel.Convert(m.At(at.X, at.Y)).(color.RGBA); !picturetest.Near(got, c.corners[i], 10) {
					t.Errorf("%s: at %v %v, want %v", name, at, got, c.corners[i])
				}
			}
		}
		h, err := readHeader(JPEG, p.Native)
		if err != nil || !bytes.Equal(h.icc, still.ICC) || len(h.exif) == 0 {
			t.Fatalf("%s: profile of %d bytes, EXIF of %d, %v", name, len(h.icc), len(h.exif), err)
		}
		// The pixels are upright: a reader that applied the orientation again would rotate
		// them.
		if h.orientation != 1 || hasGPS(h.exif) {
			t.Errorf("%s: orientation %d, place %v", name, h.orientation, hasGPS(h.exif))
		}
	}
}

func TestUnfit(t *testing.T) {
	scene := picturetest.Scene(120, 80)
	photo, drawing, phone := picturetest.JPEG(scene, nil), picturetest.PNG(scene, nil), heiftest.Small().File()
	hugePNG := bytes.Clone(drawing)
	binary.BigEndian.PutUint32(hugePNG[16:], 60000)
	binary.BigEndian.PutUint32(hugePNG[20:], 60000)
	hugeJPEG := bytes.Clone(photo)
	sof := bytes.Index(hugeJPEG, []byte{0xff, 0xc0})
	copy(hugeJPEG[sof+5:], []byte{0xea, 0x60, 0xea, 0x60})
	hugeWebP := sample(t, "lossless.webp")
	at := bytes.Index(hugeWebP, []byte("VP8L")) + 9
	binary.LittleEndian.PutUint32(hugeWebP[at:], 16383|16383<<14)
	noSize := bytes.Clone(photo)
	copy(noSize[sof+5:], []byte{0, 0, 0, 0})
	still := heiftest.Small()
	still.Width, still.Height = 30000, 30000
	still.Columns, still.Rows = 3, 2
	flag := func(b []byte, i int) []byte { c := bytes.Clone(b); c[i] ^= 0xff; return c }

	for _, c := range []struct {
		name    string
		in      Input
		want    Reason
		message string
	}{
		{"nothing", Input{Data: nil}, Unrecognized, ""},
		{"one byte", Input{Data: []byte{0xff}}, Unrecognized, ""},
		{"text", Input{Data: []byte("<html>hello</html>")}, Unrecognized, ""},
		{"noise", Input{Data: bytes.Repeat([]byte{7}, 1000)}, Unrecognized, ""},
		{"GIF", Input{Data: sample(t, "animated.gif")}, NotAllowed, "Image type not allowed: GIF"},
		{"AVIF", Input{Data: sample(t, "scene.avif")}, NotAllowed, `Image type not allowed: "avif"`},
		{"HEIC where JPEG is wanted", Input{Data: phone, Formats: []Format{JPEG, PNG}}, NotAllowed, "Image type not allowed: HEIC"},
		{"JPEG where HEIC is wanted", Input{Data: photo, Formats: []Format{HEIC}}, NotAllowed, "Image type not allowed: JPEG"},
		{"animated WebP", Input{Data: sample(t, "animated.webp")}, Animated, ""},
		{"only the start of a JPEG", Input{Data: photo[:3]}, Undecodable, ""},
		{"JPEG cut in its header", Input{Data: photo[:sof+4]}, Undecodable, ""},
		{"JPEG cut in its picture", Input{Data: photo[:len(photo)/2]}, Undecodable, ""},
		{"PNG cut in its header", Input{Data: drawing[:20]}, Undecodable, ""},
		{"PNG cut in its picture", Input{Data: drawing[:len(drawing)/2]}, Undecodable, ""},
		{"PNG with a wrong checksum", Input{Data: flag(drawing, 29)}, Undecodable, ""},
		{"WebP cut in its header", Input{Data: sample(t, "lossy.webp")[:20]}, Undecodable, ""},
		{"WebP cut in its picture", Input{Data: sample(t, "lossless.webp")[:900]}, Undecodable, ""},
		{"HEIC cut in its header", Input{Data: phone[:300]}, Undecodable, ""},
		{"HEIC cut in its picture", Input{Data: phone[:len(phone)-100]}, Undecodable, ""},
		{"JPEG without a size", Input{Data: noSize}, Undecodable, ""},
		{"PNG of 60,000 x 60,000", Input{Data: hugePNG}, TooLarge, "Image too large: 60000 x 60000 pixels"},
		{"JPEG of 60,000 x 60,000", Input{Data: hugeJPEG}, TooLarge, "Image too large: 60000 x 60000 pixels"},
		{"WebP of 16,384 x 16,384", Input{Data: hugeWebP}, TooLarge, "Image too large: 16384 x 16384 pixels"},
		{"HEIC larger than its tiles", Input{Data: still.File()}, Undecodable, ""},
		{"too many bytes", Input{Data: make([]byte, DefaultLimits().Bytes+1)}, TooLarge, ""},
		{"crop too tall", Input{Data: photo, Crop: image.Rect(0, 0, 120, 81)}, NotTallEnough, "Image not tall enough to crop as requested"},
		{"crop too wide", Input{Data: photo, Crop: image.Rect(0, 0, 121, 80)}, NotWideEnough, "Image not wide enough to crop as requested"},
		{"crop too tall and too wide", Input{Data: photo, Crop: image.Rect(0, 0, 121, 81)}, NotTallEnough, ""},
		{"crop too wide in HEIC", Input{Data: phone, Crop: image.Rect(0, 0, 301, 200)}, NotWideEnough, ""},
	} {
		if c.in.Formats == nil {
			c.in.Formats = anyFormat
		}
		_, err := NewProcessor(DefaultLimits()).Process(t.Context(), c.in)
		var unfit *Unfit
		if !errors.As(err, &unfit) || unfit.Reason != c.want || c.message != "" && err.Error() != c.message {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// Crops are checked against the dimensions as displayed.
func TestCropOfTurnedPicture(t *testing.T) {
	data := picturetest.JPEG(picturetest.Scene(300, 200), picturetest.EXIF{Order: binary.LittleEndian, Orientation: 8}.Block())
	process(t, Input{Data: data, Crop: image.Rect(0, 0, 200, 300)})
	_, err := NewProcessor(DefaultLimits()).Process(t.Context(), Input{Data: data, Formats: anyFormat, Crop: image.Rect(0, 0, 300, 200)})
	if err == nil || err.Error() != string(NotWideEnough) {
		t.Errorf("got %v", err)
	}
}

// A file of a few kilobytes can declare any number of pixels.
func TestBombs(t *testing.T) {
	var bomb bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&bomb, image.NewGray(image.Rect(0, 0, 12000, 11000))); err != nil {
		t.Fatal(err)
	}
	limits := DefaultLimits()
	_, err := NewProcessor(limits).Process(t.Context(), Input{Data: bomb.Bytes(), Formats: anyFormat})
	if u := (*Unfit)(nil); !errors.As(err, &u) || u.Reason != TooLarge {
		t.Errorf("%d bytes for 132 megapixels: %v", bomb.Len(), err)
	}
	limits.Pixels, limits.Largest = 1<<30, 4<<30
	limits.Time = time.Millisecond
	_, err = NewProcessor(limits).Process(t.Context(), Input{Data: bomb.Bytes(), Formats: anyFormat})
	if u := (*Unfit)(nil); !errors.As(err, &u) || u.Reason != TooSlow {
		t.Errorf("within a millisecond: %v", err)
	}
}

// A file that is too small for the pixels that it declares is refused before memory is
// allocated for them.
func TestClaims(t *testing.T) {
	data := picturetest.JPEG(picturetest.Scene(40, 30), nil)
	at := bytes.Index(data, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(data[at+5:], 9000)
	binary.BigEndian.PutUint16(data[at+7:], 9000)
	_, err := NewProcessor(DefaultLimits()).Process(t.Context(), Input{Data: data, Formats: anyFormat})
	if u := (*Unfit)(nil); !errors.As(err, &u) || u.Reason != Undecodable || !strings.Contains(err.Error(), "are too few for 9000 x 9000 pixels") {
		t.Errorf("got %v", err)
	}
	// The smallest files for a number of pixels have a single color.
	var jpegs, pngs bytes.Buffer
	plain := image.NewYCbCr(image.Rect(0, 0, 3000, 2000), image.YCbCrSubsampleRatio420)
	if err := errors.Join(
		jpeg.Encode(&jpegs, plain, nil),
		(&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&pngs, image.NewPaletted(image.Rect(0, 0, 3000, 2000), []color.Color{color.Black, color.White})),
	); err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{jpegs.Bytes(), pngs.Bytes()} {
		if _, err := NewProcessor(DefaultLimits()).Process(t.Context(), Input{Data: data, Formats: anyFormat}); err != nil {
			t.Errorf("%d bytes of one color: %v", len(data), err)
		}
	}
}

// What phones record fits, whatever is done with it.
func TestLargestPictures(t *testing.T) {
	const half, full, progressive = 1.5, 3.0, 7.5
	for _, c := range []struct {
		name             string
		megapixels       int
		decoding, planes float64
		file             int // in MB
		changed, refused bool
	}{
		{"JPEG", 50, half, half, 20, false, false},
		{"JPEG, cropped", 48, half, half, 10, true, false},
		{"HEIC", 50, full, half, 6, false, false},
		{"HEIC, cropped", 48, full, half, 6, true, false},
		{"JPEG of the largest sensors", 108, half, half, 30, false, false},
		{"JPEG of the largest sensors, cropped", 108, half, half, 30, true, true},
		{"progressive JPEG", 33, progressive, half, 10, false, false},
		{"progressive JPEG", 36, progressive, half, 10, false, true},
		{"PNG", 35, full + 4, full, 10, false, false},
		{"PNG", 40, full + 4, full, 10, false, true},
		{"JPEG of full chroma", 80, full, full, 20, false, false},
		{"JPEG of full chroma", 100, full, full, 20, false, true},
	} {
		h := &header{width: c.megapixels * 1000, height: 1000, perPixel: c.decoding, planes: c.planes}
		_, err := NewProcessor(DefaultLimits()).costOf(h, Input{Data: make([]byte, c.file*1_000_000)}, c.changed)
		if refused := err != nil; refused != c.refused {
			t.Errorf("%s of %d megapixels: %v", c.name, c.megapixels, err)
		}
	}
}

// Files that are read concurrently are together no larger than a single file may be.
func TestReading(t *testing.T) {
	p := NewProcessor(Limits{Bytes: 100, Memory: 1, Workers: 1})
	end, err := p.Reading(t.Context(), 60)
	if err != nil {
		t.Fatal(err)
	}
	small, err := p.Reading(t.Context(), 40)
	if err != nil {
		t.Fatal(err)
	}
	small()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := p.Reading(ctx, 41); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	end()
	if end, err := p.Reading(t.Context(), 1000); err != nil { // refused when it is read
		t.Error(err)
	} else {
		end()
	}
}

// Images whose caller gives up are not reported as unfit.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, data := range map[string][]byte{"JPEG": picturetest.JPEG(picturetest.Scene(60, 40), nil), "HEIC": heiftest.Small().File()} {
		_, err := NewProcessor(DefaultLimits()).Process(ctx, Input{Data: data, Formats: anyFormat})
		if u := (*Unfit)(nil); !errors.Is(err, context.Canceled) || errors.As(err, &u) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Images wait for workers and for memory, until their caller gives up.
func TestWaiting(t *testing.T) {
	limits := DefaultLimits()
	limits.Workers, limits.Memory = 2, fixedCost*3/2 // enough for one
	p := NewProcessor(limits)
	inside, leave := make(chan struct{}), make(chan struct{})
	drawing := func() image.Image {
		inside <- struct{}{}
		<-leave
		return picturetest.Scene(16, 16)
	}
	done := make(chan error)
	for range 2 {
		go func() {
			_, err := p.Render(context.Background(), drawing)
			done <- err
		}()
	}
	<-inside
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := p.Render(ctx, drawing); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	select {
	case <-inside:
		t.Error("two pictures took the memory of one")
	default:
	}
	leave <- struct{}{}
	<-inside
	leave <- struct{}{}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestGrid(t *testing.T) {
	wide, tall := picturetest.JPEG(picturetest.Scene(400, 100), nil), picturetest.JPEG(picturetest.Scene(100, 400), nil)
	file := func(data []byte) Cell {
		return func(context.Context) ([]byte, image.Image, error) { return data, nil, nil }
	}
	drawn := func(m image.Image) Cell {
		return func(context.Context) ([]byte, image.Image, error) { return nil, m, nil }
	}
	gray := image.NewGray(image.Rect(0, 0, 10, 10))
	processor := NewProcessor(DefaultLimits())
	p, err := processor.Grid(t.Context(), 320, 180, 2, []Cell{
		file(wide), drawn(picturetest.Scene(160, 90)), drawn(gray), file(tall),
	})
	if err != nil {
		t.Fatal(err)
	}
	m := decoded(t, p.Native)
	if m.Bounds().Size() != image.Pt(320, 180) || len(p.Thumbnails) != len(Sizes) || p.Width != 320 || p.Height != 180 {
		t.Fatalf("got %v", m.Bounds())
	}
	cell := m.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(image.Rect(160, 0, 320, 90))
	wantCorners(t, "second cell", cell, 10)
	if got := m.At(80, 135); !picturetest.Near(color.RGBAModel.Convert(got).(color.RGBA), color.RGBA{0, 0, 0, 255}, 3) {
		t.Errorf("third cell is %v", got)
	}
	broken := errors.New("not there")
	if _, err := processor.Grid(t.Context(), 320, 180, 1, []Cell{func(context.Context) ([]byte, image.Image, error) { return nil, nil, broken }}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func mustRead(name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return data
}
