package picture

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// EXIF tags used here.
const (
	tagXMP         = 0x02bc
	tagOrientation = 0x0112
	tagSubIFDs     = 0x014a
	tagThumbnail   = 0x0201
	tagThumbSize   = 0x0202
	tagIPTC        = 0x83bb
	tagPhotoshop   = 0x8649
	tagExif        = 0x8769
	tagGPS         = 0x8825
	tagMaker       = 0x927c
	tagComment     = 0x9286
	tagInterop     = 0xa005
	tagPadding     = 0xea1c
)

// geoTags are the tags of GeoTIFF.
var geoTags = map[uint16]bool{0x830e: true, 0x8480: true, 0x85d8: true, 0x87af: true, 0x87b0: true, 0x87b1: true}

// Types of values.
const (
	kindByte      = 1
	kindText      = 2
	kindShort     = 3
	kindLong      = 4
	kindRational  = 5
	kindUndefined = 7
	kindSigned    = 10 // rational
	kindIFD       = 13
	kindUTF8      = 129
)

// directory is one table of tags in an EXIF block: its position and number of entries. The
// block is a slice of the file and is modified in place.
type directory struct {
	tiff    []byte
	order   binary.ByteOrder
	at      int // offset of the first entry
	entries int
	// cut is set if there are more entries according to the directory than the block has room
	// for. The last ones may be anything, and there is no next directory.
	cut bool
}

const entrySize = 12

// byteOrder returns the order that a block's header specifies, or nil if it is no block.
func byteOrder(tiff []byte) binary.ByteOrder {
	if len(tiff) < 4 {
		return nil
	}
	switch string(tiff[:4]) {
	case "II*\x00":
		return binary.LittleEndian
	case "MM\x00*":
		return binary.BigEndian
	}
	return nil
}

// mainDirectory returns the one about the picture.
func mainDirectory(tiff []byte) (directory, bool) {
	order := byteOrder(tiff)
	if order == nil || len(tiff) < 8 {
		return directory{}, false
	}
	return directoryAt(tiff, order, order.Uint32(tiff[4:]))
}

func directoryAt(tiff []byte, order binary.ByteOrder, offset uint32) (directory, bool) {
	if uint64(offset)+2 > uint64(len(tiff)) {
		return directory{}, false
	}
	d := directory{tiff: tiff, order: order, at: int(offset) + 2, entries: int(order.Uint16(tiff[offset:]))}
	if room := (len(tiff) - d.at) / entrySize; d.entries > room {
		d.entries, d.cut = room, true
	}
	return d, true
}

// maxDirectories is the maximum number of directories in a block. Cameras write up to five.
const maxDirectories = 24

// directories returns all directories of a block but those for GPS, and whether there are
// no others.
func directories(tiff []byte) (found []directory, all bool) {
	order := byteOrder(tiff)
	if order == nil || len(tiff) < 8 {
		return nil, true
	}
	seen := map[uint32]bool{0: true}
	offsets := []uint32{order.Uint32(tiff[4:])}
	for len(offsets) > 0 {
		next := offsets[0]
		offsets = offsets[1:]
		if seen[next] {
			continue
		}
		seen[next] = true
		d, ok := directoryAt(tiff, order, next)
		if !ok {
			continue
		}
		if found = append(found, d); len(found) > maxDirectories {
			return nil, false
		}
		offsets = append(offsets, d.following()...)
	}
	return found, true
}

// following returns the offsets of the directories that a directory refers to.
func (d directory) following() (offsets []uint32) {
	for n := range d.entries {
		e := d.entry(n)
		switch tag, kind := d.order.Uint16(e), d.order.Uint16(e[2:]); {
		case tag == tagGPS:
		case kind == kindIFD, tag == tagExif, tag == tagInterop, tag == tagSubIFDs && kind == kindLong:
			if d.order.Uint32(e[4:]) <= 1 {
				offsets = append(offsets, d.order.Uint32(e[8:]))
				continue
			}
			value, _ := d.value(n)
			for ; len(value) >= 4 && len(offsets) <= maxDirectories; value = value[4:] {
				offsets = append(offsets, d.order.Uint32(value))
			}
		}
	}
	if end := d.end(); end == d.at+d.entries*entrySize+4 {
		offsets = append(offsets, d.order.Uint32(d.tiff[end-4:]))
	}
	return offsets
}

