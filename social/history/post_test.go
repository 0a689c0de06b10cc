package history_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// posts holds posts by id.
type posts map[string]*post

type post struct {
	id, owner, text string
	kind, status    string
	condemned       bool      // by a moderator, so it cannot be restored
	at, textAt      time.Time // of the post, and of its present text
	tags            []tag
	keywords        []string
	chosen          map[string]bool
	ends            time.Time
	album           string
	rank            float64 // of a stored post
	image           image
}

func (p *post) completed() bool { return p.status == "COMPLETED" }

type tag struct{ text, user string }

var (
	postIDs      = []string{"p1", "p2", "p3", "p4", "p5", "p6"}
	postSwitches = []string{"commentsDisabled", "likesDisabled", "sharingDisabled", "verificationHidden"}
)

// firstPosts returns the first acts of histories, so that later ones have an effect.
func firstPosts() []act {
	var acts []act
	for i, id := range postIDs[:3] {
		acts = append(acts, act{By: everybody[i], Do: "addPost", Args: []arg{with("postId", id), with("postType", enum("TEXT_ONLY")), with("text", "hello")}})
	}
	return acts
}

var _ = add(area{
	content: true,
	acts: []kind{
		{11, func(d *draw) act {
			return newPost(d, with("postType", enum("TEXT_ONLY")), with("text", d.One(texts)))
		}},
		{4, func(d *draw) act {
			by, id := ownPost(d)
			return act{By: by, Do: "editPost", Args: append([]arg{with("postId", id)}, d.Some(0, with("text", d.One(texts)), with("keywords", []string{}),
				d.Choice("commentsDisabled"), d.Choice("likesDisabled"), d.Choice("verificationHidden"))...)}
		}},
		{2, func(d *draw) act {
			by, id := ownPost(d)
			return act{By: by, Do: "deletePost", Args: []arg{with("postId", id)}}
		}},
		{2, func(d *draw) act {
			by, id := ownPost(d)
			return onPost("archivePost", by, id)
		}},
		{3, func(d *draw) act {
			by, id := ownPost(d)
			return onPost("restoreArchivedPost", by, id)
		}},
	},
	mutations: map[string]mutation{
		"addPost":    {"...P ...Below", (*model).addPost},
		"editPost":   {"...P ...Below", (*model).editPost},
		"deletePost": {"...P", (*model).deletePost}, // what is below it goes late

		"archivePost":         {"...P", (*model).archivePost},
		"restoreArchivedPost": {"...P", (*model).restorePost},
	},
	fragments: []fragment{
		{"U", "User", `postCount`, func(m *model, viewer, id string) shown {
			s := shown{}
			s.put(!m.blocks[pair{id, viewer}], shown{"postCount": len(m.postsOf(id))})
			return s
		}},
		{"Lists", "User", `posts(limit: 9) { items { ...P } } feed(limit: 9) { items { ...P } }`, func(m *model, viewer, id string) shown {
			s := shown{}
			s.put(m.sees(viewer, id), shown{"posts": m.visible(viewer, m.postsOf(id))})
			s.put(viewer == id, shown{"feed": m.visible(viewer, m.feed(id))})
			return s
		}},
		{"P", "Post", `postId postedAt expiresAt postedBy { ...Names } postType postStatus text textTaggedUsers { tag user { ...Names } } keywords
			commentsDisabled likesDisabled sharingDisabled verificationHidden viewedStatus`, (*model).post},
	},
	removed: func(m *model, id string) {
		for _, p := range m.posts {
			if p.owner == id {
				m.dropPost(p, time.Time{}) // and its album goes, too
			}
		}
	},
	rows: map[string]func(*model, row){
		"post -": func(m *model, r row) {
			m.posts[r.text("postId")] = &post{
				id: r.text(
					"postId",
				), owner: r.who("postedByUserId"), text: r.text("text"), at: r.time("postedAt"), kind: r.text("postType"), status: r.text("postStatus"),
				condemned: r.text("removedBy") == "MODERATOR",
				textAt:    r.textAt(), tags: r.tags(), keywords: r.keywords(), chosen: r.chosen(), image: r.image(), album: r.text("albumId"), rank: r.rank(), ends: r.ends(),
			}
		},
	},
})

// newPost returns an act that adds a post, with common arguments.
func newPost(d *draw, args ...arg) act {
	by := d.One(everybody)
	return act{By: by, Do: "addPost", Args: slices.Concat([]arg{with("postId", d.One(postIDs))}, args,
		d.Some(0, with("keywords", []string{"a", "b", "a"}), with("lifetime", d.One(lifetimes)), with("albumId", ownAlbum(d, by)),
			d.Choice("commentsDisabled"), d.Choice("likesDisabled"), d.Choice("sharingDisabled"), d.Choice("verificationHidden")))}
}

