package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/pace/pacetest"
	"stoa/internal/kit/turns"
	"stoa/internal/media/blob"
	"stoa/internal/media/signedurl"
)

const (
	native   = "u:1/post/p1/image/native.jpg"
	playlist = "u:1/post/p1/video-hls/video.m3u8"
	limit    = 1000
)

// world is a handler on a server, with a receiver that records uploads.
type world struct {
	t        testing.TB
	server   *httptest.Server
	handler  *Handler
	now      time.Time
	mu       sync.Mutex
	uploads  []Upload
	contents []string
	failure  error
}

func newWorld(t testing.TB) *world {
	store, err := blob.OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	now := func() time.Time { return w.now }
	w.handler = &Handler{
		Store: store, Receiver: w, Uploads: turns.New(OwnUploads), Log: slog.New(slog.DiscardHandler),
		Links:   &signedurl.Signer{Secret: []byte("secret"), Now: now},
		Cookies: &signedurl.CookieSigner{Key: rsaKey(), Now: now},
		Streams: func(key string) bool { return strings.Contains(key, "/video-hls/") },
	}
	mux := http.NewServeMux()
	mux.Handle("/media/", w.handler)
	w.server = httptest.NewServer(mux)
	t.Cleanup(w.server.Close)
	w.base(w.server.URL + "/media")
	return w
}

var rsaKey = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

func (w *world) base(address string) { w.handler.Links.Base, w.cookies().Base = address, address }

func (w *world) cookies() *signedurl.CookieSigner { return w.handler.Cookies.(*signedurl.CookieSigner) }

func (w *world) Limit(string) int64 { return limit }

func (w *world) Owner(key string) string {
	owner, _, _ := strings.Cut(key, "/")
	return owner
}

func (w *world) Uploaded(ctx context.Context, u Upload) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.uploads = append(w.uploads, u)
	if !u.TooLarge {
		data, err := blob.ReadAll(ctx, w.handler.Store, u.Staged, 1<<20)
		if err != nil {
			return err
		}
		w.contents = append(w.contents, string(data))
	}
	return w.failure
}

func (w *world) put(key, content string) {
	w.t.Helper()
	if _, err := w.handler.Store.Put(w.t.Context(), key, strings.NewReader(content)); err != nil {
		w.t.Fatal(err)
	}
}

// send sends a request and returns the response with its body.
func (w *world) send(method, address string, body io.Reader, headers ...string) (*http.Response, string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, address, body)
	if err != nil {
		w.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer, string(data)
}

func TestDownload(t *testing.T) {
	w := newWorld(t)
	w.put(native, "0123456789")
	address := w.handler.Links.Read(native)
	first, _ := w.send("GET", address, nil)
	tag := first.Header.Get("ETag")
	for _, c := range []struct {
		name    string
		method  string
		headers []string
		status  int
		body    string
	}{
		{"whole", "GET", nil, 200, "0123456789"},
		{"head", "HEAD", nil, 200, ""},
		{"range", "GET", []string{"Range", "bytes=2-4"}, 206, "234"},
		{"open range", "GET", []string{"Range", "bytes=7-"}, 206, "789"},
		{"suffix", "GET", []string{"Range", "bytes=-2"}, 206, "89"},
		{"range beyond the end", "GET", []string{"Range", "bytes=50-"}, 416, ""},
		{"known already", "GET", []string{"If-None-Match", tag}, 304, ""},
		{"range of what has changed", "GET", []string{"Range", "bytes=2-4", "If-Range", `"other"`}, 200, "0123456789"},
	} {
		answer, body := w.send(c.method, address, nil, c.headers...)
		if answer.StatusCode != c.status || c.status < 400 && body != c.body {
			t.Errorf("%s: got %d %q, want %d %q", c.name, answer.StatusCode, body, c.status, c.body)
		}
	}
	for name, want := range map[string]string{
		"Content-Type": "image/jpeg", "Content-Length": "10", "Cache-Control": "private, max-age=31536000, immutable",
		"X-Content-Type-Options": "nosniff", "Accept-Ranges": "bytes",
	} {
		if got := first.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	w := newWorld(t)
	w.put(native, "pixels")
	links := w.handler.Links
	read, upload := links.Read(native), links.Upload(native)
	base := links.Base
	expired := *links
	expired.Now = func() time.Time { return w.now.Add(-73 * time.Hour) }
	for _, c := range []struct {
		name    string
		method  string
		address string
		status  int
	}{
		{"no signature", "GET", base + "/" + native, 403},
		{"no signature, head", "HEAD", base + "/" + native, 403},
		{"upload without signature", "PUT", base + "/" + native, 403},
		{"upload to a read address", "PUT", read, 403},
		{"read at an upload address", "GET", upload, 403},
		{"method of no address", "DELETE", read, 403},
		{"expired", "GET", expired.Read(native), 403},
		{"expired upload", "PUT", expired.Upload(native), 403},
		{"query of another object", "GET", links.Plain("u:2/x.jpg") + read[strings.Index(read, "?"):], 403},
		{"out of the directory", "GET", base + "/..%2f..%2fetc/passwd", 403},
		{"hidden file", "GET", base + "/.incoming/x", 403},
		{"no key at all", "GET", base + "/", 403},
		{"nothing there", "GET", links.Read("u:1/post/p2/image/native.jpg"), 404},
		{"directory", "GET", links.Read("u:1/post"), 404},
	} {
		answer, _ := w.send(c.method, c.address, nil)
		if answer.StatusCode != c.status {
			t.Errorf("%s: got %d, want %d", c.name, answer.StatusCode, c.status)
		}
		if answer.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: a refusal may be cached", c.name)
		}
	}
	if len(w.uploads) > 0 {
		t.Errorf("received %+v", w.uploads)
	}
}

