package art

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"stoa/internal/media/lettering"
	"stoa/internal/media/picture"
	"stoa/internal/media/picture/heif/heiftest"
	"stoa/internal/media/picture/picturetest"
)

var sheetFile = flag.String("sheet", "", "PNG file to write the contact sheet to, for people to look at")

// sheet arranges images in rows.
type sheet struct {
	t     *testing.T
	image *image.RGBA
	x, y  int
}

const (
	cellW, cellH = 200, 150
	margin       = 14
	columns      = 8
)

func (s *sheet) row() {
	if s.x > margin {
		s.x, s.y = margin, s.y+cellH+2*margin+12
	}
}

// add adds a JPEG file to the sheet, reduced to fit unless it is small.
func (s *sheet) add(label string, file []byte) {
	s.t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		s.t.Fatalf("%s: %v", label, err)
	}
	if m.Bounds().Dx() > cellW || m.Bounds().Dy() > cellH {
		// By nearest neighbour, so that a good filter hides nothing.
		step := max(float64(m.Bounds().Dx())/cellW, float64(m.Bounds().Dy())/cellH)
		small := image.NewRGBA(image.Rect(0, 0, int(float64(m.Bounds().Dx())/step), int(float64(m.Bounds().Dy())/step)))
		for y := range small.Rect.Dy() {
			for x := range small.Rect.Dx() {
				small.Set(x, y, m.At(int((float64(x)+0.5)*step), int((float64(y)+0.5)*step)))
			}
		}
		m = small
	}
	draw.Draw(s.image, m.Bounds().Add(image.Pt(s.x, s.y)), m, m.Bounds().Min, draw.Src)
	s.label(label)
}

func (s *sheet) label(text string) {
	d := font.Drawer{Dst: s.image, Src: image.Black, Face: basicfont.Face7x13, Dot: fixed.P(s.x, s.y+cellH+13)}
	d.DrawString(text)
	if s.x += cellW + margin; s.x+cellW > s.image.Rect.Dx() {
		s.row()
	}
}

// TestContactSheet writes a contact sheet of all album art, for visual inspection:
//
//	go test ./internal/media/art -run ContactSheet -sheet /tmp/sheet.png
func TestContactSheet(t *testing.T) {
	p := picture.NewProcessor(picture.DefaultLimits())
	formats := []picture.Format{picture.JPEG, picture.PNG, picture.HEIC}
	process := func(data []byte, crop image.Rectangle) *picture.Picture {
		made, err := p.Process(t.Context(), picture.Input{Data: data, Formats: formats, Crop: crop})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	s := &sheet{t: t, image: image.NewRGBA(image.Rect(0, 0, columns*(cellW+margin)+margin, 6*(cellH+2*margin+12)+margin)), x: margin, y: margin}
	draw.Draw(s.image, s.image.Rect, image.White, image.Point{}, draw.Src)

	scene := picturetest.Scene(1200, 800)
	made := process(picturetest.JPEG(scene, nil), image.Rectangle{})
	for _, name := range picture.Names() {
		s.add("JPEG "+name, made.All()[name])
	}
	s.palette("colours", made.Colors)
	detailed := process(picturetest.JPEG(picturetest.Photo(800, 600), nil), image.Rectangle{})
	s.add("detail 480p", detailed.Thumbnails[2])
	s.palette("its colours", detailed.Colors)

	s.row()
	small := picturetest.Scene(600, 400)
	for orientation := uint16(1); orientation <= 8; orientation++ {
		exif := picturetest.EXIF{Order: binary.BigEndian, Orientation: orientation}.Block()
		s.add(fmt.Sprintf("orientation %d", orientation), process(picturetest.JPEG(small, exif), image.Rectangle{}).Thumbnails[0])
	}

	s.row()
	for _, crop := range []image.Rectangle{image.Rect(0, 0, 300, 200), image.Rect(301, 201, 600, 400), image.Rect(0, 0, 600, 100), image.Rect(51, 51, 150, 350)} {
		s.add(crop.String(), process(picturetest.JPEG(small, nil), crop).Native)
	}
	s.add("PNG", process(picturetest.PNG(small, nil), image.Rectangle{}).Thumbnails[0])

	s.row()
	for turns := range byte(4) {
		still := heiftest.Small()
		still.QuarterTurns = turns
		s.add(fmt.Sprintf("HEIC, irot %d", turns), process(still.File(), image.Rectangle{}).Native)
	}
	mirrored := heiftest.Small()
	mirrored.Mirror = true
	s.add("HEIC, imir", process(mirrored.File(), image.Rectangle{}).Native)
	s.add("HEIC, limited BT.709", process(heiftest.Limited().File(), image.Rectangle{}).Native)
	s.add("HEIC, cropped", process(heiftest.Small().File(), image.Rect(0, 0, 150, 150)).Native)

	s.row()
	texts := []string{
		"Hi",
		"The light on the hills lasted until nine and then, all at once, it was dark.",
		"Grüße aus Köln · Привет, мир · Καλημέρα κόσμε",
	}
	long := ""
	for range 12 {
		long += texts[1] + " "
	}
	texts = append(texts, long, "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen")
	for _, text := range texts {
		m, err := lettering.Draw(text, 854, 480)
		if err != nil {
			t.Fatal(err)
		}
		s.add("text", picturetest.JPEG(m, nil))
	}

	s.row()
	items := []Item{photo(1920, 1080), {Text: texts[1]}, photo(1080, 1920), photo(1600, 400)}
	data := detailed.Thumbnails[2]
	for len(items) < 16 {
		items = append(items, Item{Picture: func(context.Context) ([]byte, error) { return data, nil }})
	}
	for _, n := range []int{4, 9, 16} {
		cover, err := Cover(t.Context(), p, items[:n])
		if err != nil {
			t.Fatal(err)
		}
		s.add(fmt.Sprintf("cover of %d", n), cover.Native)
		s.palette("its colours", cover.Colors)
	}

	file := *sheetFile
	if file == "" {
		file = filepath.Join(t.TempDir(), "sheet.png")
	}
	var out bytes.Buffer
	if err := png.Encode(&out, s.image); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s *sheet) palette(label string, colors []picture.Color) {
	for i, c := range colors {
		area := image.Rect(0, 0, cellW/5, cellH).Add(image.Pt(s.x+i*cellW/5, s.y))
		draw.Draw(s.image, area, image.NewUniform(color.RGBA{c.R, c.G, c.B, 255}), image.Point{}, draw.Src)
	}
	s.label(label)
}
