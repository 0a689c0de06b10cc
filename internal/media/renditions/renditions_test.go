package renditions

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"stoa/internal/media/blob"
	"stoa/internal/media/picture"
	"stoa/internal/media/picture/picturetest"
	"stoa/internal/media/signedurl"
)

func TestPutAndCopy(t *testing.T) {
	store, err := blob.OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, err := picture.NewProcessor(picture.DefaultLimits()).Process(t.Context(),
		picture.Input{Data: picturetest.PNG(picturetest.Scene(60, 40), nil), Formats: []picture.Format{picture.PNG}})
	if err != nil {
		t.Fatal(err)
	}
	if err := Put(t.Context(), store, "u:1/post/p/image", p); err != nil {
		t.Fatal(err)
	}
	if err := Copy(t.Context(), store, "u:1/post/p/image", "u:1/profile-photo/p", picture.Native); err != nil {
		t.Fatal(err)
	}
	if err := Copy(t.Context(), store, "u:1/post/p/image", "u:1/album/a/hash", "4K"); err != nil {
		t.Fatal(err)
	}
	for _, size := range picture.Names() {
		want := p.All()[size]
		for _, dir := range []string{"u:1/post/p/image", "u:1/profile-photo/p", "u:1/album/a/hash"} {
			if strings.Contains(dir, "album") && size == picture.Native {
				want = p.All()["4K"]
			}
			got, err := blob.ReadAll(t.Context(), store, dir+"/"+size+".jpg", 1<<20)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s in %s: %d bytes, want %d; %v", size, dir, len(got), len(want), err)
			}
		}
	}
	if err := Copy(t.Context(), store, "nothing", "u:1/x", picture.Native); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("copy of nothing: %v", err)
	}
}

func TestSigned(t *testing.T) {
	links := &signedurl.Signer{Base: "https://x.example/media", Secret: []byte("s"), Now: time.Now}
	want := URLs{
		Native: links.Read("d/native.jpg"), P64: links.Read("d/64p.jpg"), P480: links.Read("d/480p.jpg"),
		P1080: links.Read("d/1080p.jpg"), K4: links.Read("d/4K.jpg"),
	}
	if got := Signed(links, "d"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
