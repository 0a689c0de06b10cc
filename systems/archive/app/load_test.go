package app_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
	"stoa/internal/media/blob"
)

// uploads sends a file to a ticket's URL and returns its key.
func (w *world) uploads(contentType string, data []byte) string {
	w.T.Helper()
	d := w.Does("oz", requestUpload, vars{"t": contentType})
	if got := w.put(d.Text("requestUpload.url"), contentType, data); got != http.StatusOK {
		w.T.Fatalf("upload: %d", got)
	}
	return d.Text("requestUpload.key")
}

func (w *world) put(address, contentType string, data []byte) int {
	r := httptest.NewRequest(http.MethodPut, address, bytes.NewReader(data))
	r.Header.Set("Content-Type", contentType)
	recorder := httptest.NewRecorder()
	w.Handler.ServeHTTP(recorder, r)
	return recorder.Code
}

func (w *world) get(address string) (int, []byte) {
	recorder := httptest.NewRecorder()
	w.Handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, address, nil))
	return recorder.Code, recorder.Body.Bytes()
}

// archive 5.9#3: what tickets to upload and download allow, and how long.
func TestTickets(t *testing.T) {
	test(t, func(w *world) {
		w.is("READER", "r")
		d := w.Does("oz", requestUpload, vars{"t": "text/csv; charset=utf-8"})
		address, key := d.Text("requestUpload.url"), d.Text("requestUpload.key")
		w.Is(d, "requestUpload.expiresAt", `"`+w.Now().Add(5*time.Minute).UTC().Truncate(time.Second).Format("2006-01-02T15:04:05.000000000Z")+`"`)
		w.Refused("NOT_FOUND", "r", `query($k: String!) { contentUrl(key: $k) { url } }`, vars{"k": key}) // nothing is there yet
		if got := w.put(address, "text/csv", []byte("first")); got != http.StatusOK {
			t.Fatalf("upload: %d", got)
		}
		w.put(address, "text/csv", []byte("second")) // what is there stays as it is
		ticket := w.Does("r", `query($k: String!) { contentUrl(key: $k) { url } }`, vars{"k": key}).Text("contentUrl.url")
		if code, data := w.get(ticket); code != http.StatusOK || string(data) != "first" {
			t.Errorf("download: %d %q", code, data)
		}
		if got := w.put(ticket, "text/csv", nil); got != http.StatusForbidden {
			t.Errorf("upload with a ticket to download: %d", got)
		}
		elsewhere := strings.Replace(ticket, "/archive/media/", "/media/", 1)
		if code, _ := w.get(elsewhere); code == http.StatusOK {
			t.Error("the ticket is good elsewhere")
		}
		w.Advance(5*time.Minute + time.Second)
		if code, _ := w.get(ticket); code != http.StatusForbidden {
			t.Errorf("after five minutes: %d", code)
		}
		if got := w.put(address, "text/csv", nil); got != http.StatusForbidden {
			t.Errorf("upload after five minutes: %d", got)
		}
		for _, key := range []string{"../x", "uploads/x.csv", "archive/uploads/00000000-0000-4000-8000-000000000001.csv", "images/1/x.jpg", ""} {
			w.Refused("NOT_FOUND", "r", `query($k: String!) { contentUrl(key: $k) { url } }`, vars{"k": key})
		}
	})
}

// source returns a census with households whose rows are spread over the file.
func source(random *rand.Rand, rows int) (csv string, want string) {
	var b, w strings.Builder
	b.WriteString(header)
	for i := range rows {
		n := ""
		if random.IntN(5) > 0 {
			n = fmt.Sprint("h", random.IntN(rows/3+1))
		}
		fmt.Fprintf(&b, "person %d,%s,%d,,\n", i, n, 1800+i%100)
		fmt.Fprintf(&w, "person %d %s\n", i, n)
	}
	return b.String(), w.String()
}

// holds compares the records and households of a post with a source.
func (w *world) holds(post, want string) {
	w.T.Helper()
	var got strings.Builder
	for token := any(nil); ; {
		d := w.Does(
			"oz",
			`query($p: ID!, $t: String) { records(postId: $p, limit: 100, nextToken: $t) { items { dataMap household { number } } nextToken } }`,
			vars{"p": post, "t": token},
		)
		for _, r := range d.Items("records.items") {
			n := ""
			if r.At("household") != nil {
				n = r.Text("household.number")
			}
			fmt.Fprintf(&got, "%s %s\n", r.Text("dataMap.Name"), n)
		}
		if token = d.At("records.nextToken"); token == nil {
			break
		}
	}
	if got.String() != want {
		w.T.Fatalf("records\n%.300s…\nwant\n%.300s…", got.String(), want)
	}
	w.Asked("oz", `query($p: ID!) { post(id: $p) { recordCount recordsStatus recordsError } }`, vars{"p": post}, "post",
		fmt.Sprintf(`{"recordCount":%d,"recordsError":null,"recordsStatus":"READY"}`, strings.Count(want, "\n")))
}

