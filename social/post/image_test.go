package post_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"
	"time"

	"stoa/internal/media/picture/heif/heiftest"
	"stoa/internal/media/picture/picturetest"
	. "stoa/social/socialtest"
)

const everythingOfAnImage = `postStatus isVerified image { width height colors { r } } imageUploadUrl originalPost { postId }`

// realtime 4#1-2: the owner of an image hears whether it completed or failed.
func TestImagePosts(t *testing.T) {
	photo := JPEG(320, 240)
	Run(t, []Scenario{
		{
			Name:  "posts 24.1 an image without data waits for its upload",
			Given: Users("ana"),
			As:    "ana", Query: `mutation { addPost(postId: "p") { postType postStatus text textTaggedUsers { tag } isVerified viewedStatus flagStatus image { url } ` +
				`originalPost { postId } video { urlMasterM3U8 } videoUploadUrl } }`,
			Want: `{"addPost": {"postType": "IMAGE", "postStatus": "PENDING", "text": null, "textTaggedUsers": [], "isVerified": null, "viewedStatus": "VIEWED", "flagStatus": "NOT_FLAGGED",
				"image": null, "originalPost": null, "video": null, "videoUploadUrl": null}}`,
			Counts: Counts{}, Events: Events{"post.moved": 1}, Hears: Hears{},
		},
		{
			Name:  "an image that comes along is completed in the answer",
			Given: Users("ana", "ben").Follow("ben", "ana").Listen("ana", "ben"),
			As:    "ana", Query: ImagePost("p", photo, "", "", `postStatus isVerified image { width height } imageUploadUrl originalPost { postId }`),
			Want:   `{"addPost": {"postStatus": "COMPLETED", "isVerified": false, "image": {"width": 320, "height": 240}, "imageUploadUrl": null, "originalPost": {"postId": "p"}}}`,
			Counts: Counts{"ana.postCount": 1},
			Events: Events{"post.moved": 1},
			Hears: Hears{
				"ana": {`{"onNotification": {"type": "USER_FEED_CHANGED"}}`, `{"onNotification": {"type": "POST_COMPLETED"}}`},
				"ben": {`{"onNotification": {"type": "USER_FEED_CHANGED"}}`},
			},
			Then: []Scenario{
				{As: "ben", Query: `{ self { feed { items { postId image { width } imageUploadUrl verificationHidden } } } }`,
					Want: `{"self": {"feed": {"items": [{"postId": "p", "image": {"width": 320}, "imageUploadUrl": null, "verificationHidden": null}]}}}`},
			},
		},
		{
			Name:  "posts Q16 data that are no image end in ERROR, without an error of the request",
			Given: Users("ana").Listen("ana"),
			As:    "ana", Query: `mutation { addPost(postId: "p", imageInput: {imageData: "%%% no base64 at all %%%", takenInReal: true}, setAsUserPhoto: true) { ` +
				everythingOfAnImage + ` } }`,
			Want:   `{"addPost": {"postStatus": "ERROR", "isVerified": null, "image": null, "imageUploadUrl": null, "originalPost": null}}`,
			Counts: Counts{}, Events: Events{"post.moved": 1},
			Hears: Hears{"ana": {`{"onNotification": {"type": "POST_ERROR"}}`}},
		},
		{
			Name:  "posts 24.11 a crop beyond the image is found while processing",
			Given: Users("ana"),
			As:    "ana", Query: ImagePost("p", photo, `, crop: {upperLeft: {x: 0, y: 0}, lowerRight: {x: 321, y: 240}}`, "", "postStatus image { width }"),
			Want: `{"addPost": {"postStatus": "ERROR", "image": null}}`,
		},
		{
			Name:  "a crop inside is kept to the pixel",
			Given: Users("ana"),
			As:    "ana", Query: ImagePost("p", photo, `, crop: {upperLeft: {x: 10, y: 20}, lowerRight: {x: 110, y: 70}}`, "", "postStatus image { width height }"),
			Want: `{"addPost": {"postStatus": "COMPLETED", "image": {"width": 100, "height": 50}}}`,
		},
		{
			Name:  "posts 24.11 a negative crop is refused before anything is written",
			Given: Users("ana"),
			As:    "ana", Query: `mutation { addPost(postId: "p", imageInput: {crop: {upperLeft: {x: 0, y: -1}, lowerRight: {x: 3, y: 3}}}) { postId } }`,
			Error: "ClientError: Image crop upperLeft.y cannot be negative",
			Then:  []Scenario{{As: "ana", Query: `{ post(postId: "p") { postId } }`, Want: `{"post": null}`}},
		},
		{
			Name:  "and so is one without width, which comes before one without height",
			Given: Users("ana"),
			As:    "ana", Query: `mutation { addPost(postId: "p", imageInput: {crop: {upperLeft: {x: 3, y: 3}, lowerRight: {x: 3, y: 3}}}) { postId } }`,
			Error: "ClientError: Image crop lowerRight.x must be strictly greater than upperLeft.x",
		},
		{
			Name:  "a picture taken in the app is verified",
			Given: Users("ana"),
			As:    "ana", Query: ImagePost("p", photo, `, takenInReal: true`, "", "isVerified verificationHidden"),
			Want: `{"addPost": {"isVerified": true, "verificationHidden": false}}`,
		},
		{
			Name:  "an image without a verdict to show is shown as verified",
			Given: Users("ana"),
			As:    "ana", Query: ImagePost("p", photo, "", ", verificationHidden: true", "isVerified"),
			Want: `{"addPost": {"isVerified": true}}`,
			Then: []Scenario{
				{As: "ana", Query: `mutation { editPost(postId: "p", verificationHidden: false) { isVerified } }`, Want: `{"editPost": {"isVerified": false}}`},
				{As: "ana", Query: `mutation { editPost(postId: "p", verificationHidden: true) { isVerified } }`, Want: `{"editPost": {"isVerified": true}}`},
				{As: "ana", Query: `{ post(postId: "p") { isVerified } }`, Want: `{"post": {"isVerified": true}}`},
			},
		},
		{
			Name:  "posts 24.8 the same bytes again name the post that had them first",
			Given: Users("ana", "ben").Does("ana", "%s", ImagePost("p", photo, "", "", "postId")),
			As:    "ben", Query: ImagePost("copy", photo, "", "", "postStatus originalPost { postId postedBy { username } likeStatus }"),
			Want: `{"addPost": {"postStatus": "COMPLETED", "originalPost": {"postId": "p", "postedBy": {"username": "ana"}, "likeStatus": "NOT_LIKED"}}}`,
			Then: []Scenario{
				{
					As:    "ana",
					Query: `{ post(postId: "copy") { originalPost { postId originalPost { postId } } } }`,
					Want:  `{"post": {"originalPost": {"postId": "p", "originalPost": {"postId": "p"}}}}`,
				},
				{
					As:    "ana",
					Query: `mutation { archivePost(postId: "p") { postStatus image { width } } }`,
					Want:  `{"archivePost": {"postStatus": "ARCHIVED", "image": {"width": 320}}}`,
				},
				{As: "ben", Query: `{ post(postId: "copy") { originalPost { postId } } }`, Want: `{"post": {"originalPost": null}}`},
				{As: "ana", Query: `mutation { deletePost(postId: "p") { postStatus image { width } } }`, Want: `{"deletePost": {"postStatus": "DELETING", "image": null}}`},
				{As: "ana", Query: ImagePost("third", photo, "", "", "originalPost { postId }"), Want: `{"addPost": {"originalPost": {"postId": "copy"}}}`},
			},
		},
		{
			Name: "of posts with the same bytes the original is the one that was added first, whenever its upload comes",
			Given: Users("ana", "ben").Does("ana", `mutation { addPost(postId: "first") { postId } }`).
				Does("ben", "%s", ImagePost("second", photo, "", "", "postId")).Uploads("ana", "first", photo),
			As: "ana", Query: `{ first: post(postId: "first") { postStatus originalPost { postId } } second: post(postId: "second") { originalPost { postId } } }`,
			Want: `{"first": {"postStatus": "COMPLETED", "originalPost": {"postId": "first"}}, "second": {"originalPost": {"postId": "second"}}}`,
			Then: []Scenario{{As: "ben", Query: ImagePost("third", photo, "", "", "originalPost { postId }"), Want: `{"addPost": {"originalPost": {"postId": "first"}}}`}},
		},
		{
			Name: "a list shows originals in it and elsewhere, each with its own",
			Given: Users("ana", "ben", "cleo!private").Album("ana", "anas").Album("cleo", "cleos").
				Does("ana", "%s", ImagePost("p", photo, "", `, albumId: "anas"`, "postId")).
				Does("cleo", "%s", ImagePost("secret", JPEG(60, 40), "", `, albumId: "cleos"`, "postId")).
				Does("ben", "%s", ImagePost("copy", photo, "", "", "postId")).
				Does("ben", "%s", ImagePost("again", photo, "", "", "postId")).
				Does("ben", "%s", ImagePost("hidden", JPEG(60, 40), "", "", "postId")).
				Does("ben", "%s", ImagePost("own", JPEG(50, 40), "", "", "postId")).
				Does("ben", "%s", ImagePost("repeated", JPEG(50, 40), "", "", "postId")).
				Like("ben", "p").FlagPost("ben", "p"),
			As: "ben", Query: `{ self { posts { items { postId album { name } originalPost { postId album { name } likeStatus flagStatus postedBy { username blockedStatus } ` +
				`originalPost { postId likeStatus } } } } } }`,
			Want: `{"self": {"posts": {"items": [
				{"postId": "repeated", "album": null, "originalPost": {"postId": "own", "album": null, "likeStatus": "NOT_LIKED", "flagStatus": "NOT_FLAGGED", ` +
				`"postedBy": {"username": "ben", "blockedStatus": "SELF"}, "originalPost": {"postId": "own", "likeStatus": "NOT_LIKED"}}},
				{"postId": "own", "album": null, "originalPost": {"postId": "own", "album": null, "likeStatus": "NOT_LIKED", "flagStatus": "NOT_FLAGGED", ` +
				`"postedBy": {"username": "ben", "blockedStatus": "SELF"}, "originalPost": {"postId": "own", "likeStatus": "NOT_LIKED"}}},
				{"postId": "hidden", "album": null, "originalPost": null},
				{"postId": "again", "album": null, "originalPost": {"postId": "p", "album": {"name": "name of anas"},` +
				` "likeStatus": "ONYMOUSLY_LIKED", "flagStatus": "FLAGGED", "postedBy": {"username": "ana", "blockedStatus": "NOT_BLOCKING"},` +
				` "originalPost": {"postId": "p", "likeStatus": "ONYMOUSLY_LIKED"}}},
				{"postId": "copy", "album": null, "originalPost": {"postId": "p", "album": {"name": "name of anas"},` +
				` "likeStatus": "ONYMOUSLY_LIKED", "flagStatus": "FLAGGED", "postedBy": {"username": "ana", "blockedStatus": "NOT_BLOCKING"},` +
				` "originalPost": {"postId": "p", "likeStatus": "ONYMOUSLY_LIKED"}}}
			]}}}`,
			Calls: Calls{Total: 10}, // one of them for likes, together with the users
		},
		{
			Name:  "posts Q4 an id in use is refused, and the image there stays",
			Given: Users("ana").Image("ana", "p", 60, 40),
			As:    "ana", Query: ImagePost("p", photo, "", "", "postId"),
			Error: "ClientError: Post `p` duplicated",
			Then:  []Scenario{{As: "ana", Query: `{ post(postId: "p") { image { width } } }`, Want: `{"post": {"image": {"width": 60}}}`}},
		},
		{
			Name:  "an empty imageInput is none",
			Given: Users("ana"),
			As:    "ana", Query: `mutation($no: String) { addPost(postId: "p", postType: VIDEO, imageInput: {imageData: $no}) { postStatus } }`,
			Want: `{"addPost": {"postStatus": "PENDING"}}`,
		},
		{
			Name:  "a default format is nothing that the client says",
			Given: Users("ana"),
			As:    "ana", Query: `mutation($f: ImageFormat) { addPost(postId: "p", postType: TEXT_ONLY, text: "x", imageInput: {imageFormat: $f}) { postStatus } }`,
			Want: `{"addPost": {"postStatus": "COMPLETED"}}`,
		},
		{
			Name:  "a format that the client says is",
			Given: Users("ana"),
			As:    "ana", Query: `mutation($in: ImageInput) { addPost(postId: "p", postType: TEXT_ONLY, text: "x", imageInput: $in) { postStatus } }`,
			Variables: map[string]any{"in": map[string]any{"imageFormat": "JPEG"}},
			Error:     "ClientError: Cannot add text-only post with ImageInput",
		},
		{
			Name:  "an object of variables without a value is nothing",
			Given: Users("ana"),
			As:    "ana", Query: `mutation($in: ImageInput) { addPost(postId: "p", postType: TEXT_ONLY, text: "x", imageInput: $in) { postStatus } }`,
			Variables: map[string]any{"in": map[string]any{"imageData": nil}},
			Want:      `{"addPost": {"postStatus": "COMPLETED"}}`,
		},
		{
			Name:  "a video takes no image",
			Given: Users("ana"),
			As:    "ana", Query: `mutation { addPost(postId: "p", postType: VIDEO, imageInput: {takenInReal: false}) { postStatus } }`,
			Error: "ClientError: Cannot add video post with ImageInput",
		},
		{
			Name:  "and becomes nobody's photo",
			Given: Users("ana"),
			As:    "ana", Query: `mutation { addPost(postId: "p", postType: VIDEO, setAsUserPhoto: true) { postStatus } }`,
			Error: "ClientError: Cannot add video post with setAsUserPhoto",
		},
		{
			Name:  "an id that leads out of the owner's files is refused",
			Given: Users("ana"),
			As:    "ana", Query: `mutation { addPost(postId: "..") { postStatus } }`,
			Error: "ClientError: postId of a post with an image or a video cannot begin with a dot: choose a version 4 UUID",
		},
	})
}