// ownPost returns a post and a user, usually its owner.
func ownPost(d *draw) (by, id string) {
	if a, ok := d.Earlier("addPost"); ok {
		return a.By, a.Text("postId")
	}
	return d.One(everybody), d.One(postIDs)
}

func (m *model) addPost(a act, me *user, at time.Time) (shown, string) {
	id, in := a.Text("postId"), a.Text("albumId")
	p := &post{
		id: id, owner: me.id, kind: a.Text("postType"), status: "PENDING", text: a.Text("text"), at: at, textAt: at, album: in,
		keywords: a.Words("keywords"), chosen: map[string]bool{},
	}
	switch {
	case p.kind == "TEXT_ONLY" && p.text == "":
		return nil, "Cannot add text-only post without text"
	case in != "" && m.albums[in] == nil:
		return nil, fmt.Sprintf("Album `%s` does not exist", in)
	case in != "" && m.albums[in].owner != me.id:
		return nil, fmt.Sprintf("Album `%s` does not belong to caller user `{%s}`", in, me.id)
	case m.posts[id] != nil:
		return nil, fmt.Sprintf("Post `%s` duplicated", id)
	}
	p.tags = m.tags(p.text)
	if a.Has("lifetime") {
		length, err := time.ParseDuration(strings.ToLower(strings.TrimPrefix(a.Text("lifetime"), "PT")))
		if err != nil {
			panic(err)
		}
		p.ends = at.Add(length)
	}
	for _, name := range postSwitches {
		if on, ok := me.chosen[name]; ok {
			p.chosen[name] = on
		}
	}
	a.Choices(p.chosen, postSwitches)
	m.posts[id] = p
	switch {
	case p.kind == "TEXT_ONLY":
		m.complete(p, at)
	case a.Has("imageInput"):
		p.image.sent = sentAs(a.Text("imageInput"))
		if p.image.sent.file != "" {
			m.process(p, p.image.sent.file, at)
		}
	}
	return m.fullPost(me.id, id), ""
}

// complete publishes a post for the first time.
func (m *model) complete(p *post, at time.Time) {
	p.status = "COMPLETED"
	m.shelve(p, at)
	if weight := m.weight(p, at); weight > 0 {
		m.trend("post/"+p.id, weight, at)
	}
}

func (m *model) editPost(a act, _ *user, at time.Time) (shown, string) {
	p, refusal := m.mine(a, "edit")
	switch {
	case refusal != "":
		return nil, refusal
	case len(a.Args) == 1:
		return nil, "Empty edit requested"
	case p.kind == "TEXT_ONLY" && a.Has("text") && a.Text("text") == "":
		return nil, "Cannot set text to null on text-only post"
	}
	if a.Has("text") {
		p.text, p.tags, p.textAt = a.Text("text"), m.tags(a.Text("text")), at
	}
	if a.Has("keywords") {
		p.keywords = a.Words("keywords")
	}
	a.Choices(p.chosen, postSwitches)
	return m.fullPost(a.By, p.id), ""
}

func (m *model) deletePost(a act, _ *user, at time.Time) (shown, string) {
	p, refusal := m.mine(a, "delete")
	if refusal != "" {
		return nil, refusal
	}
	p.status = "DELETING"
	last := m.show("P", a.By, p.id)
	m.dropPost(p, at)
	return last, ""
}

// dropPost removes a post and everything that other users added to it.
func (m *model) dropPost(p *post, at time.Time) {
	m.unshelve(p, at)
	delete(m.posts, p.id)
	delete(m.trends, "post/"+p.id)
	m.unlike(func(l liked) bool { return l.post == p.id })
	m.unview(func(v liked) bool { return v.post == p.id })
	m.unflag("post", p.id)
	m.uncomment(func(c *comment) bool { return c.post == p.id })
}

func (m *model) archivePost(a act, _ *user, at time.Time) (shown, string) {
	p, refusal := m.mine(a, "archive")
	switch {
	case refusal != "":
		return nil, refusal
	case !p.completed():
		return nil, fmt.Sprintf("Cannot archive post with status `%s`", p.status)
	}
	p.status = "ARCHIVED"
	last := m.show("P", a.By, p.id) // its likes go late
	m.archive(p, at)
	return last, ""
}

// archive archives a post and removes its likes.
func (m *model) archive(p *post, at time.Time) {
	p.status = "ARCHIVED"
	m.unshelve(p, at)
	delete(m.trends, "post/"+p.id)
	m.unlike(func(l liked) bool { return l.post == p.id })
}

