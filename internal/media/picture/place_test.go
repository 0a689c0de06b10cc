package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"strings"
	"testing"

	"stoa/internal/media/picture/picturetest"
)

const (
	xmpHead       = "http://ns.adobe.com/xap/1.0/\x00"
	extensionHead = "http://ns.adobe.com/xmp/extension/\x00"
	photoshopHead = "Photoshop 3.0\x00"
	exifHead      = "Exif\x00\x00"
)

var secret = picturetest.Isle

// wantNoPlace processes a file, whole and cropped, and fails if anything made of it shows
// the secret.
func wantNoPlace(t *testing.T, name string, data []byte) *Picture {
	t.Helper()
	if secret.Shown(data) == "" {
		t.Fatalf("%s: the test plants nothing", name)
	}
	kept := bytes.Clone(data)
	p := NewProcessor(DefaultLimits())
	var whole *Picture
	for _, crop := range []image.Rectangle{image.Rect(1, 1, 20, 20), {}} {
		made, err := p.Process(context.Background(), Input{Data: data, Formats: anyFormat, Crop: crop})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for size, file := range made.All() {
			if shown := secret.Shown(file); shown != "" {
				t.Errorf("%s: %s, cropped to %v, shows %s", name, size, crop, shown)
			}
		}
		whole = made
	}
	if !bytes.Equal(data, kept) {
		t.Errorf("%s: the input was written to", name)
	}
	return whole
}

// service 5#1: the place goes from EXIF data at any depth, and the rest stays.
func TestPlaceInEXIF(t *testing.T) {
	scene := picturetest.Scene(40, 30)
	for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
		for at := range picturetest.Wheres {
			for name, l := range map[string]picturetest.Layout{
				"sound":                       {},
				"a false number of entries":   {Entries: 30000},
				"one entry too many":          {Entries: 1},
				"false entries of GPS":        {GPSEntries: 30000},
				"a false number of values":    {Values: 0xffffffff},
				"somewhat too many values":    {Values: 1000},
				"false entries and positions": {Entries: 0xfff0 - 7, GPSEntries: 0xfff0, Values: 5000},
			} {
				l.Order, l.At, l.Orientation = order, at, 6
				block := l.Block(secret)
				for format, data := range map[string][]byte{"JPEG": picturetest.JPEG(scene, block), "PNG": picturetest.PNG(scene, block)} {
					name := fmt.Sprintf("%s, %v, at %d, %s", format, order, at, name)
					p := wantNoPlace(t, name, data)
					if p.Width != 30 || p.Height != 40 {
						t.Errorf("%s: %d x %d", name, p.Width, p.Height)
					}
					h, err := readHeader(p.Format, p.Native)
					if err != nil || orientation(h.exif) != 6 {
						t.Errorf("%s: the orientation was lost: %v", name, err)
					}
					sound := l.Entries|l.GPSEntries == 0 && l.Values == 0 && at != picturetest.InMaker && at != picturetest.Nowhere
					if sound && !bytes.Contains(h.exif, []byte("Lochcamera")) {
						t.Errorf("%s: the camera was lost", name)
					}
				}
			}
		}
	}
}