// posts 24.3: an uploaded image is available in all sizes, byte for byte where possible, and only
// the first upload counts.
func TestUploads(t *testing.T) {
	Test(
		t,
		Users("ana", "ben").Follow("ben", "ana").Does("ana", `mutation { addPost(postId: "p", text: "hi", imageInput: {takenInReal: true}) { postId } }`).Listen("ana"),
		func(w *World) {
			photo := JPEG(1000, 500)
			url := Address(w, "ana", `{ post(postId: "p") { imageUploadUrl } }`, "UploadUrl")
			if !strings.Contains(url, "/post/p/image/native.jpg?Method=PUT&") {
				t.Errorf("upload address %s", url)
			}
			for name, c := range map[string]struct {
				method, url, kind string
				want              int
			}{
				"a type that is none":     {"PUT", url, "text/html", http.StatusUnsupportedMediaType},
				"an address to read":      {"GET", url, "", http.StatusForbidden},
				"another post":            {"PUT", strings.Replace(url, "/p/", "/q/", 1), "", http.StatusForbidden},
				"up the tree":             {"PUT", strings.Replace(url, "/p/", "/.p/", 1), "", http.StatusForbidden},
				"without a right":         {"PUT", url[:strings.IndexByte(url, '?')], "", http.StatusForbidden},
				"a signature for another": {"PUT", strings.Replace(url, "Signature=", "Signature=x", 1), "", http.StatusForbidden},
			} {
				if status, _ := Send(w, c.method, c.url, c.kind, photo); status != c.want {
					t.Errorf("%s: %d, want %d", name, status, c.want)
				}
			}
			w.Play(Scenario{As: "ana", Query: `{ post(postId: "p") { postStatus } }`, Want: `{"post": {"postStatus": "PENDING"}}`})
			w.Play(Scenario{As: "ben", Query: `{ post(postId: "p") { postStatus } self { feed { items { postId } } } }`, Want: `{"post": null, "self": {"feed": {"items": []}}}`})
			for range 2 {
				if status, _ := Send(w, "PUT", url, "image/jpeg", photo); status != http.StatusOK {
					t.Fatalf("upload: %d", status)
				}
				photo = JPEG(30, 20) // comes too late
			}
			w.Settle()
			if heard := fmt.Sprint(w.TakeHeard()); strings.Count(heard, "POST_COMPLETED") != 1 {
				t.Errorf("heard %s, want one completion", heard)
			}
			w.Play(Scenario{As: "ben", Query: `{ post(postId: "p") { postStatus isVerified imageUploadUrl image { width height } } self { feed { items { postId } } } }`,
				Want: `{"post": {"postStatus": "COMPLETED", "isVerified": true, "imageUploadUrl": null, "image": {"width": 1000, "height": 500}}, ` +
					`"self": {"feed": {"items": [{"postId": "p"}]}}}`})
			var a struct {
				Post struct {
					Image map[string]string
				}
			}
			if err := json.Unmarshal(w.Must("ben", `{ post(postId: "p") { image { url url4k url1080p url480p url64p } } }`).Data, &a); err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]image.Point{
				"url": {1000, 500}, "url4k": {1000, 500}, "url1080p": {1000, 500}, "url480p": {854, 427}, "url64p": {114, 57},
			} {
				status, body := Get(w, a.Post.Image[name])
				if status != http.StatusOK || Bounds(w, body) != want {
					t.Errorf("%s: %d, %v, want %v", name, status, Bounds(w, body), want)
				}
				if name == "url" && !bytes.Equal(body, JPEG(1000, 500)) {
					t.Error("the native file is not what was uploaded")
				}
				if status, _ := Send(w, "HEAD", a.Post.Image[name], "", nil); status != http.StatusOK {
					t.Errorf("HEAD of %s: %d", name, status)
				}
				if status, _ := Send(w, "PUT", a.Post.Image[name], "image/jpeg", body); status != http.StatusForbidden {
					t.Errorf("PUT to %s: %d", name, status)
				}
			}
			w.Advance(time.Hour)
			again := w.Must("ana", `{ post(postId: "p") { image { url url4k url1080p url480p url64p } } }`)
			for _, address := range a.Post.Image {
				if !strings.Contains(string(again.Data), strings.ReplaceAll(address, "&", `\u0026`)) && !strings.Contains(string(again.Data), address) {
					t.Errorf("%s is not the same an hour later", address)
				}
			}
			w.Advance(4 * 24 * time.Hour)
			if status, _ := Get(w, a.Post.Image["url"]); status != http.StatusForbidden {
				t.Errorf("days later: %d", status)
			}
			// Everything is removed with the post.
			w.Must("ana", `mutation { deletePost(postId: "p") { postId } }`)
			w.Settle()
			if left := Files(w); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		},
	)
}

