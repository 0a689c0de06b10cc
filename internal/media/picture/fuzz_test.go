package picture

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"stoa/internal/kit/hostile"
	"stoa/internal/media/picture/heif/heiftest"
	"stoa/internal/media/picture/picturetest"
)

// FuzzHeaders looks for files whose headers are slow to parse or to refuse, and for damage
// that causes panics.
func FuzzHeaders(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), hostile.Size)])
	}
	small := heiftest.Small()
	small.EXIF = []byte("II*\x00")
	f.Add(small.File())
	f.Add(picturetest.JPEG(picturetest.Scene(40, 30), []byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00")))
	f.Add(picturetest.PNG(picturetest.Scene(40, 30), []byte("MM\x00*\x00\x00\x00\x08")))
	f.Add(append([]byte("\xff\xd8"), bytes.Repeat([]byte("\xff\xe1\x00\x02"), hostile.Size/4-1)...))
	f.Add(append([]byte("\xff\xd8"), bytes.Repeat([]byte("\xff"), hostile.Size-2)...))
	f.Add(append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte("\x00\x00\x00\x00aaaa\x00\x00\x00\x00"), hostile.Size/12-1)...))
	f.Add(append([]byte("RIFF\x00\x90\x01\x00WEBP"), bytes.Repeat([]byte("aaaa\x00\x00\x00\x00"), hostile.Size/8-2)...))
	box := func(kind string, content []byte) []byte {
		n := len(content) + 8
		return append([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n), kind[0], kind[1], kind[2], kind[3]}, content...)
	}
	brands := box("ftyp", []byte("heic\x00\x00\x00\x00heic"))
	f.Add(append(bytes.Clone(brands), box("meta", bytes.Repeat(box("free", nil), hostile.Size/8-10))...))
	f.Add(append(bytes.Clone(brands), bytes.Repeat(box("free", nil), hostile.Size/8-10)...))
	p := NewProcessor(DefaultLimits())
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > hostile.Size {
			return
		}
		for name, read := range map[string]func(){
			"inspect": func() { p.inspect(Input{Data: data, Formats: []Format{JPEG, PNG, WebP, HEIC}}) },
			"EXIF": func() {
				tiff := bytes.Clone(data)
				orientation(tiff)
				setUpright(tiff)
				removeGPS(tiff)
			},
			"place": func() {
				for _, format := range []Format{JPEG, PNG, WebP} {
					if f, err := sniff(data); err == nil && f == format {
						withoutPlace(format, data)
					}
				}
			},
			"base64": func() { Inline(string(data)) },
		} {
			if took := hostile.Cost(read); took > hostile.Longest {
				t.Errorf("%s: %d bytes take %v", name, len(data), took)
			}
		}
	})
}