// carriers returns JPEG files by where they hold the place.
func carriers() map[string][]byte {
	scene := picturetest.Scene(40, 30)
	block := picturetest.Layout{Order: binary.LittleEndian, Orientation: 1}.Block(secret)
	exif := string(block)
	sound := picturetest.JPEG(scene, nil)
	first := 4 + int(binary.BigEndian.Uint16(sound[4:])) // the end of the first segment
	beforeEnd := func(segments ...[]byte) []byte {
		out := bytes.Clone(sound[:len(sound)-2])
		for _, s := range segments {
			out = append(out, 0xff, s[0])
			out = append(binary.BigEndian.AppendUint16(out, uint16(len(s)+1)), s[1:]...)
		}
		return append(out, 0xff, 0xd9)
	}
	extension := func(offset int, part string) []byte {
		header := binary.BigEndian.AppendUint32(nil, uint32(len(secret.XMP(true))))
		return picturetest.Segment(0xe1, extensionHead, strings.Repeat("A", 32), string(header), string(binary.BigEndian.AppendUint32(nil, uint32(offset))), part)
	}
	elements := secret.XMP(true)
	cut := strings.Index(elements, secret.East()) + 3
	photoshop := func(resources ...[]byte) []byte {
		return picturetest.Segment(0xed, photoshopHead, string(bytes.Join(resources, nil)))
	}
	short := picturetest.JPEG(scene, block)
	binary.BigEndian.PutUint16(short[4:], uint16(2+len(exifPrefix)+40)) // the block is cut, and followed by its rest
	utf16 := make([]byte, 0, 2*len(elements))
	for i := range len(elements) {
		utf16 = append(utf16, elements[i], 0)
	}
	return map[string][]byte{
		"a second segment": picturetest.JPEG(
			scene,
			picturetest.EXIF{Order: binary.BigEndian, Orientation: 1}.Block(),
			picturetest.Segment(0xe1, exifHead, exif),
		),
		"a prefix in upper case":               picturetest.JPEG(scene, nil, picturetest.Segment(0xe1, "EXIF\x00\xff", exif)),
		"no prefix":                            picturetest.JPEG(scene, nil, picturetest.Segment(0xe1, exif)),
		"another segment":                      picturetest.JPEG(scene, nil, picturetest.Segment(0xe3, "Meta\x00\x00", exif)),
		"EXIF in two segments":                 picturetest.JPEG(scene, nil, picturetest.Segment(0xe1, exifHead, exif[:150]), picturetest.Segment(0xe1, exifHead, exif[150:])),
		"EXIF in two segments, cut in a value": picturetest.JPEG(scene, nil, picturetest.Segment(0xe1, exifHead, exif[:20]), picturetest.Segment(0xe1, exifHead, exif[20:])),
		"EXIF longer than its segment":         short,
		"EXIF after the scan":                  beforeEnd(picturetest.Segment(0xe1, exifHead, exif)),
		"XMP after the scan":                   beforeEnd(picturetest.Segment(0xe1, xmpHead, elements)),
		"XMP attributes":                       picturetest.JPEG(scene, nil, picturetest.Segment(0xe1, xmpHead, secret.XMP(false))),
		"XMP elements":                         picturetest.JPEG(scene, nil, picturetest.Segment(0xe1, xmpHead, elements)),
		"XMP in UTF-16":                        picturetest.JPEG(scene, nil, picturetest.Segment(0xe1, xmpHead, string(utf16))),
		"XMP that is cut":                      picturetest.JPEG(scene, nil, picturetest.Segment(0xe1, xmpHead, elements[:len(elements)-100])),
		"XMP with an entity":                   picturetest.JPEG(scene, nil, picturetest.Segment(0xe1, xmpHead, `<!DOCTYPE x [<!ENTITY p "`+secret.North()+`">]><x>&p;</x>`)),
		"XMP with a picture":                   picturetest.JPEG(scene, nil, picturetest.Segment(0xe1, xmpHead, secret.XMPWithPicture())),
		"extended XMP":                         picturetest.JPEG(scene, nil, extension(0, elements)),
		"extended XMP in two segments":         picturetest.JPEG(scene, nil, extension(0, elements[:cut]), picturetest.Segment(0xfe, "between"), extension(cut, elements[cut:])),
		"extended XMP in the wrong order":      picturetest.JPEG(scene, nil, extension(cut, elements[cut:]), extension(0, elements[:cut])),
		"IPTC": picturetest.JPEG(
			scene,
			nil,
			photoshop(picturetest.Resource(0x0425, []byte("digest")), picturetest.Resource(0x0404, secret.IPTC())),
		),
		"IPTC of no resource":           picturetest.JPEG(scene, nil, picturetest.Segment(0xed, string(secret.IPTC()))),
		"IPTC longer than its resource": picturetest.JPEG(scene, nil, photoshop(picturetest.Resource(0x0404, secret.IPTC())[:60])),
		"EXIF of Photoshop":             picturetest.JPEG(scene, nil, photoshop(picturetest.Resource(0x0422, block))),
		"XMP of Photoshop":              picturetest.JPEG(scene, nil, photoshop(picturetest.Resource(0x0424, []byte(elements)))),
		"a thumbnail of Photoshop":      picturetest.JPEG(scene, nil, photoshop(picturetest.Resource(0x040c, append(make([]byte, 28), picturetest.JPEG(scene, block)...)))),
		"Photoshop in two segments": picturetest.JPEG(scene, nil,
			photoshop(picturetest.Resource(0x0404, secret.IPTC())[:24]), photoshop(picturetest.Resource(0x0404, secret.IPTC())[24:])),
		"a comment":        picturetest.JPEG(scene, nil, picturetest.Segment(0xfe, "GPS: "+secret.North())),
		"a claim":          picturetest.JPEG(scene, nil, picturetest.Segment(0xeb, "JP\x00\x01jumb", `{"exif:GPSLatitude": "`+secret.North()+`"}`)),
		"between segments": bytes.Join([][]byte{sound[:first], block, sound[first:]}, nil),
		"a second picture": append(bytes.Clone(sound), picturetest.JPEG(scene, block)...),
		"a film":           append(append(bytes.Clone(sound), "\x00\x00\x00\x18ftypqt  \x00\x00\x00\x00moov\xa9xyz"...), secret.North()...),
		"progressive, at start": append(
			append([]byte("\xff\xd8\xff\xe1"), append(binary.BigEndian.AppendUint16(nil, uint16(len(exif)+8)), exifHead+exif...)...),
			progressive()[2:]...),
		"between scans": betweenScans(exif),
	}
}

