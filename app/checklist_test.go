package app_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"

	"stoa/internal/media/picture/heif/heiftest"
	"stoa/internal/media/picture/picturetest"
	. "stoa/social/socialtest"
)

// The acceptance checklist of posts, as far as no area covers it: docs/rules/posts.md lists
// it line by line.

// play sends requests one after the other in one world.
func play(w *World, all ...Scenario) {
	w.T.Helper()
	for _, s := range all {
		w.Play(s)
	}
}

// sized returns the five URLs of an image, by field name.
func sized(w *World, as, post string) map[string]string {
	w.T.Helper()
	var a struct {
		Post struct{ Image map[string]string }
	}
	answer := w.Must(as, fmt.Sprintf(`{ post(postId: %q) { image { url url4k url1080p url480p url64p } } }`, post))
	if err := json.Unmarshal(answer.Data, &a); err != nil {
		w.T.Fatal(err)
	}
	return a.Post.Image
}

func TestAddedPosts(t *testing.T) {
	const switches = `commentsDisabled likesDisabled sharingDisabled verificationHidden`
	add := func(id, arguments, fields string) string {
		return fmt.Sprintf(`mutation { addPost(postId: %q, %s) { %s } }`, id, arguments, fields)
	}
	Test(t, Users("ana", "ben").Follow("ben", "ana").Image("ana", "photo", 50, 40).Details("ana", `photoPostId: "photo"`), func(w *World) {
		before := Address(w, "ana", `{ self { photo { url } } }`, "url")
		play(w,
			Scenario{Name: "posts 24.2 without settings", As: "ana", Query: add("p1", `postType: TEXT_ONLY, text: "x"`, switches),
				Want: `{"addPost":{"commentsDisabled":false,"likesDisabled":true,"sharingDisabled":false,"verificationHidden":false}}`},
			Scenario{Name: "posts 24.5 a text",
				As: "ana", Query: add("p2", `postType: TEXT_ONLY, text: "x"`, `postStatus image { url } imageUploadUrl isVerified video { urlMasterM3U8 } `+
					`videoUploadUrl originalPost { postId }`),
				Want: `{"addPost":{"postStatus":"COMPLETED","image":null,"imageUploadUrl":null,"isVerified":null,"video":null,"videoUploadUrl":null,"originalPost":{"postId":"p2"}}}`},
			Scenario{Name: "posts 24.6 no image, and no photo either",
				As: "ana", Query: ImagePost("p3", []byte("x"), `, takenInReal: true`, `, setAsUserPhoto: true`, "postStatus"), Want: `{"addPost":{"postStatus":"ERROR"}}`},
			Scenario{As: "ana", Query: ImagePost("p4", []byte("x"), "", "", "postStatus"), Want: `{"addPost":{"postStatus":"ERROR"}}`},
		)
		if after := Address(w, "ana", `{ self { photo { url } } }`, "url"); after != before {
			w.T.Errorf("the photo changed from %s to %s", before, after)
		}
		w.Must("ana", add("p5", `setAsUserPhoto: true, imageInput: {takenInReal: true}`, "postId")) // a photo by upload (posts 24.7)
		Upload(w, "ana", "p5", JPEG(60, 40))
		if after := Address(w, "ben", `{ user(userId: "{ana}") { photo { url } } }`, "url"); !strings.Contains(after, "/profile-photo/p5/") {
			w.T.Errorf("the photo is %s", after)
		}
		file := JPEG(320, 240) // all sizes at once, the native one byte for byte (posts 24.3)
		w.Play(Scenario{As: "ana", Query: ImagePost("p6", file, "", "", `postStatus imageUploadUrl`), Want: `{"addPost":{"postStatus":"COMPLETED","imageUploadUrl":null}}`})
		for name, address := range sized(w, "ben", "p6") {
			if status, _ := Send(w, http.MethodHead, address, "", nil); status != http.StatusOK {
				w.T.Errorf("HEAD of %s answers %d", name, status)
			}
		}
		if _, body := Get(w, sized(w, "ben", "p6")["url"]); !bytes.Equal(body, file) {
			w.T.Error("the native image is not what was sent")
		}
	})
}

