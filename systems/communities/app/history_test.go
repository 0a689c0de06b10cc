package app_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"stoa/internal/apptest"
)

// Histories: people do random things, while the store fails now and then. A naive model
// says what is refused and what there is afterwards. After a fault there is what was
// before or what the model says comes after, and nothing in between: what everybody sees
// is compared after each step, and the invariants are checked after each step.

// modelChat is a group chat. Unread holds for each member the messages not read yet.
type modelChat struct {
	Closed   bool
	Owner    string
	Members  []string // in the order of joining
	Unread   map[string][]string
	Pending  []string
	Messages []modelMessage
}

type modelMessage struct {
	Author, Content string
	Deleted         bool
	Reactions       map[string]string
}

type modelCommunity struct {
	Founder string
	Members []string
	Chats   map[string]*modelChat
}

// model holds communities by name, and in them chats by name.
type model map[string]*modelCommunity

// everyone are the people of a history.
var everyone = []string{"ann", "bob", "cid", "dot"}

// historyCapacity is that of all chats.
const historyCapacity = 3

// player plays a history in a world and in the model.
type player struct {
	*world
	*apptest.Trial[model]
	// ids are those of what was made, by name; messages are named by their content.
	ids map[string]string
}

func without(all []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == one })
}

// leave takes somebody out of a chat.
func (c *modelCommunity) leave(name, who string) {
	h := c.Chats[name]
	h.Members = without(h.Members, who)
	delete(h.Unread, who)
	switch {
	case len(h.Members) == 0:
		delete(c.Chats, name)
	case h.Owner == who:
		h.Owner = h.Members[0]
	}
}

func (h *modelChat) enter(who string) {
	h.Members, h.Unread[who] = append(h.Members, who), []string{}
	h.Pending = without(h.Pending, who)
}

type attempt = apptest.Attempt[model]

