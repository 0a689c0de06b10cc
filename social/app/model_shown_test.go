package app_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// shown is an object of an answer.
type shown map[string]any

// fragments are what is asked of each type, by name. The methods below make the same.
var fragments = map[string]string{
	"Names": `on User { userId username followedStatus followerStatus blockedStatus blockerStatus }`,
	"U": `on User { ...Names userStatus privacyStatus subscriptionLevel fullName displayName bio themeCode signedUpAt email phoneNumber
		languageCode followCountsHidden viewCountsHidden commentsDisabled likesDisabled sharingDisabled verificationHidden
		postCount followedCount followedsCount followerCount followersCount requests: followersCount(followStatus: REQUESTED) }`,
	"Lists": `on User { followedUsers { items { ...U } } followerUsers { items { ...U } } posts { items { ...P } } feed { items { ...P } }
		onymouslyLikedPosts { items { ...P } } anonymouslyLikedPosts { items { ...P } } }`,
	"Own": `on User { asked: followedUsers(followStatus: REQUESTED) { items { ...U } } deniedBy: followedUsers(followStatus: DENIED) { items { ...U } }
		asking: followerUsers(followStatus: REQUESTED) { items { ...U } } denied: followerUsers(followStatus: DENIED) { items { ...U } } }`,
	"P": `on Post { postId postedAt postedBy { ...Names } postType postStatus text textTaggedUsers { tag user { ...Names } } keywords
		commentsDisabled likesDisabled sharingDisabled verificationHidden flagStatus viewedStatus likeStatus onymousLikeCount anonymousLikeCount
		commentCount commentsCount unviewed: commentsCount(viewedStatus: NOT_VIEWED) viewed: commentsCount(viewedStatus: VIEWED) }`,
	"Below": `on Post { onymouslyLikedBy { items { ...U } } comments { items { ...C } } latest: comments(reverse: true) { items { ...C } } }`,
	"C":     `on Comment { commentId commentedAt commentedBy { ...Names } text textTaggedUsers { tag user { ...Names } } viewedStatus flagStatus }`,
}

// document is an operation with the fragments that it needs, and no others.
func document(operation string) string {
	text := operation
	for added := true; added; {
		added = false
		for name, fragment := range fragments {
			if strings.Contains(text, "..."+name+" ") && !strings.Contains(text, "fragment "+name+" ") {
				text += "\nfragment " + name + " " + fragment
				added = true
			}
		}
	}
	return text
}

// put sets fields to what they are, or all to null unless the viewer may know them.
func (s shown) put(known bool, fields shown) {
	for name, value := range fields {
		if !known {
			value = nil
		}
		s[name] = value
	}
}

func (m *model) names(viewer, id string) shown {
	self := func(status string) string {
		if viewer == id {
			return "SELF"
		}
		return status
	}
	blocking := map[bool]string{true: "BLOCKING", false: "NOT_BLOCKING"}
	return shown{
		"userId": id, "username": m.users[id].username,
		"followedStatus": self(m.status(viewer, id)), "followerStatus": self(m.status(id, viewer)),
		"blockedStatus": self(blocking[m.blocks[pair{viewer, id}]]), "blockerStatus": self(blocking[m.blocks[pair{id, viewer}]]),
	}
}