func TestUpload(t *testing.T) {
	for _, c := range []struct {
		name    string
		body    io.Reader
		kind    string
		status  int
		want    []string
		tooLong bool
	}{
		{"picture", strings.NewReader("pixels"), "image/jpeg", 200, []string{"pixels"}, false},
		{"any accepted type at any address", strings.NewReader("x"), "video/quicktime", 200, []string{"x"}, false},
		{"type with a parameter", strings.NewReader("x"), "IMAGE/PNG; q=1", 200, []string{"x"}, false},
		{"no type", strings.NewReader("no picture at all"), "", 200, []string{"no picture at all"}, false},
		{"nothing", strings.NewReader(""), "image/heic", 200, []string{""}, false},
		{"as much as may be", strings.NewReader(strings.Repeat("x", limit)), "", 200, []string{strings.Repeat("x", limit)}, false},
		{"in chunks", io.MultiReader(strings.NewReader("two "), strings.NewReader("parts")), "", 200, []string{"two parts"}, false},
		{"another type", strings.NewReader("<script>"), "text/html", 415, nil, false},
		{"a form", strings.NewReader("a=b"), "application/x-www-form-urlencoded", 415, nil, false},
		{"no type that can be read", strings.NewReader("x"), "image/", 415, nil, false},
		{"too large, announced", strings.NewReader(strings.Repeat("x", limit+1)), "", 413, nil, true},
		{"too large, in chunks", io.MultiReader(strings.NewReader(strings.Repeat("x", limit)), strings.NewReader("x")), "", 413, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.put(native, "before")
			var headers []string
			if c.kind != "" {
				headers = []string{"Content-Type", c.kind}
			}
			answer, body := w.send("PUT", w.handler.Links.Upload(native), c.body, headers...)
			if answer.StatusCode != c.status {
				t.Errorf("got %d, want %d", answer.StatusCode, c.status)
			}
			if c.status == 415 && !strings.Contains(body, "image/jpeg, image/png, image/heic, video/quicktime") {
				t.Errorf("refused with %q", body)
			}
			if !slices.Equal(w.contents, c.want) {
				t.Errorf("received %q, want %q", w.contents, c.want)
			}
			if c.tooLong && (len(w.uploads) != 1 || !w.uploads[0].TooLarge || w.uploads[0].Key != native || w.uploads[0].Staged != "") {
				t.Errorf("received %+v, want one that is too large", w.uploads)
			}
			if got, err := blob.ReadAll(t.Context(), w.handler.Store, native, 100); err != nil || string(got) != "before" {
				t.Errorf("the object is now %q, %v", got, err)
			}
			w.wantNothingStaged()
		})
	}
}

func TestIgnoredUploads(t *testing.T) {
	w := newWorld(t)
	w.failure = Ignored("add another post")
	if answer, body := w.send("PUT", w.handler.Links.Upload(native), strings.NewReader("pixels")); answer.StatusCode != 200 || body != "add another post\n" {
		t.Errorf("got %d %q", answer.StatusCode, body)
	}
	w.wantNothingStaged()
}

