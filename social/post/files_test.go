package post_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/app"
	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	"stoa/internal/media/picture/heif/heiftest"
	"stoa/internal/media/picture/picturetest"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// Every upload is answered with 200, and its post gets the status that the file deserves.
// realtime 4#1-2
func TestUploadsOfAllKinds(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile("../../internal/media/picture/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var tall bytes.Buffer // 132 megapixels in a few kilobytes
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&tall, image.NewGray(image.Rect(0, 0, 12000, 11000))); err != nil {
		t.Fatal(err)
	}
	huge := picturetest.PNG(picturetest.Photo(20, 20), nil)
	binary.BigEndian.PutUint32(huge[16:], 60000)
	binary.BigEndian.PutUint32(huge[20:], 60000)
	photo := JPEG(200, 100)
	for name, c := range map[string]struct {
		data   []byte
		status string
		reason string
	}{
		"nothing":              {nil, "ERROR", "Image type unrecognized"},
		"a text":               {[]byte("<html>"), "ERROR", "Image type unrecognized"},
		"half a picture":       {photo[:len(photo)/2], "ERROR", "Image undecodable"},
		"a picture and more":   {append(bytes.Clone(photo), "tail"...), "COMPLETED", ""},
		"60,000 by 60,000":     {huge, "ERROR", "Image too large"},
		"a bomb":               {tall.Bytes(), "ERROR", "Image too large"},
		"HEIC that was called": {heiftest.Small().File(), "ERROR", "Image type not allowed"},
		"a PNG":                {picturetest.PNG(picturetest.Photo(20, 20), nil), "COMPLETED", ""},
		"an animation":         {read("animated.webp"), "ERROR", "Image is animated"},
		"a GIF":                {read("animated.gif"), "ERROR", "Image type not allowed"},
		"CMYK":                 {read("cmyk.jpg"), "COMPLETED", ""},
		"gray":                 {read("gray.jpg"), "COMPLETED", ""},
		"progressive":          {read("progressive.jpg"), "COMPLETED", ""},
		"WebP":                 {read("lossy.webp"), "COMPLETED", ""},
	} {
		t.Run(name, func(t *testing.T) {
			Test(t, Users("ana").Does("ana", `mutation { addPost(postId: "p") { postId } }`).Listen("ana"), func(w *World) {
				if status := Upload(w, "ana", "p", c.data); status != http.StatusOK {
					t.Errorf("answered %d", status)
				}
				heard := fmt.Sprint(w.TakeHeard())
				w.Play(Scenario{As: "ana", Query: `{ post(postId: "p") { postStatus imageUploadUrl } }`,
					Want: fmt.Sprintf(`{"post": {"postStatus": %q, "imageUploadUrl": null}}`, c.status)})
				row := w.Get(store.Main.Name, "post/p", "-")
				if reason, _ := row["postStatusReason"].(string); !strings.HasPrefix(reason, c.reason) || c.reason == "" && reason != "" {
					t.Errorf("reason %q, want %q", reason, c.reason)
				}
				if want := map[string]string{"ERROR": "POST_ERROR", "COMPLETED": "POST_COMPLETED"}[c.status]; strings.Count(heard, want) != 1 ||
					strings.Count(heard, "POST_") != 1 {
					t.Errorf("heard %s, want %s once", heard, want)
				}
				if files := strings.Join(Files(w), " "); strings.Contains(files, "upload-") || strings.Contains(files, "native.jpg.") || c.status == "ERROR" && files != "" {
					t.Errorf("files %s", files)
				}
			})
		})
	}
}

// A later upload is answered like the first; whoever reads the body learns what to do.
func TestUploadsToAFailedPost(t *testing.T) {
	Test(t, Users("ana").Does("ana", `mutation { addPost(postId: "p") { postId } }`), func(w *World) {
		url := Address(w, "ana", `{ post(postId: "p") { imageUploadUrl } }`, "UploadUrl")
		for n, want := range []string{"", social.ErrPostFailed.Error() + "\n"} {
			recorder := httptest.NewRecorder()
			w.Handler.ServeHTTP(recorder, httptest.NewRequestWithContext(w.T.Context(), http.MethodPut, url, strings.NewReader("no picture")))
			if recorder.Code != http.StatusOK || recorder.Body.String() != want {
				t.Errorf("upload %d is answered %d %q", n, recorder.Code, recorder.Body)
			}
		}
		w.Play(Scenario{As: "ana", Query: `{ post(postId: "p") { postStatus } }`, Want: `{"post": {"postStatus": "ERROR"}}`})
	})
}