// progressive returns a JPEG file with several scans.
func progressive() []byte { return mustRead("testdata/progressive.jpg") }

// betweenScans returns a JPEG file with EXIF after its first scan.
func betweenScans(exif string) []byte {
	data := progressive()
	first := bytes.Index(data, []byte{0xff, 0xda})
	at := first + bytes.Index(data[first+2:], []byte{0xff, 0xc4}) + 2
	segment := append([]byte{0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(exif)+8))...)
	return bytes.Join([][]byte{data[:at], segment, []byte(exifHead + exif), data[at:]}, nil)
}

// service 5#1: the place goes from every part of a JPEG file that can hold it.
func TestPlaceInJPEG(t *testing.T) {
	for name, data := range carriers() {
		p := wantNoPlace(t, name, data)
		if strings.HasPrefix(name, "XMP elements") || strings.HasPrefix(name, "XMP attributes") || name == "IPTC" {
			if !bytes.Contains(p.Native, []byte("kept")) || len(p.Native) != len(data) {
				t.Errorf("%s: more than the place was removed", name)
			}
		}
	}
}

// service 5#1: the place goes from every chunk of a PNG file that can hold it.
func TestPlaceInPNG(t *testing.T) {
	scene := picturetest.Scene(40, 30)
	block := picturetest.Layout{Order: binary.BigEndian, Orientation: 1}.Block(secret)
	profile := picturetest.RawProfile("exif", append([]byte(exifHead), block...))
	text := func(keyword string, value []byte) []byte {
		return picturetest.Chunk("tEXt", append([]byte(keyword+"\x00"), value...))
	}
	packed := func(keyword string, value []byte) []byte {
		return picturetest.Chunk("zTXt", append([]byte(keyword+"\x00\x00"), picturetest.Deflated(value)...))
	}
	resources := picturetest.Resource(0x0404, secret.IPTC())
	for name, c := range map[string]struct {
		chunk []byte
		keeps string
	}{
		"eXIf":                       {picturetest.Chunk("eXIf", block), "Lochcamera"},
		"eXIf with a prefix":         {picturetest.Chunk("eXIf", append([]byte(exifHead), block...)), "Lochcamera"},
		"raw EXIF":                   {text("Raw profile type exif", profile), "Raw profile"},
		"raw EXIF, packed":           {packed("Raw profile type exif", profile), "Raw profile"},
		"raw APP1":                   {packed("Raw profile type APP1", picturetest.RawProfile("APP1", append([]byte(exifHead), block...))), "Raw profile"},
		"raw EXIF of another size":   {packed("Raw profile type exif", bytes.Replace(profile, []byte("\n    "), []byte("\n9999"), 1)), ""},
		"raw EXIF without hex":       {packed("Raw profile type exif", append([]byte("\nexif\n 3\n~"), block...)), ""},
		"raw XMP":                    {packed("Raw profile type xmp", picturetest.RawProfile("xmp", []byte(secret.XMP(true)))), "Raw profile"},
		"raw IPTC":                   {packed("Raw profile type iptc", picturetest.RawProfile("iptc", resources)), "Raw profile"},
		"raw EXIF, international":    {picturetest.Chunk("iTXt", append([]byte("Raw profile type exif\x00\x01\x00en\x00\x00"), picturetest.Deflated(profile)...)), "Raw profile"},
		"XMP":                        {picturetest.Chunk("iTXt", []byte("XML:com.adobe.xmp\x00\x00\x00\x00\x00"+secret.XMP(false))), "kept"},
		"XMP, packed":                {picturetest.Chunk("iTXt", append([]byte("XML:com.adobe.xmp\x00\x01\x00\x00\x00"), picturetest.Deflated([]byte(secret.XMP(true)))...)), "XML:com"},
		"a text":                     {text("exif:GPSLatitude", []byte(secret.North())), ""},
		"another text":               {text("Comment", []byte("GPS "+secret.North())), ""},
		"a claim":                    {picturetest.Chunk("caBX", []byte(`{"exif:GPSLatitude": "`+secret.North()+`"}`)), ""},
		"compressed EXIF of a draft": {picturetest.Chunk("zxIf", append(make([]byte, 5), picturetest.Deflated(block)...)), ""},
	} {
		p := wantNoPlace(t, name, picturetest.WithChunks(scene, c.chunk))
		if !bytes.Contains(p.Native, []byte(c.keeps)) {
			t.Errorf("%s: more than the place was removed", name)
		}
		decoded(t, p.Native)
	}
	data := picturetest.WithChunks(scene)
	p := wantNoPlace(t, "after the end", append(bytes.Clone(data), picturetest.Chunk("eXIf", block)...))
	if !bytes.Equal(p.Native, data) {
		t.Error("the end is elsewhere")
	}
}

