package picturetest

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
)

// EXIF is the metadata of a camera, as far as tests need it.
type EXIF struct {
	Order       binary.AppendByteOrder
	Orientation uint16
	// GPS is set if there is a location.
	GPS bool
}

// Place is a part of the location in an EXIF block with GPS. It occurs nowhere else.
const Place = "Dunvegan"

// Block returns the EXIF block: make, orientation, and directories with the picture's size,
// its location, and a thumbnail.
func (e EXIF) Block() []byte {
	type tag struct {
		id, kind uint16
		count    uint32
		value    []byte
	}
	short := func(v uint16) []byte { return e.Order.AppendUint16(nil, v) }
	long := func(v uint32) []byte { return e.Order.AppendUint32(nil, v) }
	text := func(s string) []byte { return append([]byte(s), 0) }
	out := []byte("II*\x00")
	if e.Order == binary.BigEndian {
		out = []byte("MM\x00*")
	}
	out = append(out, long(8)...)

	// directory appends a directory with its out-of-line values, and returns the position
	// of the offset of the next one.
	directory := func(tags ...tag) int {
		at := len(out) + 2 + 12*len(tags) + 4
		var values []byte
		out = append(out, short(uint16(len(tags)))...)
		for _, t := range tags {
			out = append(out, bytes.Join([][]byte{short(t.id), short(t.kind), long(t.count)}, nil)...)
			if len(t.value) <= 4 {
				out = append(append(out, t.value...), make([]byte, 4-len(t.value))...)
				continue
			}
			out = append(out, long(uint32(at+len(values)))...)
			values = append(values, t.value...)
		}
		next := len(out)
		out = append(append(out, long(0)...), values...)
		return next
	}
	put := func(at int, v uint32) { copy(out[at:], long(v)) }

	main := []tag{
		{0x010f, 2, 11, text("Lochcamera")}, {0x0112, 3, 1, short(e.Orientation)}, {0x8769, 4, 1, long(0)},
	}
	if e.GPS {
		main = append(main, tag{0x8825, 4, 1, long(0)})
	}
	main = append(main, tag{0x9c9b, 1, 6, []byte("titles")})
	next := directory(main...)
	entry := func(n int) int { return 8 + 2 + 12*n + 8 }
	put(entry(2), uint32(len(out)))
	directory(tag{0x9003, 2, 20, text("2026:03:01 12:00:00")}, tag{0xa002, 4, 1, long(640)}, tag{0xa003, 4, 1, long(480)})
	if e.GPS {
		put(entry(3), uint32(len(out)))
		latitude := bytes.Join([][]byte{long(57), long(1), long(26), long(1), long(5), long(1)}, nil)
		directory(tag{0x0001, 2, 2, text("N")}, tag{0x0002, 5, 3, latitude}, tag{0x001c, 2, 9, text(Place)})
	}
	put(next, uint32(len(out)))
	directory(tag{0x0103, 3, 1, short(6)}, tag{0x0112, 3, 1, short(3)}) // the thumbnail's orientation is irrelevant
	return out
}

// JPEG encodes an image with segments: 0xe1 for EXIF, which gets its prefix, and any others
// unmodified.
func JPEG(m image.Image, exif []byte, segments ...[]byte) []byte {
	var coded bytes.Buffer
	if err := jpeg.Encode(&coded, m, &jpeg.Options{Quality: 92}); err != nil {
		panic(err)
	}
	out := []byte{0xff, 0xd8}
	add := func(marker byte, content []byte) {
		out = append(out, 0xff, marker)
		out = binary.BigEndian.AppendUint16(out, uint16(len(content)+2))
		out = append(out, content...)
	}
	if exif != nil {
		add(0xe1, append([]byte("Exif\x00\x00"), exif...))
	}
	for _, s := range segments {
		add(s[0], s[1:])
	}
	return append(out, coded.Bytes()[2:]...)
}

// PNG encodes an image with an EXIF block, which may be nil.
func PNG(m image.Image, exif []byte) []byte {
	var coded bytes.Buffer
	if err := png.Encode(&coded, m); err != nil {
		panic(err)
	}
	data := coded.Bytes()
	if exif == nil {
		return data
	}
	const header = 8 + 12 + 13 // signature and IHDR
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(exif)))
	chunk = append(append(chunk, "eXIf"...), exif...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return bytes.Join([][]byte{data[:header], chunk, data[header:]}, nil)
}

// Profile returns a color profile for RGB, sufficient for tests.
func Profile(size int) []byte {
	p := bytes.Repeat([]byte("profile "), size/8+17)[:max(size, 129)]
	copy(p[16:], "RGB ")
	return p
}