// archive 5.9#1: the records of an uploaded file are loaded.
func TestRecordsAreLoaded(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		csv, want := source(rand.New(rand.NewPCG(1, 1)), 300)
		collection := w.collection(census(w.category("A")))
		post := w.post(collection, vars{"recordsKey": w.uploads("text/csv", []byte(csv))})
		w.Settle()
		w.holds(post, want)
		w.moves("publishPost", post)
		w.status(post, `{"imagesStatus":"READY","postStatus":"PUBLISHED","recordsStatus":"READY"}`)
		w.whole()
	})
}

// A file that cannot be loaded leaves the content unchanged, and the reason is reported
// (archive 5.3#4).
func TestFilesThatCannotBeLoaded(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		post := w.held(families)
		const update = `mutation($i: ID!, $c: UpdatePostInput!, $t: DateTime!) { updatePost(id: $i, input: $c, lastUpdateTime: $t) { id } }`
		for csv, want := range map[string]string{
			header + "Ana,7,1850,,\nBen\n":                    "Row 3: 1 cells, but 5 headers",
			"Name\nAna\n":                                     `The headers are not those of the collection: missing ["Household" "Birth" "Place" "Image"], unknown []`,
			"\xff\xfeN\x00":                                   "Row 1: the file is in UTF-16: save it as UTF-8",
			header + "\xff,7,1850,,\n":                        "Row 2: a value is not valid UTF-8 under \"Name\"",
			header + "\"" + strings.Repeat("x", 5<<20) + "\n": "Row 2: a row has at most 1048576 bytes: a quote may never have been closed",
		} {
			w.Does("oz", update, vars{"i": post, "c": vars{"recordsKey": w.uploads("text/csv", []byte(csv))}, "t": w.at("post", post)})
			w.Settle()
			d := w.Does("oz", `query($p: ID!) { post(id: $p) { recordsStatus recordsError } }`, vars{"p": post})
			if got := d.Text("post.recordsStatus") + " " + d.Text("post.recordsError"); got != "ERROR "+want {
				t.Errorf("%.40q: %s, want %s", csv, got, want)
			}
			w.families(post)
		}
		w.whole()
	})
}

// A load that is killed repeatedly, at any of its calls, results in exactly the records of
// the file (archive 5.9#2).
func TestALoadThatIsKilledGoesOn(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		collection := w.collection(census(w.category("A")))
		seeds := uint64(30)
		if testing.Short() {
			seeds = 4
		}
		for seed := range seeds {
			random := rand.New(rand.NewPCG(seed, 7))
			rows := 50 + random.IntN(400)
			if seed%10 == 3 {
				rows = 11_000 // of several blocks
			}
			csv, want := source(random, rows)
			post := w.post(collection)
			w.imports(post, families) // leftovers to get rid of
			key := w.uploads("text/csv", []byte(csv))
			for n := range 6 {
				fault := faultdb.On("", 1+random.IntN(40), faultdb.Internal)
				if random.IntN(2) == 0 {
					fault = fault.Late()
				}
				failed := w.Client.Arm(fault)
				if n == 0 {
					w.Asks("oz", `mutation($i: ID!, $k: String!, $t: DateTime!) { updatePost(id: $i, input: {recordsKey: $k}, lastUpdateTime: $t) { id } }`,
						vars{"i": post, "k": key, "t": w.at("post", post)})
				}
				_ = w.Host.Outbox.Drain(w.T.Context()) // fails where the store does
				failed()
			}
			if d := w.Does("oz", `query($p: ID!) { post(id: $p) { recordsKey } }`, vars{"p": post}); d.At("post.recordsKey") == nil {
				continue // the request itself failed
			}
			w.Settle()
			w.holds(post, want)
			w.Does("oz", deletePost, vars{"p": post})
		}
		w.whole()
	})
}