// end returns the end of the directory, with the offset of the next one, if there is one: some
// writers put the first value there.
func (d directory) end() int {
	end := d.at + d.entries*entrySize
	if d.cut || end+4 > len(d.tiff) {
		return end
	}
	for n := range d.entries {
		e := d.entry(n)
		if d.order.Uint32(e[8:]) == uint32(end) && valueSize(d.order.Uint16(e[2:]))*uint64(d.order.Uint32(e[4:])) > 4 {
			return end
		}
	}
	return end + 4
}

func (d directory) entry(n int) []byte { return d.tiff[d.at+n*entrySize:][:entrySize] }

// find returns the number of the entry with that tag, or -1.
func (d directory) find(tag uint16) int {
	for n := range d.entries {
		if d.order.Uint16(d.entry(n)) == tag {
			return n
		}
	}
	return -1
}

// valueSizes are the sizes of values by type.
var valueSizes = [...]uint64{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4}

func valueSize(kind uint16) uint64 {
	switch {
	case int(kind) < len(valueSizes):
		return valueSizes[kind]
	case kind == kindUTF8:
		return 1
	}
	return 0
}

// value returns the value of an entry as far as it is in the block, and whether all of it is.
func (d directory) value(n int) (value []byte, whole bool) {
	e := d.entry(n)
	size := valueSize(d.order.Uint16(e[2:])) * uint64(d.order.Uint32(e[4:]))
	if size <= 4 {
		return e[8:][:size], true
	}
	start, end := uint64(d.order.Uint32(e[8:])), uint64(len(d.tiff))
	if start >= end {
		return nil, false
	}
	return d.tiff[start:min(end, start+size)], start+size <= end
}

// remove removes an entry. The values that others refer to stay where they are.
func (d directory) remove(n int) {
	if d.cut { // what follows may be such values
		e := d.entry(n)
		clear(e)
		d.order.PutUint16(e, tagPadding)
		d.order.PutUint16(e[2:], kindUndefined)
		d.order.PutUint32(e[4:], 4)
		return
	}
	end := d.end()
	copy(d.tiff[d.at+n*entrySize:end], d.tiff[d.at+(n+1)*entrySize:end])
	clear(d.tiff[end-entrySize : end])
	d.order.PutUint16(d.tiff[d.at-2:], uint16(d.entries-1))
}

// orientation returns the orientation of a picture, 1 if the block has none.
func orientation(tiff []byte) int {
	if d, ok := mainDirectory(tiff); ok {
		if n := d.find(tagOrientation); n >= 0 {
			if o := int(d.order.Uint16(d.entry(n)[8:])); o >= 1 && o <= 8 {
				return o
			}
		}
	}
	return 1
}

// setUpright sets the orientation to upright.
func setUpright(tiff []byte) {
	if d, ok := mainDirectory(tiff); ok {
		if n := d.find(tagOrientation); n >= 0 {
			d.order.PutUint16(d.entry(n)[8:], 1)
		}
	}
}

// exif removes the place from an EXIF block and leaves all other bytes in place, since tags
// refer to others by offset. A block that does not allow that is left with its
// orientation alone.
func (c *cleaner) exif(tiff []byte) verdict {
	upright := orientation(tiff)
	const rounds = 16 // files have one place
	b := &block{cleaner: c, tiff: tiff, budget: rounds*len(tiff) + 1<<16}
	// Removing one place may change where the others are, if they overlap.
	more := true
	for n := 0; more && !b.unsure && n < rounds; n++ {
		more = b.removeOne()
		b.found = b.found || more
	}
	switch {
	case more, b.unsure, b.found && orientation(tiff) != upright, hasCoordinates(tiff):
		onlyOrientation(tiff, upright)
		return cleaned
	case b.found:
		return cleaned
	}
	return clean
}

