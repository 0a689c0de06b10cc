package picture

import (
	"bytes"
	"encoding/binary"

	"stoa/internal/media/picture/heif"
)

// Format is a file format.
type Format string

const (
	JPEG Format = "JPEG"
	PNG  Format = "PNG"
	WebP Format = "WebP"
	HEIC Format = "HEIC"
)

// others are formats that are recognized only for error messages.
var others = map[string]string{
	"GIF87a": "GIF", "GIF89a": "GIF", "BM": "BMP", "II*\x00": "TIFF", "MM\x00*": "TIFF", "%PDF": "PDF", "8BPS": "PSD",
}

// sniff returns the format of a file, as determined by its content.
func sniff(data []byte) (Format, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return JPEG, nil
	case bytes.HasPrefix(data, []byte(pngSignature)):
		return PNG, nil
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return WebP, nil
	case heif.Sniff(data):
		return HEIC, nil
	}
	for magic, name := range others {
		if bytes.HasPrefix(data, []byte(magic)) {
			return "", unfit(NotAllowed, "%s", name)
		}
	}
	if len(data) >= 12 && string(data[4:8]) == "ftyp" {
		return "", unfit(NotAllowed, "%q", data[8:12])
	}
	return "", unfit(Unrecognized, "%d bytes", len(data))
}

// header holds the properties of a file that are known before decoding.
type header struct {
	width, height int // as stored
	orientation   int // of EXIF, 1 to 8
	// exif is the first EXIF block of the file, a slice of it. Phones write one.
	exif, icc []byte
	// perPixel is the approximate number of bytes per pixel needed for decoding, planes that
	// of the decoded picture.
	perPixel, planes float64
	// leastPerPixel is the number of bytes per pixel that the file has at least. Decoders
	// allocate memory for all pixels before they notice that there are fewer.
	leastPerPixel float64
	heif          *heif.File
}

// readHeader returns an error for files with a broken structure, with what is known of a JPEG
// file that ends before its picture. It allocates little, whatever sizes they declare.
func readHeader(format Format, data []byte) (h *header, err error) {
	switch format {
	case JPEG:
		h, err = jpegHeader(data)
	case PNG:
		h, err = pngHeader(data)
	case WebP:
		h, err = webpHeader(data)
	case HEIC:
		h, err = heicHeader(data)
	}
	if err != nil {
		return h, err
	}
	if h.width <= 0 || h.height <= 0 {
		return nil, unfit(Undecodable, "%d x %d pixels", h.width, h.height)
	}
	h.orientation = 1
	if format != HEIC { // in HEIC, it is in the container
		h.orientation = orientation(h.exif)
	}
	if !isRGB(h.icc) {
		h.icc = nil
	}
	return h, nil
}

// isRGB reports whether a profile is for RGB, the only color space of output files. CMYK
// pictures have profiles of their own.
func isRGB(icc []byte) bool { return len(icc) > 128 && string(icc[16:20]) == "RGB " }

// jpegHeader parses the segments up to the first scan.
func jpegHeader(data []byte) (*header, error) {
	h := &header{}
	chunks := map[byte][]byte{}
	for at := 2; ; {
		next := bytes.IndexByte(data[at:], 0xff) // skip anything but markers, like decoders
		if next < 0 {
			return h, unfit(Undecodable, "ends before a picture")
		}
		at += next
		for at < len(data) && data[at] == 0xff {
			at++
		}
		if at+3 > len(data) {
			return h, unfit(Undecodable, "ends before a picture")
		}
		marker := data[at]
		at++
		if marker == 0 || marker == 1 || marker >= 0xd0 && marker <= 0xd8 { // without content
			continue
		}
		size := int(binary.BigEndian.Uint16(data[at:]))
		if marker == 0xd9 || size < 2 || at+size > len(data) {
			return h, unfit(Undecodable, "ends before a picture")
		}
		content := data[at+2 : at+size]
		at += size
		switch {
		case marker == 0xe1 && bytes.HasPrefix(content, []byte(exifPrefix)) && h.exif == nil:
			h.exif = content[len(exifPrefix):]
		case marker == 0xe2 && bytes.HasPrefix(content, []byte(iccPrefix)) && len(content) > len(iccPrefix)+2:
			chunks[content[len(iccPrefix)]] = content[len(iccPrefix)+2:]
		case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			if len(content) < 6 || h.width != 0 {
				return nil, unfit(Undecodable, "broken frame header")
			}
			h.height, h.width = int(binary.BigEndian.Uint16(content[1:])), int(binary.BigEndian.Uint16(content[3:]))
			h.perPixel, h.planes = jpegCost(marker, content[5:])
			if marker != 0xc2 {
				h.leastPerPixel = 2.0 / 8 / 64 // two bits for a block of 64 samples, of which there is one for each pixel
			}
		case marker == 0xda:
			for n := byte(1); chunks[n] != nil; n++ {
				h.icc = append(h.icc, chunks[n]...)
			}
			return h, nil
		}
	}
}