// webpWith returns a WebP file with chunks of metadata.
func webpWith(chunks ...string) []byte {
	plain := mustRead("testdata/lossy.webp")
	body := "VP8X\x0a\x00\x00\x00\x0c\x00\x00\x00\x77\x00\x00\x4f\x00\x00" + string(plain[12:])
	for i := 0; i < len(chunks); i += 2 {
		size := binary.LittleEndian.AppendUint32(nil, uint32(len(chunks[i+1])))
		body += chunks[i] + string(size) + chunks[i+1] + strings.Repeat("\x00", len(chunks[i+1])%2)
	}
	return []byte("RIFF" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)+4))) + "WEBP" + body)
}

// service 5#1: the place goes from every chunk of a WebP file that can hold it.
func TestPlaceInWebP(t *testing.T) {
	block := string(picturetest.Layout{Order: binary.BigEndian, Orientation: 1}.Block(secret))
	for name, data := range map[string][]byte{
		"EXIF":               webpWith("EXIF", block),
		"EXIF with a prefix": webpWith("EXIF", exifHead+block),
		"XMP":                webpWith("EXIF", "", "XMP ", secret.XMP(true)),
		"an unknown chunk":   webpWith("GPS ", block),
		"after the end":      append(webpWith(), block...),
	} {
		decoded(t, wantNoPlace(t, name, data).Native)
	}
}

