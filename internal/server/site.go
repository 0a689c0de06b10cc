package server

import (
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// siteHandler serves the files of a built web app. Its index.html also answers paths that
// are no files and have no extension: those of the app's screens, which it shows itself.
func siteHandler(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if info, err := fs.Stat(files, name); err == nil && !info.IsDir() && name != "index.html" {
			if strings.HasPrefix(name, "assets/") { // the builder names these after their content
				h.Set("Cache-Control", "public, max-age=31536000, immutable")
			}
			server.ServeHTTP(w, r)
			return
		}
		switch {
		case path.Ext(name) != "" && name != "index.html":
			http.NotFound(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "the site accepts only GET and HEAD", http.StatusMethodNotAllowed)
		default:
			h.Set("Cache-Control", "no-cache") // it names the assets of the latest build
			http.ServeFileFS(w, rooted(r), files, "index.html")
		}
	})
}

// rooted returns a request for "/": ServeFileFS redirects requests for an index.html.
func rooted(r *http.Request) *http.Request {
	root := r.Clone(r.Context())
	root.URL.Path = "/"
	return root
}
