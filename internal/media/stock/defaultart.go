// Package stock serves pictures that are not uploads: a drawing for collections without
// pictures, and placeholder photos from a folder.
//
// Their URLs never change and need no signature.
package stock

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"stoa/internal/media/picture"
)

// DefaultArt serves a drawing of a stack of prints at any path that ends in a size, such as
// /default-art/480p.jpg. It is drawn on first use.
type DefaultArt struct {
	Processor *picture.Processor
	Log       *slog.Logger

	drawing sync.Mutex
	files   map[string]file
}

type file struct {
	jpeg []byte
	etag string
}

// ServeHTTP handles GET and HEAD.
func (a *DefaultArt) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !readOnly(w, r) {
		return
	}
	files, err := a.drawn(r.Context())
	if err != nil {
		a.Log.Error("drawing the default album art failed", slog.String("error", err.Error()))
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	f, ok := files[sizeOf(r.URL.Path)]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", f.etag)
	serve(w, r, time.Time{}, bytes.NewReader(f.jpeg))
}

// sizeOf returns the name of the size at the end of a path, or "".
func sizeOf(path string) string {
	name, ok := strings.CutSuffix(path[strings.LastIndexByte(path, '/')+1:], ".jpg")
	if !ok {
		return ""
	}
	return name
}

func (a *DefaultArt) drawn(ctx context.Context) (map[string]file, error) {
	a.drawing.Lock()
	defer a.drawing.Unlock()
	if a.files != nil {
		return a.files, nil
	}
	p, err := a.Processor.Render(context.WithoutCancel(ctx), func() image.Image { return stackOfPrints(3840, 2160) })
	if err != nil {
		return nil, err
	}
	files := map[string]file{}
	for name, jpeg := range p.All() {
		sum := sha256.Sum256(jpeg)
		files[name] = file{jpeg, `"` + hex.EncodeToString(sum[:12]) + `"`}
	}
	a.files = files
	return files, nil
}