func picture(width, height int) []byte {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			m.Set(x, y, color.RGBA{uint8(x), uint8(y), 99, 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

type entry struct {
	name string
	data []byte
}

func zipped(entries ...entry) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := z.Create(e.name)
		if err == nil {
			_, err = f.Write(e.data)
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

const imageURL = `query($p: ID!, $i: String!, $t: Boolean) { imageUrl(postId: $p, path: $i, thumbnail: $t) { url key } }`

// archive 5.9#1: images of uploaded archives are stored with thumbnail and dimensions.
func TestImagesAreLoaded(t *testing.T) {
	test(t, func(w *world) {
		w.is("READER", "r")
		collection := w.collection(census(w.category("A")))
		native := picture(800, 600)
		first := w.uploads("application/zip", zipped(entry{"pages/", nil}, entry{"pages/Seite 1 ä.jpg", native}, entry{"__MACOSX/x", []byte("x")}))
		post := w.post(collection, vars{"imagesKeys": []string{first}})
		w.Settle()
		w.status(post, `{"imagesStatus":"READY","postStatus":"DRAFT","recordsStatus":"READY"}`)
		see := func(path string, thumbnail bool) []byte {
			t.Helper()
			address := w.Does("r", imageURL, vars{"p": post, "i": path, "t": thumbnail}).Text("imageUrl.url")
			code, data := w.get(address)
			if code != http.StatusOK {
				t.Fatalf("%s: %d", path, code)
			}
			return data
		}
		if !bytes.Equal(see("pages/Seite 1 ä.jpg", false), native) {
			t.Error("the image is another one")
		}
		small, err := jpeg.Decode(bytes.NewReader(see("pages/Seite 1 ä.jpg", true)))
		if err != nil || small.Bounds().Dx() != 160 || small.Bounds().Dy() != 120 {
			t.Errorf("thumbnail %v, %v", small.Bounds(), err)
		}
		w.Refused("NOT_FOUND", "r", imageURL, vars{"p": post, "i": "pages/2.jpg"})
		address, err := url.Parse(w.Does("r", imageURL, vars{"p": post, "i": "pages/Seite 1 ä.jpg"}).Text("imageUrl.url"))
		if err != nil {
			t.Fatal(err)
		}
		key := strings.TrimPrefix(address.Path, "/archive/media/")
		size, _, err := w.Host.Media.Files.Open(w.T.Context(), strings.TrimSuffix(key, ".jpg")+".size.json", blob.Range{})
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(size)
		if string(data) != `{"width":800,"height":600}` {
			t.Errorf("dimensions %s", data)
		}
		// Only new archives are unpacked; uploads that no post refers to are removed.
		second := w.uploads("application/zip", zipped(entry{"2.jpg", picture(10, 10)}))
		w.Does("oz", `mutation($i: ID!, $k: [String!], $t: DateTime!) { updatePost(id: $i, input: {imagesKeys: $k}, lastUpdateTime: $t) { id } }`,
			vars{"i": post, "k": []string{second}, "t": w.at("post", post)})
		w.Settle()
		see("2.jpg", false)
		w.Refused("NOT_FOUND", "r", `query($k: String!) { contentUrl(key: $k) { url } }`, vars{"k": first})
		w.Does("oz", deletePost, vars{"p": post})
		w.Settle()
		w.Refused("NOT_FOUND", "r", imageURL, vars{"p": post, "i": "2.jpg"})
		if _, err := w.Host.Media.Files.Head(context.Background(), key); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("the image is still there: %v", err)
		}
		w.whole()
	})
}

// Malicious archives are refused, and nothing of them is stored.
func TestArchivesWithTricks(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		collection := w.collection(census(w.category("A")))
		good := entry{"good.jpg", picture(20, 20)}
		for name, data := range map[string][]byte{
			"parent":     zipped(good, entry{"../evil.jpg", picture(5, 5)}),
			"inner":      zipped(good, entry{"a/../../evil.jpg", picture(5, 5)}),
			"absolute":   zipped(good, entry{"/etc/evil.jpg", picture(5, 5)}),
			"backslash":  zipped(good, entry{`..\evil.jpg`, picture(5, 5)}),
			"bomb":       zipped(entry{"bomb.jpg", make([]byte, 65<<20)}),
			"other file": zipped(entry{"virus.exe", []byte("MZ")}),
			"twice":      zipped(good, good),
			"no archive": []byte("this is no archive"),
			"cut":        zipped(good)[:60],
		} {
			post := w.post(collection, vars{"imagesKeys": []string{w.uploads("application/zip", data)}})
			w.Settle()
			d := w.Does("oz", `query($p: ID!) { post(id: $p) { imagesStatus imagesError } }`, vars{"p": post})
			if got := d.Text("post.imagesStatus"); got != "ERROR" || !strings.HasPrefix(d.Text("post.imagesError"), "The archive of images cannot be loaded: ") {
				t.Errorf("%s: %v", name, d)
			}
			w.Refused("NOT_FOUND", "oz", imageURL, vars{"p": post, "i": "good.jpg"})
			w.Does("oz", deletePost, vars{"p": post})
		}
		w.whole()
	})
}

// Images are loaded eventually, whichever call fails.
func TestImagesThatAreKilledGoOn(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		collection := w.collection(census(w.category("A")))
		var entries []entry
		for i := range 45 {
			entries = append(entries, entry{fmt.Sprint(i, ".jpg"), picture(4, 4)})
		}
		for n := 1; n <= 12; n++ {
			post := w.post(collection)
			key := w.uploads("application/zip", zipped(entries...))
			at := w.at("post", post)
			failed := w.Client.Arm(faultdb.On("", n+2, faultdb.Internal))
			a := w.Asks("oz", `mutation($i: ID!, $k: [String!], $t: DateTime!) { updatePost(id: $i, input: {imagesKeys: $k}, lastUpdateTime: $t) { id } }`,
				vars{"i": post, "k": []string{key}, "t": at})
			_ = w.Host.Outbox.Drain(w.T.Context())
			failed()
			if a.Refusal() != "" {
				continue
			}
			w.Settle()
			w.status(post, `{"imagesStatus":"READY","postStatus":"DRAFT","recordsStatus":"READY"}`)
			w.Does("oz", imageURL, vars{"p": post, "i": "44.jpg"})
		}
		w.whole()
	})
}
