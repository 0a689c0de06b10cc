package takeout_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"stoa/internal/operator/takeout"
)

// operator 4#5: files have what was given, in order, and the page shows it as text with the
// pictures, and refers to nothing outside the archive.
func TestWriter(t *testing.T) {
	var out bytes.Buffer
	a, err := takeout.New(&out, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.In("social")
	picture := a.Path("media", `p:1 #2.jpg`)
	err = a.List("posts", "Posts", func(add func(takeout.Fields) error) error {
		return add(takeout.Fields{
			{Name: "postId", Value: "p1"}, {Name: "text", Value: `<script src="https://example.com/x.js"></script>`}, {Name: "nothing", Value: ""},
			{Name: "postedAt", Value: time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.UTC)}, {Name: "files", Value: []takeout.File{picture}},
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.List("none", "Nothing", func(func(takeout.Fields) error) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := a.File(picture, strings.NewReader("JPEG")); err != nil {
		t.Fatal(err)
	}
	if err := a.End(); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	const script = `\u003cscript src=\"https://example.com/x.js\"\u003e\u003c/script\u003e`
	for name, want := range map[string]string{
		"social/posts.json": "[\n" + `{"postId":"p1","text":"` + script + `","postedAt":"2026-01-02T03:04:05.006Z","files":["social/media/p_1 #2.jpg"]}` + "\n]\n",
		"social/none.json":  "[\n]\n", "social/media/p_1 #2.jpg": "JPEG",
	} {
		if files[name] != want {
			t.Errorf("%s is %q, want %q", name, files[name], want)
		}
	}
	page := files["index.html"]
	if !strings.Contains(page, `<img src="social/media/p_1%20%232.jpg"`) || strings.Contains(page, "<script") || strings.Contains(page, `src="http`) {
		t.Errorf("the page is %s", page)
	}
}
