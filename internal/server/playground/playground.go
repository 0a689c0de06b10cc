// Package playground serves GraphiQL from the binary itself, with a bar of users to
// ask as: sign up, sign in, switch.
//
// The files under static are made by build/build.mjs and committed, so that Go alone
// builds the server. The page needs the systems it is told of and /auth/ on its own origin.
package playground

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
)

//go:embed index.html icon.svg static/*.gz
var files embed.FS

// pages maps each path to its file and what is in it.
var pages = map[string]struct{ file, contentType string }{
	"/":                        {"index.html", "text/html; charset=utf-8"},
	"/playground/icon.svg":     {"icon.svg", "image/svg+xml"},
	"/playground/app.js":       {"static/app.js.gz", "text/javascript; charset=utf-8"},
	"/playground/app.css":      {"static/app.css.gz", "text/css; charset=utf-8"},
	"/playground/licenses.txt": {"static/licenses.txt.gz", "text/plain; charset=utf-8"},
}

// policy keeps the page to its own origin, which holds all it needs. The editor sets
// styles on its elements.
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"

// page is a file as it is stored: packed, if its name says so.
type page struct {
	contentType, etag string
	content           []byte
	packed            bool
}

// System is a graph to choose in the page.
type System struct {
	Name string `json:"name"`
	// Path is where it answers.
	Path string `json:"path"`
}

// Handler serves the playground of some systems at "/" and its parts below
// "/playground/"; anything else is not found.
func Handler(systems ...System) http.Handler {
	served := map[string]page{"/playground/systems.json": systemsPage(systems)}
	for path, p := range pages {
		served[path] = load(p.file, p.contentType)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, ok := served[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the playground is only read", http.StatusMethodNotAllowed)
			return
		}
		p.serve(w, r)
	})
}

// load reads a file of this package; that it is there is checked when it is built.
func load(file, contentType string) page {
	content, err := files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	p := newPage(contentType, content)
	p.packed = strings.HasSuffix(file, ".gz")
	return p
}

func newPage(contentType string, content []byte) page {
	digest := sha256.Sum256(content)
	return page{contentType: contentType, etag: `"` + hex.EncodeToString(digest[:8]) + `"`, content: content}
}

func systemsPage(systems []System) page {
	content, err := json.Marshal(systems)
	if err != nil {
		panic(err) // of texts alone
	}
	return newPage("application/json", content)
}

func (p page) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", p.contentType)
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", p.etag)
	if p.packed {
		h.Set("Vary", "Accept-Encoding")
	}
	if r.Header.Get("If-None-Match") == p.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if p.packed && !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		p.unpack(w, r)
		return
	}
	if p.packed {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(p.content)))
	if r.Method == http.MethodGet {
		w.Write(p.content)
	}
}

// unpack serves the few clients that take nothing packed.
func (p page) unpack(w http.ResponseWriter, r *http.Request) {
	plain, err := gzip.NewReader(bytes.NewReader(p.content))
	if err != nil {
		http.Error(w, "the playground is damaged: build it again", http.StatusInternalServerError)
		return
	}
	if r.Method == http.MethodGet {
		io.Copy(w, plain)
	}
}