// draw picks something to do.
func (p *player) draw(n int) attempt {
	as, other := everyone[p.IntN(len(everyone))], everyone[p.IntN(len(everyone))]
	names := slices.Sorted(maps.Keys(p.Model))
	if len(names) == 0 || p.IntN(30) == 0 {
		name := fmt.Sprint("c", n)
		return apptest.Try(as, found, vars{"i": vars{"name": name, "description": "d", "topic": "PTSD", "location": trenton}}, "", func(m model, _ apptest.Answer) {
			m[name] = &modelCommunity{as, []string{as}, map[string]*modelChat{}}
		})
	}
	place := names[p.IntN(len(names))]
	c := p.Model[place]
	inside := slices.Contains(c.Members, as)
	chats := slices.Sorted(maps.Keys(c.Chats))
	v := vars{"c": p.ids[place]}
	if len(chats) == 0 || p.IntN(20) == 0 {
		name, closed := fmt.Sprint("h", n), p.IntN(2) == 0
		v["i"] = vars{"name": name, "description": "d", "private": closed, "capacity": historyCapacity}
		return apptest.Try(as, openChat, v, apptest.Either(!inside, "FORBIDDEN NOT_COMMUNITY_MEMBER"), func(m model, _ apptest.Answer) {
			m[place].Chats[name] = &modelChat{Closed: closed, Owner: as, Members: []string{as}, Unread: map[string][]string{as: {}}, Pending: []string{}, Messages: []modelMessage{}}
		})
	}
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
	switch kind := p.IntN(17); {
	case kind < 2:
		return apptest.Try(as, `mutation($c: ID!) { joinCommunity(id: $c) { id } }`, v, apptest.Either(inside, "CONFLICT ALREADY_MEMBER"), func(m model, _ apptest.Answer) {
			m[place].Members = append(m[place].Members, as)
		})
	case kind == 2:
		return apptest.Try(as, `mutation($c: ID!) { leaveCommunity(id: $c) { id } }`, v,
			apptest.Either(!inside, "NOT_FOUND NOT_MEMBER", c.Founder == as, "PRECONDITION_FAILED FOUNDER_CANNOT_LEAVE"), func(m model, _ apptest.Answer) {
				m[place].Members = without(m[place].Members, as)
				for _, name := range chats {
					m[place].Chats[name].Pending = without(m[place].Chats[name].Pending, as)
					if slices.Contains(m[place].Chats[name].Members, as) {
						m[place].leave(name, as)
					}
				}
			})
	case kind < 5:
		return apptest.Try(as, enter, v, apptest.Either(!inside, "FORBIDDEN NOT_COMMUNITY_MEMBER", member, "CONFLICT ALREADY_MEMBER", h.Closed, "FORBIDDEN PRIVATE_CHAT", full, "LIMIT_EXCEEDED CHAT_FULL"),
			func(m model, _ apptest.Answer) { m[place].Chats[name].enter(as) })
	case kind == 5:
		return apptest.Try(as, `mutation($h: ID!) { leaveGroupChat(id: $h) { id } }`, v, apptest.Either(!member, "NOT_FOUND NOT_MEMBER"), func(m model, _ apptest.Answer) { m[place].leave(name, as) })
	case kind == 6:
		v["u"] = p.world.ids[other]
		there := slices.Contains(h.Members, other)
		return apptest.Try(as, `mutation($h: ID!, $u: ID!) { removeGroupChatMember(id: $h, userId: $u) { id } }`, v,
			apptest.Either(as != other && !rules, "FORBIDDEN PERMISSION_MISSING", !there, "NOT_FOUND NOT_MEMBER"), func(m model, _ apptest.Answer) { m[place].leave(name, other) })
	case kind < 9:
		return apptest.Try(as, ask, v, apptest.Either(!h.Closed, "PRECONDITION_FAILED CHAT_IS_OPEN", !inside, "FORBIDDEN NOT_COMMUNITY_MEMBER", member, "CONFLICT ALREADY_MEMBER",
			slices.Contains(h.Pending, as), "CONFLICT REQUEST_PENDING"), func(m model, _ apptest.Answer) {
			m[place].Chats[name].Pending = append(m[place].Chats[name].Pending, as)
		})
	case kind < 11 && len(h.Pending) > 0:
		requester := h.Pending[p.IntN(len(h.Pending))]
		v["r"] = p.ids["request "+name+" "+requester]
		if as == requester && p.IntN(2) == 0 {
			return apptest.Try(as, `mutation($r: ID!) { cancelChatRequest(id: $r) { id } }`, v, "", func(m model, _ apptest.Answer) { m[place].Chats[name].Pending = without(h.Pending, as) })
		}
		hidden := !rules && !member && as != requester
		return apptest.Try(as, accept, v, apptest.Either(hidden, "NOT_FOUND", !rules, "FORBIDDEN PERMISSION_MISSING", full, "LIMIT_EXCEEDED CHAT_FULL"),
			func(m model, _ apptest.Answer) { m[place].Chats[name].enter(requester) })
	case kind == 11:
		v["i"] = vars{"private": !h.Closed}
		return apptest.Try(as, `mutation($h: ID!, $i: UpdateGroupChatInput!) { updateGroupChat(id: $h, input: $i) { id } }`, v, apptest.Either(!rules, "FORBIDDEN PERMISSION_MISSING"),
			func(m model, _ apptest.Answer) { m[place].Chats[name].Closed = !h.Closed })
	case kind == 12 && i >= 0:
		gone := h.Messages[i].Deleted
		return apptest.Try(as, erase, v, apptest.Either(!member, "FORBIDDEN NOT_CHAT_MEMBER", gone, "NOT_FOUND", h.Messages[i].Author != as && h.Owner != as, "FORBIDDEN PERMISSION_MISSING"), func(m model, _ apptest.Answer) {
			h := m[place].Chats[name]
			h.Messages[i].Deleted, h.Messages[i].Reactions = true, map[string]string{}
			for who := range h.Unread {
				h.Unread[who] = without(h.Unread[who], message)
			}
		})
	case kind == 13 && i >= 0:
		v["r"] = []string{"LIKE", "WOW"}[p.IntN(2)]
		return apptest.Try(as, react, v, apptest.Either(!member, "FORBIDDEN NOT_CHAT_MEMBER", h.Messages[i].Deleted, "NOT_FOUND"), func(m model, _ apptest.Answer) {
			m[place].Chats[name].Messages[i].Reactions[as] = v["r"].(string)
		})
	case kind == 14 && i >= 0:
		v["m"] = []string{p.ids[message]}
		return apptest.Try(as, markRead, v, noChat, func(m model, _ apptest.Answer) {
			h := m[place].Chats[name]
			if h.Messages[i].Author != as {
				h.Unread[as] = slices.DeleteFunc(h.Unread[as], func(other string) bool {
					return slices.IndexFunc(h.Messages, func(m modelMessage) bool { return m.Content == other }) <= i
				})
			}
		})
	case kind == 15 && p.IntN(8) == 0:
		return apptest.Try(as, `mutation($h: ID!) { deleteGroupChat(id: $h) }`, v, apptest.Either(!rules, "FORBIDDEN PERMISSION_MISSING"), func(m model, _ apptest.Answer) { delete(m[place].Chats, name) })
	default:
		content := fmt.Sprint("m", n)
		v["x"] = content
		return apptest.Try(as, send, v, noChat, func(m model, _ apptest.Answer) {
			h := m[place].Chats[name]
			h.Messages = append(h.Messages, modelMessage{as, content, false, map[string]string{}})
			for _, who := range h.Members {
				if who != as {
					h.Unread[who] = append(h.Unread[who], content)
				}
			}
		})
	}
}