// service 5#1: what holds no place is served as it came.
func TestSoundFilesStay(t *testing.T) {
	scene := picturetest.Scene(40, 30)
	exif := picturetest.EXIF{Order: binary.BigEndian, Orientation: 6}.Block()
	xmp := `<?xpacket?><x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- city --><rdf:RDF><rdf:Description xmp:Rating="5" crs:Geometry='a > ` +
		`b'/><dc:title><![CDATA[<GPS>]]></dc:title></rdf:RDF></x:xmpmeta>` + strings.Repeat(
		" ",
		2000,
	)
	caption := append([]byte{0x1c, 2, 120, 0, 8}, "Dunvegan"...)
	index := "MPF\x00MM\x00*\x00\x00\x00\x08\x00\x01\xb0\x00\x00\x07\x00\x00\x00\x040100\x00\x00\x00\x00"
	for name, data := range map[string][]byte{
		"JPEG": picturetest.JPEG(scene, exif, picturetest.Segment(0xe1, xmpHead, xmp), picturetest.Segment(0xe1, extensionHead, strings.Repeat("A", 40), xmp),
			picturetest.Segment(0xed, photoshopHead, string(picturetest.Resource(0x0404, caption))), picturetest.Segment(0xfe, "a comment"),
			picturetest.Segment(0xe2, index), picturetest.Segment(0xee, "Adobe\x00\x64\x00\x00\x00\x00\x01"),
			picturetest.Segment(0xe2, iccPrefix, "\x01\x01", string(picturetest.Profile(500)))),
		"XMP that is cut": picturetest.JPEG(scene, exif, picturetest.Segment(0xe1, xmpHead, xmp[:40])),
		"PNG": picturetest.WithChunks(scene, picturetest.Chunk("eXIf", exif), picturetest.Chunk("tEXt", []byte("Software\x00stoa")),
			picturetest.Chunk("zTXt", append([]byte("Raw profile type exif\x00\x00"), picturetest.Deflated(picturetest.RawProfile("exif", exif))...)),
			picturetest.Chunk("iTXt", []byte("XML:com.adobe.xmp\x00\x00\x00\x00\x00"+xmp)), picturetest.Chunk("prVt", []byte("anything"))),
		"WebP":              webpWith("EXIF", string(exif), "XMP ", xmp),
		"WebP, odd":         webpWith("EXIF", string(exif)+"\x00"),
		"progressive JPEG":  progressive(),
		"EXIF of no TIFF":   picturetest.JPEG(scene, []byte("anything else")),
		"EXIF that is cut":  picturetest.JPEG(scene, exif[:60]),
		"EXIF that is read": picturetest.JPEG(scene, bytes.Repeat([]byte("II*\x00\x08\x00\x00\x00"), 8)),
	} {
		if p := process(t, Input{Data: data}); !bytes.Equal(p.Native, data) {
			t.Errorf("%s: changed", name)
		}
	}
}

// FuzzPlace plants a place in files, as its input chooses, and looks for it in everything made
// of them.
func FuzzPlace(f *testing.F) {
	for n := range 64 {
		f.Add([]byte{byte(n), byte(n / 3), byte(n * 7), byte(n * 5), byte(n * 11), byte(n * 13), byte(n / 2), byte(n * 3), byte(n), byte(n * 17), byte(n), byte(n / 5)})
	}
	f.Add([]byte("$\f^\xb4\x12|\xd4\a\x9d\x8c\xda`$d\a\xf2"))  // the size of a segment ends it before the continued place
	f.Add([]byte("&\f\n\xbe\xa3\r\x13\x13p&p&//////\x13\x13")) // and before the entry for it
	f.Add([]byte("0\x10P\x05"))                                // XMP in a comment
	scene := picturetest.Scene(40, 30)
	p := NewProcessor(DefaultLimits())
	f.Fuzz(func(t *testing.T, choices []byte) {
		choose := func(n int) int {
			if len(choices) == 0 {
				return 0
			}
			c := int(choices[0])
			choices = choices[1:]
			return c % n
		}
		data := planted(scene, choose)
		made, err := p.Process(t.Context(), Input{Data: data, Formats: anyFormat, Crop: []image.Rectangle{{}, image.Rect(0, 0, 9, 9)}[choose(2)]})
		if u := (*Unfit)(nil); errors.As(err, &u) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for size, file := range made.All() {
			if shown := secret.Shown(file); shown != "" {
				t.Errorf("%s shows %s", size, shown)
			}
		}
	})
}

