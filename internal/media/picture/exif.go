package picture

import "encoding/binary"

// EXIF tags used here.
const (
	tagOrientation = 0x0112
	tagGPS         = 0x8825
)

// directory is one table of tags in an EXIF block: its position and number of entries. The
// block is a slice of the file and is modified in place.
type directory struct {
	tiff    []byte
	order   binary.ByteOrder
	at      int // offset of the first entry
	entries int
}

const entrySize = 12

// directories returns the main directories of a block, or none if it is broken.
func directories(tiff []byte) (found []directory) {
	if len(tiff) < 8 {
		return nil
	}
	var order binary.ByteOrder
	switch string(tiff[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return nil
	}
	next := order.Uint32(tiff[4:])
	for len(found) < 4 && next != 0 { // the picture's and its thumbnail's; limited against loops
		d, ok := directoryAt(tiff, order, next)
		if !ok {
			break
		}
		found = append(found, d)
		end := d.at + d.entries*entrySize
		if end+4 > len(tiff) {
			break
		}
		next = order.Uint32(tiff[end:])
	}
	return found
}

func directoryAt(tiff []byte, order binary.ByteOrder, offset uint32) (directory, bool) {
	if uint64(offset)+2 > uint64(len(tiff)) {
		return directory{}, false
	}
	d := directory{tiff, order, int(offset) + 2, int(order.Uint16(tiff[offset:]))}
	return d, d.at+d.entries*entrySize <= len(tiff)
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

// orientation returns the orientation of a picture, 1 if the block has none.
func orientation(tiff []byte) int {
	for _, d := range directories(tiff) {
		if n := d.find(tagOrientation); n >= 0 {
			if o := int(d.order.Uint16(d.entry(n)[8:])); o >= 1 && o <= 8 {
				return o
			}
		}
		break // the next one concerns a thumbnail
	}
	return 1
}

// setUpright sets the orientation to upright.
func setUpright(tiff []byte) {
	for _, d := range directories(tiff) {
		if n := d.find(tagOrientation); n >= 0 {
			d.order.PutUint16(d.entry(n)[8:], 1)
		}
		break
	}
}

// hasGPS reports whether a block contains a location.
func hasGPS(tiff []byte) bool {
	for _, d := range directories(tiff) {
		if d.find(tagGPS) >= 0 {
			return true
		}
	}
	return false
}

// removeGPS removes the GPS directory from a block and leaves all other bytes in place,
// since tags refer to others by offset.
func removeGPS(tiff []byte) {
	for range 16 { // files have one; limited against malicious ones
		if !hasGPS(tiff) {
			return
		}
		for _, d := range directories(tiff) {
			n := d.find(tagGPS)
			if n < 0 {
				continue
			}
			offset := d.order.Uint32(d.entry(n)[8:])
			end := min(d.at+d.entries*entrySize+4, len(d.tiff)) // including the offset of the next directory
			copy(d.tiff[d.at+n*entrySize:end], d.tiff[d.at+(n+1)*entrySize:end])
			clear(d.tiff[end-entrySize : end])
			d.order.PutUint16(d.tiff[d.at-2:], uint16(d.entries-1))
			if gps, ok := directoryAt(tiff, d.order, offset); ok {
				gps.wipe()
			}
			break // overlapping offsets may have changed the others
		}
	}
}

// valueSizes are the sizes of values by type.
var valueSizes = [...]uint64{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4}

// wipe overwrites a directory and the values it refers to.
func (d directory) wipe() {
	for n := range d.entries {
		e := d.entry(n)
		if kind := d.order.Uint16(e[2:]); int(kind) < len(valueSizes) {
			size := valueSizes[kind] * uint64(d.order.Uint32(e[4:]))
			if start := uint64(d.order.Uint32(e[8:])); size > 4 && start+size <= uint64(len(d.tiff)) {
				clear(d.tiff[start : start+size])
			}
		}
	}
	clear(d.tiff[d.at-2 : d.at+d.entries*entrySize])
}