// A truncated or oversized body never becomes an image.
func TestBrokenUploads(t *testing.T) {
	given := Users("ana").Does("ana", `mutation { addPost(postId: "p") { postId } }`).Does("ana", `mutation { addPost(postId: "v", postType: VIDEO) { postId } }`)
	Test(t, given, func(w *World) {
		send := func(url string, announced int64, body []byte) int {
			request := httptest.NewRequestWithContext(w.T.Context(), http.MethodPut, url, nil)
			request.Body, request.ContentLength = http.NoBody, announced
			if body != nil {
				request.Body = breaking{bytes.NewReader(body)}
			}
			recorder := httptest.NewRecorder()
			w.Handler.ServeHTTP(recorder, request)
			return recorder.Code
		}
		image := Address(w, "ana", `{ post(postId: "p") { imageUploadUrl } }`, "UploadUrl")
		video := Address(w, "ana", `{ post(postId: "v") { videoUploadUrl } }`, "UploadUrl")
		if status := send(image, 1000, JPEG(30, 20)[:50]); status != http.StatusBadRequest {
			t.Errorf("a body that breaks off: %d", status)
		}
		w.Play(Scenario{As: "ana", Query: `{ post(postId: "p") { postStatus } }`, Want: `{"post": {"postStatus": "PENDING"}}`})
		if status := send(image, 65<<20, nil); status != http.StatusRequestEntityTooLarge {
			t.Errorf("65 MiB: %d", status)
		}
		if status := send(video, 2<<30+1, nil); status != http.StatusRequestEntityTooLarge { // too large (posts Q15)
			t.Errorf("more than 2 GiB: %d", status)
		}
		w.Settle()
		w.Play(Scenario{As: "ana", Query: `{ p: post(postId: "p") { postStatus } v: post(postId: "v") { postStatus videoUploadUrl } }`,
			Want: `{"p": {"postStatus": "ERROR"}, "v": {"postStatus": "ERROR", "videoUploadUrl": null}}`})
		if reason := fmt.Sprint(w.Get(store.Main.Name, "post/v", "-")["postStatusReason"]); !strings.HasPrefix(reason, "Video too large") {
			t.Errorf("reason %q", reason)
		}
		w.Advance(4 * 24 * time.Hour)
		if status, _ := Send(w, "PUT", image, "", JPEG(30, 20)); status != http.StatusForbidden {
			t.Errorf("an address that expired: %d", status)
		}
	})
}

type breaking struct{ *bytes.Reader }

func (b breaking) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil {
		err = fmt.Errorf("the line is down")
	}
	return n, err
}
func (breaking) Close() error { return nil }

// Without ffmpeg, videos are accepted as usual, and fail with a reason after the upload.
func TestVideosWithoutATranscoder(t *testing.T) {
	t.Setenv("PATH", "")
	Test(t, Users("ana").Does("ana", `mutation { addPost(postId: "v", postType: VIDEO, text: "look") { postId } }`), func(w *World) {
		w.Play(Scenario{As: "ana", Query: `{ post(postId: "v") { postStatus postType image { url } imageUploadUrl isVerified originalPost { postId } } }`,
			Want: `{"post": {"postStatus": "PENDING", "postType": "VIDEO", "image": null, "imageUploadUrl": null, "isVerified": null, "originalPost": null}}`})
		if url := Address(w, "ana", `{ post(postId: "v") { videoUploadUrl } }`, "UploadUrl"); !strings.Contains(url, "/post/v/video-original.mov?Method=PUT&") {
			t.Errorf("upload address %s", url)
		}
		if status := Upload(w, "ana", "v", []byte("a film")); status != http.StatusOK {
			t.Errorf("answered %d", status)
		}
		row := w.Get(store.Main.Name, "post/v", "-")
		if row["postStatus"] != "ERROR" || row["postStatusReason"] != "Video cannot be processed: ffmpeg is not installed on this server" {
			t.Errorf("%v: %v", row["postStatus"], row["postStatusReason"])
		}
	})
}

