package file

import (
	"archive/zip"
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// FuzzArchives searches for archives that are expensive to inspect, and for entries that
// lead elsewhere although they passed.
func FuzzArchives(f *testing.F) {
	packed := func(names ...string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range names {
			w, err := z.Create(name)
			if err == nil {
				_, err = io.WriteString(w, "content of "+name)
			}
			if err != nil {
				f.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			f.Fatal(err)
		}
		return b.Bytes()
	}
	many := make([]string, 1000)
	for i := range many {
		many[i] = string(rune('a'+i%26)) + string(rune('a'+i/26)) + ".jpg"
	}
	for _, data := range [][]byte{packed("a.jpg", "b/c.png"), packed("../a"), packed("a/../../b", "a"), packed(many...), []byte("PK\x05\x06"), {}} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		hostile.Check(t, string(data), func() {
			z, err := open(bytes.NewReader(data), int64(len(data)))
			if err != nil || inspect(z.File) != nil {
				return
			}
			for _, entry := range z.File {
				if name := strings.TrimSuffix(entry.Name, "/"); !filepath.IsLocal(name) {
					t.Errorf("%q leads out of the archive", entry.Name)
				}
			}
		})
	})
}
