package history_test

import (
	"slices"
	"time"
)

// views holds one user's views of one post, for each pair.
type views map[liked]*view

type view struct {
	first, last       time.Time
	thumbnails, focus int
}

var _ = add(area{
	content: true,
	acts: []kind{
		{1, func(d *draw) act {
			return act{By: d.One(everybody), Do: "reportScreenViews", Args: []arg{with("screens", []string{d.One(texts), "home"}[d.IntN(2):])}}
		}},
		{8, func(d *draw) act {
			ids := []string{d.One(postIDs), d.One(postIDs)}[d.IntN(2):]
			return act{By: d.One(everybody), Do: "reportPostViews", Args: append([]arg{with("postIds", ids)}, d.Some(0, with("viewType", enum(d.One([]string{"THUMBNAIL", "FOCUS"}))))...)}
		}},
	},
	mutations: map[string]mutation{"reportPostViews": {"", (*model).reportPostViews}, "reportScreenViews": {"", (*model).reportScreenViews}},
	callers:   map[string]string{"reportPostViews": "ACTIVE or ANONYMOUS", "reportScreenViews": "ACTIVE or ANONYMOUS"},
	fragments: []fragment{
		{"P", "Post", `viewedByCount`, func(m *model, viewer, id string) shown {
			s := shown{}
			s.put(m.seesViews(viewer, id), shown{"viewedByCount": len(m.viewers(id))})
			return s
		}},
		{"Below", "Post", `viewedBy { items { ...U } }`, func(m *model, viewer, id string) shown {
			s := shown{}
			s.put(m.seesViews(viewer, id), shown{"viewedBy": m.listed(viewer, m.viewers(id))})
			return s
		}},
		{"U", "User", `postViewedByCount`, func(m *model, viewer, id string) shown {
			s := shown{}
			s.put(viewer == id && !m.users[id].chosen["viewCountsHidden"], shown{"postViewedByCount": m.users[id].viewedBy})
			return s
		}},
	},
	removed: func(m *model, id string) {
		m.unview(func(v liked) bool {
			if v.by == id && m.posts[v.post].owner != id {
				m.users[m.posts[v.post].owner].viewedBy--
			}
			return v.by == id
		})
	},
	rows: map[string]func(*model, row){
		"screen view": func(*model, row) {}, // nobody sees them
		"post view": func(m *model, r row) {
			post, by := r.keys()
			m.views[liked{post, by}] = &view{r.time("firstViewedAt"), r.time("lastViewedAt"), r.number("thumbnailViewCount"), r.number("focusViewCount")}
		},
	},
})

func (m *model) reportPostViews(a act, me *user, at time.Time) (shown, string) {
	for _, id := range a.Words("postIds") {
		p := m.posts[id]
		if p == nil || !p.completed() {
			continue
		}
		m.view(p, me, a.Text("viewType") == "FOCUS", at)
		if original := m.posts[p.image.original]; original != nil && original.completed() {
			m.view(original, me, a.Text("viewType") == "FOCUS", at)
		}
	}
	return nil, ""
}

// view records a view of a post, or of the original of a copy.
func (m *model) view(p *post, by *user, focus bool, at time.Time) {
	v, owner := m.views[liked{p.id, by.id}], m.users[p.owner]
	if v == nil {
		v = &view{first: at}
		m.views[liked{p.id, by.id}] = v
		if owner != by {
			owner.viewedBy++
		}
	}
	v.last = at
	count := &v.thumbnails
	if focus {
		count = &v.focus
	}
	if *count++; *count == 1 && owner != by {
		m.earn(p, focus, at)
	}
}

// unview removes views.
func (m *model) unview(which func(liked) bool) {
	for v := range m.views {
		if which(v) {
			delete(m.views, v)
		}
	}
}

// viewedSince reports whether a user viewed a post at a time or later.
func (m *model) viewedSince(postID, by string, at time.Time) bool {
	v := m.views[liked{postID, by}]
	return v != nil && !v.last.Before(at)
}

// viewers returns the viewers of a post except its owner, first viewer first.
func (m *model) viewers(id string) []string {
	var found []string
	for v := range m.views {
		if v.post == id && v.by != m.posts[id].owner {
			found = append(found, v.by)
		}
	}
	slices.SortFunc(found, func(a, b string) int { return m.views[liked{id, a}].first.Compare(m.views[liked{id, b}].first) })
	return found
}

func (m *model) seesViews(viewer, id string) bool {
	p := m.posts[id]
	return viewer == p.owner && !m.users[p.owner].chosen["viewCountsHidden"]
}

// reportScreenViews has no visible effect.
func (m *model) reportScreenViews(act, *user, time.Time) (shown, string) { return nil, "" }
