package stock

import (
	"image"
	"image/jpeg"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stoa/internal/media/picture"
	"stoa/internal/media/picture/picturetest"
)

func get(h http.Handler, method, path string) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w.Result()
}

func TestDefaultArt(t *testing.T) {
	art := &DefaultArt{Processor: picture.NewProcessor(picture.DefaultLimits()), Log: slog.New(slog.DiscardHandler)}
	for size, want := range map[string]image.Point{
		"native": {3840, 2160}, "4K": {3840, 2160}, "1080p": {1920, 1080}, "480p": {853, 480}, "64p": {114, 64},
	} {
		path := "/default-album-art/" + size + ".jpg"
		answer := get(art, "GET", path)
		m, err := jpeg.Decode(answer.Body)
		if err != nil || m.Bounds().Size() != want {
			t.Fatalf("%s: %v, %v", size, m, err)
		}
		if answer.Header.Get("Content-Type") != "image/jpeg" || answer.Header.Get("ETag") == "" {
			t.Errorf("%s: %v", size, answer.Header)
		}
		head := get(art, "HEAD", path)
		if body, _ := io.ReadAll(head.Body); head.StatusCode != 200 || len(body) != 0 || head.Header.Get("ETag") != answer.Header.Get("ETag") {
			t.Errorf("%s: HEAD: %d, %v", size, head.StatusCode, head.Header)
		}
	}
	for path, want := range map[string]int{"/default-album-art/8K.jpg": 404, "/default-album-art/64p.png": 404, "/default-album-art/": 404} {
		if answer := get(art, "GET", path); answer.StatusCode != want {
			t.Errorf("%s: %d", path, answer.StatusCode)
		}
	}
	if answer := get(art, "PUT", "/default-album-art/64p.jpg"); answer.StatusCode != 405 {
		t.Errorf("PUT: %d", answer.StatusCode)
	}
}

// folder creates placeholder photos with the given codes.
func folder(t *testing.T, codes ...string) string {
	dir := t.TempDir()
	data := picturetest.JPEG(picturetest.Scene(16, 16), nil)
	for _, code := range codes {
		for _, size := range picture.Names() {
			file := filepath.Join(dir, code, size+".jpg")
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func TestPhotos(t *testing.T) {
	dir := folder(t, "zebra", "ape-1")
	if err := os.WriteFile(filepath.Join(dir, "README"), []byte("about these"), 0o600); err != nil {
		t.Fatal(err)
	}
	photos, err := OpenPhotos(dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"ape-1", "zebra"}; !slices.Equal(photos.Codes(), want) {
		t.Errorf("codes %v", photos.Codes())
	}
	for path, want := range map[string]int{
		"/placeholder-photos/zebra/native.jpg": 200, "/placeholder-photos/ape-1/4K.jpg": 200,
		"/placeholder-photos/zebra/8K.jpg": 404, "/placeholder-photos/lion/native.jpg": 404,
		"/placeholder-photos/README": 404, "/placeholder-photos/../native.jpg": 404, "/native.jpg": 404,
	} {
		for _, method := range []string{"GET", "HEAD"} {
			answer := get(photos, method, path)
			if answer.StatusCode != want || want == 200 && answer.Header.Get("Content-Type") != "image/jpeg" {
				t.Errorf("%s %s: %d %v", method, path, answer.StatusCode, answer.Header)
			}
		}
	}
}

func TestPhotosThatAreMissing(t *testing.T) {
	none, err := OpenPhotos("")
	if err != nil || len(none.Codes()) != 0 || get(none, "GET", "/placeholder-photos/a/native.jpg").StatusCode != 404 {
		t.Errorf("without a folder: %v, %v", none, err)
	}
	if _, err := OpenPhotos(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("a missing folder was accepted")
	}
	dir := folder(t, "zebra")
	if err := os.Remove(filepath.Join(dir, "zebra", "480p.jpg")); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPhotos(dir); err == nil || !strings.Contains(err.Error(), "zebra/480p.jpg") {
		t.Errorf("a missing size: %v", err)
	}
}