func (w *world) wantNothingStaged() {
	w.t.Helper()
	for _, u := range w.uploads {
		if u.Staged != "" {
			if _, err := w.handler.Store.Head(context.Background(), u.Staged); !errors.Is(err, blob.ErrNotFound) {
				w.t.Errorf("%s is still there: %v", u.Staged, err)
			}
		}
	}
}

func TestFailedReceiver(t *testing.T) {
	w := newWorld(t)
	w.failure = errors.New("store is down")
	answer, body := w.send("PUT", w.handler.Links.Upload(native), strings.NewReader("x"))
	if answer.StatusCode != 500 || strings.Contains(body, "store is down") {
		t.Errorf("got %d %q", answer.StatusCode, body)
	}
	w.wantNothingStaged()
}

// A client that sends less than it announced has uploaded nothing.
func TestCutUpload(t *testing.T) {
	w := newWorld(t)
	u, _ := url.Parse(w.handler.Links.Upload(native))
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(c, "PUT "+u.RequestURI()+" HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\nonly this")
	c.(*net.TCPConn).CloseWrite()
	answer, _ := io.ReadAll(c)
	c.Close()
	if !bytes.HasPrefix(answer, []byte("HTTP/1.1 400")) {
		t.Errorf("got %.40q", answer)
	}
	w.server.Close() // waits for the handler
	if len(w.uploads) > 0 {
		t.Errorf("received %+v", w.uploads)
	}
}

// A client that sends very slowly occupies neither a connection nor a file.
func TestSlowUpload(t *testing.T) {
	w := newWorld(t)
	w.base("http://stoa.test/media")
	u, err := url.Parse(w.handler.Links.Upload(native))
	if err != nil {
		t.Fatal(err)
	}
	answer, _, waited := pacetest.Drip(t, w.handler, "PUT "+u.RequestURI()+" HTTP/1.1\r\nHost: stoa.test\r\nContent-Length: 900\r\n\r\n")
	if answer.StatusCode != http.StatusRequestTimeout || !answer.Close || waited > 11*time.Second {
		t.Errorf("answered %s after %v", answer.Status, waited)
	}
	if len(w.uploads) > 0 {
		t.Errorf("received %+v", w.uploads)
	}
}

func TestLargeUploadsAreRefused(t *testing.T) {
	w := newWorld(t)
	w.base("http://stoa.test/media")
	for address, want := range map[string]int{
		w.handler.Links.Upload(native): http.StatusRequestEntityTooLarge, w.handler.Links.Plain(native): http.StatusForbidden,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := pacetest.Whole(t, w.handler, "PUT "+u.RequestURI()+" HTTP/1.1\r\nHost: stoa.test\r\nContent-Length: 16000000\r\n\r\n", 16_000_000)
		if answer.StatusCode != want {
			t.Errorf("answered %s, want %d", answer.Status, want)
		}
	}
}

// hanging is a store that answers no deletion.
type hanging struct{ blob.Store }

func (hanging) Delete(ctx context.Context, _ string) error {
	<-ctx.Done()
	return ctx.Err()
}

// An upload whose staged file cannot be removed ends nevertheless.
func TestRemovingAStagedUploadHangs(t *testing.T) {
	w := newWorld(t)
	synctest.Test(t, func(t *testing.T) {
		w.handler.Store, w.handler.Uploads = hanging{w.handler.Store}, turns.New(OwnUploads)
		began, recorder := time.Now(), httptest.NewRecorder()
		w.handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodPut, w.handler.Links.Upload(native), strings.NewReader("pixels")))
		if recorder.Code != http.StatusOK || time.Since(began) != discarding {
			t.Errorf("answered %d after %v", recorder.Code, time.Since(began))
		}
	})
}

