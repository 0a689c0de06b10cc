package socialtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/png" // for Bounds
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"stoa/internal/media/blob"
	"stoa/internal/media/picture/picturetest"
)

// JPEG returns a photograph as a file.
func JPEG(width, height int) []byte { return picturetest.JPEG(picturetest.Photo(width, height), nil) }

// Base64 returns a file as it is sent within a request.
func Base64(file []byte) string { return base64.StdEncoding.EncodeToString(file) }

// ImagePost returns a mutation that adds a post with an included image, further arguments
// of addPost, and a selection of the result.
func ImagePost(id string, file []byte, input, arguments, selection string) string {
	return fmt.Sprintf(`mutation { addPost(postId: %q, imageInput: {imageData: %q%s}%s) { %s } }`, id, Base64(file), input, arguments, selection)
}

// Image adds a post with a photograph of the given size, taken in the app, so that it is
// verified. Photographs of different sizes are different.
func (g Given) Image(owner, id string, width, height int) Given {
	return g.Does(owner, "%s", ImagePost(id, JPEG(width, height), `, takenInReal: true`, "", "postId"))
}

// Get sends a GET request without credentials.
func Get(w *World, url string) (status int, body []byte) {
	return Send(w, http.MethodGet, url, "", nil)
}

// Send sends a request to a URL of the world.
func Send(w *World, method, url, contentType string, body []byte) (status int, answer []byte) {
	w.T.Helper()
	request := httptest.NewRequestWithContext(w.T.Context(), method, url, bytes.NewReader(body))
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	recorder := httptest.NewRecorder()
	w.Handler.ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.Bytes()
}

// Upload uploads a file for a post of the owner, to the URL returned by the API, and
// returns the status.
func Upload(w *World, owner, id string, file []byte) int {
	w.T.Helper()
	url := Address(w, owner, fmt.Sprintf(`{ post(postId: %q) { imageUploadUrl videoUploadUrl } }`, id), "UploadUrl")
	status, _ := Send(w, http.MethodPut, url, "", file)
	w.Settle()
	return status
}

// Uploads uploads a file for a post.
func (g Given) Uploads(owner, id string, file []byte) Given {
	return g.And(func(w *World) {
		w.T.Helper()
		if status := Upload(w, owner, id, file); status != http.StatusOK {
			w.T.Errorf("upload for %s: %d", id, status)
		}
	})
}

// Address returns the first URL in the answer to a query whose field name ends in field.
func Address(w *World, as, query, field string) string {
	w.T.Helper()
	a := w.Must(as, query)
	var data any
	if err := json.Unmarshal(a.Data, &data); err != nil {
		w.T.Fatal(err)
	}
	if found := address(data, field); found != "" {
		return found
	}
	w.T.Fatalf("%s asks %s: no address in %s", as, query, a.Data)
	return ""
}

func address(data any, field string) string {
	switch v := data.(type) {
	case map[string]any:
		for name, value := range v {
			if text, ok := value.(string); ok && strings.HasSuffix(name, field) {
				return text
			}
			if found := address(value, field); found != "" {
				return found
			}
		}
	case []any:
		for _, value := range v {
			if found := address(value, field); found != "" {
				return found
			}
		}
	}
	return ""
}

// Files returns the keys of all files of the world.
func Files(w *World) []string {
	keys := w.Host.Media.Files.(*blob.Memory).Keys()
	slices.Sort(keys)
	return keys
}

// Bounds returns the size of an image.
func Bounds(w *World, file []byte) image.Point {
	w.T.Helper()
	m, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		w.T.Fatal(err)
	}
	return image.Pt(m.Width, m.Height)
}