func (m *model) restorePost(a act, _ *user, at time.Time) (shown, string) {
	p, refusal := m.mine(a, "restore")
	switch {
	case refusal != "":
		return nil, refusal
	case p.status != "ARCHIVED":
		return nil, fmt.Sprintf("Post `%s` is not archived (has status `%s`)", p.id, p.status)
	case p.condemned:
		return nil, fmt.Sprintf("Post `%s` was removed by a moderator", p.id)
	}
	p.status = "COMPLETED"
	m.shelve(p, at)
	return m.show("P", a.By, p.id), ""
}

func (m *model) mine(a act, verb string) (*post, string) {
	p := m.posts[a.Text("postId")]
	switch {
	case p == nil:
		return nil, fmt.Sprintf("Post `%s` does not exist", a.Text("postId"))
	case p.owner != a.By:
		return nil, fmt.Sprintf("Cannot %s another User's post", verb)
	}
	return p, ""
}

// textAt returns the time of a post's current text.
func (r row) textAt() time.Time {
	if edited := r.maybe("textEditedAt"); !edited.IsZero() {
		return edited
	}
	return r.time("postedAt")
}

var mentionForm = regexp.MustCompile(`@[a-zA-Z0-9_.]{3,30}`)

// tags returns the mentions of existing usernames in a text, each once.
func (m *model) tags(text string) []tag {
	var tags []tag
	for _, mention := range mentionForm.FindAllString(text, -1) {
		for _, u := range m.users {
			if found := (tag{mention, u.id}); "@"+u.username == mention && !slices.Contains(tags, found) {
				tags = append(tags, found)
			}
		}
	}
	return tags
}

// tagged filters out users who have been removed, even if they have a newer profile, and
// those who block the viewer.
func (m *model) tagged(viewer string, tags []tag, at time.Time) []shown {
	found := []shown{}
	for _, t := range tags {
		if u := m.users[t.user]; u != nil && !u.signedUpAt.After(at) && !m.blocks[pair{t.user, viewer}] {
			found = append(found, shown{"tag": t.text, "user": m.show("Names", viewer, t.user)})
		}
	}
	return found
}

// postsOf returns the completed posts of users, newest first.
func (m *model) postsOf(owners ...string) []*post { return m.postsIn("COMPLETED", owners...) }

func (m *model) postsIn(status string, owners ...string) []*post {
	var found []*post
	for _, p := range m.posts {
		if slices.Contains(owners, p.owner) && p.status == status {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b *post) int { return b.at.Compare(a.at) })
	return found
}

func (m *model) feed(id string) []*post {
	return m.postsOf(append(m.followeds(id, "FOLLOWING"), id)...)
}

// visible filters a list of posts by what its viewer may see.
func (m *model) visible(viewer string, posts []*post) shown {
	items := []shown{}
	for _, p := range posts {
		if m.sees(viewer, p.owner) {
			items = append(items, m.show("P", viewer, p.id))
		}
	}
	return shown{"items": items}
}

// post returns the fields of a post that a viewer is shown, except those that other users
// contribute to.
func (m *model) post(viewer, id string) shown {
	p := m.posts[id]
	owns := viewer == p.owner
	likesDisabled, chosen := p.chosen["likesDisabled"]
	s := shown{
		"postId": p.id, "postedAt": instant(p.at), "postedBy": m.show("Names", viewer, p.owner), "postType": p.kind, "postStatus": p.status,
		"text": given(p.text), "textTaggedUsers": m.tagged(viewer, p.tags, p.textAt), "keywords": p.keywords,
		"commentsDisabled": p.chosen["commentsDisabled"], "sharingDisabled": p.chosen["sharingDisabled"], "likesDisabled": likesDisabled || !chosen,
		"viewedStatus": viewed(owns || m.users[p.owner].username == leader || m.views[liked{id, viewer}] != nil),
	}
	s.put(!p.ends.IsZero(), shown{"expiresAt": instant(p.ends)})
	s.put(owns, shown{"verificationHidden": p.chosen["verificationHidden"]})
	return s
}

// fullPost returns a post with its lists.
func (m *model) fullPost(viewer, id string) shown {
	s := m.show("P", viewer, id)
	maps.Copy(s, m.show("Below", viewer, id))
	return s
}

// shows reports whether a viewer sees a post.
func (m *model) shows(viewer, id string) bool {
	p := m.posts[id]
	return p != nil && m.sees(viewer, p.owner) && (p.completed() || p.owner == viewer)
}

// everyPost returns queries for all posts, and what a viewer is shown.
func (m *model) everyPost(viewer string, ids []string) (queries []string, s shown) {
	s = shown{}
	for _, id := range ids {
		queries = append(queries, fmt.Sprintf(`%s: post(postId: %q) { ...P ...Below }`, id, id))
		s[id] = nil
		if m.shows(viewer, id) {
			s[id] = m.fullPost(viewer, id)
		}
	}
	return queries, s
}
