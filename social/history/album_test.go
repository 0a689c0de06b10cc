package history_test

import (
	"cmp"
	"crypto/md5" // names art
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// albums holds albums by id.
type albums map[string]*albumed

type albumed struct {
	id, owner, name string
	at              time.Time
	// shows holds the completed posts, in order.
	shows []string
	// changed is the time of the last change of shows, zero if never.
	changed time.Time
	// ranks counts the assignments of ranks.
	ranks int
	// emptied is when the album became empty.
	emptied time.Time
}

var albumIDs = []string{"al1", "al2", "al3"}

var _ = add(area{
	content: true,
	acts: []kind{
		{7, func(d *draw) act {
			return act{By: d.One(everybody), Do: "addAlbum", Args: []arg{with("albumId", d.One(albumIDs)), with("name", d.One(texts))}}
		}},
		{1, func(d *draw) act { return onAlbum(d, "deleteAlbum") }},
		{8, func(d *draw) act {
			by, id := ownPost(d)
			return act{By: by, Do: "editPostAlbum", Args: []arg{with("postId", id), with("albumId", ownAlbum(d, by))}}
		}},
		{4, func(d *draw) act {
			by, id := ownPost(d)
			return act{By: by, Do: "editPostAlbumOrder", Args: []arg{with("postId", id), with("precedingPostId", d.One(append(postIDs, "")))}}
		}},
	},
	mutations: map[string]mutation{
		"addAlbum":           {"...A", (*model).addAlbum},
		"deleteAlbum":        {"albumId name postCount", (*model).deleteAlbum},
		"editPostAlbum":      {"...P", (*model).editPostAlbum},
		"editPostAlbumOrder": {"...P", (*model).editPostAlbumOrder},
	},
	fragments: []fragment{
		{"A", "Album", `albumId name createdAt postCount postsLastUpdatedAt art { url } posts { items { postId } }`, func(m *model, _, id string) shown {
			a := m.albums[id]
			items := []shown{}
			for _, p := range a.shows {
				items = append(items, shown{"postId": p})
			}
			s := shown{
				"albumId": a.id, "name": a.name, "createdAt": instant(a.at), "postCount": len(a.shows), "posts": shown{"items": items},
				"art": shown{"url": m.art(a)},
			}
			s.put(!a.changed.IsZero(), shown{"postsLastUpdatedAt": instant(a.changed)})
			return s
		}},
		{"P", "Post", `album { albumId name }`, func(m *model, _, id string) shown {
			a := m.albums[m.posts[id].album]
			if a == nil {
				return shown{"album": nil}
			}
			return shown{"album": shown{"albumId": a.id, "name": a.name}}
		}},
		{"U", "User", `albumCount`, func(m *model, viewer, id string) shown {
			s := shown{}
			s.put(m.sees(viewer, id), shown{"albumCount": len(m.albumsOf(id))})
			return s
		}},
		{"Lists", "User", `albums { items { ...A } }`, func(m *model, viewer, id string) shown {
			items := []shown{}
			for _, a := range m.albumsOf(id) {
				items = append(items, m.show("A", viewer, a.id))
			}
			s := shown{}
			s.put(m.sees(viewer, id), shown{"albums": shown{"items": items}})
			return s
		}},
	},
	jobs: []string{"social.delete-empty-albums"},
	passed: func(m *model, at time.Time) {
		for id, a := range m.albums {
			if len(a.shows) == 0 && a.emptied.Add(day).Before(at) {
				m.dropAlbum(id)
			}
		}
	},
	removed: func(m *model, id string) {
		maps.DeleteFunc(m.albums, func(_ string, a *albumed) bool { return a.owner == id })
	},
	rows: map[string]func(*model, row){
		"album -": func(m *model, r row) {
			a := m.album(r.text("albumId"))
			a.owner, a.name, a.at = r.who("ownedByUserId"), r.text("name"), r.time("createdAt")
			a.changed, a.ranks = r.maybe("postsLastUpdatedAt"), r.number("rankCount")
		},
	},
	stored: func(m *model, rows []row) string {
		for _, r := range rows {
			switch a := m.albums[r.text("albumId")]; {
			case r.kind() != "album -":
			case a == nil:
				return fmt.Sprintf("album %s is left", r.text("albumId"))
			case r.number("rankCount") != a.ranks:
				return fmt.Sprintf("album %s has given %d ranks, want %d", a.id, r.number("rankCount"), a.ranks)
			}
		}
		return ""
	},
})

func onAlbum(d *draw, do string) act {
	by, id := d.One(everybody), d.One(albumIDs)
	if a, ok := d.Earlier("addAlbum"); ok {
		by, id = a.By, a.Text("albumId")
	}
	return act{By: by, Do: do, Args: []arg{with("albumId", id)}}
}

// ownAlbum returns the id of an album, usually one of the user, otherwise any or none.
func ownAlbum(d *draw, by string) string {
	var made []string
	for _, a := range d.Past {
		if a.Do == "addAlbum" && a.By == by {
			made = append(made, a.Text("albumId"))
		}
	}
	if len(made) == 0 || d.IntN(5) == 0 {
		return d.One(append(albumIDs, ""))
	}
	return d.One(made)
}

// album returns an album, adding it if it is unknown.
func (m *model) album(id string) *albumed {
	if m.albums[id] == nil {
		m.albums[id] = &albumed{id: id}
	}
	return m.albums[id]
}

func (m *model) albumsOf(owner string) []*albumed {
	var found []*albumed
	for _, a := range m.albums {
		if a.owner == owner {
			found = append(found, a)
		}
	}
	slices.SortFunc(found, func(a, b *albumed) int { return a.at.Compare(b.at) })
	return found
}

func (m *model) addAlbum(a act, me *user, at time.Time) (shown, string) {
	id := a.Text("albumId")
	if m.albums[id] != nil {
		return nil, fmt.Sprintf("Album `%s` already exists", id)
	}
	m.albums[id] = &albumed{id: id, owner: me.id, name: a.Text("name"), at: at, emptied: at}
	return m.show("A", me.id, id), ""
}

func (m *model) deleteAlbum(a act, me *user, _ time.Time) (shown, string) {
	id := a.Text("albumId")
	gone := m.albums[id]
	switch {
	case gone == nil:
		return nil, fmt.Sprintf("Album `%s` does not exist", id)
	case gone.owner != me.id:
		return nil, fmt.Sprintf("Caller `{%s}` does not own Album `%s`", me.id, id)
	}
	m.dropAlbum(id)
	return shown{"albumId": id, "name": gone.name, "postCount": len(gone.shows)}, ""
}

// dropAlbum removes an album and keeps its posts.
func (m *model) dropAlbum(id string) {
	delete(m.albums, id)
	for _, p := range m.posts {
		if p.album == id {
			p.album = ""
		}
	}
}

func (m *model) editPostAlbum(a act, _ *user, at time.Time) (shown, string) {
	p, refusal := m.shelved(a)
	id := a.Text("albumId")
	switch {
	case refusal != "":
		return nil, refusal
	case id == p.album:
	case id != "" && m.albums[id] == nil:
		return nil, fmt.Sprintf("Album `%s` does not exist", id)
	case id != "" && m.albums[id].owner != p.owner:
		return nil, fmt.Sprintf("Album `%s` and post `%s` belong to different users", id, p.id)
	default:
		m.unshelve(p, at)
		p.album = id
		m.shelve(p, at)
	}
	return m.show("P", a.By, p.id), ""
}

func (m *model) editPostAlbumOrder(a act, _ *user, at time.Time) (shown, string) {
	p, refusal := m.shelved(a)
	id := a.Text("precedingPostId")
	before := m.posts[id]
	switch {
	case refusal != "":
		return nil, refusal
	case p.album == "":
		return nil, fmt.Sprintf("Post `%s` is not in an album", p.id)
	case id == "":
	case before == nil:
		return nil, fmt.Sprintf("Preceding post `%s` does not exist", id)
	case before.owner != p.owner:
		return nil, fmt.Sprintf("Preceding post `%s` does not belong to caller", id)
	case before.album != p.album:
		return nil, fmt.Sprintf("Preceding post `%s` is not in album post is in", id)
	}
	if p.completed() && before != p {
		in := m.albums[p.album]
		order := slices.DeleteFunc(slices.Clone(in.shows), func(id string) bool { return id == p.id })
		place := 0
		if before != nil && before.completed() {
			place = slices.Index(order, id) + 1
		}
		order = slices.Insert(order, place, p.id)
		if !slices.Equal(order, in.shows) {
			in.shows = order
			in.touch(p, at)
		}
	}
	return m.show("P", a.By, p.id), ""
}

func (m *model) shelved(a act) (*post, string) {
	p := m.posts[a.Text("postId")]
	switch {
	case p == nil:
		return nil, fmt.Sprintf("Post `%s` does not exist", a.Text("postId"))
	case p.owner != a.By:
		return nil, "Cannot edit another user's post"
	}
	return p, ""
}

// shelve adds a post to the end of its album, which shows it if it is completed.
func (m *model) shelve(p *post, at time.Time) {
	if a := m.albums[p.album]; a != nil && p.completed() {
		a.shows = append(a.shows, p.id)
		a.touch(p, at)
	}
}

// unshelve removes a post from those that its album shows.
func (m *model) unshelve(p *post, at time.Time) {
	if a := m.albums[p.album]; a != nil && slices.Contains(a.shows, p.id) {
		a.shows = slices.DeleteFunc(a.shows, func(id string) bool { return id == p.id })
		a.changed = at
		a.emptied = at
	}
}

// touch records a change of an album: at least a millisecond after the post.
func (a *albumed) touch(p *post, at time.Time) {
	a.changed = at
	if earliest := p.at.Add(time.Millisecond); at.Before(earliest) {
		a.changed = earliest
	}
	a.ranks++
}

// art identifies the art of an album: that of its first posts, as many as form a square.
func (m *model) art(a *albumed) string {
	for _, used := range []int{16, 9, 4, 1} {
		if len(a.shows) >= used {
			sum := md5.Sum([]byte(strings.Join(a.shows[:used], "")))
			return fmt.Sprintf("https://stoa.example/media/{%s}/album/%s/%x/native.jpg", a.owner, a.id, sum)
		}
	}
	return "https://stoa.example/default-album-art/native.jpg"
}

// rank returns the rank of a stored post.
func (r row) rank() float64 {
	rank, _ := r["gsiK3SortKey"].(float64)
	return rank
}

// arrange adds stored posts to their albums, by rank.
func (m *model) arrange() {
	var ranked []*post
	for _, p := range m.posts {
		ranked = append(ranked, p)
	}
	slices.SortFunc(ranked, func(a, b *post) int { return cmp.Compare(a.rank, b.rank) })
	for _, p := range ranked {
		if a := m.albums[p.album]; a != nil && p.completed() {
			a.shows = append(a.shows, p.id)
		}
	}
}
