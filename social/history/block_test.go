package history_test

import (
	"fmt"
	"maps"
	"time"
)

// blocks holds the pairs of blocker and blocked user.
type blocks map[pair]bool

type pair struct{ from, to string }

// has reports whether a user is one of the two.
func (p pair) has(id string) bool { return p.from == id || p.to == id }

var _ = add(area{
	acts: []kind{
		{2, func(d *draw) act { return about("blockUser", d.One(everybody), d.One(everybody)) }},
		{2, func(d *draw) act {
			if a, ok := d.Earlier("blockUser"); ok {
				return about("unblockUser", a.By, who(a))
			}
			return about("unblockUser", d.One(everybody), d.One(everybody))
		}},
	},
	mutations: map[string]mutation{
		"blockUser":   {"...U", (*model).block},
		"unblockUser": {"...U", (*model).unblock},
	},
	removed: func(m *model, id string) {
		maps.DeleteFunc(m.blocks, func(p pair, _ bool) bool { return p.has(id) })
	},
	rows: map[string]func(*model, row){
		"user blocker": func(m *model, r row) { m.blocks[pair{r.who("blockerUserId"), r.who("blockedUserId")}] = true },
	},
	fragments: []fragment{
		{"Names", "User", `blockedStatus blockerStatus`, func(m *model, viewer, id string) shown {
			status := func(p pair) string {
				switch {
				case viewer == id:
					return "SELF"
				case m.blocks[p]:
					return "BLOCKING"
				default:
					return "NOT_BLOCKING"
				}
			}
			return shown{"blockedStatus": status(pair{viewer, id}), "blockerStatus": status(pair{id, viewer})}
		}},
	},
})

// apart reports whether one of two users blocks the other.
func (m *model) apart(a, b string) bool { return m.blocks[pair{a, b}] || m.blocks[pair{b, a}] }

func (m *model) block(a act, _ *user, _ time.Time) (shown, string) {
	id := who(a)
	u := m.users[id]
	switch {
	case id == a.By:
		return nil, "Cannot block yourself"
	case u == nil:
		return nil, fmt.Sprintf("User `{%s}` does not exist", id)
	case m.blocks[pair{a.By, id}]:
		return nil, fmt.Sprintf("User `{%s}` has already blocked user `{%s}`", a.By, id)
	case u.status != "ACTIVE":
		return nil, fmt.Sprintf("Cannot block user with status `%s`", u.status)
	}
	m.blocks[pair{a.By, id}] = true
	if a.By == moderator {
		m.late = append(m.late, func() { m.users[id].status = "DISABLED" })
	}
	if c := m.between(a.By, id); c != nil {
		m.late = append(m.late, func() { m.endChat(c.id) })
	}
	for _, p := range []pair{{a.By, id}, {id, a.By}} {
		if m.follows[p] != nil {
			m.move(p, "NOT_FOLLOWING")
		}
		m.late = append(m.late, func() {
			m.unlike(func(l liked) bool { return l.by == p.from && m.posts[l.post].owner == p.to })
		})
	}
	return m.show("U", a.By, id), ""
}

func (m *model) unblock(a act, _ *user, _ time.Time) (shown, string) {
	id := who(a)
	switch {
	case id == a.By:
		return nil, "Cannot unblock yourself"
	case m.users[id] == nil:
		return nil, fmt.Sprintf("User `{%s}` does not exist", id)
	case !m.blocks[pair{a.By, id}]:
		return nil, fmt.Sprintf("User `{%s}` has not blocked user `{%s}`", a.By, id)
	}
	delete(m.blocks, pair{a.By, id})
	return m.show("U", a.By, id), ""
}
