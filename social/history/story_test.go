package history_test

import (
	"fmt"
	"slices"
	"time"
)

// lifetimes are all shorter than a day, so that each creates a story.
var lifetimes = []string{"PT3H", "PT5H", "PT20H"}

var _ = add(area{
	content: true,
	acts: []kind{
		{4, func(d *draw) act {
			by, id := ownPost(d)
			return act{By: by, Do: "editPostExpiresAt", Args: append([]arg{with("postId", id)}, end(d)...)}
		}},
	},
	mutations: map[string]mutation{"editPostExpiresAt": {"...P", (*model).editExpiresAt}},
	jobs:      []string{"social.delete-expired-posts", "social.delete-long-expired-posts"},
	passed: func(m *model, at time.Time) {
		for _, p := range m.posts {
			if !p.ends.IsZero() && p.ends.Before(at) {
				m.dropPost(p, at)
			}
		}
	},
	fragments: []fragment{
		{"Lists", "User", `stories { items { postId expiresAt } }`, func(m *model, viewer, id string) shown {
			items := []shown{}
			for _, p := range m.storiesOf(id) {
				items = append(items, shown{"postId": p.id, "expiresAt": instant(p.ends)})
			}
			s := shown{}
			s.put(m.sees(viewer, id), shown{"stories": shown{"items": items}})
			return s
		}},
		{"Own", "User", `followedUsersWithStories { items { ...U } }`, func(m *model, _, id string) shown {
			with := slices.DeleteFunc(m.followeds(id, "FOLLOWING"), func(user string) bool { return len(m.storiesOf(user)) == 0 })
			slices.SortFunc(with, func(a, b string) int { return m.storiesOf(a)[0].ends.Compare(m.storiesOf(b)[0].ends) })
			return shown{"followedUsersWithStories": m.listed(id, with)}
		}},
	},
})

// end returns a random expiry within a few days, sometimes in the past; no argument for
// never.
func end(d *draw) []arg {
	if d.IntN(5) == 0 {
		return nil
	}
	at := time.Date(2026, 1, 1, d.IntN(24), d.IntN(60), d.IntN(60), 0, time.UTC).AddDate(0, 0, []int{-9, 0, 1, 1, 2, 9, 40}[d.IntN(7)])
	if d.IntN(3) == 0 {
		at = at.In(time.FixedZone("", 2*60*60)) // the same instant
	}
	return []arg{with("expiresAt", at.Format(time.RFC3339))}
}

func (m *model) editExpiresAt(a act, _ *user, at time.Time) (shown, string) {
	p, refusal := m.mine(a, "edit")
	var ends time.Time
	if a.Has("expiresAt") {
		var err error
		if ends, err = time.Parse(time.RFC3339, a.Text("expiresAt")); err != nil {
			panic(err)
		}
	}
	switch {
	case refusal != "":
		return nil, refusal
	case a.Has("expiresAt") && ends.Before(at):
		return nil, fmt.Sprintf("Cannot set expiresAt to date time in the past: %s", instant(ends.UTC()))
	}
	p.ends = ends.UTC()
	return m.show("P", a.By, p.id), ""
}

// storiesOf returns the stories of a user, soonest expiry first: posts that expire within a
// day.
func (m *model) storiesOf(id string) []*post {
	found := slices.DeleteFunc(m.postsOf(id), func(p *post) bool { return p.ends.IsZero() || p.ends.After(m.now.Add(day)) })
	slices.SortFunc(found, func(a, b *post) int { return a.ends.Compare(b.ends) })
	return found
}

// ends returns the expiry of a stored post, zero for never.
func (r row) ends() (at time.Time) {
	if r.text("expiresAt") != "" {
		at = r.time("expiresAt")
	}
	return at
}