// posts Q18: an image that the service cannot verify goes to ERROR, and its owner is notified.
func TestImagesThatCannotBeVerified(t *testing.T) {
	unreachable := With(func(o *app.Options) { o.ImageVerification = "http://127.0.0.1:1/" })
	apptest.Test(t, unreachable, func(w *World) {
		w.Do(Users("ana").Listen("ana")...)
		w.Play(Scenario{
			As: "ana", Query: ImagePost("p", JPEG(30, 20), `, takenInReal: true`, `, setAsUserPhoto: true`, everythingOfAnImage),
			Want:   `{"addPost": {"postStatus": "ERROR", "isVerified": null, "image": null, "imageUploadUrl": null, "originalPost": null}}`,
			Counts: Counts{"ana.postCount": 0}, Hears: Hears{"ana": {`{"onNotification": {"type": "POST_ERROR"}}`}},
		})
		if reason := fmt.Sprint(w.Get(store.Main.Name, "post/p", "-")["postStatusReason"]); !strings.HasPrefix(reason, "Image cannot be verified: ") {
			w.T.Errorf("reason %q", reason)
		}
	}, Options()...)
}

// Older apps are notified of completed posts by a separate subscription.
func TestOnPostNotification(t *testing.T) {
	const subscribe = `subscription { onPostNotification(userId: "{ana}") { userId type post { postId postStatus isVerified } } }`
	listening := func(g Given, as string) Given { return g.And(apptest.Listening(as, subscribe)) }
	heard := func(id, verified string) string {
		return fmt.Sprintf(`{"onPostNotification": {"userId": "{ana}", "type": "COMPLETED", "post": {"postId": %q, "postStatus": "COMPLETED", "isVerified": %s}}}`, id, verified)
	}
	Run(t, []Scenario{
		{
			Name:  "a text",
			Given: listening(Users("ana"), "ana"),
			As:    "ana", Query: `mutation { addPost(postId: "p", postType: TEXT_ONLY, text: "x") { postId } }`,
			Hears: Hears{"ana": {heard("p", "null")}},
			Then: []Scenario{
				{As: "ana", Query: `mutation { archivePost(postId: "p") { postId } }`, Hears: Hears{}},
				{As: "ana", Query: `mutation { restoreArchivedPost(postId: "p") { postId } }`, Hears: Hears{}},
				{As: "ana", Query: `mutation { addPost(postId: "waits") { postId } }`, Hears: Hears{}},
				{As: "ana", Query: ImagePost("image", JPEG(30, 20), ", takenInReal: true", "", "postId"), Hears: Hears{"ana": {heard("image", "true")}}},
				{As: "ana", Query: ImagePost("broken", []byte("x"), "", "", "postId"), Hears: Hears{}},
			},
		},
		{
			Name:  "nobody may say so but the service",
			Given: Users("ana"),
			As:    "ana", Query: `mutation { triggerPostNotification(input: {userId: "{ana}", type: COMPLETED, postId: "p", postStatus: COMPLETED}) { userId } }`,
			Error: "ClientError: Access denied",
		},
	})
	Test(t, listening(Users("ana", "ben"), "ben"), func(w *World) {
		if heard := fmt.Sprint(w.TakeHeard()); !strings.Contains(heard, "Cannot subscribe to notifications intended for another user") {
			t.Errorf("heard %s", heard)
		}
	})
}

// The owner of the original gets a card for reposts, including their own, which shows the
// image.
// chats 5.2#3, 5.3#6,19
func TestReposts(t *testing.T) {
	photo := JPEG(320, 240)
	Test(t, Users("ana", "ben").Does("ana", "%s", ImagePost("p", photo, "", "", "postId")).Does("ben", "%s", ImagePost("copy", photo, "", "", "postId")), func(w *World) {
		var a struct {
			Self struct {
				Cards struct {
					Items []struct {
						CardID, Title, Action string
						Thumbnail             map[string]any
					}
				}
			}
		}
		ask := func() json.RawMessage {
			return w.Must("ana", `{ self { cards { items { cardId title action thumbnail { url url64p width colors { r } } } } } }`).Data
		}
		first := ask()
		if err := json.Unmarshal(first, &a); err != nil || len(a.Self.Cards.Items) == 0 {
			t.Fatal(err, string(first))
		}
		card := a.Self.Cards.Items[0]
		if card.CardID != string(w.ID("ana"))+":POST_REPOST:copy" || card.Title != "@ben reposted one of your posts" {
			t.Errorf("card %+v", card)
		}
		url, _ := card.Thumbnail["url64p"].(string)
		if status, body := Get(w, url); status != http.StatusOK || Bounds(w, body) != image.Pt(85, 64) {
			t.Errorf("thumbnail %s: %d", url, status)
		}
		if card.Thumbnail["width"] != nil || card.Thumbnail["colors"] != nil {
			t.Errorf("a thumbnail with %v, %v", card.Thumbnail["width"], card.Thumbnail["colors"])
		}
		if again := ask(); !bytes.Equal(again, first) {
			t.Error("the same card looks different when it is read again")
		}
	})
}