// posts 24.8: visibility of the original of a copy.
func TestOriginals(t *testing.T) {
	photo := JPEG(60, 40)
	given := Users("ana", "ben", "cem", "dan", "eva").Does("ana", "%s", ImagePost("first", photo, "", "", "postId")).Image("ben", "other", 70, 40).
		Does("ben", "%s", ImagePost("copy", photo, "", "", "postId")).Block("ana", "cem").Follow("dan", "ana").Details("ana", `privacyStatus: PRIVATE`)
	const look = `{ other: post(postId: "other") { originalPost { postId } } copy: post(postId: "copy") { originalPost { postId } } }`
	shown := func(original string) string {
		return `{"other":{"originalPost":{"postId":"other"}},"copy":{"originalPost":` + original + `}}`
	}
	Test(t, given, func(w *World) {
		for viewer, original := range map[string]string{"ana": `{"postId":"first"}`, "dan": `{"postId":"first"}`, "cem": "null", "eva": "null", "ben": "null"} {
			w.Play(Scenario{Name: viewer, As: viewer, Query: look, Want: shown(original)})
		}
	})
}

// posts 24.9 and 24.10: sizes, colors and crops, of inline images and of uploaded ones.
func TestImagesAsTheyAreShown(t *testing.T) {
	scene := picturetest.Scene(320, 240)
	exif := picturetest.EXIF{Order: binary.BigEndian, Orientation: 1}.Block()
	heic := heiftest.Small().File()
	whole := image.Rectangle{}
	for _, c := range []struct {
		name, format string
		file         []byte
		crop         image.Rectangle
		want         image.Point
	}{
		{"a JPEG", "JPEG", picturetest.JPEG(scene, exif), whole, image.Pt(320, 240)},
		{"a PNG", "JPEG", picturetest.PNG(scene, nil), whole, image.Pt(320, 240)},
		{"a JPEG that is cropped", "JPEG", picturetest.JPEG(scene, exif), image.Rect(10, 20, 210, 120), image.Pt(200, 100)},
		{"a PNG that is cropped", "JPEG", picturetest.PNG(scene, nil), image.Rect(0, 0, 319, 240), image.Pt(319, 240)},
		{"a HEIC that is cropped", "HEIC", heic, image.Rect(1, 2, 31, 22), image.Pt(30, 20)},
	} {
		for _, inline := range []bool{true, false} {
			Test(t, Users("ana"), func(w *World) {
				input := "imageFormat: " + c.format
				if c.crop != whole {
					input += fmt.Sprintf(`, crop: {upperLeft: {x: %d, y: %d}, lowerRight: {x: %d, y: %d}}`, c.crop.Min.X, c.crop.Min.Y, c.crop.Max.X, c.crop.Max.Y)
				}
				if inline {
					w.Must("ana", ImagePost("p", c.file, ", "+input, "", "postId"))
				} else {
					w.Must("ana", `mutation { addPost(postId: "p", imageInput: {`+input+`}) { postId } }`)
					Upload(w, "ana", "p", c.file)
				}
				var a struct {
					Post struct {
						PostStatus string
						Image      struct {
							Width, Height int
							Colors        []struct{ R, G, B int }
						}
					}
				}
				answer := w.Must("ana", `{ post(postId: "p") { postStatus image { width height colors { r g b } } } }`)
				if err := json.Unmarshal(answer.Data, &a); err != nil {
					w.T.Fatal(err)
				}
				shown := a.Post.Image
				if a.Post.PostStatus != "COMPLETED" || image.Pt(shown.Width, shown.Height) != c.want {
					w.T.Fatalf("%s, inline %t: %s", c.name, inline, answer.Data)
				}
				if len(shown.Colors) != 5 || shown.Colors[0].R*shown.Colors[0].G*shown.Colors[0].B == 0 {
					w.T.Errorf("%s, inline %t: colours %v", c.name, inline, shown.Colors)
				}
				for _, size := range []string{"url", "url4k"} {
					if _, body := Get(w, sized(w, "ana", "p")[size]); Bounds(w, body) != c.want {
						w.T.Errorf("%s, inline %t: %s has %v", c.name, inline, size, Bounds(w, body))
					}
				}
			})
		}
	}
}

