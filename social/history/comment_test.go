package history_test

import (
	"fmt"
	"slices"
	"time"
)

// comments holds comments by id.
type comments map[string]*comment

type comment struct {
	id, post, by, text string
	at                 time.Time
	tags               []tag
}

var commentIDs = []string{"c1", "c2", "c3", "c4", "c5", "c6"}

var _ = add(area{
	acts: []kind{
		{9, func(d *draw) act {
			return act{By: d.One(everybody), Do: "addComment", Args: []arg{with("commentId", d.One(commentIDs)), with("postId", d.One(postIDs)), with("text", d.One(texts))}}
		}},
		{4, func(d *draw) act {
			by, id := d.One(everybody), d.One(commentIDs)
			if a, ok := d.Earlier("addComment"); ok {
				by, id = a.By, a.Text("commentId")
			}
			return act{By: by, Do: "deleteComment", Args: []arg{with("commentId", id)}}
		}},
	},
	mutations: map[string]mutation{
		"addComment":    {"...C", (*model).addComment},
		"deleteComment": {"...C", (*model).deleteComment},
	},
	fragments: []fragment{
		{"P", "Post", `commentCount commentsCount unviewed: commentsCount(viewedStatus: NOT_VIEWED) viewed: commentsCount(viewedStatus: VIEWED)`,
			func(m *model, viewer, id string) shown {
				p := m.posts[id]
				all, others := 0, 0
				for _, c := range m.comments {
					if c.post == id {
						all++
						if c.by != p.owner && !m.viewedSince(id, p.owner, c.at) {
							others++
						}
					}
				}
				s := shown{}
				s.put(!p.chosen["commentsDisabled"], shown{"commentCount": all, "commentsCount": all})
				s.put(!p.chosen["commentsDisabled"] && viewer == p.owner, shown{"unviewed": others, "viewed": all - others})
				return s
			}},
		{"Below", "Post", `comments { items { ...C } } latest: comments(reverse: true) { items { ...C } }`, func(m *model, viewer, id string) shown {
			items := m.commentsOn(viewer, id)
			latest := slices.Clone(items)
			slices.Reverse(latest)
			s := shown{}
			s.put(!m.posts[id].chosen["commentsDisabled"], shown{"comments": shown{"items": items}, "latest": shown{"items": latest}})
			return s
		}},
		{"C", "Comment", `commentId commentedAt commentedBy { ...Names } text textTaggedUsers { tag user { ...Names } } viewedStatus`,
			func(m *model, viewer, id string) shown {
				c := m.comments[id]
				return shown{
					"commentId": c.id, "commentedAt": instant(c.at), "commentedBy": m.show("Names", viewer, c.by), "text": c.text,
					"textTaggedUsers": m.tagged(viewer, c.tags, c.at),
					"viewedStatus":    viewed(viewer == c.by || m.viewedSince(c.post, viewer, c.at)),
				}
			}},
	},
	removed: func(m *model, id string) { m.uncomment(func(c *comment) bool { return c.by == id }) },
	rows: map[string]func(*model, row){
		"comment -": func(m *model, r row) {
			m.comments[r.text("commentId")] = &comment{
				id: r.text("commentId"), post: r.text("postId"), by: r.who("userId"), text: r.text("text"),
				at: r.time("commentedAt"), tags: r.tags(),
			}
		},
	},
})

func (m *model) addComment(a act, _ *user, at time.Time) (shown, string) {
	id, on := a.Text("commentId"), a.Text("postId")
	p := m.posts[on]
	switch {
	case p == nil:
		return nil, fmt.Sprintf("Post `%s` does not exist", on)
	case p.chosen["commentsDisabled"]:
		return nil, fmt.Sprintf("Comments are disabled on post `%s`", on)
	case m.blocks[pair{p.owner, a.By}]:
		return nil, fmt.Sprintf("Post owner `{%s}` has blocked user `{%s}`", p.owner, a.By)
	case m.blocks[pair{a.By, p.owner}]:
		return nil, fmt.Sprintf("User `{%s}` has blocked post owner `{%s}`", a.By, p.owner)
	case !m.sees(a.By, p.owner):
		return nil, fmt.Sprintf("Post owner `{%s}` is private and user `{%s}` is not a follower", p.owner, a.By)
	case m.comments[id] != nil:
		return nil, fmt.Sprintf("Comment `%s` already exists", id)
	}
	m.comments[id] = &comment{id: id, post: on, by: a.By, text: a.Text("text"), at: at, tags: m.tags(a.Text("text"))}
	return m.show("C", a.By, id), ""
}

func (m *model) deleteComment(a act, _ *user, _ time.Time) (shown, string) {
	id := a.Text("commentId")
	c := m.comments[id]
	switch {
	case c == nil:
		return nil, fmt.Sprintf("No comment with id `%s` found", id)
	case a.By != c.by && a.By != m.posts[c.post].owner:
		return nil, fmt.Sprintf("User is not authorized to delete comment `%s`", id)
	}
	last := m.show("C", a.By, id)
	m.dropComment(id)
	return last, ""
}

// uncomment removes comments.
func (m *model) uncomment(which func(*comment) bool) {
	for _, c := range m.comments {
		if which(c) {
			m.dropComment(c.id)
		}
	}
}

// commentsOn returns the comments on a post, oldest first, except those of users who block
// the viewer.
func (m *model) commentsOn(viewer, id string) []shown {
	var on []*comment
	for _, c := range m.comments {
		if c.post == id && !m.blocks[pair{c.by, viewer}] {
			on = append(on, c)
		}
	}
	slices.SortFunc(on, func(a, b *comment) int { return a.at.Compare(b.at) })
	items := []shown{}
	for _, c := range on {
		items = append(items, m.show("C", viewer, c.id))
	}
	return items
}
