package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/png"
	"testing"
)

// The beginning of a file suffices to refuse what is no picture, or too large, but not what
// may be complete.
func TestBeginningsAreChecked(t *testing.T) {
	p := NewProcessor(DefaultLimits())
	var small, large bytes.Buffer
	if err := errors.Join(png.Encode(&small, image.NewGray(image.Rect(0, 0, 9, 9))), png.Encode(&large, image.NewGray(image.Rect(0, 0, 1, 1)))); err != nil {
		t.Fatal(err)
	}
	binary.BigEndian.PutUint32(large.Bytes()[16:], 60_000)
	binary.BigEndian.PutUint32(large.Bytes()[20:], 60_000)
	for _, test := range []struct {
		name      string
		beginning []byte
		want      Reason
	}{
		{"a picture", small.Bytes(), ""},
		{"half a header", small.Bytes()[:20], ""},
		{"the start of a JPEG file", []byte("\xff\xd8\xff\xe1\xff\xff"), ""},
		{"the frame of a JPEG file, and no picture", append(jpegFrame(9, 9), make([]byte, 99)...), ""},
		{"gigapixels of a JPEG file, and no picture", append(jpegFrame(65_000, 65_000), make([]byte, 99)...), TooLarge},
		{"gigapixels", large.Bytes()[:40], TooLarge},
		{"a text", []byte("once upon a time"), Unrecognized},
		{"nothing", nil, Unrecognized},
		{"another format", []byte("GIF89a"), NotAllowed},
	} {
		err := p.Check(Input{Data: test.beginning, Formats: []Format{JPEG, PNG}})
		var unfit *Unfit
		if errors.As(err, &unfit); test.want == "" && err != nil || test.want != "" && (unfit == nil || unfit.Reason != test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// jpegFrame is the beginning of a JPEG file, up to its size.
func jpegFrame(width, height uint16) []byte {
	frame := []byte("\xff\xd8\xff\xc0\x00\x11\x08\x00\x00\x00\x00\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00")
	binary.BigEndian.PutUint16(frame[7:], height)
	binary.BigEndian.PutUint16(frame[9:], width)
	return frame
}
