package history_test

import (
	"slices"
	"time"
)

// lifetimes are all shorter than a day, so that each of them makes a story.
var lifetimes = []string{"PT3H", "PT5H", "PT20H"}

var _ = add(area{
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

// storiesOf are the stories of a user, soonest end first.
func (m *model) storiesOf(id string) []*post {
	found := slices.DeleteFunc(m.postsOf(id), func(p *post) bool { return p.ends.IsZero() })
	slices.SortFunc(found, func(a, b *post) int { return a.ends.Compare(b.ends) })
	return found
}

// ends is when a stored post ends, zero for never.
func (r row) ends() (at time.Time) {
	if r.text("expiresAt") != "" {
		at = r.time("expiresAt")
	}
	return at
}
