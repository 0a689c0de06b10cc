package app_test

import (
	"fmt"
	"maps"
	"slices"

	"stoa/internal/apptest"
)

// draw returns a random attempt.
func (p *player) draw(n int) attempt {
	as, other := everyone[p.IntN(len(everyone))], everyone[p.IntN(len(everyone))]
	if as == other {
		other = everyone[p.IntN(len(everyone))]
	}
	for _, who := range []string{as, other} {
		if !p.Model.People[who] {
			return apptest.Try("", register, vars{"i": person(who)}, "", func(m model, _ apptest.Answer) { m.People[who] = true })
		}
	}
	switch kind := p.IntN(60); {
	case kind < 9:
		return p.drawPrivateChat(n, as, other)
	case kind == 9:
		return apptest.Try(as, `mutation { deleteAccount(password: "correct horse") }`, nil, apptest.Either(p.Model.founds(as), "PRECONDITION_FAILED FOUNDS_COMMUNITY"),
			func(m model, _ apptest.Answer) { m.end(as) })
	}
	names := slices.Sorted(maps.Keys(p.Model.Places))
	if len(names) < 2 || len(names) < 4 && p.IntN(60) == 0 {
		name := fmt.Sprint("c", n)
		return apptest.Try(as, found, vars{"i": vars{"name": name, "description": "d", "topic": "PTSD", "location": trenton}}, "", func(m model, _ apptest.Answer) {
			m.Places[name] = &modelCommunity{as, []string{as}, map[string]*modelChat{}}
		})
	}
	place := names[p.IntN(len(names))]
	if c := p.Model.Places[place]; len(c.Chats) == 0 || p.IntN(4) == 0 {
		return p.drawCommunity(n, as, other, place)
	}
	return p.drawChat(n, as, other, place)
}

// drawCommunity returns a random attempt in a community.
func (p *player) drawCommunity(n int, as, other, place string) attempt {
	c := p.Model.Places[place]
	inside := slices.Contains(c.Members, as)
	v := vars{"c": p.ids[place], "u": p.world.ids[other]}
	kind := p.IntN(14)
	if !inside && p.IntN(3) > 0 || len(c.Chats) > 2 && kind > 7 {
		kind = 0
	}
	switch {
	case kind < 2:
		return apptest.Try(as, `mutation($c: ID!) { joinCommunity(id: $c) { id } }`, v, apptest.Either(inside, "CONFLICT ALREADY_MEMBER"), func(m model, _ apptest.Answer) {
			m.Places[place].Members = append(m.Places[place].Members, as)
		})
	case kind == 2:
		return apptest.Try(as, `mutation($c: ID!) { leaveCommunity(id: $c) { id } }`, v,
			apptest.Either(!inside, "NOT_FOUND NOT_MEMBER", c.Founder == as, "PRECONDITION_FAILED FOUNDER_CANNOT_LEAVE"), func(m model, _ apptest.Answer) {
				m.Places[place].leaveAll(as)
			})
	case kind < 5:
		return apptest.Try(as, `mutation($c: ID!, $u: ID!) { transferCommunity(id: $c, userId: $u) { id } }`, v,
			apptest.Either(c.Founder != as, "FORBIDDEN PERMISSION_MISSING", !slices.Contains(c.Members, other), "NOT_FOUND NOT_MEMBER"),
			func(m model, _ apptest.Answer) { m.Places[place].Founder = other })
	case kind == 5:
		return apptest.Try(
			as,
			`mutation($c: ID!, $u: ID!) { removeCommunityMember(communityId: $c, userId: $u) { id } }`,
			v,
			apptest.Either(
				as != other && c.Founder != as,
				"FORBIDDEN PERMISSION_MISSING",
				!slices.Contains(c.Members, other),
				"NOT_FOUND NOT_MEMBER",
				c.Founder == other,
				"PRECONDITION_FAILED FOUNDER_CANNOT_LEAVE",
			),
			func(m model, _ apptest.Answer) { m.Places[place].leaveAll(other) },
		)
	case kind < 8:
		return apptest.Try(
			as,
			`mutation($c: ID!) { deleteCommunity(id: $c) }`,
			v,
			apptest.Either(c.Founder != as, "FORBIDDEN PERMISSION_MISSING", len(c.Chats) > 0, "PRECONDITION_FAILED COMMUNITY_HAS_CHATS"),
			func(m model, _ apptest.Answer) { delete(m.Places, place) },
		)
	default:
		name, closed := fmt.Sprint("h", n), p.IntN(2) == 0
		v["i"] = vars{"name": name, "description": "d", "private": closed, "capacity": historyCapacity}
		return apptest.Try(as, openChat, v, apptest.Either(!inside, "FORBIDDEN NOT_COMMUNITY_MEMBER"), func(m model, _ apptest.Answer) {
			m.Places[place].Chats[name] = &modelChat{
				Closed:   closed,
				Owner:    as,
				Members:  []string{as},
				Unread:   map[string][]string{as: {}},
				Pending:  []string{},
				Cooling:  []string{},
				Messages: []modelMessage{},
			}
		})
	}
}