// The files and rows of a user's posts are removed with the profile.
func TestPostsOfARemovedUser(t *testing.T) {
	given := Users("ana", "ben").Image("ana", "p", 40, 30).Post("ana", "text").Post("ana", "old").Archive("ana", "old").
		Does("ana", `mutation { addPost(postId: "waits", imageInput: {originalMetadata: "{}"}) { postId } }`).Image("ben", "bens", 50, 40)
	Test(t, given, func(w *World) {
		removed := Renew(w, "ana")
		if got := string(
			w.Must("ana", `{ post(postId: "text") { postId } self { posts { items { postId } } } }`).Data,
		); got != `{"post":null,"self":{"posts":{"items":[]}}}` { // gone at once (service E7)
			t.Errorf("before anything is cleared away: %s", got)
		}
		if a := w.Ask("ana", `mutation { archivePost(postId: "text") { postId } }`); len(a.Errors) != 1 || a.Errors[0].Message != "ClientError: Post `text` does not exist" {
			t.Errorf("archived: %v", a.Errors)
		}
		if got := string(w.Must("ben", ImagePost("bensToo", JPEG(40, 30), "", "", "originalPost { postId }")).Data); got != `{"addPost":{"originalPost":{"postId":"bensToo"}}}` {
			t.Errorf("the picture of a former profile posted again: %s", got)
		}
		w.Must("ana", `mutation { addPost(postId: "new", postType: TEXT_ONLY, text: "of another profile") { postId } }`)
		w.Deliver(removed)
		for _, rows := range w.Rows() {
			for _, row := range rows {
				text, err := json.Marshal(row)
				if err != nil {
					t.Fatal(err)
				}
				for _, id := range []string{"post/p\"", "post/text\"", "post/old\"", "post/waits\""} {
					if bytes.Contains(text, []byte(id)) {
						t.Errorf("left: %s", text)
					}
				}
			}
		}
		for _, file := range Files(w) {
			if !strings.Contains(file, "/post/bens") {
				t.Errorf("left: %s", file)
			}
		}
		w.Play(Scenario{As: "ben", Query: `{ post(postId: "new") { text } }`, Want: `{"post": {"text": "of another profile"}}`})
	})
}

// Uploads interrupted by the death of their process are resumed, but not for ever.
func TestUploadsAreResumed(t *testing.T) {
	given := Users("ana").Does("ana", `mutation { addPost(postId: "p") { postId } }`).Does("ana", `mutation { addPost(postId: "hopeless") { postId } }`)
	Test(t, given, func(w *World) {
		leaveUpload(w, "p", "upload-1", JPEG(40, 30), 0)
		leaveUpload(w, "hopeless", "upload-1", JPEG(40, 30), 3)
		w.RunJob("social.resume-uploads")
		w.Play(
			Scenario{
				As:    "ana",
				Query: `{ post(postId: "p") { postStatus originalPost { postId } } }`,
				Want:  `{"post": {"postStatus": "PROCESSING", "originalPost": {"postId": "p"}}}`,
			},
		)
		w.Advance(time.Minute)
		w.RunJob("social.resume-uploads")
		w.Settle()
		w.Play(Scenario{As: "ana", Query: `{ p: post(postId: "p") { postStatus image { width } } hopeless: post(postId: "hopeless") { postStatus } }`,
			Want: `{"p": {"postStatus": "COMPLETED", "image": {"width": 40}}, "hopeless": {"postStatus": "ERROR"}}`})
		if left := w.Get("ops", "upload", "p"); left != nil {
			t.Errorf("left: %v", left)
		}
	})
}

// leaveUpload gives a post of ana's a file whose process has ended before it was done.
func leaveUpload(w *World, id, name string, file []byte, attempts int) {
	w.T.Helper()
	source := string(w.ID("ana")) + "/post/" + id + "/" + name
	if _, err := w.Host.Media.Files.Put(w.T.Context(), source, bytes.NewReader(file)); err != nil {
		w.T.Fatal(err)
	}
	row := w.Get(store.Main.Name, "post/"+id, "-")
	row["postStatus"], row["gsiA2SortKey"] = "PROCESSING", "PROCESSING/"+row["postedAt"].(string)
	w.Put(store.Main.Name, row)
	upload := map[string]any{"partitionKey": "upload", "sortKey": id, "schemaVersion": 0, "owner": string(w.ID("ana")), "source": source, "process": "test", "at": row["postedAt"]}
	if attempts > 0 {
		upload["attempts"] = attempts
	}
	w.Put("ops", upload)
}

