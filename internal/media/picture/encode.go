package picture

import (
	"bytes"
	"encoding/binary"
	"image/jpeg"

	"stoa/internal/media/picture/raster"
)

// quality is the JPEG quality of all output, since renditions are derived from each other.
const quality = 100

// Size limits of segments in a JPEG file.
const (
	maxSegment = 65533
	maxChunk   = maxSegment - len(iccPrefix) - 2
	// maxThumbnailProfile is the maximum size of a profile that is repeated in small
	// pictures.
	maxThumbnailProfile = 64 << 10
)

// encode returns a JPEG file with EXIF and a color profile, which may be nil. An EXIF block
// that is too large for JPEG is omitted.
func encode(r *raster.Raster, exif, icc []byte) ([]byte, error) {
	// Not with Grow, which clears the memory of a large file in a call that cannot be preempted.
	out := bytes.NewBuffer(make([]byte, 0, r.Width*r.Height/2+len(exif)+len(icc)+4096))
	out.WriteString("\xff\xd8")
	segment := func(marker byte, parts ...[]byte) {
		content := bytes.Join(parts, nil)
		out.Write([]byte{0xff, marker})
		out.Write(binary.BigEndian.AppendUint16(nil, uint16(len(content)+2)))
		out.Write(content)
	}
	if exif != nil && len(exif)+len(exifPrefix) <= maxSegment {
		segment(0xe1, []byte(exifPrefix), exif)
	}
	chunks := (len(icc) + maxChunk - 1) / maxChunk
	if chunks < 256 {
		for n := range chunks {
			segment(0xe2, []byte(iccPrefix), []byte{byte(n + 1), byte(chunks)}, icc[n*maxChunk:min(len(icc), (n+1)*maxChunk)])
		}
	}
	err := jpeg.Encode(&afterStart{out, 2}, r.Image(), &jpeg.Options{Quality: quality})
	return out.Bytes(), err
}

// afterStart is a writer that skips the first bytes, which have already been written.
type afterStart struct {
	out  *bytes.Buffer
	skip int
}

func (w *afterStart) Write(p []byte) (int, error) {
	skipped := min(w.skip, len(p))
	w.skip -= skipped
	w.out.Write(p[skipped:])
	return len(p), nil
}

func (w *afterStart) WriteByte(b byte) error {
	_, err := w.Write([]byte{b})
	return err
}

func (w *afterStart) Flush() error { return nil }