func (m *model) user(viewer, id string) shown {
	u := m.users[id]
	if u == nil {
		return nil
	}
	s := m.names(viewer, id)
	s.put(!m.blocks[pair{id, viewer}], shown{
		"userStatus": u.status, "privacyStatus": u.privacy, "subscriptionLevel": "BASIC", "fullName": given(u.fullName),
		"displayName": given(u.displayName), "themeCode": cmp.Or(u.theme, "black.green"), "signedUpAt": instant(u.signedUpAt),
		"postCount": len(m.postsOf(id)),
	})
	s.put(m.sees(viewer, id), shown{"bio": given(u.bio)})
	followers, followeds := len(m.followers(id, "FOLLOWING")), len(m.followeds(id, "FOLLOWING"))
	s.put(m.seesFollows(viewer, id), shown{
		"followedCount": followeds, "followedsCount": followeds, "followerCount": followers, "followersCount": followers,
	})
	s.put(viewer == id, shown{
		"requests": len(m.followers(id, "REQUESTED")), "email": address(id), "phoneNumber": nil,
		"languageCode": cmp.Or(u.language, "en"), "followCountsHidden": u.chosen["followCountsHidden"], "viewCountsHidden": u.chosen["viewCountsHidden"],
		"commentsDisabled": u.chosen["commentsDisabled"], "likesDisabled": u.chosen["likesDisabled"],
		"sharingDisabled": u.chosen["sharingDisabled"], "verificationHidden": u.chosen["verificationHidden"],
	})
	return s
}

func (m *model) seesFollows(viewer, id string) bool {
	return viewer == id || m.sees(viewer, id) && !m.users[id].chosen["followCountsHidden"]
}

// followers and followeds are the users on the other side of follows in a status,
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

// lists are the fields of a user that hold users and posts.
func (m *model) lists(viewer, id string) shown {
	s := shown{}
	s.put(m.seesFollows(viewer, id), shown{
		"followedUsers": m.listed(viewer, m.followeds(id, "FOLLOWING")), "followerUsers": m.listed(viewer, m.followers(id, "FOLLOWING")),
	})
	s.put(m.sees(viewer, id), shown{"posts": m.visible(viewer, m.postsOf(id))})
	s.put(viewer == id, shown{"feed": m.visible(viewer, m.feed(id)), "anonymouslyLikedPosts": m.visible(viewer, m.likedPosts(id, "ANONYMOUSLY_LIKED"))})
	s.put(!m.blocks[pair{id, viewer}], shown{"onymouslyLikedPosts": m.visible(viewer, m.likedPosts(id, "ONYMOUSLY_LIKED"))})
	return s
}

// own are the lists that users may ask for about themselves alone.
func (m *model) own(id string) shown {
	return shown{
		"asked": m.listed(id, m.followeds(id, "REQUESTED")), "deniedBy": m.listed(id, m.followeds(id, "DENIED")),
		"asking": m.listed(id, m.followers(id, "REQUESTED")), "denied": m.listed(id, m.followers(id, "DENIED")),
	}
}

// listed leaves out of a list of users who blocks its viewer.
func (m *model) listed(viewer string, ids []string) shown {
	items := []shown{}
	for _, id := range ids {
		if !m.blocks[pair{id, viewer}] {
			items = append(items, m.user(viewer, id))
		}
	}
	return shown{"items": items}
}

func (m *model) postsOf(owners ...string) []*post {
	var found []*post
	for _, p := range m.posts {
		if slices.Contains(owners, p.owner) {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b *post) int { return b.at.Compare(a.at) })
	return found
}