// After deleteUser has been answered, nothing is left of an image, and its bytes are
// original again for the next user who posts them.
func TestImagesOfADeletedUser(t *testing.T) {
	photo := JPEG(80, 60)
	given := Users("ana", "ben").Follow("ben", "ana").Does("ana", "%s", ImagePost("p", photo, "", "", "postId")).
		Does("ana", `mutation { addPost(postId: "waits", imageInput: {originalMetadata: "{}"}) { postId } }`)
	Test(t, given, func(w *World) {
		w.Must("ana", `mutation { deleteUser { userId } }`)
		if files := Files(w); len(files) > 0 {
			t.Errorf("left: %v", files)
		}
		w.Play(
			Scenario{
				As:    "ben",
				Query: ImagePost("again", photo, "", "", "postStatus originalPost { postId }"),
				Want:  `{"addPost": {"postStatus": "COMPLETED", "originalPost": {"postId": "again"}}}`,
			},
		)
		w.Play(
			Scenario{
				As:    "ben",
				Query: `{ post(postId: "p") { postId } self { feed { items { postId } } } }`,
				Want:  `{"post": null, "self": {"feed": {"items": [{"postId": "again"}]}}}`,
			},
		)
	})
}

// A file that arrives while its post is deleted is not used for a newer post with the same
// id, which remains pending.
func TestUploadForAFormerPost(t *testing.T) {
	add := Given{}.Does("ana", `mutation { addPost(postId: "p") { postId } }`)
	Test(t, append(Users("ana"), add...), func(w *World) {
		status := func(want string) {
			w.Play(Scenario{As: "ana", Query: `{ post(postId: "p") { postStatus } }`, Want: fmt.Sprintf(`{"post": {"postStatus": %q}}`, want)})
		}
		check := w.Meanwhile(append(Given{}.DeletePost("ana", "p"), add...))
		Upload(w, "ana", "p", JPEG(200, 100))
		check()
		status("PENDING")
		Upload(w, "ana", "p", JPEG(200, 100))
		status("COMPLETED")
	})
}

// A post that is refused after its image has been processed leaves no files.
func TestRefusedPostsLeaveNoFiles(t *testing.T) {
	add := ImagePost("p", JPEG(40, 30), "", `, albumId: "a1"`, "postId")
	for _, meanwhile := range [][2]string{
		{"ana", `mutation { deleteAlbum(albumId: "a1") { albumId } }`},
		{"ana", `mutation { deleteUser { userId } }`},
		{"ben", `mutation { addPost(postId: "p", postType: TEXT_ONLY, text: "x") { postId } }`},
	} {
		Test(t, Users("ana", "ben").Album("ana", "a1"), func(w *World) {
			w.Client.Arm(faultdb.Before("TransactWriteItems", 1, func() { w.Must(meanwhile[0], meanwhile[1]) }))
			if a := w.Ask("ana", add); len(a.Errors) != 1 {
				t.Errorf("not refused: %s", a.Data)
			}
			w.Settle()
			if left := Files(w); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// Of two posts that are added under one id at once, with different images, one is refused, and the
// other keeps the image that it was added with.
func TestImagesOfOneIDAtOnce(t *testing.T) {
	Test(t, Users("ana"), func(w *World) {
		for round := range 20 {
			id, widths := fmt.Sprint("p", round), []int{300, 200}
			var both sync.WaitGroup
			answers := make([]apptest.Answer, len(widths))
			for i, width := range widths {
				both.Go(func() { answers[i] = w.Ask("ana", ImagePost(id, JPEG(width, 100), "", "", "postStatus")) })
			}
			both.Wait()
			added := slices.IndexFunc(answers, func(a apptest.Answer) bool { return len(a.Errors) == 0 })
			refused := slices.IndexFunc(answers, func(a apptest.Answer) bool {
				return len(a.Errors) == 1 && a.Errors[0].Message == "ClientError: Post `"+id+"` duplicated"
			})
			if added < 0 || refused < 0 {
				t.Fatalf("round %d: answered %v", round, answers)
			}
			want := image.Pt(widths[added], 100)
			for _, size := range []string{"url", "url4k", "url1080p", "url480p"} {
				address := Address(w, "ana", fmt.Sprintf(`{ post(postId: %q) { image { %s } } }`, id, size), size)
				if status, file := Get(w, address); status != http.StatusOK || Bounds(w, file) != want {
					t.Errorf("round %d: %s of the post has %v, want %v", round, size, Bounds(w, file), want)
				}
			}
		}
	})
}