// service 5#1: the place in a picture is in nothing that is served, nor is what follows
// the picture.
func TestPicturesAreServedWithoutTheirPlace(t *testing.T) {
	scene, isle := picturetest.Scene(320, 240), picturetest.Isle
	block := picturetest.Layout{Order: binary.LittleEndian, At: picturetest.InMaker, Orientation: 1}.Block(isle)
	deep := picturetest.Layout{Order: binary.BigEndian, At: picturetest.InInterop, Entries: 300, Orientation: 6}.Block(isle)
	six := picturetest.JPEG(scene, deep,
		picturetest.Segment(0xe1, "Exif\x00\x00", string(block)),
		picturetest.Segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00", isle.XMP(false)),
		picturetest.Segment(0xe1, "http://ns.adobe.com/xmp/extension/\x00", strings.Repeat("A", 40), isle.XMP(true)),
		picturetest.Segment(0xed, "Photoshop 3.0\x00", string(picturetest.Resource(0x0404, isle.IPTC()))))
	six = append(six, picturetest.JPEG(scene, deep)...)
	profile := picturetest.RawProfile("exif", deep)
	drawing := picturetest.WithChunks(scene, picturetest.Chunk("eXIf", deep),
		picturetest.Chunk("zTXt", append([]byte("Raw profile type exif\x00\x00"), picturetest.Deflated(profile)...)))
	for name, file := range map[string][]byte{"JPEG": six, "PNG": drawing} {
		for _, crop := range []string{"", `, crop: {upperLeft: {x: 1, y: 1}, lowerRight: {x: 101, y: 51}}`} {
			for _, inline := range []bool{true, false} {
				Test(t, Users("ana"), func(w *World) {
					if inline {
						w.Must("ana", ImagePost("p", file, ", takenInReal: true"+crop, `, setAsUserPhoto: true`, "postId"))
					} else {
						w.Must("ana", `mutation { addPost(postId: "p", setAsUserPhoto: true, imageInput: {takenInReal: true`+crop+`}) { postId } }`)
						Upload(w, "ana", "p", file)
					}
					w.Play(Scenario{As: "ana", Query: `{ post(postId: "p") { postStatus } }`, Want: `{"post": {"postStatus": "COMPLETED"}}`})
					var a struct {
						Self struct{ Photo map[string]string }
					}
					answer := w.Must("ana", `{ self { photo { url url4k url64p } } }`)
					if err := json.Unmarshal(answer.Data, &a); err != nil || len(a.Self.Photo) != 3 {
						w.T.Fatalf("%s: %v", answer.Data, err)
					}
					for _, urls := range []map[string]string{sized(w, "ana", "p"), a.Self.Photo} {
						for size, url := range urls {
							status, body := Get(w, url)
							if shown := isle.Shown(body); status != 200 || shown != "" {
								w.T.Errorf("%s, inline %t%s: %s answers %d and shows %s", name, inline, crop, size, status, shown)
							}
							if size == "url" && !bytes.Contains(body, []byte("Lochcamera")) {
								w.T.Errorf("%s, inline %t%s: the camera is missing", name, inline, crop)
							}
						}
					}
				})
			}
		}
	}
}