// onlyOrientation replaces a block by one of the same size with nothing but an orientation.
func onlyOrientation(tiff []byte, value int) {
	order, ok := byteOrder(tiff).(binary.AppendByteOrder)
	if !ok {
		order = binary.BigEndian
	}
	b := []byte("MM\x00*")
	if order == binary.LittleEndian {
		b = []byte("II*\x00")
	}
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 1)
	b = order.AppendUint16(b, tagOrientation)
	b = order.AppendUint16(b, kindShort)
	b = order.AppendUint32(b, 1)
	b = order.AppendUint16(b, uint16(value))
	b = append(b, 0, 0, 0, 0, 0, 0)
	clear(tiff)
	if len(b) <= len(tiff) {
		copy(tiff, b)
	}
}

// block is an EXIF block from which places are removed.
type block struct {
	*cleaner
	tiff []byte
	// budget is the number of bytes that may be examined within values, which may overlap.
	budget int
	// found is set if a place was found, and unsure if there may be more of one in the block that
	// was not.
	found, unsure bool
}

// spend takes n bytes from the budget, and returns false if there are too few left.
func (b *block) spend(n int) bool {
	b.budget -= n
	b.unsure = b.unsure || b.budget < 0
	return b.budget >= 0
}

// removeOne removes one place that has an entry, and places in the values of all
// entries. It returns false if there was none of the former.
func (b *block) removeOne() bool {
	found, all := directories(b.tiff)
	b.unsure = b.unsure || !all || len(found) == 0 && len(b.tiff) >= 8
	for _, d := range found {
		for n := range d.entries {
			switch tag := d.order.Uint16(d.entry(n)); {
			case tag == tagGPS && b.removeGPS(d, n):
				return true
			case geoTags[tag]:
				if value, whole := d.value(n); whole && b.spend(len(value)) {
					clear(value)
					d.remove(n)
					return true
				}
			default:
				b.examine(d, n, tag)
			}
		}
	}
	return false
}

// examine removes places from values that have structures of their own.
func (b *block) examine(d directory, n int, tag uint16) {
	if tag != tagXMP && tag != tagIPTC && tag != tagPhotoshop && tag != tagMaker && tag != tagComment && tag != tagThumbnail {
		return
	}
	value, _ := d.value(n)
	if tag == tagThumbnail {
		value = d.thumbnail(n)
	}
	if len(value) <= 4 {
		return
	}
	if !b.spend(len(value)) {
		return
	}
	v := clean
	switch tag {
	case tagXMP:
		v = b.xmp(value)
	case tagIPTC:
		v = datasets(value)
	case tagPhotoshop:
		v = b.resources(value)
	case tagMaker:
		v = b.maker(d, value)
	case tagComment:
		if opaquePlace(value) {
			v = dropped
		}
	case tagThumbnail:
		if b.holdsPlace(value) {
			v = dropped
		}
	}
	if v == dropped {
		clear(value)
	}
	b.found = b.found || v != clean
}

// thumbnail returns the file to which an entry refers.
func (d directory) thumbnail(n int) []byte {
	start, size := d.order.Uint32(d.entry(n)[8:]), d.find(tagThumbSize)
	if size < 0 || uint64(start) >= uint64(len(d.tiff)) {
		return nil
	}
	file := d.tiff[start:]
	return file[:min(uint64(len(file)), uint64(d.order.Uint32(d.entry(size)[8:])))]
}

// Notes of some makers name the place of a picture. They are directories after a prefix.
var (
	panasonic      = []byte("Panasonic\x00\x00\x00")
	panasonicPlace = []uint16{0x67, 0x69, 0x6b, 0x6d, 0x6f, 0x80} // location, country, state, city, landmark, city
	nikon          = []byte("Nikon\x00\x02")
	nikonPlace     = []uint16{0x39}
	nikonPrefix    = 10
)

// maker removes the place from a maker's note of the block with the directory d.
func (b *block) maker(d directory, note []byte) verdict {
	v := clean
	switch {
	case bytes.HasPrefix(note, panasonic):
		start := cap(d.tiff) - cap(note) + len(panasonic) // values have offsets in the block
		if inner, ok := directoryAt(d.tiff, d.order, uint32(start)); ok && b.clear(inner, panasonicPlace) {
			v = cleaned
		}
	case bytes.HasPrefix(note, nikon) && len(note) > nikonPrefix: // a block of its own
		if inner, ok := mainDirectory(note[nikonPrefix:]); ok && b.clear(inner, nikonPlace) {
			v = cleaned
		}
	}
	// Embedded directories for GPS are found by their coordinates, in exif.
	if mentions(note, placeWords) {
		v = dropped
	}
	return v
}

