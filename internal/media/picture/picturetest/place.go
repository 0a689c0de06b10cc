package picturetest

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"image"
	"io"
)

// Secret is a place that is planted in files.
type Secret struct{ Latitude, Longitude [3]uint32 }

// Isle is a secret whose parts occur in no picture.
var Isle = Secret{[3]uint32{0x39a1b2c3, 0x1ad4e5f6, 0x51728394}, [3]uint32{0x6a5b4c3d, 0x235e6f70, 0x18293a4b}}

const denominator = 0x00989681

func (s Secret) rationals(order binary.AppendByteOrder, of [3]uint32) (b []byte) {
	for _, v := range of {
		b = order.AppendUint32(order.AppendUint32(b, v), denominator)
	}
	return b
}

// text returns a coordinate as XMP writes it.
func (s Secret) text(of [3]uint32, direction string) string {
	return fmt.Sprintf("%d,%d.%d%s", of[0]%90, of[1], of[2], direction)
}

// North and East are the coordinates as texts.
func (s Secret) North() string { return s.text(s.Latitude, "N") }
func (s Secret) East() string  { return s.text(s.Longitude, "E") }

// Shown returns a part of the secret that a file shows, also within its compressed and coded
// texts, or nothing.
func (s Secret) Shown(file []byte) string {
	var parts [][]byte
	for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
		for _, v := range append(s.Latitude[:], s.Longitude[:]...) {
			parts = append(parts, order.AppendUint32(nil, v))
		}
	}
	views := [][]byte{file}
	for at := range file {
		if at+2 <= len(file) && file[at] == 0x78 && (int(file[at])<<8|int(file[at+1]))%31 == 0 {
			if r, err := zlib.NewReader(bytes.NewReader(file[at:])); err == nil {
				if text, _ := io.ReadAll(io.LimitReader(r, 1<<20)); len(text) > 0 {
					views = append(views, text)
				}
			}
		}
	}
	for _, view := range views {
		digits := bytes.ReplaceAll(view, []byte("\n"), nil)
		for _, text := range []string{s.North(), s.East()} {
			if bytes.Contains(bytes.ReplaceAll(view, []byte{0}, nil), []byte(text)) || bytes.Contains(digits, []byte(hex.EncodeToString([]byte(text)))) {
				return text
			}
		}
		for _, p := range parts {
			if bytes.Contains(view, p) || bytes.Contains(digits, []byte(hex.EncodeToString(p))) {
				return hex.EncodeToString(p)
			}
		}
		if at := bytes.Index(view, []byte("/9j/")); at >= 0 {
			coded, _, _ := bytes.Cut(view[at:], []byte("<"))
			coded, _, _ = bytes.Cut(coded, []byte(`"`))
			if inner, err := base64.StdEncoding.DecodeString(string(coded)); err == nil {
				if shown := s.Shown(inner); shown != "" {
					return shown
				}
			}
		}
	}
	return ""
}

// Layout is how an EXIF block holds a place.
type Layout struct {
	Order binary.AppendByteOrder
	// At is where the directory is referred to.
	At Where
	// Entries is added to the number of entries of the directory that refers to it, and GPSEntries
	// to that of the GPS directory.
	Entries, GPSEntries uint16
	// Values, if not 0, is the number of rational numbers that each coordinate has, falsely.
	Values uint32
	// Orientation is that of the picture.
	Orientation uint16
}

// Where is a part of an EXIF block.
type Where int

const (
	InMain Where = iota
	InExif
	InInterop
	InThumbnail // directory
	InSubIFD
	InUnknown // a directory of an unknown tag
	InMaker   // a maker's note
	Nowhere   // nothing refers to it
	InThumbnailFile
	InXMPTag
	InIPTCTag
	InComment
	Wheres
)

type tag struct {
	id, kind uint16
	count    uint32
	value    []byte
}

// block is an EXIF block that is written from its leaves.
type block struct {
	order binary.AppendByteOrder
	out   []byte
}