// posts 24.12, 24.13, 24.14 and 24.15: visibility of content.
func TestWhoSeesContent(t *testing.T) {
	const look = `{ user(userId: "{ana}") { posts { items { postId } } stories { items { postId } } albums { items { albumId } } ` +
		`albumCount postCount onymouslyLikedPosts { items { postId } } }
		post(postId: "p1") { postId viewedBy { nextToken } viewedByCount onymouslyLikedBy { nextToken } onymousLikeCount } album(albumId: "a1") { albumId } }`
	const content = `"posts":{"items":[{"postId":"p1"}]},"stories":{"items":[{"postId":"p1"}]},"albums":{"items":[{"albumId":"a1"}]},` +
		`"albumCount":1,"postCount":1,"onymouslyLikedPosts":{"items":%s}},
		"post":{"postId":"p1","viewedBy":null,"viewedByCount":null,"onymouslyLikedBy":null,"onymousLikeCount":null},"album":{"albumId":"a1"}}`
	shown := `{"user":{` + fmt.Sprintf(content, `[{"postId":"p1"}]`)
	const hidden = `{"user":{"posts":null,"stories":null,"albums":null,"albumCount":null,"postCount":1,"onymouslyLikedPosts":{"items":[]}},"post":null,"album":null}`
	const nothing = `{"user":{"posts":null,"stories":null,"albums":null,"albumCount":null,"postCount":null,"onymouslyLikedPosts":null},"post":null,"album":null}`
	given := Users("ana", "ben").Post("ana", "p1", Lifetime("P1D")).Album("ana", "a1").Like("ana", "p1")
	private := given.Details("ana", `privacyStatus: PRIVATE`)
	asked := private.Follow("ben", "ana")
	Run(t, []Scenario{
		{Name: "public", Given: given, As: "ben", Query: look, Want: shown},
		{Name: "private", Given: private, As: "ben", Query: look, Want: hidden},
		{Name: "private and asked", Given: asked, As: "ben", Query: look, Want: hidden},
		{Name: "private and denied", Given: asked.Deny("ana", "ben"), As: "ben", Query: look, Want: hidden},
		{Name: "private and followed", Given: asked.Accept("ana", "ben"), As: "ben", Query: look, Want: shown},
		{Name: "private and left", Given: asked.Accept("ana", "ben").Unfollow("ben", "ana"), As: "ben", Query: look, Want: hidden},
		{Name: "blocked", Given: given.Block("ana", "ben"), As: "ben", Query: look, Want: nothing},
		{Name: "blocking", Given: given.Block("ben", "ana"), As: "ben", Query: look, Want: shown},
		{
			Name:  "what waits is seen by its owner alone",
			Given: given.Does("ana", `mutation { addPost(postId: "waits") { postId } }`),
			As:    "ana",
			Query: `{ self { posts(postStatus: PENDING, postType: IMAGE) { items { postId } } } }`,
			Want:  `{"self":{"posts":{"items":[{"postId":"waits"}]}}}`,
			Then: []Scenario{
				{
					As:    "ben",
					Query: `{ post(postId: "waits") { postId } user(userId: "{ana}") { posts { items { postId } } } }`,
					Want:  `{"post":null,"user":{"posts":{"items":[{"postId":"p1"}]}}}`,
				},
			},
		},
	})
}

// posts 24.17, 24.18, 24.20 and 24.21: pending posts in albums, and when the URL of the art
// changes.
func TestAlbumsAsTheyAreShown(t *testing.T) {
	given := Users("ana").Album("ana", "a1").Does("ana", `mutation { addPost(postId: "p1", albumId: "a1") { postId } }`)
	const look = `{ album(albumId: "a1") { postCount postsLastUpdatedAt posts { items { postId } } } }`
	Test(t, given, func(w *World) {
		play(w,
			Scenario{As: "ana", Query: `{ post(postId: "p1") { album { albumId } } }`, Want: `{"post":{"album":{"albumId":"a1"}}}`},
			Scenario{As: "ana", Query: look, Want: `{"album":{"postCount":0,"postsLastUpdatedAt":null,"posts":{"items":[]}}}`},
		)
		base := func() string {
			url, _, _ := strings.Cut(Address(w, "ana", `{ album(albumId: "a1") { art { url } } }`, "url"), "?")
			return url
		}
		none := base()
		w.Do(Given{}.Post("ana", "p2", InAlbum("a1"))...)
		first := base()
		Upload(w, "ana", "p1", JPEG(40, 30)) // completed after p2, and so behind it
		w.Play(
			Scenario{
				As:    "ana",
				Query: `{ album(albumId: "a1") { postCount posts { items { postId } } } }`,
				Want:  `{"album":{"postCount":2,"posts":{"items":[{"postId":"p2"},{"postId":"p1"}]}}}`,
			},
		)
		w.Do(Given{}.Post("ana", "p3", InAlbum("a1"))...)
		three := base()
		order := func(post, behind string) string {
			w.Must("ana", fmt.Sprintf(`mutation { editPostAlbumOrder(postId: %q, precedingPostId: %q) { postId } }`, post, behind))
			return base()
		}
		later, front := order("p1", "p3"), order("p3", "")
		back := order("p2", "")
		w.Do(Given{}.Post("ana", "p4", InAlbum("a1"))...)
		four := base()
		other := order("p4", "p2")
		again := order("p4", "p1")
		for name, got := range map[string]bool{
			"the first post changes it":               none != first,
			"a second and a third do not":             first == three,
			"nor does another order behind the first": three == later,
			"another first post does":                 later != front,
			"the first post again is the same":        back == three,
			"four posts change it":                    four != three,
			"and so does their order":                 other != four,
			"the same order is the same":              again == four,
		} {
			if !got {
				w.T.Errorf("art: not so: %s", name)
			}
		}
	})
}

