package picture

import (
	"bytes"
	"encoding/binary"
)

// IPTC's IIM is a list of datasets: a mark, the numbers of a record and a dataset, the size
// and the value.
const datasetMark, application = 0x1c, 2

// placeDatasets are the datasets of the application record that hold a place.
var placeDatasets = map[byte]bool{26: true, 27: true, 90: true, 92: true, 95: true, 100: true, 101: true}

// datasets removes places. Other datasets take their place, and zeros the rest.
func datasets(b []byte) verdict {
	at, kept := 0, 0
	v := clean
	for len(b)-at >= 5 && b[at] == datasetMark {
		begins, size := at+5, int(binary.BigEndian.Uint16(b[at+3:]))
		if size >= 1<<15 { // the size of the size
			bytesOfSize := size - 1<<15
			if bytesOfSize > 4 || bytesOfSize > len(b)-begins {
				break
			}
			size = 0
			for _, digit := range b[begins : begins+bytesOfSize] {
				size = size<<8 | int(digit)
			}
			begins += bytesOfSize
		}
		if size > len(b)-begins {
			break
		}
		if b[at+1] == application && placeDatasets[b[at+2]] {
			v = cleaned
		} else {
			kept += copy(b[kept:], b[at:begins+size])
		}
		at = begins + size
	}
	if rest := b[at:]; hasPlaceDataset(rest) {
		v = cleaned
	} else {
		kept += copy(b[kept:], rest)
	}
	clear(b[kept:])
	return v
}

// hasPlaceDataset reports whether data have what may be the beginning of a dataset with a
// place.
func hasPlaceDataset(b []byte) bool {
	for {
		n := bytes.Index(b, []byte{datasetMark, application})
		if n < 0 || n+2 >= len(b) {
			return false
		}
		if placeDatasets[b[n+2]] {
			return true
		}
		b = b[n+2:]
	}
}

// resourceMark begins a resource of Photoshop: a mark, a number, a name, the size and
// the value, the last two padded to an even size.
const resourceMark = "8BIM"

// Resources with metadata.
const (
	iptcResource      = 0x0404
	oldThumbnail      = 0x0409
	thumbnailResource = 0x040c
	thumbnailHeader   = 28
)

// resources removes places from the resources of Photoshop.
func (c *cleaner) resources(b []byte) verdict {
	v := clean
	for len(b) >= 12 && string(b[:4]) == resourceMark {
		kind := binary.BigEndian.Uint16(b[4:])
		at := 6 + (int(b[6])+2)&^1
		if at+4 > len(b) {
			break
		}
		size := binary.BigEndian.Uint32(b[at:])
		at += 4
		if uint64(size) > uint64(len(b)-at) {
			break
		}
		value := b[at : at+int(size)]
		if c.resource(kind, value) != clean {
			v = cleaned
		}
		b = b[min(len(b), at+int(size+size&1)):]
	}
	if hasPlaceDataset(b) || opaquePlace(b) {
		clear(b)
		v = cleaned
	}
	return v
}

func (c *cleaner) resource(kind uint16, value []byte) verdict {
	v := clean
	switch {
	case kind == iptcResource:
		v = datasets(value)
	case kind == oldThumbnail, kind == thumbnailResource:
		if len(value) > thumbnailHeader && c.holdsPlace(value[thumbnailHeader:]) {
			v = dropped
		}
	default: // EXIF and XMP, but their numbers are not relied on
		v = c.blob(value)
	}
	if v == dropped {
		clear(value)
	}
	return v
}