// drawChat returns a random attempt in a group chat.
func (p *player) drawChat(n int, as, other, place string) attempt {
	c := p.Model.Places[place]
	inside := slices.Contains(c.Members, as)
	chats := slices.Sorted(maps.Keys(c.Chats))
	v := vars{"c": p.ids[place], "u": p.world.ids[other]}
	name := chats[p.IntN(len(chats))]
	h := c.Chats[name]
	v["h"], v["t"] = p.ids[name], "GROUP"
	member, rules := slices.Contains(h.Members, as), h.Owner == as || c.Founder == as
	full := len(h.Members) >= historyCapacity
	message, i := "", -1
	if len(h.Messages) > 0 {
		i = p.IntN(len(h.Messages))
		message = h.Messages[i].Content
		v["m"] = p.ids[message]
	}
	noChat := apptest.Either(!member, "FORBIDDEN NOT_CHAT_MEMBER")
	kind := p.IntN(20)
	if inside && !member && p.IntN(2) == 0 {
		kind = 3
		if h.Closed {
			kind = 7
		}
	}
	switch {
	case kind < 5:
		return apptest.Try(
			as,
			enter,
			v,
			apptest.Either(!inside, "FORBIDDEN NOT_COMMUNITY_MEMBER", member, "CONFLICT ALREADY_MEMBER", h.Closed, "FORBIDDEN PRIVATE_CHAT", full, "LIMIT_EXCEEDED CHAT_FULL"),
			func(m model, _ apptest.Answer) { m.Places[place].Chats[name].enter(as) },
		)
	case kind == 5:
		return apptest.Try(
			as,
			`mutation($h: ID!) { leaveGroupChat(id: $h) { id } }`,
			v,
			apptest.Either(!member, "NOT_FOUND NOT_MEMBER"),
			func(m model, _ apptest.Answer) { m.Places[place].leave(name, as) },
		)
	case kind == 6:
		there := slices.Contains(h.Members, other)
		return apptest.Try(
			as,
			`mutation($h: ID!, $u: ID!) { removeGroupChatMember(id: $h, userId: $u) { id } }`,
			v,
			apptest.Either(
				as != other && !rules,
				"FORBIDDEN PERMISSION_MISSING",
				!there,
				"NOT_FOUND NOT_MEMBER",
			),
			func(m model, _ apptest.Answer) { m.Places[place].leave(name, other) },
		)
	case kind < 9:
		return apptest.Try(as, ask, v, apptest.Either(!h.Closed, "PRECONDITION_FAILED CHAT_IS_OPEN", !inside, "FORBIDDEN NOT_COMMUNITY_MEMBER", member, "CONFLICT ALREADY_MEMBER",
			slices.Contains(h.Pending, as), "CONFLICT REQUEST_PENDING",
			slices.Contains(h.Cooling, p.world.ids[as]), "PRECONDITION_FAILED REQUEST_TOO_SOON"), func(m model, _ apptest.Answer) {
			m.Places[place].Chats[name].Pending = append(m.Places[place].Chats[name].Pending, as)
		})
	case kind < 11 && len(h.Pending) > 0:
		requester := h.Pending[p.IntN(len(h.Pending))]
		if p.IntN(2) == 0 {
			as, rules, member = h.Owner, true, true
		}
		v["r"] = p.ids["request "+name+" "+requester]
		if as == requester && p.IntN(2) == 0 {
			return apptest.Try(
				as,
				`mutation($r: ID!) { cancelChatRequest(id: $r) { id } }`,
				v,
				"",
				func(m model, _ apptest.Answer) { m.Places[place].Chats[name].Pending = without(h.Pending, as) },
			)
		}
		hidden := !rules && !member && as != requester
		if p.IntN(3) == 0 {
			return apptest.Try(as, reject, v, apptest.Either(hidden, "NOT_FOUND", !rules, "FORBIDDEN PERMISSION_MISSING"), func(m model, _ apptest.Answer) {
				h := m.Places[place].Chats[name]
				h.Pending, h.Cooling = without(h.Pending, requester), append(h.Cooling, p.world.ids[requester])
			})
		}
		return apptest.Try(as, accept, v, apptest.Either(hidden, "NOT_FOUND", !rules, "FORBIDDEN PERMISSION_MISSING", full, "LIMIT_EXCEEDED CHAT_FULL"),
			func(m model, _ apptest.Answer) { m.Places[place].Chats[name].enter(requester) })
	case kind == 11:
		v["i"] = vars{"private": !h.Closed}
		return apptest.Try(
			as,
			`mutation($h: ID!, $i: UpdateGroupChatInput!) { updateGroupChat(id: $h, input: $i) { id } }`,
			v,
			apptest.Either(!rules, "FORBIDDEN PERMISSION_MISSING"),
			func(m model, _ apptest.Answer) { m.Places[place].Chats[name].Closed = !h.Closed },
		)
	case kind == 12 && i >= 0:
		gone := h.Messages[i].Deleted
		return apptest.Try(
			as,
			erase,
			v,
			apptest.Either(!member, "FORBIDDEN NOT_CHAT_MEMBER", gone, "NOT_FOUND", h.Messages[i].Author != as && h.Owner != as, "FORBIDDEN PERMISSION_MISSING"),
			func(m model, _ apptest.Answer) {
				h := m.Places[place].Chats[name]
				h.Messages[i].Deleted, h.Messages[i].Reactions = true, map[string]string{}
				for who := range h.Unread {
					h.Unread[who] = without(h.Unread[who], message)
				}
			},
		)
	case kind == 13 && i >= 0:
		v["r"] = []string{"LIKE", "WOW"}[p.IntN(2)]
		return apptest.Try(as, react, v, apptest.Either(!member, "FORBIDDEN NOT_CHAT_MEMBER", h.Messages[i].Deleted, "NOT_FOUND"), func(m model, _ apptest.Answer) {
			m.Places[place].Chats[name].Messages[i].Reactions[as] = v["r"].(string)
		})
	case kind == 14 && i >= 0:
		v["m"] = []string{p.ids[message]}
		return apptest.Try(as, markRead, v, noChat, func(m model, _ apptest.Answer) {
			h := m.Places[place].Chats[name]
			if h.Messages[i].Author != as {
				h.Unread[as] = slices.DeleteFunc(h.Unread[as], func(other string) bool {
					return slices.IndexFunc(h.Messages, func(m modelMessage) bool { return m.Content == other }) <= i
				})
			}
		})
	case kind == 15 && p.IntN(4) == 0:
		return apptest.Try(
			as,
			`mutation($h: ID!) { deleteGroupChat(id: $h) }`,
			v,
			apptest.Either(!rules, "FORBIDDEN PERMISSION_MISSING"),
			func(m model, _ apptest.Answer) { delete(m.Places[place].Chats, name) },
		)
	case kind == 17:
		return apptest.Try(as, `mutation($h: ID!, $u: ID!) { transferGroupChat(id: $h, userId: $u) { id } }`, v,
			apptest.Either(!rules, "FORBIDDEN PERMISSION_MISSING", !slices.Contains(h.Members, other), "NOT_FOUND NOT_MEMBER"),
			func(m model, _ apptest.Answer) { m.Places[place].Chats[name].Owner = other })
	default:
		content := fmt.Sprint("m", n)
		v["x"] = content
		return apptest.Try(as, send, v, noChat, func(m model, _ apptest.Answer) {
			h := m.Places[place].Chats[name]
			h.Messages = append(h.Messages, modelMessage{as, content, false, map[string]string{}})
			for _, who := range h.Members {
				if who != as {
					h.Unread[who] = append(h.Unread[who], content)
				}
			}
		})
	}
}

