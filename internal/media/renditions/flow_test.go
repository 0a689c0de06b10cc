package renditions

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path"
	"testing"
	"time"

	"stoa/internal/kit/turns"
	"stoa/internal/media/blob"
	"stoa/internal/media/blob/s3test"
	"stoa/internal/media/picture"
	"stoa/internal/media/picture/heif/heiftest"
	"stoa/internal/media/picture/picturetest"
	"stoa/internal/media/serve"
	"stoa/internal/media/signedurl"
)

// owner is a user of the media packages: it accepts the first upload of each key, processes
// it and stores its sizes next to it.
type owner struct {
	store     blob.Store
	processor *picture.Processor
	done      map[string]error
}

func (o *owner) Limit(string) int64 { return int64(picture.DefaultLimits().Bytes) }

func (o *owner) Owner(string) string { return "" }

func (o *owner) Uploaded(ctx context.Context, u serve.Upload) error {
	if _, again := o.done[u.Key]; again || u.TooLarge {
		return nil
	}
	format := []picture.Format{picture.JPEG, picture.PNG}
	if path.Ext(u.Key) == ".heic" {
		format = []picture.Format{picture.HEIC}
	}
	data, err := blob.ReadAll(ctx, o.store, u.Staged, o.Limit(u.Key))
	if err != nil {
		return err
	}
	p, err := o.processor.Process(ctx, picture.Input{Data: data, Formats: format, Crop: image.Rect(0, 0, 100, 80)})
	if o.done[u.Key] = err; err != nil {
		return nil // the image's fault: the client still gets 200
	}
	return Put(ctx, o.store, path.Dir(u.Key), p)
}

// An upload to one URL results in images at five, and nothing is left once its directory is
// deleted, with any store.
func TestFlow(t *testing.T) {
	dir, err := blob.OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, store := range map[string]blob.Store{"file": dir, "s3": blob.NewBucket(s3test.Client(t, "pictures"), "pictures")} {
		o := &owner{store, picture.NewProcessor(picture.DefaultLimits()), map[string]error{}}
		links := &signedurl.Signer{Secret: []byte("secret"), Now: time.Now}
		server := httptest.NewServer(&serve.Handler{
			Store: store, Links: links, Receiver: o, Uploads: turns.New(serve.OwnUploads), Log: slog.New(slog.DiscardHandler),
			Streams: func(string) bool { return false },
		})
		defer server.Close()
		links.Base = server.URL

		scene := picturetest.Scene(300, 200)
		for key, data := range map[string][]byte{
			"u:1/post/p1/image/native.jpg":  picturetest.JPEG(scene, nil),
			"u:1/post/p2/image/native.heic": heiftest.Small().File(),
		} {
			for range 2 { // the second upload changes nothing
				if status, _ := send(t, "PUT", links.Upload(key), data); status != http.StatusOK {
					t.Fatalf("%s: PUT %s: %d", name, key, status)
				}
			}
			urls := Signed(links, path.Dir(key))
			for address, want := range map[string]image.Point{
				urls.Native: {100, 80}, urls.K4: {100, 80}, urls.P1080: {100, 80}, urls.P480: {100, 80}, urls.P64: {80, 64},
			} {
				status, body := send(t, "GET", address, nil)
				m, err := jpeg.DecodeConfig(bytes.NewReader(body))
				if status != http.StatusOK || err != nil || image.Pt(m.Width, m.Height) != want {
					t.Errorf("%s: GET %s: %d, %d x %d, %v", name, address, status, m.Width, m.Height, err)
				}
			}
		}
		const broken = "u:1/post/p3/image/native.jpg"
		if status, _ := send(t, "PUT", links.Upload(broken), []byte("no picture")); status != http.StatusOK || o.done[broken] == nil {
			t.Errorf("%s: broken picture: %d, %v", name, status, o.done[broken])
		}
		if err := store.DeleteTree(t.Context(), "u:1/post"); err != nil {
			t.Fatal(err)
		}
		if status, _ := send(t, "GET", links.Read("u:1/post/p1/image/64p.jpg"), nil); status != http.StatusNotFound {
			t.Errorf("%s: deleted picture: %d", name, status)
		}
	}
}

func send(t *testing.T, method, address string, body []byte) (int, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, data
}
