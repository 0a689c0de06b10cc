package playground_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"stoa/internal/server/playground"
)

func get(t *testing.T, method, path string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	playground.Handler(playground.System{Name: "social", Path: "/graphql"}).ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestPages(t *testing.T) {
	for path, want := range map[string]struct{ contentType, holds string }{
		"/":                        {"text/html; charset=utf-8", `<div id="app">`},
		"/playground/systems.json": {"application/json", `[{"name":"social","path":"/graphql"}]`},
		"/playground/icon.svg":     {"image/svg+xml", "<svg"},
		"/playground/app.js":       {"text/javascript; charset=utf-8", "graphql-transport-ws"},
		"/playground/app.css":      {"text/css; charset=utf-8", ".graphiql-container"},
		"/playground/licenses.txt": {"text/plain; charset=utf-8", "graphiql 4"},
	} {
		plain := get(t, "GET", path)
		text := body(t, plain)
		if plain.StatusCode != 200 || plain.Header.Get("Content-Type") != want.contentType || !strings.Contains(text, want.holds) {
			t.Errorf("%s: %d %s, %d bytes", path, plain.StatusCode, plain.Header.Get("Content-Type"), len(text))
		}
		packed := get(t, "GET", path, "Accept-Encoding", "br, gzip")
		if packed.Header.Get("Content-Encoding") == "gzip" {
			unpacked, err := gzip.NewReader(bytes.NewReader([]byte(body(t, packed))))
			if err != nil {
				t.Fatal(err)
			}
			if b, err := io.ReadAll(unpacked); err != nil || string(b) != text {
				t.Errorf("%s differs when packed: %v", path, err)
			}
		} else if strings.Contains(path, "app") {
			t.Errorf("%s is not packed", path)
		}
		if again := get(t, "GET", path, "If-None-Match", plain.Header.Get("ETag")); again.StatusCode != 304 || body(t, again) != "" {
			t.Errorf("%s: %d although it is known", path, again.StatusCode)
		}
		if head := get(t, "HEAD", path); head.StatusCode != 200 || body(t, head) != "" || head.Header.Get("ETag") != plain.Header.Get("ETag") {
			t.Errorf("HEAD %s: %d %v", path, head.StatusCode, head.Header)
		}
	}
}

func TestOtherPathsAndMethods(t *testing.T) {
	for _, test := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/playground/other", 404},
		{"GET", "/index.html", 404},
		{"GET", "/playground/../playground.go", 404},
		{"POST", "/", 405},
	} {
		if got := get(t, test.method, test.path); got.StatusCode != test.status {
			t.Errorf("%s %s: %d, want %d", test.method, test.path, got.StatusCode, test.status)
		}
	}
}

// The page must work without any network except its own server.
func TestNothingIsLoadedFromElsewhere(t *testing.T) {
	elsewhere := regexp.MustCompile(`(?i)(src|href)="(https?:)?//|@import|url\((["']?)(https?:)?//|import\("https?:`)
	for _, path := range []string{"/", "/playground/app.css", "/playground/app.js"} {
		if found := elsewhere.FindString(body(t, get(t, "GET", path))); found != "" {
			t.Errorf("%s holds %s", path, found)
		}
	}
	if policy := get(t, "GET", "/").Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'self';") {
		t.Errorf("policy: %s", policy)
	}
}