// drawPrivateChat returns a random attempt in a private chat.
func (p *player) drawPrivateChat(n int, as, other string) attempt {
	name := pair(as, other)
	chat := p.Model.PrivateChats[name]
	v := vars{"u": p.world.ids[other], "t": "PRIVATE", "h": p.ids[name]}
	if chat == nil {
		const open = `mutation($u: ID!) { openPrivateChat(userId: $u) { id } }`
		return apptest.Try(as, open, v, apptest.Either(as == other, "BAD_INPUT SELF"), func(m model, _ apptest.Answer) {
			m.PrivateChats[name] = &modelPrivateChat{map[string][]modelMessage{as: {}, other: {}}, map[string][]string{as: {}, other: {}}}
		})
	}
	seen := chat.Seen[as]
	switch kind := p.IntN(8); {
	case kind == 0:
		return apptest.Try(as, `mutation($h: ID!) { hidePrivateChat(id: $h) }`, v, "", func(m model, _ apptest.Answer) {
			m.PrivateChats[name].Seen[as], m.PrivateChats[name].Unread[as] = []modelMessage{}, []string{}
		})
	case kind == 1 && len(seen) > 0:
		last := seen[max(0, len(seen)-20):]
		var ids []string
		for _, one := range last {
			ids = append(ids, p.ids[one.Content])
		}
		v["m"] = ids
		return apptest.Try(as, markRead, v, "", func(m model, _ apptest.Answer) {
			if slices.ContainsFunc(last, func(one modelMessage) bool { return one.Author == other }) {
				m.PrivateChats[name].Unread[as] = []string{}
			}
		})
	case kind == 2 && len(seen) > 0:
		one := seen[p.IntN(len(seen))]
		v["m"] = p.ids[one.Content]
		return apptest.Try(as, erase, v, apptest.Either(one.Deleted, "NOT_FOUND", one.Author != as, "FORBIDDEN PERMISSION_MISSING"), func(m model, _ apptest.Answer) {
			for who, all := range m.PrivateChats[name].Seen {
				for i := range all {
					if all[i].Content == one.Content {
						all[i].Deleted, all[i].Reactions = true, map[string]string{}
					}
				}
				m.PrivateChats[name].Unread[who] = without(m.PrivateChats[name].Unread[who], one.Content)
			}
		})
	case kind == 3 && len(seen) > 0:
		one := seen[p.IntN(len(seen))]
		v["m"], v["r"] = p.ids[one.Content], "HEART"
		return apptest.Try(as, react, v, apptest.Either(one.Deleted, "NOT_FOUND"), func(m model, _ apptest.Answer) {
			for _, all := range m.PrivateChats[name].Seen {
				for i := range all {
					if all[i].Content == one.Content {
						all[i].Reactions[as] = "HEART"
					}
				}
			}
		})
	default:
		content := fmt.Sprint("m", n)
		v["x"] = content
		return apptest.Try(as, send, v, "", func(m model, _ apptest.Answer) {
			for who := range m.PrivateChats[name].Seen {
				m.PrivateChats[name].Seen[who] = append(m.PrivateChats[name].Seen[who], modelMessage{as, content, false, map[string]string{}})
			}
			m.PrivateChats[name].Unread[other] = append(m.PrivateChats[name].Unread[other], content)
		})
	}
}