func (b *block) short(v uint16) []byte { return b.order.AppendUint16(nil, v) }
func (b *block) long(v uint32) []byte  { return b.order.AppendUint32(nil, v) }

// directory appends a directory after its values, and returns its offset. It claims to have
// more entries than there are.
func (b *block) directory(next uint32, more uint16, tags ...tag) uint32 {
	var entries []byte
	for _, t := range tags {
		entries = append(entries, bytes.Join([][]byte{b.short(t.id), b.short(t.kind), b.long(t.count)}, nil)...)
		if len(t.value) <= 4 {
			entries = append(append(entries, t.value...), make([]byte, 4-len(t.value))...)
			continue
		}
		entries = append(entries, b.long(uint32(len(b.out)))...)
		b.out = append(b.out, t.value...)
	}
	at := uint32(len(b.out))
	b.out = append(b.out, b.short(uint16(len(tags))+more)...)
	b.out = append(b.out, entries...)
	b.out = append(b.out, b.long(next)...)
	return at
}

// Block returns an EXIF block with the secret.
func (l Layout) Block(s Secret) []byte {
	b := &block{order: l.Order, out: []byte("MM\x00*\x00\x00\x00\x00")}
	if l.Order == binary.LittleEndian {
		b.out = []byte("II*\x00\x00\x00\x00\x00")
	}
	pointer := func(id uint16, to uint32) tag { return tag{id, 4, 1, b.long(to)} }
	directories := map[Where][]tag{}

	values := uint32(3)
	if l.Values != 0 {
		values = l.Values
	}
	gpsTags := func(b *block) []tag {
		return []tag{
			{0, 1, 4, []byte{2, 3, 0, 0}}, {1, 2, 2, []byte("N\x00")}, {2, 5, values, s.rationals(l.Order, s.Latitude)},
			{3, 2, 2, []byte("E\x00")}, {4, 5, values, s.rationals(l.Order, s.Longitude)},
			{0x1c, 7, uint32(len(s.North())), []byte(s.North())},
		}
	}
	switch l.At {
	case InMaker:
		note := &block{order: l.Order, out: make([]byte, len(b.out))} // offsets in the note
		note.directory(0, l.GPSEntries, gpsTags(note)...)
		directories[InExif] = append(directories[InExif], tag{0x927c, 7, uint32(len(note.out)), note.out})
	case InThumbnailFile:
		inner := Layout{Order: l.Order, At: InMain, Orientation: 1}
		file := JPEG(Scene(16, 12), inner.Block(s))
		directories[InThumbnail] = append(directories[InThumbnail], pointer(0x0201, uint32(len(b.out))), pointer(0x0202, uint32(len(file))))
		b.out = append(b.out, file...)
	case InXMPTag:
		packet := []byte(s.XMP(false))
		directories[InMain] = append(directories[InMain], tag{0x02bc, 1, uint32(len(packet)), packet})
	case InIPTCTag:
		sets := s.IPTC()
		directories[InMain] = append(directories[InMain], tag{0x83bb, 7, uint32(len(sets)), sets})
	case InComment:
		text := []byte(`ASCII` + "\x00\x00\x00" + `{"gpsLatitude": "` + s.North() + `"}`)
		directories[InExif] = append(directories[InExif], tag{0x9286, 7, uint32(len(text)), text})
	default:
		gps := b.directory(0, l.GPSEntries, gpsTags(b)...)
		if l.At != Nowhere {
			directories[l.At] = append(directories[l.At], pointer(0x8825, gps))
		}
	}

	more := func(w Where) uint16 {
		if w == l.At {
			return l.Entries
		}
		return 0
	}
	interop := b.directory(0, more(InInterop), append([]tag{{1, 2, 4, []byte("R98\x00")}}, directories[InInterop]...)...)
	exif := b.directory(0, more(InExif), append([]tag{{0x9003, 2, 20, []byte("2026:03:01 12:00:00\x00")}, pointer(0xa005, interop)}, directories[InExif]...)...)
	sub := b.directory(0, more(InSubIFD), append([]tag{pointer(0x0100, 160)}, directories[InSubIFD]...)...)
	unknown := b.directory(0, more(InUnknown), append([]tag{pointer(0x0100, 160)}, directories[InUnknown]...)...)
	thumbnail := b.directory(0, more(InThumbnail), append([]tag{{0x0103, 3, 1, b.short(6)}}, directories[InThumbnail]...)...)
	main := b.directory(thumbnail, more(InMain), append([]tag{
		{0x010f, 2, 11, []byte("Lochcamera\x00")}, {0x0112, 3, 1, b.short(l.Orientation)}, pointer(0x014a, sub),
		pointer(0x8769, exif), {0xfde8, 13, 1, b.long(unknown)},
	}, directories[InMain]...)...)
	copy(b.out[4:], b.long(main))
	return b.out
}

