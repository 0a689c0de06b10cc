package history_test

import (
	"stoa/internal/apptest"
	"stoa/social/socialtest"
)

// blocks are from the blocker to the blocked.
type blocks map[pair]bool

type pair struct{ from, to string }

var _ = add(area{
	acts: []kind{
		{1, func(d *draw) act {
			return act{By: d.One(everybody), Do: "block", Args: []arg{with("userId", "{"+d.One(everybody)+"}")}}
		}},
	},
	does: map[string]func(*apptest.World, *model, act){
		"block": func(w *apptest.World, m *model, a act) {
			if blocked := who(a); blocked != a.By {
				w.Do(socialtest.Given{}.Block(a.By, blocked)...)
				m.blocks[pair{a.By, blocked}] = true
			}
		},
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
