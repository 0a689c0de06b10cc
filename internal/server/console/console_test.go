package console_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"stoa/internal/server/console"
)

func get(t *testing.T, method, path string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	console.Handler("https://api.app.example/stoa").ServeHTTP(w, r)
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
		"/console":              {"text/html; charset=utf-8", `<div id="app">`},
		"/console/":             {"text/html; charset=utf-8", `<div id="app">`},
		"/console/icon.svg":     {"image/svg+xml", "<svg"},
		"/console/app.js":       {"text/javascript; charset=utf-8", "getElementById"},
		"/console/app.css":      {"text/css; charset=utf-8", "prefers-reduced-motion"},
		"/console/licenses.txt": {"text/plain; charset=utf-8", "react-dom 19"},
	} {
		got := get(t, "GET", path)
		if text := body(t, got); got.StatusCode != 200 || got.Header.Get("Content-Type") != want.contentType || !strings.Contains(text, want.holds) {
			t.Errorf("%s: %d %s, %d bytes", path, got.StatusCode, got.Header.Get("Content-Type"), len(text))
		}
		if again := get(t, "GET", path, "If-None-Match", got.Header.Get("ETag")); again.StatusCode != 304 {
			t.Errorf("%s: %d although it is known", path, again.StatusCode)
		}
	}
	for path, status := range map[string]int{"/console/other": 404, "/console/index.html": 404, "/console/../console.go": 404} {
		if got := get(t, "GET", path); got.StatusCode != status {
			t.Errorf("%s: %d, want %d", path, got.StatusCode, status)
		}
	}
	if got := get(t, "POST", "/console"); got.StatusCode != 405 {
		t.Errorf("POST: %d", got.StatusCode)
	}
}

// operator 6#5: nothing runs and nothing is styled that is not a file of this server, no other
// page frames it, and only media come from another origin.
func TestPolicy(t *testing.T) {
	h := get(t, "GET", "/console").Header
	policy := h.Get("Content-Security-Policy")
	for _, want := range []string{
		"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: https://api.app.example", "frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
	} {
		if !strings.Contains(policy+";", want+";") {
			t.Errorf("policy %q lacks %s", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") || h.Get("X-Frame-Options") != "DENY" || h.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("policy %q, headers %v", policy, h)
	}
	elsewhere := regexp.MustCompile(`(?i)(src|href)="(https?:)?//|@import|url\((["']?)(https?:)?//|import\("https?:|<script>|style="`)
	for _, path := range []string{"/console", "/console/app.css"} {
		if found := elsewhere.FindString(body(t, get(t, "GET", path))); found != "" {
			t.Errorf("%s holds %s", path, found)
		}
	}
}

// operator 6#6: what a browser reads before it shows something has at most 150 KB.
func TestFirstLoad(t *testing.T) {
	imports := regexp.MustCompile(`from"\./([\w-]+\.js)"|import"\./([\w-]+\.js)"`)
	total, seen := 0, map[string]bool{}
	var load func(name string)
	load = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		total += len(body(t, get(t, "GET", "/console/"+name, "Accept-Encoding", "gzip")))
		for _, found := range imports.FindAllStringSubmatch(body(t, get(t, "GET", "/console/"+name)), -1) {
			load(found[1] + found[2])
		}
	}
	load("app.js")
	load("app.css")
	if total > 150_000 {
		t.Errorf("the first load has %d bytes: %v", total, seen)
	}
}
