package history_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"stoa/internal/apptest"
	"stoa/store"
)

var _ = add(area{
	acts: []kind{
		{2, func(d *draw) act {
			a := act{By: d.One(everybody), Do: "resetUser"}
			if d.IntN(4) > 0 {
				a.Args = []arg{with("newUsername", d.One(usernames))}
			}
			return a
		}},
		{1, func(d *draw) act {
			if d.IntN(2) == 0 {
				return act{Do: "look"}
			}
			return act{By: d.One(everybody), Do: "deleteUser"}
		}},
	},
	mutations: map[string]mutation{
		"resetUser":  {"...U", (*model).reset},
		"deleteUser": {"...U", (*model).deleteUser},
	},
	rows: map[string]func(*model, row){
		"user deleted": func(*model, row) {}, // tells a new profile from the former
	},
})

// reset removes the profile even if the new one is refused.
func (m *model) reset(a act, me *user, at time.Time) (last shown, refusal string) {
	if me != nil {
		last = m.remove(me, "RESETTING")
	}
	if a.Text("newUsername") == "" {
		return last, ""
	}
	return m.create(act{By: a.By, Do: "createCognitoOnlyUser", Args: []arg{with("username", a.Text("newUsername"))}}, nil, at)
}

func (m *model) deleteUser(a act, me *user, _ time.Time) (shown, string) {
	if me == nil {
		return nil, fmt.Sprintf("User `{%s}` does not exist", a.By)
	}
	m.deleted[me.id] = true
	return m.remove(me, "DELETING"), ""
}

// remove removes a profile and everything of its user, and returns how they are shown for
// the last time.
func (m *model) remove(u *user, status string) shown {
	u.status = status
	last := m.show("U", u.id, u.id)
	for _, a := range areas {
		if a.removed != nil {
			a.removed(m, u.id)
		}
	}
	delete(m.users, u.id)
	return last
}

// left returns a row that refers to a user without a profile, or "". Exceptions: texts keep
// their mentions, groups their creators and authors, and the removal time of a former
// profile is kept.
func (m *model) left(w *apptest.World) string {
	for _, table := range []string{store.Main.Name, store.Feed.Name} {
		for _, r := range rowsOf(w, table) {
			delete(r, "textTags")
			if strings.HasPrefix(r.text("partitionKey"), "chat") && r.text("sortKey") == "-" { // what they said and began stays theirs
				delete(r, "userId")
				delete(r, "createdByUserId")
			}
			text, err := json.Marshal(r)
			if err != nil {
				panic(err)
			}
			for _, id := range everybody {
				tombstone := r.text("sortKey") == "deleted" || r.text("sortKey") == "banned"
				if m.users[id] == nil && !tombstone && strings.Contains(string(text), "{"+id+"}") {
					return fmt.Sprintf("%s is gone, and left in %s: %s", id, table, text)
				}
			}
		}
	}
	return ""
}
