package history_test

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/media/picture/picturetest"
	"stoa/social/socialtest"
)

// image is the model of a post's image.
type image struct {
	sent          sent
	width, height int // 0 until it is processed
	// sum identifies the image data; verdict is nil until the image is verified.
	sum      string
	verdict  *bool
	original string
}

// sent is a client's description of an image.
type sent struct {
	input string
	file  string // that comes along, "" for none
	taken bool
	// width and height are the size of a crop from the top-left corner, 0 if none.
	width, height int
}

// Files by name. Those without a size are not images.
var (
	files = map[string][]byte{"wide": picturetest.PNG(picturetest.Photo(8, 6), nil), "tall": picturetest.PNG(picturetest.Photo(6, 8), nil), "none": []byte("no picture")}
	sizes = map[string][2]int{"wide": {8, 6}, "tall": {6, 8}}
	names = []string{"wide", "tall", "none"}
)

// sendings lists descriptions of images: with each file or none, and with each crop or
// none. The crop fits one of the images.
var sendings = func() []sent {
	var all []sent
	for _, file := range append(names, "") {
		for _, taken := range []bool{false, true} {
			for _, crop := range [][2]int{{}, {7, 4}} {
				s := sent{file: file, taken: taken, width: crop[0], height: crop[1]}
				s.input = fmt.Sprintf("{takenInReal: %t", taken)
				if file != "" {
					s.input += fmt.Sprintf(", imageData: %q", socialtest.Base64(files[file]))
				}
				if crop[0] > 0 {
					s.input += fmt.Sprintf(", crop: {upperLeft: {x: 0, y: 0}, lowerRight: {x: %d, y: %d}}", crop[0], crop[1])
				}
				s.input += "}"
				all = append(all, s)
			}
		}
	}
	return all
}()

func sentAs(input string) sent {
	return sendings[slices.IndexFunc(sendings, func(s sent) bool { return s.input == input })]
}

var _ = add(area{
	content: true,
	acts: []kind{
		{12, func(d *draw) act {
			return newPost(d, with("postType", enum("IMAGE")), with("imageInput", enum(sendings[d.IntN(len(sendings))].input)))
		}},
		{2, func(d *draw) act { return newPost(d, with("postType", enum("VIDEO")), with("text", d.One(texts))) }},
		{1, func(d *draw) act { return newPost(d, with("postType", enum("IMAGE"))) }},
		{8, func(d *draw) act {
			_, id := ownPost(d)
			return act{Do: "upload", Args: []arg{with("postId", id), with("file", d.One(names))}}
		}},
	},
	does: map[string]func(*apptest.World, *model, act){"upload": upload},
	fragments: []fragment{
		{"P", "Post", `isVerified image { url width height } imageUploadUrl videoUploadUrl originalPost { postId }`, func(m *model, viewer, id string) shown {
			p := m.posts[id]
			files := fmt.Sprintf("https://stoa.example/media/{%s}/post/%s/", p.owner, id)
			published := p.status == "COMPLETED" || p.status == "ARCHIVED"
			waits := p.status == "PENDING" && viewer == p.owner
			s := shown{"isVerified": nil, "originalPost": nil}
			s.put(p.kind == "IMAGE" && published, shown{"image": shown{"url": files + "image/native.jpg", "width": p.image.width, "height": p.image.height}})
			s.put(p.kind == "IMAGE" && waits, shown{"imageUploadUrl": files + "image/native.jpg"})
			s.put(p.kind == "VIDEO" && waits, shown{"videoUploadUrl": files + "video-original.mov"})
			if v := p.verified(); v != nil {
				s["isVerified"] = *v
			}
			switch {
			case p.status == "PENDING" || p.status == "ERROR":
			case p.image.original == "":
				s["originalPost"] = shown{"postId": id}
			case m.shows(viewer, p.image.original):
				s["originalPost"] = shown{"postId": p.image.original}
			}
			return s
		}},
		{
			"Own",
			"User",
			`pending: posts(postStatus: PENDING, limit: 9) { items { ...P } } archived: posts(postStatus: ARCHIVED, limit: 9) { items { ...P } } ` +
				`failed: posts(postStatus: ERROR, limit: 9) { items { ...P } }`,
			func(m *model, _, id string) shown {
				return shown{
					"pending": m.visible(id, m.postsIn("PENDING", id)), "archived": m.visible(id, m.postsIn("ARCHIVED", id)), "failed": m.visible(id, m.postsIn("ERROR", id)),
				}
			},
		},
	},
	rows: map[string]func(*model, row){
		"post image": func(m *model, r row) {
			id, _ := r.keys()
			m.late = append(m.late, func() { m.posts[id].image.width, m.posts[id].image.height = r.number("width"), r.number("height") })
		},
	},
})

// verified returns the verdict as shown.
func (p *post) verified() *bool {
	if yes := true; p.image.verdict != nil && p.chosen["verificationHidden"] {
		return &yes
	}
	return p.image.verdict
}

// image returns the image of a stored post.
func (r row) image() (i image) {
	i.original, i.sum = r.text("originalPostId"), r.text("checksum")
	for _, name := range []string{"isVerified", "isVerifiedHiddenValue"} {
		if verdict, ok := r[name].(bool); ok {
			i.verdict = &verdict
		}
	}
	return i
}

// upload uploads a file for a pending post. After a failure of the store it is uploaded
// again, and accepted files that were not processed are resumed by the job, until there is
// a result.
func upload(w *apptest.World, m *model, a act) {
	p := m.posts[a.Text("postId")]
	if p == nil || p.kind != "IMAGE" || p.status != "PENDING" {
		return
	}
	url := socialtest.Address(w, p.owner, fmt.Sprintf(`{ post(postId: %q) { imageUploadUrl } }`, p.id), "imageUploadUrl")
	file := a.Text("file")
	disarm := w.Client.Arm(a.Fault)
	status, _ := socialtest.Send(w, http.MethodPut, url, "image/jpeg", files[file])
	failed := disarm()
	w.Settle()
	for failed && slices.Contains([]any{"PENDING", "PROCESSING"}, w.Get("main", "post/"+p.id, "-")["postStatus"]) {
		w.Advance(time.Minute)
		status, _ = socialtest.Send(w, http.MethodPut, url, "image/jpeg", files[file])
		w.RunJob("social.resume-uploads")
		w.Settle()
	}
	if status != http.StatusOK && !failed {
		w.T.Errorf("upload for %s: %d", p.id, status)
	}
	m.process(p, file, w.Now())
}

// process completes a post or sets it to ERROR, depending on its file.
func (m *model) process(p *post, file string, at time.Time) {
	i := &p.image
	size, fits := sizes[file]
	if !fits || i.sent.width > size[0] || i.sent.height > size[1] {
		p.status = "ERROR"
		return
	}
	i.sum = file
	if i.sent.width > 0 {
		size = [2]int{i.sent.width, i.sent.height}
		i.sum += " cropped"
	}
	i.width, i.height, i.verdict = size[0], size[1], &i.sent.taken
	first := p
	for _, other := range m.posts {
		if other.image.sum == i.sum && other.at.Before(first.at) {
			first = other
		}
	}
	if first != p {
		i.original = first.id
	}
	m.complete(p, at)
}
