package post_test

import (
	"encoding/json"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/media/video/videotest"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// probes is a fake of ffprobe: it finds a film of 320 by 240 with sound.
const probes = `echo '{"streams":[{"codec_type":"video","width":320,"height":240},{"codec_type":"audio"}]}'`

// withFilms adds fakes of ffmpeg's programs to the search path: they write the requested
// playlists, and a poster of 320 by 240.
func withFilms(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	poster := filepath.Join(dir, "poster.jpg")
	if err := os.WriteFile(poster, JPEG(320, 240), 0o600); err != nil {
		t.Fatal(err)
	}
	videotest.Program(t, filepath.Join(dir, "ffprobe"), probes)
	videotest.Program(t, filepath.Join(dir, "ffmpeg"), "for to; do\n case $to in\n *.m3u8) echo '#EXTM3U' >\"${to#file:}\" ;;\n esac\ndone\n"+
		"case \"$*\" in *'-frames:v 1'*) /bin/cat '"+poster+"' >\"${to#file:}\" ;; esac")
	t.Setenv("PATH", dir)
}

func TestVideos(t *testing.T) {
	withFilms(t)
	fromUploadToEnd(t, []byte("a film"))
}

// fromUploadToEnd checks the life of a video of 320 by 240, section 7. All files named in
// its playlists can be read with its cookies.
func fromUploadToEnd(t *testing.T, film []byte) {
	t.Helper()
	given := Users("ana", "ben").Follow("ben", "ana").Album("ana", "a1").
		Does("ana", `mutation { addPost(postId: "v", postType: VIDEO, text: "look", albumId: "a1", lifetime: "P1D") { postId } }`).Listen("ana", "ben")
	Test(t, given, func(w *World) {
		w.TakeHeard()
		w.Play(
			Scenario{
				As:    "ana",
				Query: `{ post(postId: "v") { postStatus video { urlMasterM3U8 } image { url } imageUploadUrl } self { feed { items { postId } } } album(albumId: "a1") { postCount } }`,
				Want:  `{"post":{"postStatus":"PENDING","video":null,"image":null,"imageUploadUrl":null},"self":{"feed":{"items":[]}},"album":{"postCount":0}}`,
			},
		)
		w.Play(Scenario{As: "ben", Query: `{ post(postId: "v") { postId } }`, Want: `{"post":null}`})
		if status := Upload(w, "ana", "v", film); status != http.StatusOK {
			t.Errorf("upload: %d", status)
		}
		if heard := fmt.Sprint(w.TakeHeard()); strings.Count(heard, "POST_COMPLETED") != 1 || strings.Count(heard, "USER_FEED_CHANGED") != 2 {
			t.Errorf("heard %s", heard)
		}
		w.Play(
			Scenario{
				As: "ben",
				Query: `{ post(postId: "v") { postStatus isVerified videoUploadUrl imageUploadUrl image { width height colors { r } } originalPost { postId } } ` +
					`self { feed { items { postId } } }
			user(userId: "{ana}") { stories { items { postId } } posts(postType: VIDEO) { items { postId } } } album(albumId: "a1") { postCount posts { items { postId } } } }`,
				Want: `{"post":{"postStatus":"COMPLETED","isVerified":null,"videoUploadUrl":null,"imageUploadUrl":null,"image":{"width":null,"height":null,"colors":null},` +
					`"originalPost":{"postId":"v"}},
				"self":{"feed":{"items":[{"postId":"v"}]}},"user":{"stories":{"items":[{"postId":"v"}]},"posts":{"items":[{"postId":"v"}]}},` +
					`"album":{"postCount":1,"posts":{"items":[{"postId":"v"}]}}}`,
			},
		)
		for _, name := range []string{"checksum", "isVerified", "originalPostId", "gsiK2PartitionKey"} {
			if value, found := w.Get(store.Main.Name, "post/v", "-")[name]; found {
				t.Errorf("%s of a video is %v", name, value)
			}
		}
		var a struct {
			Post struct {
				Image map[string]string
				Video struct {
					URLMasterM3U8 string
					AccessCookies struct{ Domain, Path, ExpiresAt, Policy, Signature, KeyPairID string }
				}
			}
		}
		answer := w.Must(
			"ben",
			`{ post(postId: "v") { image { url url4k url1080p url480p url64p } video { urlMasterM3U8 accessCookies { domain path expiresAt policy signature keyPairId } } } }`,
		)
		if err := json.Unmarshal(answer.Data, &a); err != nil {
			t.Fatal(err)
		}
		if len(a.Post.Image) != 5 {
			t.Errorf("images %v", a.Post.Image)
		}
		for name, url := range a.Post.Image {
			if status, body := Get(w, url); status != http.StatusOK || name == "url" && Bounds(w, body) != image.Pt(320, 240) {
				t.Errorf("%s of the poster: %d, %v", name, status, Bounds(w, body))
			}
		}
		master, cookies := a.Post.Video.URLMasterM3U8, a.Post.Video.AccessCookies
		path := "/media/" + string(w.ID("ana")) + "/post/v/video-hls/"
		if master != "https://stoa.example"+path+"video.m3u8" || cookies.Domain != "stoa.example" || cookies.Path != path || cookies.ExpiresAt != "2026-01-03T12:00:10.000Z" {
			t.Errorf("video %+v", a.Post.Video)
		}
		if status, _ := Get(w, master); status != http.StatusForbidden {
			t.Errorf("without cookies: %d", status)
		}
		files := []string{"video.m3u8", "video_Ott_Hls_Ts_Avc_Aac_16x9_1280x720p_30Hz_3500Kbps.m3u8"}
		for i := 0; i < len(files); i++ {
			status, text := withCookies(
				w,
				"https://stoa.example"+path+files[i],
				map[string]string{"CloudFront-Policy": cookies.Policy, "CloudFront-Signature": cookies.Signature, "CloudFront-Key-Pair-Id": cookies.KeyPairID},
			)
			if status != http.StatusOK {
				t.Errorf("%s with cookies: %d", files[i], status)
			}
			if !strings.HasSuffix(files[i], ".m3u8") {
				continue
			}
			for line := range strings.Lines(text) {
				if name := strings.TrimSpace(line); name != "" && !strings.HasPrefix(name, "#") && !slices.Contains(files, name) {
					files = append(files, name)
				}
			}
		}
		w.Play(Scenario{As: "ana", Query: `mutation { archivePost(postId: "v") { postStatus video { urlMasterM3U8 } } }`,
			Want: fmt.Sprintf(`{"archivePost":{"postStatus":"ARCHIVED","video":{"urlMasterM3U8":%q}}}`, master)})
		w.Must("ana", `mutation { deletePost(postId: "v") { postId } }`)
		w.Settle()
		if files := Files(w); len(files) > 0 {
			t.Errorf("left: %v", files)
		}
	})
}

func withCookies(w *World, address string, cookies map[string]string) (status int, body string) {
	w.T.Helper()
	request, recorder := httptest.NewRequestWithContext(w.T.Context(), http.MethodGet, address, nil), httptest.NewRecorder()
	for name, value := range cookies {
		request.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w.Handler.ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.String()
}

// A video that is resumed and takes long does not delay images.
func TestImagesAreResumedBesideVideos(t *testing.T) {
	withFilms(t)
	gate := filepath.Join(t.TempDir(), "gate")
	videotest.Program(t, filepath.Join(os.Getenv("PATH"), "ffprobe"),
		"for i in 1 2 3 4 5 6 7 8 9 10; do [ -e '"+gate+"' ] || /bin/sleep 1; done\n[ -e '"+gate+"' ] || exit 1\n"+probes)
	given := Users("ana").Does("ana", `mutation { addPost(postId: "a", postType: VIDEO) { postId } }`).Does("ana", `mutation { addPost(postId: "p") { postId } }`)
	Test(t, given, func(w *World) {
		leaveUpload(w, "a", "upload-1.mov", []byte("a film"), 0)
		leaveUpload(w, "p", "upload-1", JPEG(40, 30), 0)
		w.Advance(time.Minute)
		opened := make(chan error)
		go func() {
			for stored(w, "p").Status != social.PostCompleted {
				runtime.Gosched()
			}
			opened <- os.WriteFile(gate, nil, 0o600)
		}()
		w.RunJob("social.resume-uploads")
		if err := <-opened; err != nil {
			t.Error(err)
		}
		w.Play(Scenario{As: "ana", Query: `{ post(postId: "a") { postStatus } }`, Want: `{"post": {"postStatus": "COMPLETED"}}`})
	})
}
