package picture

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// verdict says what became of a part of a file that may hold the place of a picture.
type verdict int

const (
	clean   verdict = iota // it holds none, and is unchanged
	cleaned                // the place was removed, and the part has the same size
	dropped                // the part cannot be understood well enough to remove the place alone
)

// cleaner removes the place where a picture was taken from its metadata. Its methods
// modify the parts given to them.
type cleaner struct {
	// depth is the number of files around the current one: thumbnails have metadata, too.
	depth int
	// inflated is the number of decompressed bytes, limited against bombs.
	inflated int
}

const (
	maxDepth    = 3
	maxInflated = 16 << 20
)

// withoutPlace returns the file without its location and whatever follows its end, and
// otherwise unchanged, or false if the file has no end. It does not modify data, and returns it if
// there is nothing to remove.
func withoutPlace(format Format, data []byte) (file []byte, ok bool) {
	out := &copier{data: data}
	c := &cleaner{}
	switch format {
	case JPEG:
		ok = c.jpeg(out)
	case PNG:
		ok = c.png(out)
	case WebP:
		ok = true
		c.webp(out)
	}
	return out.bytes(), ok
}

// copier copies a file with replacements, which are in its order. Without any, there is no
// copy.
type copier struct {
	data, out []byte
	done      int // bytes of data that have been copied or replaced
	// places is set if a place was found, rather than just something to leave out.
	places bool
}

// replace replaces the bytes from start to end.
func (c *copier) replace(start, end int, with ...[]byte) {
	c.copyTo(start)
	for _, w := range with {
		c.out = append(c.out, w...)
	}
	c.done = end
}

// copyTo copies in parts: one copy of a large file cannot be preempted, and stops the world for
// as long as the kernel takes to map its memory.
func (c *copier) copyTo(end int) {
	if c.out == nil {
		c.out = make([]byte, 0, len(c.data))
	}
	for c.done < end {
		part := min(end, c.done+1<<20)
		c.out = append(c.out, c.data[c.done:part]...)
		c.done = part
	}
}

func (c *copier) bytes() []byte {
	if c.out == nil {
		return c.data
	}
	c.copyTo(len(c.data))
	return c.out
}

// Prefixes of metadata.
const (
	xmpPrefix       = "http://ns.adobe.com/xap/1.0/\x00"
	extensionPrefix = "http://ns.adobe.com/xmp/extension/\x00"
	photoshopPrefix = "Photoshop 3.0\x00"
)

// blob removes the place from metadata of any kind.
func (c *cleaner) blob(b []byte) verdict {
	beginning := string(b[:min(len(b), 64)])
	switch {
	case strings.HasPrefix(beginning, xmpPrefix):
		return c.xmp(b[len(xmpPrefix):])
	case strings.HasPrefix(strings.TrimLeft(beginning, "\xef\xbb\xbf \t\r\n\x00"), "<"):
		return c.xmp(b)
	case strings.HasPrefix(beginning, photoshopPrefix):
		return c.resources(b[len(photoshopPrefix):])
	case strings.HasPrefix(beginning, resourceMark):
		return c.resources(b)
	case strings.HasPrefix(beginning, "\x1c"):
		return datasets(b)
	case strings.HasPrefix(beginning, "\xff\xd8\xff"), strings.HasPrefix(beginning, pngSignature):
		if c.holdsPlace(b) {
			return dropped
		}
		return clean
	}
	if at := tiffAt(b); at >= 0 {
		return c.exif(b[at:])
	}
	if opaquePlace(b) {
		return dropped
	}
	return clean
}

// tiffAt returns where an EXIF block begins in metadata, or -1. There may be a prefix, which
// readers do not insist on.
func tiffAt(b []byte) int {
	beginning := b[:min(len(b), 16)]
	for at := range beginning {
		if byteOrder(beginning[at:]) != nil {
			return at
		}
	}
	return -1
}