// HEIC is converted, and verified by its original bytes.
func TestHEIC(t *testing.T) {
	file := heiftest.Small().File()
	given := Users("ana")
	for _, id := range []string{"whole", "cropped", "lying"} {
		crop := ""
		if id == "cropped" {
			crop = ", crop: {upperLeft: {x: 0, y: 0}, lowerRight: {x: 10, y: 10}}"
		}
		given = given.Does("ana", `mutation { addPost(postId: %q, imageInput: {imageFormat: HEIC%s}) { postId } }`, id, crop)
	}
	Test(t, given, func(w *World) {
		if url := Address(w, "ana", `{ post(postId: "whole") { imageUploadUrl } }`, "UploadUrl"); !strings.Contains(url, "/image/native.heic?") {
			t.Errorf("upload address %s", url)
		}
		for id, data := range map[string][]byte{"whole": file, "cropped": file, "lying": JPEG(30, 20)} {
			if status := Upload(w, "ana", id, data); status != http.StatusOK {
				t.Errorf("%s: %d", id, status)
			}
		}
		w.Play(
			Scenario{
				As: "ana",
				Query: `{ whole: post(postId: "whole") { postStatus isVerified } cropped: post(postId: "cropped") { postStatus image { width height } } ` +
					`lying: post(postId: "lying") { postStatus imageUploadUrl } }`,
				Want: `{"whole": {"postStatus": "COMPLETED", "isVerified": true}, "cropped": {"postStatus": "COMPLETED", "image": {"width": 10, "height": 10}}, ` +
					`"lying": {"postStatus": "ERROR", "imageUploadUrl": null}}`,
			},
		)
		if _, body := Get(w, Address(w, "ana", `{ post(postId: "whole") { image { url } } }`, "url")); !bytes.HasPrefix(body, []byte{0xff, 0xd8}) {
			t.Error("what is shown is no JPEG")
		}
		files := strings.Join(Files(w), " ")
		if !strings.Contains(files, "whole/image/native.heic") || strings.Contains(files, "cropped/image/native.heic") || strings.Contains(files, "upload-") {
			t.Errorf("files %s", files)
		}
	})
}

// A PNG is served unchanged.
func TestPNG(t *testing.T) {
	file := picturetest.PNG(picturetest.Photo(40, 30), nil)
	Test(t, Users("ana").Does("ana", "%s", ImagePost("p", file, "", "", "postId")), func(w *World) {
		if _, body := Get(w, Address(w, "ana", `{ post(postId: "p") { image { url } } }`, "url")); !bytes.Equal(body, file) {
			t.Error("what is shown is not what was posted")
		}
	})
}
