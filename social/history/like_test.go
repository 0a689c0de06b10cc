package history_test

import (
	"fmt"
	"slices"
	"time"
)

type likes map[liked]*like

type (
	liked struct{ post, by string }
	like  struct {
		status string
		at     time.Time
	}
)

var _ = add(area{
	content: true,
	acts: []kind{
		{8, func(d *draw) act { return onPost("onymouslyLikePost", d.One(everybody), d.One(postIDs)) }},
		{4, func(d *draw) act { return onPost("anonymouslyLikePost", d.One(everybody), d.One(postIDs)) }},
		{3, func(d *draw) act {
			if a, ok := d.Earlier("onymouslyLikePost", "anonymouslyLikePost"); ok {
				return onPost("dislikePost", a.By, a.Text("postId"))
			}
			return onPost("dislikePost", d.One(everybody), d.One(postIDs))
		}},
	},
	mutations: map[string]mutation{
		"onymouslyLikePost": {"...P ...Below", func(m *model, a act, me *user, at time.Time) (shown, string) {
			return m.like(a, me, "ONYMOUSLY_LIKED", at)
		}},
		"anonymouslyLikePost": {"...P ...Below", func(m *model, a act, me *user, at time.Time) (shown, string) {
			return m.like(a, me, "ANONYMOUSLY_LIKED", at)
		}},
		"dislikePost": {"...P ...Below", (*model).dislike},
	},
	fragments: []fragment{
		{"Lists", "User", `onymouslyLikedPosts(limit: 9) { items { ...P } } anonymouslyLikedPosts(limit: 9) { items { ...P } }`, func(m *model, viewer, id string) shown {
			s := shown{}
			s.put(viewer == id, shown{"anonymouslyLikedPosts": m.visible(viewer, m.likedPosts(id, "ANONYMOUSLY_LIKED"))})
			s.put(!m.blocks[pair{id, viewer}], shown{"onymouslyLikedPosts": m.visible(viewer, m.likedPosts(id, "ONYMOUSLY_LIKED"))})
			return s
		}},
		{"P", "Post", `likeStatus onymousLikeCount anonymousLikeCount`, func(m *model, viewer, id string) shown {
			s := shown{"likeStatus": "NOT_LIKED"}
			if l := m.likes[liked{id, viewer}]; l != nil {
				s["likeStatus"] = l.status
			}
			s.put(m.seesLikes(viewer, id), shown{
				"onymousLikeCount": len(m.likers(id, "ONYMOUSLY_LIKED")), "anonymousLikeCount": len(m.likers(id, "ANONYMOUSLY_LIKED")),
			})
			return s
		}},
		{"Below", "Post", `onymouslyLikedBy { items { ...U } }`, func(m *model, viewer, id string) shown {
			s := shown{}
			s.put(m.seesLikes(viewer, id), shown{"onymouslyLikedBy": m.listed(viewer, m.likers(id, "ONYMOUSLY_LIKED"))})
			return s
		}},
	},
	removed: func(m *model, id string) { m.unlike(func(l liked) bool { return l.by == id }) },
	rows: map[string]func(*model, row){
		"post like": func(m *model, r row) {
			m.likes[liked{r.text("postId"), r.who("likedByUserId")}] = &like{r.text("likeStatus"), r.time("likedAt")}
		},
	},
})

// onPost returns an act about a post.
func onPost(do, by, id string) act { return act{By: by, Do: do, Args: []arg{with("postId", id)}} }

func (m *model) like(a act, me *user, status string, at time.Time) (shown, string) {
	id := a.Text("postId")
	p := m.posts[id]
	if p == nil {
		return nil, fmt.Sprintf("Post `%s` does not exist", id)
	}
	owner := m.users[p.owner]
	switch {
	case m.blocks[pair{owner.id, me.id}]:
		return nil, fmt.Sprintf("User has been blocked by owner of post `%s`", id)
	case m.blocks[pair{me.id, owner.id}]:
		return nil, fmt.Sprintf("User has blocked owner of post `%s`", id)
	case !m.sees(me.id, owner.id):
		return nil, fmt.Sprintf("User does not have access to post `%s`", id)
	case !p.completed():
		return nil, fmt.Sprintf("Cannot like posts with status `%s`", p.status)
	case p.chosen["likesDisabled"]:
		return nil, fmt.Sprintf("Likes are disabled for this post `%s`", id)
	case owner.chosen["likesDisabled"]:
		return nil, fmt.Sprintf("Owner of this post (user `{%s}` has disabled likes", owner.id)
	case me.chosen["likesDisabled"]:
		return nil, fmt.Sprintf("Caller `{%s}` has disabled likes", me.id)
	case m.likes[liked{id, me.id}] != nil:
		return nil, fmt.Sprintf("User `{%s}` has already liked post `%s`", me.id, id)
	}
	m.likes[liked{id, me.id}] = &like{status, at}
	return m.fullPost(me.id, id), ""
}

func (m *model) dislike(a act, _ *user, _ time.Time) (shown, string) {
	id := a.Text("postId")
	switch {
	case m.posts[id] == nil:
		return nil, fmt.Sprintf("Post `%s` does not exist", id)
	case m.likes[liked{id, a.By}] == nil:
		return nil, fmt.Sprintf("User has not liked post `%s`, thus cannot dislike it", id)
	}
	delete(m.likes, liked{id, a.By})
	if !m.sees(a.By, m.posts[id].owner) {
		return nil, ""
	}
	return m.fullPost(a.By, id), ""
}

// unlike removes likes.
func (m *model) unlike(which func(liked) bool) {
	for l := range m.likes {
		if which(l) {
			delete(m.likes, l)
		}
	}
}

func (m *model) likedPosts(by, status string) []*post {
	var found []*post
	for l, k := range m.likes {
		if l.by == by && k.status == status {
			found = append(found, m.posts[l.post])
		}
	}
	slices.SortFunc(found, func(a, b *post) int {
		return m.likes[liked{b.id, by}].at.Compare(m.likes[liked{a.id, by}].at)
	})
	return found
}

func (m *model) likers(id, status string) []string {
	var found []string
	for l, k := range m.likes {
		if l.post == id && k.status == status {
			found = append(found, l.by)
		}
	}
	slices.SortFunc(found, func(a, b string) int { return m.likes[liked{id, a}].at.Compare(m.likes[liked{id, b}].at) })
	return found
}

func (m *model) seesLikes(viewer, id string) bool {
	p := m.posts[id]
	return viewer == p.owner && !p.chosen["likesDisabled"] && !m.users[p.owner].chosen["likesDisabled"]
}
