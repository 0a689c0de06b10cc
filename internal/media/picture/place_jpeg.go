package picture

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// Markers of JPEG files.
const (
	markerSOS  = 0xda
	markerEOI  = 0xd9
	markerAPP0 = 0xe0
	markerAPP1 = 0xe1
	markerICC  = 0xe2
	markerIPTC = 0xed
	markerCOM  = 0xfe
)

// jpegSegment is a segment of a JPEG file.
type jpegSegment struct {
	marker     byte
	start, end int // in the file, with the marker
	content    []byte
	// loose is set for data outside of segments, except for those of scans.
	loose bool
	// cut is set if loose data follow: the size of the segment is probably false.
	cut bool
}

// jpegSegments yields the segments and loose data of a JPEG file up to the first broken
// one. The last segment of a complete file is the end of the picture.
func jpegSegments(data []byte) iter.Seq[jpegSegment] {
	return func(yield func(jpegSegment) bool) {
		scan := false
		for at := 2; at < len(data); {
			start := at
			for { // to the next marker
				next := bytes.IndexByte(data[at:], 0xff)
				if next < 0 {
					return
				}
				at += next
				if at+1 < len(data) && (data[at+1] == 0 || data[at+1] >= 0xd0 && data[at+1] <= 0xd7) {
					at += 2
					continue
				}
				break
			}
			if at > start && !scan && !yield(jpegSegment{start: start, end: at, content: data[start:at], loose: true}) {
				return
			}
			s := jpegSegment{start: at}
			for at < len(data) && data[at] == 0xff {
				at++
			}
			if at == len(data) {
				return
			}
			s.marker = data[at]
			at++
			if s.marker == 0 || s.marker == 1 || s.marker >= 0xd0 && s.marker <= 0xd8 {
				continue
			}
			s.end = at
			if s.marker != markerEOI {
				if len(data)-at < 2 {
					return
				}
				size := int(binary.BigEndian.Uint16(data[at:]))
				if size < 2 || size > len(data)-at {
					return
				}
				s.end = at + size
				s.content = data[at+2 : s.end]
				s.cut = s.marker != markerSOS && s.end < len(data) && data[s.end] != 0xff
			}
			if !yield(s) || s.marker == markerEOI {
				return
			}
			at = s.end
			scan = s.marker == markerSOS
		}
	}
}

// metadata reports whether a segment is not needed for decoding.
func (s jpegSegment) metadata() bool {
	icc := s.marker == markerICC && bytes.HasPrefix(s.content, []byte(iccPrefix))
	adobe := s.marker == 0xee && bytes.HasPrefix(s.content, []byte("Adobe"))
	return !icc && !adobe && (s.marker >= markerAPP0 && s.marker <= markerAPP0+15 || s.marker == markerCOM)
}

// spread are kinds of metadata that may continue in further segments.
type spread int

const (
	single spread = iota
	spreadEXIF
	spreadXMP
	spreadPhotoshop
	spreads
)

// part returns which metadata a segment has a part of, and that part.
func (s jpegSegment) part() (spread, []byte) {
	const extensionHeader = 32 + 4 + 4 // an identifier, the size and the offset
	switch {
	case s.marker == markerAPP1 && bytes.HasPrefix(s.content, []byte(exifPrefix)):
		return spreadEXIF, s.content[len(exifPrefix):]
	case s.marker == markerAPP1 && bytes.HasPrefix(s.content, []byte(extensionPrefix)):
		return spreadXMP, s.content[min(len(s.content), len(extensionPrefix)+extensionHeader):]
	case s.marker == markerIPTC && bytes.HasPrefix(s.content, []byte(photoshopPrefix)):
		return spreadPhotoshop, s.content[len(photoshopPrefix):]
	}
	return single, nil
}

// continued returns which metadata with a place continue in further segments, or in loose data,
// as they do if the size of their segment is false. That place may be in any of them.
func (c *cleaner) continued(data []byte) (found [spreads]bool) {
	var parts [spreads][]byte
	var count [spreads]int
	further, alone, cut, loose := false, false, false, false
	for s := range jpegSegments(data) {
		loose = loose || s.loose
		kind, part := s.part()
		if kind == single {
			continue
		}
		cut = cut || s.cut && kind == spreadEXIF
		alone = alone || kind == spreadEXIF && byteOrder(part) == nil
		if kind == spreadEXIF && count[kind] > 0 && byteOrder(part) == nil {
			further = true
		}
		count[kind]++
		if kind != spreadEXIF || count[kind] == 1 || byteOrder(part) == nil {
			parts[kind] = append(parts[kind], part...)
		}
	}
	found[spreadEXIF] = cut || alone && loose || further && c.exif(parts[spreadEXIF]) != clean
	found[spreadXMP] = count[spreadXMP] > 0 && c.xmp(parts[spreadXMP]) != clean
	found[spreadPhotoshop] = count[spreadPhotoshop] > 1 && c.resources(parts[spreadPhotoshop]) != clean
	return found
}

// jpeg removes the places from a JPEG file, and what follows its end. It returns false if there
// is none.
func (c *cleaner) jpeg(out *copier) bool {
	continued := c.continued(out.data)
	for s := range jpegSegments(out.data) {
		if s.loose {
			out.places = out.places || opaquePlace(s.content)
			out.replace(s.start, s.end)
			continue
		}
		if s.marker == markerEOI {
			if s.end < len(out.data) {
				out.replace(s.end, len(out.data))
			}
			return true
		}
		if !s.metadata() {
			continue
		}
		content := bytes.Clone(s.content)
		v := clean
		kind, part := s.part()
		switch {
		case kind == spreadEXIF && continued[kind] && byteOrder(part) != nil:
			onlyOrientation(content[len(exifPrefix):], orientation(part))
			v = cleaned
		case continued[kind], s.cut:
			v = dropped
		case kind == spreadXMP:
		default:
			v = c.blob(content)
			if v == clean && s.marker == markerCOM && mentions(content, commentWords) {
				v = dropped
			}
		}
		switch v {
		case cleaned:
			out.replace(s.end-len(content), s.end, content)
			out.places = true
		case dropped:
			out.replace(s.start, s.end)
			out.places = true
		}
	}
	return false
}

// commentWords occur in comments with a place.
var commentWords = []string{"gps", "location", "geo:", "lat=", "lon=", "lng="}