// holdsPlace reports whether a file within another one holds a place.
func (c *cleaner) holdsPlace(file []byte) bool {
	if c.depth >= maxDepth {
		return true
	}
	inner := &cleaner{depth: c.depth + 1, inflated: c.inflated}
	defer func() { c.inflated = inner.inflated }()
	out := &copier{data: file}
	switch {
	case bytes.HasPrefix(file, []byte("\xff\xd8\xff")):
		inner.jpeg(out)
	case bytes.HasPrefix(file, []byte(pngSignature)):
		inner.png(out)
	default:
		return inner.blob(bytes.Clone(file)) != clean
	}
	return out.places || hasCoordinates(file)
}

// holdsCoded reports whether a value is a file in base64 that holds a place.
func (c *cleaner) holdsCoded(value []byte) bool {
	const least = 64 // of characters: no file is shorter
	if len(value) < least {
		return false
	}
	value = bytes.TrimSpace(value)
	for _, magic := range []string{"\xff\xd8\xff", "\x89PNG\r\n", "II*", "MM\x00", "Exif\x00\x00"} {
		if bytes.HasPrefix(value, []byte(base64.RawStdEncoding.EncodeToString([]byte(magic)))) {
			lines := strings.NewReplacer("&#xA;", "", "&#xa;", "", "&#10;", "", "&#xD;", "", "&#xd;", "", "&#13;", "")
			return c.holdsPlace(Inline(lines.Replace(string(value))))
		}
	}
	return false
}

// opaquePlace reports whether data of an unknown structure appear to hold a place.
func opaquePlace(b []byte) bool {
	switch {
	case hasCoordinates(b), mentions(b, placeWords):
		return true
	case bytes.HasPrefix(b, []byte("GoPro\x00")): // names of four letters
		return bytes.Contains(b, []byte("GPS"))
	}
	return bytes.Contains(b, []byte(resourceMark)) && hasPlaceDataset(b)
}

// placeWords are words for places that hardly occur elsewhere, not even by chance.
var placeWords = []string{"latitude", "longitude", "gpslat", "gpslon", "gpspos", "gps_lat", "gps_lon"}

// mentions reports whether a text, in any encoding and mixed with anything, contains one of
// some words in lower case.
func mentions(text []byte, words []string) bool {
	const size, overlap = 32 << 10, 128 // no word is longer in any encoding
	lower := make([]byte, 0, min(size+overlap, len(text)))
	for start := 0; start < len(text); start += size {
		lower = lower[:0]
		for _, b := range text[start:min(len(text), start+size+overlap)] {
			switch {
			case b >= 'A' && b <= 'Z':
				lower = append(lower, b+'a'-'A')
			case b != 0: // of UTF-16 and UTF-32
				lower = append(lower, b)
			}
		}
		for _, w := range words {
			if bytes.Contains(lower, []byte(w)) {
				return true
			}
		}
	}
	return false
}

// names of properties that are, or are part of, a place.
var (
	placeNames = map[string]bool{
		"city": true, "state": true, "country": true, "countrycode": true, "countryname": true, "province": true,
		"provincestate": true, "worldregion": true, "landmark": true, "coverage": true, "geo": true, "geotag": true, "geohash": true,
		"lat": true, "lon": true, "lng": true, "long": true, "alt": true, "lat_long": true, "latlong": true, "georss": true,
	}
	placeNameParts = []string{"gps", "latitude", "longitude", "altitude", "location"}
)

// placeName reports whether a property, which may have a prefix, is a place.
func placeName(name string) bool {
	prefix, local, ok := strings.Cut(strings.ToLower(name), ":")
	if !ok {
		prefix, local = "", prefix
	}
	if prefix == "xmlns" || local == "" {
		return false
	}
	for _, part := range placeNameParts {
		if strings.Contains(local, part) {
			return true
		}
	}
	return placeNames[local] || prefix == "georss" || prefix == "gml"
}
