package history_test

import (
	"fmt"
	"maps"
	"time"
)

// flags holds the users who flagged each post or comment.
type flags map[flagged]bool

type flagged struct{ kind, id, by string }

var _ = add(area{
	acts: []kind{
		{5, func(d *draw) act { return onPost("flagPost", d.One(everybody), d.One(postIDs)) }},
		{4, func(d *draw) act {
			id := d.One(commentIDs)
			if a, ok := d.Earlier("addComment"); ok {
				id = a.Text("commentId")
			}
			return act{By: d.One(everybody), Do: "flagComment", Args: []arg{with("commentId", id)}}
		}},
	},
	mutations: map[string]mutation{
		"flagPost":    {"...P", (*model).flagPost},
		"flagComment": {"...C", (*model).flagComment},
	},
	fragments: []fragment{
		{"P", "Post", `flagStatus`, func(m *model, viewer, id string) shown { return m.flagStatus("post", id, viewer) }},
		{"C", "Comment", `flagStatus`, func(m *model, viewer, id string) shown { return m.flagStatus("comment", id, viewer) }},
	},
	removed: func(m *model, id string) {
		maps.DeleteFunc(m.flags, func(f flagged, _ bool) bool { return f.by == id })
	},
	rows: map[string]func(*model, row){
		"post flag":    func(m *model, r row) { m.putFlag("post", r) },
		"comment flag": func(m *model, r row) { m.putFlag("comment", r) },
	},
})

func (m *model) putFlag(kind string, r row) {
	id, by := r.keys()
	m.flags[flagged{kind, id, by}] = true
}

func (m *model) flagStatus(kind, id, viewer string) shown {
	if m.flags[flagged{kind, id, viewer}] {
		return shown{"flagStatus": "FLAGGED"}
	}
	return shown{"flagStatus": "NOT_FLAGGED"}
}

// flagCount returns the number of flags on an item.
func (m *model) flagCount(kind, id string) (n int) {
	for f := range m.flags {
		if f.kind == kind && f.id == id {
			n++
		}
	}
	return n
}

// unflag removes the flags on an item.
func (m *model) unflag(kind, id string) {
	for f := range m.flags {
		if f.kind == kind && f.id == id {
			delete(m.flags, f)
		}
	}
}

// notOpen returns the reason why a user cannot flag an item of an owner, apart from blocks,
// or "".
func (m *model) notOpen(viewer, owner, what string) string {
	if m.users[owner].privacy == "PUBLIC" || m.status(viewer, owner) == "FOLLOWING" {
		return ""
	}
	return "User does not have access to " + what
}

// unfriendly returns the reason why a user cannot flag an item of an author, or "".
func (m *model) unfriendly(viewer, author, what string) string {
	switch {
	case m.blocks[pair{author, viewer}]:
		return "User has been blocked by owner of " + what
	case m.blocks[pair{viewer, author}]:
		return "User has blocked owner of " + what
	case viewer == author:
		return "User cant flag their own " + what
	default:
		return ""
	}
}

func (m *model) flagPost(a act, me *user, at time.Time) (shown, string) {
	id := a.Text("postId")
	p, what := m.posts[id], fmt.Sprintf("post `%s`", id)
	if p == nil {
		return nil, fmt.Sprintf("Post `%s` does not exist", id)
	}
	if refusal := first(m.notOpen(me.id, p.owner, what), m.unfriendly(me.id, p.owner, what)); refusal != "" {
		return nil, refusal
	}
	if m.flags[flagged{"post", id, me.id}] {
		return nil, fmt.Sprintf("Post `%s` has already been flagged by user `{%s}`", id, me.id)
	}
	m.flags[flagged{"post", id, me.id}] = true
	p.condemned = p.condemned || me.id == moderator && (p.completed() || p.status == "ARCHIVED")
	if !p.completed() {
		return nil, ""
	}
	answer := m.show("P", me.id, id)
	if viewers := len(m.viewers(id)); p.condemned || viewers > 5 && 10*m.flagCount("post", id) > viewers {
		m.archive(p, at)
	}
	return answer, ""
}

func (m *model) flagComment(a act, me *user, _ time.Time) (shown, string) {
	id := a.Text("commentId")
	c, what := m.comments[id], fmt.Sprintf("comment `%s`", id)
	if c == nil {
		return nil, fmt.Sprintf("Comment `%s` does not exist", id)
	}
	owner := m.posts[c.post].owner
	refusal := ""
	if me.id != owner {
		refusal = m.notOpen(me.id, owner, what)
		if !m.posts[c.post].completed() || m.blocks[pair{owner, me.id}] && owner != c.by {
			refusal = "User does not have access to " + what
		}
	}
	if refusal = first(refusal, m.unfriendly(me.id, c.by, what)); refusal != "" {
		return nil, refusal
	}
	if m.flags[flagged{"comment", id, me.id}] {
		return nil, fmt.Sprintf("Comment `%s` has already been flagged by user `{%s}`", id, me.id)
	}
	m.flags[flagged{"comment", id, me.id}] = true
	answer := m.show("C", me.id, id)
	if me.id == owner || me.id == moderator {
		m.dropComment(id)
	}
	return answer, ""
}

// dropComment removes a comment with its flags.
func (m *model) dropComment(id string) {
	delete(m.comments, id)
	m.unflag("comment", id)
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