func (m *model) feed(id string) []*post {
	return m.postsOf(append(m.followeds(id, "FOLLOWING"), id)...)
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

// visible leaves out of a list of posts what its viewer may not see.
func (m *model) visible(viewer string, posts []*post) shown {
	items := []shown{}
	for _, p := range posts {
		if m.sees(viewer, p.owner) {
			items = append(items, m.post(viewer, p))
		}
	}
	return shown{"items": items}
}

func (m *model) post(viewer string, p *post) shown {
	owns := viewer == p.owner
	likesDisabled, chosen := p.chosen["likesDisabled"]
	s := shown{
		"postId": p.id, "postedAt": instant(p.at), "postedBy": m.names(viewer, p.owner), "postType": "TEXT_ONLY", "postStatus": "COMPLETED",
		"text": p.text, "textTaggedUsers": m.tagged(viewer, p.tags), "keywords": p.keywords,
		"commentsDisabled": p.chosen["commentsDisabled"], "sharingDisabled": p.chosen["sharingDisabled"], "likesDisabled": likesDisabled || !chosen,
		"flagStatus": "NOT_FLAGGED", "viewedStatus": viewed(owns || m.users[p.owner].username == "real"), "likeStatus": "NOT_LIKED",
	}
	if l := m.likes[liked{p.id, viewer}]; l != nil {
		s["likeStatus"] = l.status
	}
	s.put(owns, shown{"verificationHidden": p.chosen["verificationHidden"]})
	s.put(m.seesLikes(viewer, p), shown{
		"onymousLikeCount": len(m.likers(p.id, "ONYMOUSLY_LIKED")), "anonymousLikeCount": len(m.likers(p.id, "ANONYMOUSLY_LIKED")),
	})
	all, others := 0, 0
	for _, c := range m.comments {
		if c.post == p.id {
			all++
			if c.by != p.owner {
				others++
			}
		}
	}
	s.put(!p.chosen["commentsDisabled"], shown{"commentCount": all, "commentsCount": all})
	s.put(!p.chosen["commentsDisabled"] && owns, shown{"unviewed": others, "viewed": all - others})
	return s
}

func (m *model) seesLikes(viewer string, p *post) bool {
	return viewer == p.owner && !p.chosen["likesDisabled"] && !m.users[p.owner].chosen["likesDisabled"]
}

// fullPost is a post with its lists.
func (m *model) fullPost(viewer string, p *post) shown {
	s := m.post(viewer, p)
	s.put(m.seesLikes(viewer, p), shown{"onymouslyLikedBy": m.listed(viewer, m.likers(p.id, "ONYMOUSLY_LIKED"))})
	var on []*comment
	for _, c := range m.comments {
		if c.post == p.id && !m.blocks[pair{c.by, viewer}] {
			on = append(on, c)
		}
	}
	slices.SortFunc(on, func(a, b *comment) int { return a.at.Compare(b.at) })
	items := []shown{}
	for _, c := range on {
		items = append(items, m.comment(viewer, c))
	}
	latest := slices.Clone(items)
	slices.Reverse(latest)
	s.put(!p.chosen["commentsDisabled"], shown{"comments": shown{"items": items}, "latest": shown{"items": latest}})
	return s
}

func (m *model) comment(viewer string, c *comment) shown {
	return shown{
		"commentId": c.id, "commentedAt": instant(c.at), "commentedBy": m.names(viewer, c.by), "text": c.text,
		"textTaggedUsers": m.tagged(viewer, c.tags), "viewedStatus": viewed(viewer == c.by), "flagStatus": "NOT_FLAGGED",
	}
}

// tagged leaves out who blocks the viewer.
func (m *model) tagged(viewer string, tags []tag) []shown {
	found := []shown{}
	for _, t := range tags {
		if !m.blocks[pair{t.user, viewer}] {
			found = append(found, shown{"tag": t.text, "user": m.names(viewer, t.user)})
		}
	}
	return found
}

// everything is what one viewer sees of all users, posts and names there could be.
func (m *model) everything(viewer string, posts []string) shown {
	s := shown{}
	for i, id := range everybody {
		u := m.user(viewer, id)
		if u == nil {
			s[userAlias(i)] = nil
			continue
		}
		maps.Copy(u, m.lists(viewer, id))
		if viewer == id {
			maps.Copy(u, m.own(id))
		}
		s[userAlias(i)] = u
	}
	for i, id := range posts {
		s[postAlias(i)] = nil
		if p := m.posts[id]; p != nil && m.sees(viewer, p.owner) {
			s[postAlias(i)] = m.fullPost(viewer, p)
		}
	}
	for i, name := range usernames {
		switch {
		case wrongName(name) != "":
			s[nameAlias(i)] = "INVALID"
		case m.holder(name) != nil:
			s[nameAlias(i)] = "NOT_AVAILABLE"
		default:
			s[nameAlias(i)] = "AVAILABLE"
		}
	}
	return s
}

func given(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func viewed(yes bool) string {
	if yes {
		return "VIEWED"
	}
	return "NOT_VIEWED"
}

func instant(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000Z") }
