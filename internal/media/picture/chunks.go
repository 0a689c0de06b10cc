package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"iter"
)

// pngChunks yields the chunks of a PNG file up to its end or the first broken one.
func pngChunks(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for rest := data[len(pngSignature):]; len(rest) >= 12; {
			size, kind := uint64(binary.BigEndian.Uint32(rest)), string(rest[4:8])
			if size > uint64(len(rest)-12) || !yield(kind, rest[8:8+size]) || kind == "IEND" {
				return
			}
			rest = rest[12+size:]
		}
	}
}

// maxProfile is the maximum size of color profiles: common ones have a few thousand bytes.
const maxProfile = 1 << 20

// pngProfile decompresses a profile: a name, a zero, the number of a method, and zlib data.
func pngProfile(content []byte) []byte {
	_, packed, ok := bytes.Cut(content, []byte{0})
	if !ok || len(packed) < 1 {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(packed[1:]))
	if err != nil {
		return nil
	}
	profile, err := io.ReadAll(io.LimitReader(r, maxProfile+1))
	if err != nil || len(profile) > maxProfile {
		return nil
	}
	return profile
}

// webpChunks yields the chunks of a WebP file up to the first broken one.
func webpChunks(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for rest := webpFile(data)[12:]; len(rest) >= 8; {
			size := uint64(binary.LittleEndian.Uint32(rest[4:]))
			if size > uint64(len(rest)-8) || !yield(string(rest[:4]), rest[8:8+size]) {
				return
			}
			rest = rest[min(uint64(len(rest)), 8+size+size&1):]
		}
	}
}

// webpFile returns the file without what follows its end.
func webpFile(data []byte) []byte {
	size := 8 + uint64(binary.LittleEndian.Uint32(data[4:]))
	return data[:min(uint64(len(data)), max(12, size+size&1))]
}
