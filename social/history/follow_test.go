package history_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// follows holds follows by follower and followed user.
type follows map[pair]*follow

type follow struct {
	status string
	at     time.Time
}

var _ = add(area{
	acts: []kind{
		{12, func(d *draw) act { return about("followUser", d.One(everybody), d.One(everybody)) }},
		{4, func(d *draw) act {
			by, user := d.One(everybody), d.One(everybody)
			if a, ok := d.Earlier("followUser"); ok {
				by, user = a.By, who(a)
			}
			return about("unfollowUser", by, user)
		}},
		{10, func(d *draw) act {
			by, user := d.One(everybody), d.One(everybody)
			if a, ok := d.Earlier("followUser"); ok {
				by, user = who(a), a.By
			}
			return about(d.One([]string{"acceptFollowerUser", "denyFollowerUser"}), by, user)
		}},
	},
	mutations: map[string]mutation{
		"followUser":   {"...U", (*model).follow},
		"unfollowUser": {"...U", (*model).unfollow},
		"acceptFollowerUser": {"...U", func(m *model, a act, _ *user, _ time.Time) (shown, string) {
			return m.answer(a, "FOLLOWING")
		}},
		"denyFollowerUser": {"...U", func(m *model, a act, _ *user, _ time.Time) (shown, string) {
			return m.answer(a, "DENIED")
		}},
	},
	fragments: []fragment{
		{"Names", "User", `followedStatus followerStatus`, func(m *model, viewer, id string) shown {
			if viewer == id {
				return shown{"followedStatus": "SELF", "followerStatus": "SELF"}
			}
			return shown{"followedStatus": m.status(viewer, id), "followerStatus": m.status(id, viewer)}
		}},
		{"U", "User", `followedCount followedsCount followerCount followersCount requests: followersCount(followStatus: REQUESTED)`,
			func(m *model, viewer, id string) shown {
				s := shown{}
				followers, followeds := len(m.followers(id, "FOLLOWING")), len(m.followeds(id, "FOLLOWING"))
				s.put(m.seesFollows(viewer, id), shown{
					"followedCount": followeds, "followedsCount": followeds, "followerCount": followers, "followersCount": followers,
				})
				s.put(viewer == id, shown{"requests": len(m.followers(id, "REQUESTED"))})
				return s
			}},
		{"Lists", "User", `followedUsers { items { ...U } } followerUsers { items { ...U } }`, func(m *model, viewer, id string) shown {
			s := shown{}
			s.put(m.seesFollows(viewer, id), shown{
				"followedUsers": m.listed(viewer, m.followeds(id, "FOLLOWING")), "followerUsers": m.listed(viewer, m.followers(id, "FOLLOWING")),
			})
			return s
		}},
		{"Own", "User", `asked: followedUsers(followStatus: REQUESTED) { items { ...U } } deniedBy: followedUsers(followStatus: DENIED) { items { ...U } }
			asking: followerUsers(followStatus: REQUESTED) { items { ...U } } denied: followerUsers(followStatus: DENIED) { items { ...U } }`,
			func(m *model, _, id string) shown {
				return shown{
					"asked": m.listed(id, m.followeds(id, "REQUESTED")), "deniedBy": m.listed(id, m.followeds(id, "DENIED")),
					"asking": m.listed(id, m.followers(id, "REQUESTED")), "denied": m.listed(id, m.followers(id, "DENIED")),
				}
			}},
	},
	removed: func(m *model, id string) {
		maps.DeleteFunc(m.follows, func(p pair, _ *follow) bool { return p.has(id) })
	},
	rows: map[string]func(*model, row){
		"user follower": func(m *model, r row) {
			if strings.HasSuffix(r.text("sortKey"), "/firstStory") {
				return
			}
			m.follows[pair{r.who("followerUserId"), r.who("followedUserId")}] = &follow{r.text("followStatus"), r.time("followedAt")}
		},
	},
})

// about returns an act about another user.
func about(do, by, user string) act {
	return act{By: by, Do: do, Args: []arg{with("userId", "{"+user+"}")}}
}

func (m *model) status(follower, followed string) string {
	if f := m.follows[pair{follower, followed}]; f != nil {
		return f.status
	}
	return "NOT_FOLLOWING"
}