// rgbPlanes is the memory per pixel of a picture that is converted from RGB.
const rgbPlanes = 3

const (
	exifPrefix = "Exif\x00\x00"
	iccPrefix  = "ICC_PROFILE\x00"
)

// jpegCost returns the memory per pixel for decoding and of the result. Progressive files
// need five bytes per sample, because their coefficients are all kept until the end.
func jpegCost(marker byte, components []byte) (decoding, planes float64) {
	samples, largest := 0, 1
	for n := 0; n < int(components[0]) && 1+3*n+2 < len(components); n++ {
		area := int(components[1+3*n+1]>>4) * int(components[1+3*n+1]&15)
		samples += area
		largest = max(largest, area)
	}
	planes = max(1, float64(samples)/float64(largest))
	decoding = planes
	if marker == 0xc2 {
		decoding *= 5
	}
	if components[0] == 4 { // converted via RGB
		return decoding + rgbPlanes, rgbPlanes
	}
	return decoding, planes
}

// maxDeflation is the maximum ratio by which data in PNG files are compressed.
const maxDeflation = 1032

const pngSignature = "\x89PNG\r\n\x1a\n"

// pngHeader parses all chunks, since EXIF may be at the end.
func pngHeader(data []byte) (*header, error) {
	h := &header{}
	for kind, content := range pngChunks(data) {
		switch kind {
		case "IHDR":
			if len(content) < 13 || h.width != 0 {
				return nil, unfit(Undecodable, "broken header")
			}
			h.width, h.height = int(binary.BigEndian.Uint32(content)), int(binary.BigEndian.Uint32(content[4:]))
			if h.width > 1<<24 || h.height > 1<<24 {
				return nil, unfit(TooLarge, "%d x %d pixels", h.width, h.height)
			}
			h.perPixel, h.planes = pngCost(content[8], content[9])+rgbPlanes, rgbPlanes
			h.leastPerPixel = 1.0 / 8 / maxDeflation
		case "eXIf":
			if h.exif == nil {
				h.exif = content
			}
		case "iCCP":
			h.icc = pngProfile(content)
		}
	}
	return h, nil
}

// pngCost returns the memory per pixel of the image that is decoded from a file of a bit
// depth and a color type.
func pngCost(depth, kind byte) float64 {
	const gray, indexed = 0, 3
	samples := 4.0
	if kind == gray || kind == indexed {
		samples = 1
	}
	return samples * float64(max(8, depth)) / 8
}

// webpHeader prefers the properties of the coded picture to those of the container.
func webpHeader(data []byte) (*header, error) {
	h := &header{perPixel: rgbPlanes + 4, planes: rgbPlanes}
	for kind, content := range webpChunks(data) {
		switch kind {
		case "VP8 ":
			if len(content) < 10 {
				return nil, unfit(Undecodable, "broken header")
			}
			h.width, h.height = int(binary.LittleEndian.Uint16(content[6:])&0x3fff), int(binary.LittleEndian.Uint16(content[8:])&0x3fff)
		case "VP8L":
			if len(content) < 5 {
				return nil, unfit(Undecodable, "broken header")
			}
			bits := binary.LittleEndian.Uint32(content[1:])
			h.width, h.height = int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1
		case "ANIM", "ANMF":
			return nil, unfit(Animated, "WebP")
		case "EXIF":
			if h.exif == nil {
				h.exif = bytes.TrimPrefix(content, []byte(exifPrefix))
			}
		case "ICCP":
			h.icc = content
		}
	}
	return h, nil
}

func heicHeader(data []byte) (*header, error) {
	f, err := heif.Parse(data)
	if err != nil {
		return nil, unfit(Undecodable, "%v", err)
	}
	// Two copies of the picture, for rotation, and the decoder's memory for one tile. Later,
	// one copy and its file in JPEG.
	tile := float64(f.TileWidth*f.TileHeight) / float64(f.Width*f.Height)
	return &header{width: f.Width, height: f.Height, exif: f.EXIF, icc: f.ICC, heif: f, perPixel: 3 + 8*tile, planes: 1.5}, nil
}