// A user's uploads wait for each other once there are many, and not for those of others.
func TestUploadsOfOneOwner(t *testing.T) {
	w := newWorld(t)
	put := func(key string, body io.Reader) *httptest.ResponseRecorder {
		recorder := httptest.NewRecorder()
		w.handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodPut, w.handler.Links.Upload(key), body))
		return recorder
	}
	synctest.Test(t, func(t *testing.T) {
		w.handler.Uploads = turns.New(1)
		body, sender := io.Pipe()
		first := make(chan int)
		go func() { first <- put(native, body).Code }()
		io.WriteString(sender, "pix")
		began := time.Now()
		refused := put("u:1/post/p2/image/native.jpg", strings.NewReader("pixels"))
		if want := "16 uploads of yours are running, which is the maximum: try again when one has ended\n"; refused.Code != http.StatusTooManyRequests ||
			refused.Body.String() != want ||
			time.Since(began) != waiting {
			t.Errorf("answered %d %q after %v", refused.Code, refused.Body, time.Since(began))
		}
		if got := put("u:2/post/p3/image/native.jpg", strings.NewReader("pixels")).Code; got != http.StatusOK {
			t.Errorf("another user's upload: %d", got)
		}
		next := make(chan int)
		go func() { next <- put("u:1/post/p2/image/native.jpg", strings.NewReader("pixels")).Code }()
		synctest.Wait()
		sender.Close()
		if a, b := <-first, <-next; a != http.StatusOK || b != http.StatusOK {
			t.Errorf("answered %d, and %d to one that has waited", a, b)
		}
	})
}

func TestStreams(t *testing.T) {
	w := newWorld(t)
	w.put(playlist, "#EXTM3U")
	plain := w.handler.Links.Plain(playlist)
	answer, body := w.send("GET", plain, nil)
	if answer.StatusCode != 200 || body != "#EXTM3U" || answer.Header.Get("Content-Type") != "application/vnd.apple.mpegurl" {
		t.Errorf("over http: %d %q %v", answer.StatusCode, body, answer.Header)
	}
	if answer, _ := w.send("PUT", plain, strings.NewReader("x")); answer.StatusCode != 403 {
		t.Errorf("a stream was written to: %d", answer.StatusCode)
	}
	if answer, _ := w.send("GET", plain+"?Method=PUT", nil); answer.StatusCode != 403 {
		t.Errorf("method that the address does not list: %d", answer.StatusCode)
	}

	// Behind a proxy that terminates TLS, the path of requests is the same.
	w.base("https://api.app.example/media")
	if answer, _ := w.send("GET", plain, nil); answer.StatusCode != 403 {
		t.Errorf("over https without cookies: %d", answer.StatusCode)
	}
	c, err := w.cookies().Sign("u:1/post/p1/video-hls/video")
	if err != nil {
		t.Fatal(err)
	}
	cookies := "CloudFront-Policy=" + c.Policy + "; CloudFront-Signature=" + c.Signature + "; CloudFront-Key-Pair-Id=" + c.KeyPairID
	if answer, body := w.send("GET", plain, nil, "Cookie", cookies); answer.StatusCode != 200 || body != "#EXTM3U" {
		t.Errorf("over https with cookies: %d %q", answer.StatusCode, body)
	}
	if answer, _ := w.send("GET", plain, nil, "Cookie", strings.ReplaceAll(cookies, c.KeyPairID, "K0")); answer.StatusCode != 403 {
		t.Errorf("over https with cookies of another key: %d", answer.StatusCode)
	}
}

// presigning is a store whose downloads are presigned URLs.
type presigning struct{ blob.Store }

func (presigning) Presign(_ context.Context, method, key string, expires time.Duration, cache string) (string, error) {
	return "https://bucket.example/" + key + "?" + method + "=" + expires.String() + "&" + url.QueryEscape(cache), nil
}

func TestPresignedDownload(t *testing.T) {
	w := newWorld(t)
	w.put(playlist, "#EXTM3U")
	w.handler.Store = presigning{w.handler.Store}
	for _, method := range []string{"GET", "HEAD"} {
		answer, _ := w.send(method, w.handler.Links.Read(native), nil)
		if want := "https://bucket.example/" + native + "?" + method + "=2h0m0s&private%2C+max-age%3D31536000%2C+immutable"; answer.StatusCode != 307 ||
			answer.Header.Get("Location") != want {
			t.Errorf("got %d to %s, want %s", answer.StatusCode, answer.Header.Get("Location"), want)
		}
	}
	// URLs in a playlist are relative to the URL of the playlist.
	if answer, body := w.send("GET", w.handler.Links.Plain(playlist), nil); answer.StatusCode != 200 || body != "#EXTM3U" {
		t.Errorf("stream: got %d %q", answer.StatusCode, body)
	}
	// Uploads go through the process, which limits and observes them.
	if answer, _ := w.send("PUT", w.handler.Links.Upload(native), strings.NewReader("x")); answer.StatusCode != 200 || !slices.Equal(w.contents, []string{"x"}) {
		t.Errorf("upload: got %d, received %q", answer.StatusCode, w.contents)
	}
}