// observed is what everybody sees together of what one of two models names.
func (p *player) observed(models ...model) model {
	p.T.Helper()
	names := map[string]bool{}
	for _, m := range models {
		for name := range m {
			names[name] = true
		}
	}
	seen := model{}
	for name := range names {
		d := p.Does("oz", `query($n: String!) { communityByName(name: $n) { id memberCount chatCount founder { username } members { items { user { username } joinedAt } }
			groupChats { items { id name private numMembers owner { username } } } } }`, vars{"n": name})
		if d.At("communityByName") == nil {
			continue
		}
		p.ids[name] = d.Text("communityByName.id")
		c := &modelCommunity{Founder: d.Text("communityByName.founder.username"), Chats: map[string]*modelChat{}}
		c.Members = p.ordered(models, d.List("communityByName.members.items", "user.username"), func(m model) []string {
			if m[name] == nil {
				return nil
			}
			return m[name].Members
		})
		seen[name] = c
		for _, chat := range d.Items("communityByName.groupChats.items") {
			id := chat.Text("name")
			p.ids[id] = chat.Text("id")
			c.Chats[id] = p.observedChat(models, name, id, chat)
		}
		if d.Int("communityByName.memberCount") != len(c.Members) || d.Int("communityByName.chatCount") != len(c.Chats) {
			p.T.Fatalf("community %v", d)
		}
	}
	return seen
}

// ordered gives names the order that one of the models has them in, where one does.
func (p *player) ordered(models []model, text string, of func(model) []string) []string {
	all := strings.Fields(text)
	if all == nil {
		all = []string{}
	}
	for _, m := range models {
		want := of(m)
		if a, b := slices.Sorted(slices.Values(all)), slices.Sorted(slices.Values(want)); slices.Equal(a, b) && len(want) > 0 {
			return slices.Clone(want)
		}
	}
	return all
}

func (p *player) observedChat(models []model, place, name string, chat apptest.Data) *modelChat {
	p.T.Helper()
	find := func(m model) *modelChat {
		if m[place] == nil || m[place].Chats[name] == nil {
			return &modelChat{}
		}
		return m[place].Chats[name]
	}
	v := vars{"h": p.ids[name]}
	h := &modelChat{Closed: chat.At("private").(bool), Owner: chat.Text("owner.username"), Unread: map[string][]string{}, Messages: []modelMessage{}}
	d := p.Does(h.Owner, `query($h: ID!) { groupChat(id: $h) { numMembers members { items { user { username } } } }
		messages(chatType: GROUP, chatId: $h, order: ASC, limit: 100) { items { id content deleted author { username } reactions { type user { username } } } } }`, v)
	h.Members = p.ordered(models, d.List("groupChat.members.items", "user.username"), func(m model) []string { return find(m).Members })
	for i, one := range d.Items("messages.items") {
		content, _ := one.At("content").(string)
		for _, m := range models { // what a deleted one said
			if messages := find(m).Messages; content == "" && i < len(messages) {
				content = messages[i].Content
			}
		}
		p.ids[content] = one.Text("id")
		m := modelMessage{one.Text("author.username"), content, one.At("deleted").(bool), map[string]string{}}
		for _, r := range one.Items("reactions") {
			m.Reactions[r.Text("user.username")] = r.Text("type")
		}
		h.Messages = append(h.Messages, m)
	}
	for _, member := range h.Members {
		count := p.Does(member, `query($h: ID!) { groupChat(id: $h) { unreadCount } }`, v).Int("groupChat.unreadCount")
		h.Unread[member] = slices.Repeat([]string{"?"}, count)
		for _, m := range models {
			if unread := find(m).Unread[member]; len(unread) == count && unread != nil {
				h.Unread[member] = slices.Clone(unread)
			}
		}
	}
	r := p.Does("oz", `query($h: ID!) { groupChatRequests(chatId: $h) { items { id user { username } } } }`, v)
	for _, item := range r.Items("groupChatRequests.items") {
		p.ids["request "+name+" "+item.Text("user.username")] = item.Text("id")
	}
	h.Pending = p.ordered(models, r.List("groupChatRequests.items", "user.username"), func(m model) []string { return find(m).Pending })
	return h
}

func play(t *testing.T, seed uint64, failing int) {
	t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
		test(t, func(w *world) {
			w.registers("oz")
			w.registers(everyone...)
			p := &player{world: w, ids: map[string]string{}}
			p.Trial = &apptest.Trial[model]{
				World: w.World, Rand: apptest.NewRandom(seed), Model: model{}, Observe: p.observed, Failing: failing,
				Ready: func(as string) { w.Does(as, `{ me { id } }`) }, // tokens are known for some seconds
			}
			for n := range 120 {
				if n%30 == 29 { // tokens are good for an hour
					w.logsIn(append([]string{"oz"}, everyone...)...)
				}
				p.Make(p.draw(n))
			}
		})
	})
}

// seeds is how many histories of a kind are played.
func seeds() uint64 {
	if testing.Short() {
		return 2
	}
	return 6
}

func TestRandomHistories(t *testing.T) {
	for seed := range seeds() {
		play(t, seed, 0)
	}
}

func TestRandomHistoriesWithFaults(t *testing.T) {
	for seed := range seeds() {
		play(t, seed+100, 35)
	}
}