// clear clears the values of some tags, and reports whether there were any.
func (b *block) clear(d directory, tags []uint16) (found bool) {
	for n := range d.entries {
		if !slices.Contains(tags, d.order.Uint16(d.entry(n))) {
			continue
		}
		if value, _ := d.value(n); b.spend(len(value)) && len(bytes.Trim(value, "\x00 \xff")) > 0 {
			clear(value)
			found = true
		}
	}
	return found
}

// removeGPS removes the GPS directory to which an entry refers, and the entry. It returns
// false if there is no such directory.
func (b *block) removeGPS(d directory, n int) bool {
	e := d.entry(n)
	kind, count, offset := d.order.Uint16(e[2:]), d.order.Uint32(e[4:]), d.order.Uint32(e[8:])
	switch {
	case kind == kindShort:
		offset = uint32(d.order.Uint16(e[8:]))
	case kind == kindLong, kind == kindIFD:
	default: // if the entry is one at all
		b.unsure = b.unsure || !d.cut
		return false
	}
	if count != 1 {
		b.unsure = b.unsure || !d.cut
		return false
	}
	d.remove(n)
	if gps, ok := directoryAt(b.tiff, d.order, offset); ok && offset != 0 {
		b.wipe(gps)
	}
	return true
}

// lastGPSTag is the largest tag in a GPS directory.
const lastGPSTag = 0x1f

// wipe overwrites a GPS directory and the values it refers to.
func (b *block) wipe(d directory) {
	var values [][]byte
	for n := range d.entries {
		e := d.entry(n)
		tag, kind := d.order.Uint16(e), d.order.Uint16(e[2:])
		value, whole := d.value(n)
		switch {
		case d.cut && (tag > lastGPSTag || valueSize(kind) == 0 || tag == 0 && kind != kindByte): // no entry
			continue
		case valueSize(kind) == 0:
			b.unsure = b.unsure || d.order.Uint32(e[8:]) != 0
		case d.cut && !whole:
			b.unsure = true
			continue
		}
		values = append(values, value)
		if d.cut {
			values = append(values, e)
		}
	}
	if !d.cut {
		values = append(values, d.tiff[d.at-2:d.end()])
	}
	for _, v := range values { // later, since they may overlap the directory
		if b.spend(len(v)) {
			clear(v)
		}
	}
	clear(d.tiff[d.at-2 : d.at])
}

// hasCoordinates reports whether data have what is only in GPS directories: entries for
// latitude and longitude, as three rational numbers each, or for their directions. They may be
// where no tag refers to.
func hasCoordinates(b []byte) bool {
	for _, order := range []interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}{binary.LittleEndian, binary.BigEndian} {
		// has looks for an entry with one of the tags, the last ones of which are of the destination.
		has := func(kind uint16, count uint32, tags []uint16, fits func(value []byte) bool) bool {
			entry := order.AppendUint32(order.AppendUint16(nil, kind), count)
			for rest := b; ; {
				n := bytes.Index(rest, entry)
				if n < 0 {
					return false
				}
				if n >= 2 && slices.Contains(tags, order.Uint16(rest[n-2:])) && fits(rest[n+len(entry):]) {
					return true
				}
				rest = rest[n+1:]
			}
		}
		numbers, directions := []uint16{2, 4, 0x14, 0x16}, []uint16{1, 3, 0x13, 0x15}
		anything := func([]byte) bool { return true }
		if has(kindRational, 3, numbers, anything) || has(kindSigned, 3, numbers, anything) || has(kindText, 2, directions, isDirection) {
			return true
		}
	}
	return false
}

func isDirection(value []byte) bool {
	return len(value) >= 2 && bytes.IndexByte([]byte("NSEW"), value[0]) >= 0 && value[1] == 0
}
