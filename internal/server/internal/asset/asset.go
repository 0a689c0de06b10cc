// Package asset serves files that are embedded in the program, compressed where that pays.
package asset

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
)

// File is a file as it is served.
type File struct {
	contentType, etag string
	content           []byte
	packed            bool
}

// New returns a file with the given content.
func New(contentType string, content []byte) File {
	digest := sha256.Sum256(content)
	return File{contentType: contentType, etag: `"` + hex.EncodeToString(digest[:8]) + `"`, content: content}
}

// Load returns an embedded file, compressed if its name ends in .gz. It panics if there is
// none.
func Load(files fs.FS, name, contentType string) File {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err)
	}
	f := New(contentType, content)
	f.packed = strings.HasSuffix(name, ".gz")
	return f
}

// Handler serves files by path, to GET and HEAD, with a Content-Security-Policy. Other paths
// are not found. Clients ask every time whether their copy is the latest.
func Handler(files map[string]File, policy string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "this page accepts only GET and HEAD", http.StatusMethodNotAllowed)
		default:
			f.serve(w, r, policy)
		}
	})
}

func (f File) serve(w http.ResponseWriter, r *http.Request, policy string) {
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY") // for browsers that do not know frame-ancestors
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", f.etag)
	if f.packed {
		h.Set("Vary", "Accept-Encoding")
	}
	if r.Header.Get("If-None-Match") == f.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if f.packed && !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		f.unpack(w, r)
		return
	}
	if f.packed {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(f.content)))
	if r.Method == http.MethodGet {
		w.Write(f.content)
	}
}

// unpack decompresses a file for the few clients that do not accept compressed responses.
func (f File) unpack(w http.ResponseWriter, r *http.Request) {
	plain, err := gzip.NewReader(bytes.NewReader(f.content))
	if err != nil {
		http.Error(w, "the page is damaged: rebuild the program", http.StatusInternalServerError)
		return
	}
	if r.Method == http.MethodGet {
		io.Copy(w, plain)
	}
}