// XMP returns a packet with the secret, in attributes or in elements, or both.
func (s Secret) XMP(elements bool) string {
	const head = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">` +
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
		`<rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" ` +
		`xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="Lochcamera"`
	const tail = `<xmp:Label>kept</xmp:Label></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
	if !elements {
		return head + fmt.Sprintf(" exif:GPSLatitude=\"%s\"\n photoshop:City = '%s'>", s.North(), s.East()) + tail
	}
	return head + fmt.Sprintf(`><exif:GPSLongitude>%s</exif:GPSLongitude><Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li rdf:parseType="Resource">`+
		`<exif:Name>%s</exif:Name></rdf:li></rdf:Bag></Iptc4xmpExt:LocationShown>`, s.East(), s.North()) + tail
}

// XMPWithPicture returns a packet with a thumbnail that has the secret.
func (s Secret) XMPWithPicture() string {
	file := JPEG(Scene(16, 12), Layout{Order: binary.LittleEndian, Orientation: 1}.Block(s))
	return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><xmpGImg:image>` + base64.StdEncoding.EncodeToString(file) + `</xmpGImg:image></x:xmpmeta>`
}

// IPTC returns datasets with the secret, and a caption.
func (s Secret) IPTC() []byte {
	set := func(number byte, value string) []byte {
		return append(binary.BigEndian.AppendUint16([]byte{0x1c, 2, number}, uint16(len(value))), value...)
	}
	return bytes.Join([][]byte{set(0, "\x00\x02"), set(90, s.North()), set(120, "kept"), set(92, s.East())}, nil)
}

// Resource returns a resource of Photoshop.
func Resource(id uint16, value []byte) []byte {
	b := append(binary.BigEndian.AppendUint16([]byte("8BIM"), id), 0, 0)
	b = append(binary.BigEndian.AppendUint32(b, uint32(len(value))), value...)
	return append(b, make([]byte, len(value)%2)...)
}

// Chunk returns a chunk of a PNG file.
func Chunk(kind string, content []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	chunk = append(append(chunk, kind...), content...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// RawProfile returns metadata as ImageMagick writes them into a text of a PNG file.
func RawProfile(name string, data []byte) []byte {
	text := fmt.Appendf(nil, "\n%s\n%8d", name, len(data))
	for digits := hex.EncodeToString(data); len(digits) > 0; {
		n := min(72, len(digits))
		text = append(append(text, '\n'), digits[:n]...)
		digits = digits[n:]
	}
	return append(text, '\n')
}

// Deflated returns compressed data.
func Deflated(data []byte) []byte {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	if _, err := w.Write(data); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return packed.Bytes()
}

// WithChunks returns a PNG file with chunks before those with the picture.
func WithChunks(m image.Image, chunks ...[]byte) []byte {
	const header = 8 + 12 + 13 // signature and IHDR
	data := PNG(m, nil)
	return bytes.Join([][]byte{data[:header], bytes.Join(chunks, nil), data[header:]}, nil)
}

// Segment returns a segment for JPEG.
func Segment(marker byte, parts ...string) []byte {
	s := []byte{marker}
	for _, p := range parts {
		s = append(s, p...)
	}
	return s
}