// posts 24.22 and 24.23: feeds, and the effects of following on them.
func TestFeedsAsTheyAreShown(t *testing.T) {
	const feed = `{ self { feed { items { postId postedBy { followedStatus } } } } }`
	item := func(id, status string) string {
		return fmt.Sprintf(`{"postId":%q,"postedBy":{"followedStatus":%q}}`, id, status)
	}
	shows := func(items ...string) string { return `{"self":{"feed":{"items":[` + strings.Join(items, ",") + `]}}}` }
	p1, p2 := item("p1", "FOLLOWING"), item("p2", "FOLLOWING")
	given := Users("ana", "ben").Post("ana", "p1").Post("ana", "p2")
	private := given.Details("ana", `privacyStatus: PRIVATE`).Follow("ben", "ana")
	Run(t, []Scenario{
		{Name: "one's own", Given: given, As: "ana", Query: feed, Want: shows(item("p2", "SELF"), item("p1", "SELF"))},
		{Name: "newest first", Given: given.Follow("ben", "ana"), As: "ben", Query: feed, Want: shows(p2, p1)},
		{Name: "left", Given: given.Follow("ben", "ana").Unfollow("ben", "ana"), As: "ben", Query: feed, Want: shows()},
		{Name: "asked", Given: private, As: "ben", Query: feed, Want: shows()},
		{Name: "accepted", Given: private.Accept("ana", "ben"), As: "ben", Query: feed, Want: shows(p2, p1)},
		{Name: "denied after that", Given: private.Accept("ana", "ben").Deny("ana", "ben"), As: "ben", Query: feed, Want: shows()},
		{Name: "public again", Given: private.Details("ana", `privacyStatus: PUBLIC`), As: "ben", Query: feed, Want: shows(p2, p1)},
	})
}

// posts 24.25: when likes are removed.
func TestWhatBecomesOfLikes(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1").Like("ben", "p1")
	private := Users("ana!private", "ben").Follow("ben", "ana").Accept("ana", "ben").Post("ana", "p1").Like("ben", "p1")
	const look = `{ post(postId: "p1") { onymousLikeCount onymouslyLikedBy { items { username } } } }`
	const kept, gone = `{"post":{"onymousLikeCount":1,"onymouslyLikedBy":{"items":[{"username":"ben"}]}}}`, `{"post":{"onymousLikeCount":0,"onymouslyLikedBy":{"items":[]}}}`
	Run(t, []Scenario{
		{
			Name:  "switched off for the post",
			Given: given.EditPost("ana", "p1", "likesDisabled: true"),
			As:    "ana",
			Query: look,
			Want:  `{"post":{"onymousLikeCount":null,"onymouslyLikedBy":null}}`,
		},
		{Name: "and on again", Given: given.EditPost("ana", "p1", "likesDisabled: true").EditPost("ana", "p1", "likesDisabled: false"), As: "ana", Query: look, Want: kept},
		{
			Name:  "switched off for the owner, and on again",
			Given: given.Details("ana", "likesDisabled: true").Details("ana", "likesDisabled: false"),
			As:    "ana",
			Query: look,
			Want:  kept,
		},
		{Name: "archived, and restored", Given: given.Archive("ana", "p1").Restore("ana", "p1"), As: "ana", Query: look, Want: gone},
		{Name: "the end of a follow of a public user", Given: given.Follow("ben", "ana").Unfollow("ben", "ana"), As: "ana", Query: look, Want: kept},
		{Name: "the end of a follow of a private user", Given: private.Unfollow("ben", "ana"), As: "ana", Query: look, Want: gone},
		{Name: "denied", Given: private.Deny("ana", "ben"), As: "ana", Query: look, Want: gone},
		{Name: "blocked by the owner", Given: given.Block("ana", "ben"), As: "ana", Query: look, Want: gone},
		{Name: "blocked by who likes", Given: given.Block("ben", "ana"), As: "ana", Query: look, Want: gone},
		{Name: "reset", Given: given.Does("ben", `mutation { resetUser { userId } }`), As: "ana", Query: look, Want: gone},
	})
}
