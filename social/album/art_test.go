package album_test

import (
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"

	"stoa/app"
	"stoa/internal/apptest"
	"stoa/social"
	. "stoa/social/socialtest"
)

// drawn runs f with a world in which art is rendered as by a server.
func drawn(t *testing.T, given Given, f func(w *World)) {
	t.Helper()
	apptest.Test(t, app.System(app.Options{}), func(w *World) {
		w.Do(given...)
		f(w)
	}, Options()...)
}

// artOf returns the URL of an album's art before the ?, and the bounds of the image.
func artOf(w *World, size string) (base string, bounds image.Point) {
	w.T.Helper()
	url := Address(w, "ana", `{ album(albumId: "a1") { art { `+size+` } } }`, size)
	status, file := Get(w, url)
	if status != http.StatusOK {
		w.T.Fatalf("%s answers %d", url, status)
	}
	if head, _ := Send(w, http.MethodHead, url, "", nil); head != http.StatusOK {
		w.T.Errorf("HEAD of %s answers %d", url, head)
	}
	base, _, _ = strings.Cut(url, "?")
	return base, Bounds(w, file)
}

const defaultArt = "https://stoa.example/default-album-art/"

var sizes = []string{"url", "url4k", "url1080p", "url480p", "url64p"}

// posts 24.16 and 24.21: first the default art, then that of one image, which the response
// already has; two and three images change nothing, four do; the same images have the same
// URLs again.
func TestArtOfPictures(t *testing.T) {
	t.Parallel()
	drawn(t, Users("ana").Album("ana", "a1").Image("ana", "p1", 64, 48), func(w *World) {
		for _, size := range sizes {
			if base, _ := artOf(w, size); !strings.HasPrefix(base, defaultArt) {
				w.T.Errorf("default art %s", base)
			}
		}
		put := func(post, album string) {
			w.T.Helper()
			w.Must("ana", fmt.Sprintf(`mutation { editPostAlbum(postId: %q, albumId: %q) { postId } }`, post, album))
		}
		put("p1", "a1")
		for _, size := range sizes {
			base, bounds := artOf(w, size)
			if want := "/album/a1/" + social.ArtHash([]social.PostID{"p1"}) + "/"; !strings.Contains(base, want) || bounds != image.Pt(64, 48) {
				w.T.Errorf("art of one picture %s of %v", base, bounds)
			}
		}
		one, _ := artOf(w, "url")
		w.Do(Given{}.Image("ana", "p2", 65, 48).Image("ana", "p3", 66, 48).Image("ana", "p4", 67, 48)...)
		put("p2", "a1")
		put("p3", "a1")
		if base, _ := artOf(w, "url"); base != one {
			w.T.Errorf("with three pictures %s, want %s", base, one)
		}
		put("p4", "a1")
		w.Settle()
		four, bounds := artOf(w, "url")
		if four == one || bounds != image.Pt(3840, 2160) {
			w.T.Errorf("with four pictures %s of %v", four, bounds)
		}
		for _, file := range Files(w) {
			if strings.Contains(file, "/album/") && !strings.HasPrefix("https://stoa.example/media/"+file, strings.TrimSuffix(four, "native.jpg")) {
				w.T.Errorf("%s is left", file)
			}
		}
		put("p4", "")
		if base, _ := artOf(w, "url"); base != one {
			w.T.Errorf("with three again %s, want %s", base, one)
		}
		for i := 1; i <= 3; i++ {
			put(fmt.Sprint("p", i), "")
		}
		if base, _ := artOf(w, "url"); !strings.HasPrefix(base, defaultArt) {
			w.T.Errorf("empty again %s", base)
		}
		put("p1", "a1")
		w.Must("ana", `mutation { deleteAlbum(albumId: "a1") { art { url } } }`)
		w.Settle()
		for _, file := range Files(w) {
			if strings.Contains(file, "/album/") {
				w.T.Errorf("%s is left of an album that is gone", file)
			}
		}
	})
}

// service E8: the art of a text is rendered after the response.
func TestArtOfAText(t *testing.T) {
	t.Parallel()
	drawn(t, Users("ana").Album("ana", "a1").Post("ana", "p1", InAlbum("a1")), func(w *World) {
		w.Settle()
		base, bounds := artOf(w, "url")
		if !strings.Contains(base, social.ArtHash([]social.PostID{"p1"})) || bounds != image.Pt(3840, 2160) {
			w.T.Errorf("art of a text %s of %v", base, bounds)
		}
		if _, bounds := artOf(w, "url64p"); bounds != image.Pt(114, 64) {
			w.T.Errorf("smallest art of a text %v", bounds)
		}
		w.Must("ana", `mutation { archivePost(postId: "p1") { postId } }`)
		if base, _ := artOf(w, "url"); !strings.HasPrefix(base, defaultArt) {
			w.T.Errorf("empty again %s", base)
		}
	})
}

// posts 24.16: the default art is public, at five permanent URLs.
func TestDefaultArtIsForAnybody(t *testing.T) {
	Run(t, []Scenario{{
		Name: "no signature, no size", Given: Users("ana").Album("ana", "a1"), As: "ana", Query: `{ album(albumId: "a1") { art { url url4k url1080p url480p url64p width height ` +
			`colors { r } } } }`,
		Want: `{"album":{"art":{"url":"https://stoa.example/default-album-art/native.jpg","url4k":"https://stoa.example/default-album-art/4K.jpg",` +
			`"url1080p":"https://stoa.example/default-album-art/1080p.jpg","url480p":"https://stoa.example/default-album-art/480p.jpg",` +
			`"url64p":"https://stoa.example/default-album-art/64p.jpg","width":null,"height":null,"colors":null}}}`,
	}})
}

// An album that is deleted while its art is stored leaves no files, also if the process ended then,
// and the event is delivered again.
func TestArtOfADeletedAlbum(t *testing.T) {
	t.Parallel()
	drawn(t, Users("ana").Album("ana", "a1").DeleteAlbum("ana", "a1"), func(w *World) {
		half := social.AlbumArtFiles(w.ID("ana"), "a1", social.ArtHash([]social.PostID{"p1"})) + "/native.jpg"
		if _, err := w.Host.Media.Files.Put(t.Context(), half, strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
		w.Deliver(social.AlbumPostsChanged{AlbumID: "a1", Owner: w.ID("ana"), At: w.Now()})
		if left := Files(w); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}