// planted returns a file that holds the place where a function chooses.
func planted(scene image.Image, choose func(int) int) []byte {
	layout := func() picturetest.Layout {
		l := picturetest.Layout{At: picturetest.Where(choose(int(picturetest.Wheres))), Orientation: uint16(choose(10))}
		l.Order = []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian}[choose(2)]
		l.Entries = []uint16{0, 0, 1, 2, 100, 0x7000}[choose(6)] * uint16(choose(3))
		l.GPSEntries = []uint16{0, 0, 1, 2, 100, 0x7000}[choose(6)] * uint16(choose(3))
		l.Values = []uint32{0, 0, 4, 50, 1 << 16, 1<<32 - 1}[choose(6)]
		return l
	}
	blob := func() string {
		switch choose(6) {
		case 0:
			return exifHead + string(layout().Block(secret))
		case 1:
			return xmpHead + secret.XMP(choose(2) == 0)
		case 2:
			return photoshopHead + string(picturetest.Resource([]uint16{0x0404, 0x0425}[choose(2)], secret.IPTC()))
		case 3:
			return photoshopHead + string(picturetest.Resource(0x0422, layout().Block(secret)))
		case 4:
			return xmpHead + secret.XMPWithPicture()
		default:
			return string(layout().Block(secret))
		}
	}
	var parts []string
	for range 1 + choose(4) {
		parts = append(parts, blob())
	}
	switch choose(3) {
	case 0:
		var chunks [][]byte
		for _, part := range parts {
			raw := picturetest.RawProfile("exif", []byte(part))
			switch choose(4) {
			case 0:
				chunks = append(chunks, picturetest.Chunk("eXIf", []byte(part)))
			case 1:
				chunks = append(chunks, picturetest.Chunk("tEXt", append([]byte("Raw profile type exif\x00"), raw...)))
			case 2:
				chunks = append(chunks, picturetest.Chunk("zTXt", append([]byte("Raw profile type APP1\x00\x00"), picturetest.Deflated(raw)...)))
			case 3:
				chunks = append(chunks, picturetest.Chunk("iTXt", append([]byte("Raw profile type exif\x00\x01\x00\x00\x00"), picturetest.Deflated(raw)...)))
			}
		}
		return picturetest.WithChunks(scene, chunks...)
	case 1:
		var chunks []string
		for _, part := range parts {
			chunks = append(chunks, []string{"EXIF", "XMP ", "METX"}[choose(3)], part)
		}
		return webpWith(chunks...)
	}
	var segments [][]byte
	for _, part := range parts {
		marker := []byte{0xe1, 0xe1, 0xed, 0xe0, 0xe3, 0xfe}[choose(6)]
		if strings.HasPrefix(part, exifHead) && choose(3) == 0 {
			at := len(exifHead) + 8 + choose(256)%(len(part)-len(exifHead)-8)
			segments = append(segments, picturetest.Segment(0xe1, part[:at]), picturetest.Segment(0xe1, exifHead, part[at:]))
			continue
		}
		segments = append(segments, picturetest.Segment(marker, part))
	}
	data := picturetest.JPEG(scene, nil, segments...)
	switch choose(3) {
	case 1: // a false size of the first segment
		size := int(binary.BigEndian.Uint16(data[4:]))
		binary.BigEndian.PutUint16(data[4:], uint16(max(2, size-choose(256))))
	case 2:
		data = append(data, parts[0]...)
	}
	return data
}