// move changes the status of a follow. Likes are removed with a denial and with the end of
// a follow of a private user, unless the follow has been restored by then.
func (m *model) move(p pair, to string) {
	if to == "NOT_FOLLOWING" {
		delete(m.follows, p)
	} else {
		m.follows[p].status = to
	}
	m.late = append(m.late, func() {
		now := m.status(p.from, p.to)
		ended := to == "NOT_FOLLOWING" && now != "FOLLOWING" && m.users[p.to].privacy == "PRIVATE"
		if now == "DENIED" || ended {
			m.unlike(func(l liked) bool { return l.by == p.from && m.posts[l.post].owner == p.to })
		}
	})
}

// open accepts all requests to a user who becomes public, and resets denied ones.
func (m *model) open(u *user) {
	for p, f := range m.follows {
		switch {
		case p.to != u.id:
		case f.status == "REQUESTED":
			m.move(p, "FOLLOWING")
		case f.status == "DENIED":
			m.move(p, "NOT_FOLLOWING")
		}
	}
}

// ask follows or requests to follow a user.
func (m *model) ask(follower string, followed *user, at time.Time) {
	status := "FOLLOWING"
	if followed.privacy == "PRIVATE" {
		status = "REQUESTED"
	}
	m.follows[pair{follower, followed.id}] = &follow{status, at}
}

func (m *model) follow(a act, _ *user, at time.Time) (shown, string) {
	id := who(a)
	u := m.users[id]
	switch {
	case id == a.By:
		return nil, "User cannot follow themselves"
	case u == nil:
		return nil, fmt.Sprintf("No user profile found for followed `{%s}`", id)
	case u.status != "ACTIVE":
		return nil, fmt.Sprintf("Cannot follow user with status `%s`", u.status)
	case m.status(a.By, id) != "NOT_FOLLOWING":
		return nil, fmt.Sprintf("User `{%s}` already is or has requested to follow user `{%s}`", a.By, id)
	case m.blocks[pair{id, a.By}]:
		return nil, fmt.Sprintf("User has been blocked by user `{%s}`", id)
	case m.blocks[pair{a.By, id}]:
		return nil, fmt.Sprintf("User has blocked user `{%s}`", id)
	}
	m.ask(a.By, u, at)
	return m.show("U", a.By, id), ""
}

func (m *model) unfollow(a act, _ *user, _ time.Time) (shown, string) {
	id := who(a)
	switch m.status(a.By, id) {
	case "NOT_FOLLOWING":
		return nil, fmt.Sprintf("User `{%s}` is not following `{%s}`", a.By, id)
	case "DENIED":
		return nil, fmt.Sprintf("User `{%s}` already follows user `{%s}` with status `DENIED`", a.By, id)
	}
	m.move(pair{a.By, id}, "NOT_FOLLOWING")
	return m.show("U", a.By, id), ""
}

func (m *model) answer(a act, to string) (shown, string) {
	id := who(a)
	switch m.status(id, a.By) {
	case "NOT_FOLLOWING":
		return nil, fmt.Sprintf("User `{%s}` has not requested to follow user `{%s}`", id, a.By)
	case to:
		return nil, fmt.Sprintf("User `{%s}` already follows user `{%s}` with status `%s`", id, a.By, to)
	}
	m.move(pair{id, a.By}, to)
	return m.show("U", a.By, id), ""
}

func (m *model) seesFollows(viewer, id string) bool {
	return viewer == id || m.sees(viewer, id) && !m.users[id].chosen["followCountsHidden"]
}

// followers and followeds return the users on the other side of follows with a status,
// newest follow first.
func (m *model) followers(id, status string) []string {
	return m.newest(status, func(p pair) bool { return p.to == id }, func(p pair) string { return p.from })
}

func (m *model) followeds(id, status string) []string {
	return m.newest(status, func(p pair) bool { return p.from == id }, func(p pair) string { return p.to })
}

func (m *model) newest(status string, of func(pair) bool, other func(pair) string) []string {
	var found []pair
	for p, f := range m.follows {
		if of(p) && f.status == status {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b pair) int { return m.follows[b].at.Compare(m.follows[a].at) })
	var ids []string
	for _, p := range found {
		ids = append(ids, other(p))
	}
	return ids
}
