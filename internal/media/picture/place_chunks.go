package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
	"strings"
)

// png removes the places from a PNG file, and what follows its end. It returns false if there
// is none.
func (c *cleaner) png(out *copier) bool {
	at := len(pngSignature)
	for kind, content := range pngChunks(out.data) {
		start, end := at, at+len(content)+12
		at = end
		if kind == "IEND" {
			if at < len(out.data) {
				out.replace(at, len(out.data))
			}
			return true
		}
		changed, v := c.chunk(kind, content)
		switch v {
		case cleaned:
			chunk := binary.BigEndian.AppendUint32(nil, uint32(len(changed)))
			chunk = append(append(chunk, kind...), changed...)
			out.replace(start, end, binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:])))
			out.places = true
		case dropped:
			out.replace(start, end)
			out.places = true
		}
	}
	return false
}

// chunk returns a chunk of a PNG file without places.
func (c *cleaner) chunk(kind string, content []byte) ([]byte, verdict) {
	switch kind {
	case "IDAT", "fdAT", "IHDR", "PLTE", "iCCP", "tRNS", "acTL", "fcTL", "cHRM", "gAMA", "sBIT", "hIST", "bKGD", "pHYs", "tIME", "iDOT":
		return nil, clean
	case "tEXt", "zTXt", "iTXt":
		return c.textChunk(kind, content)
	case "zxIf": // compressed EXIF of a draft, which nothing reads
		return nil, dropped
	}
	changed := bytes.Clone(content)
	return changed, c.blob(changed)
}

// textChunk returns a chunk with a text: a keyword, and what depends on the kind.
func (c *cleaner) textChunk(kind string, content []byte) ([]byte, verdict) {
	keyword, text, _ := bytes.Cut(content, []byte{0})
	if placeName(string(keyword)) {
		return nil, dropped
	}
	packed := kind == "zTXt"
	switch {
	case kind == "zTXt" && len(text) > 0:
		text = text[1:] // the method
	case kind == "iTXt" && len(text) > 1:
		packed = text[0] != 0
		_, text, _ = bytes.Cut(text[2:], []byte{0}) // the language
		_, text, _ = bytes.Cut(text, []byte{0})     // the keyword in it
	}
	head := content[:len(content)-len(text)]
	if packed {
		if text = c.inflate(text); text == nil {
			return nil, dropped
		}
	} else {
		text = bytes.Clone(text)
	}
	v := c.keyed(string(keyword), text)
	if v != cleaned {
		return nil, v
	}
	if packed {
		text = deflate(text)
	}
	return bytes.Join([][]byte{head, text}, nil), v
}

// keyed removes the place from the text of a keyword.
func (c *cleaner) keyed(keyword string, text []byte) verdict {
	switch {
	case strings.HasPrefix(strings.ToLower(keyword), "raw profile type"):
		return c.rawProfile(text)
	case strings.Contains(strings.ToLower(keyword), "xmp"), bytes.Contains(text, []byte("<rdf:")), bytes.Contains(text, []byte("<x:xmpmeta")):
		return c.xmp(text)
	case mentions(text, commentWords):
		return dropped
	}
	return c.blob(text)
}

// rawProfile removes the place from metadata as ImageMagick writes them: a line with a name,
// one with the size, and lines of hexadecimal digits.
func (c *cleaner) rawProfile(text []byte) verdict {
	lines := bytes.SplitN(bytes.TrimLeft(text, "\n"), []byte("\n"), 3)
	if len(lines) < 3 {
		return dropped
	}
	digits := lines[2] // a part of text
	var data []byte
	high, half := byte(0), false
	for _, b := range digits {
		digit := strings.IndexByte("0123456789abcdef", b|0x20)
		switch {
		case bytes.IndexByte([]byte(" \t\r\n\x00"), b) >= 0:
			continue
		case digit < 0:
			return dropped
		case half:
			data = append(data, high<<4|byte(digit))
		}
		high, half = byte(digit), !half
	}
	if half {
		return dropped
	}
	name := strings.ToLower(string(bytes.TrimSpace(lines[0])))
	if name == "icc" || name == "icm" {
		return clean
	}
	v := c.blob(data)
	if v != cleaned {
		return v
	}
	at := 0
	for i, b := range digits {
		if bytes.IndexByte([]byte(" \t\r\n\x00"), b) >= 0 {
			continue
		}
		digits[i] = "0123456789abcdef"[data[at/2]>>(4*(1-at%2))&15]
		at++
	}
	return v
}

// inflate decompresses a text. It returns nil if it is broken or too large.
func (c *cleaner) inflate(packed []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	left := maxInflated - c.inflated
	text, err := io.ReadAll(io.LimitReader(r, int64(left)+1))
	c.inflated += len(text)
	if err != nil || len(text) > left {
		return nil
	}
	if text == nil {
		text = []byte{}
	}
	return text
}

func deflate(text []byte) []byte {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		panic(err) // a buffer accepts everything
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return packed.Bytes()
}

// webp removes the places from a WebP file. Its chunks keep their sizes.
func (c *cleaner) webp(out *copier) {
	at := 12
	for kind, content := range webpChunks(out.data) {
		start, end := at+8, at+8+len(content)
		at = end + len(content)&1
		switch kind {
		case "VP8 ", "VP8L", "VP8X", "ALPH", "ICCP":
			continue
		}
		changed := bytes.Clone(content)
		v := c.blob(changed)
		if kind == "XMP " && v == clean {
			v = c.xmp(changed)
		}
		if v == dropped {
			clear(changed)
		}
		if v != clean {
			out.replace(start, end, changed)
			out.places = true
		}
	}
	end := len(webpFile(out.data))
	if rest := out.data[at:max(at, end)]; opaquePlace(rest) { // of a broken chunk
		out.replace(at, end, make([]byte, len(rest)))
		out.places = true
	}
	if end < len(out.data) {
		out.replace(end, len(out.data))
	}
}
