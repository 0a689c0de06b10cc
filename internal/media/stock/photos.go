package stock

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"stoa/internal/media/blob"
	"stoa/internal/media/picture"
)

// Photos are placeholder photos in a folder: CODE/SIZE.jpg for each code and each size.
type Photos struct {
	root  *os.Root
	codes []string
}

// OpenPhotos lists the photos in dir. Every one must exist in all sizes. If dir is empty,
// there are no photos.
func OpenPhotos(dir string) (*Photos, error) {
	if dir == "" {
		return &Photos{}, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("placeholder photos: %w", err)
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("placeholder photos: %w", err)
	}
	p := &Photos{root: root}
	for _, e := range entries {
		if !e.IsDir() || blob.CheckKey(e.Name()) != nil {
			continue
		}
		for _, size := range picture.Names() {
			if _, err := root.Stat(e.Name() + "/" + size + ".jpg"); err != nil {
				return nil, fmt.Errorf("placeholder photos: %w", err)
			}
		}
		p.codes = append(p.codes, e.Name())
	}
	return p, nil
}

// CheckPhotos returns the error that OpenPhotos would return, and keeps nothing open.
func CheckPhotos(dir string) error {
	p, err := OpenPhotos(dir)
	if err != nil || p.root == nil {
		return err
	}
	return p.root.Close()
}

// Codes returns the codes of the photos, sorted.
func (p *Photos) Codes() []string { return p.codes }

// ServeHTTP handles GET and HEAD at any path that ends in CODE/SIZE.jpg.
func (p *Photos) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !readOnly(w, r) {
		return
	}
	size := sizeOf(r.URL.Path)
	parts := strings.Split(r.URL.Path, "/")
	if len(parts) < 2 || !slices.Contains(p.codes, parts[len(parts)-2]) || !slices.Contains(picture.Names(), size) {
		http.NotFound(w, r)
		return
	}
	f, err := p.root.Open(parts[len(parts)-2] + "/" + size + ".jpg")
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	serve(w, r, info.ModTime(), f)
}

// readOnly refuses methods other than GET and HEAD.
func readOnly(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
	return false
}

// serve sends a JPEG file. The content of a URL may change with a new version or another
// folder, so clients revalidate it after a day.
func serve(w http.ResponseWriter, r *http.Request, modified time.Time, content io.ReadSeeker) {
	h := w.Header()
	h.Set("Content-Type", "image/jpeg")
	h.Set("Cache-Control", "public, max-age=86400")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	http.ServeContent(w, r, "", modified, content)
}
