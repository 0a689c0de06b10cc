package app_test

import (
	"slices"
	"strings"

	"stoa/internal/apptest"
)

// observed returns the state visible to all users together, of the objects that one of two
// models contains.
func (p *player) observed(models ...model) model {
	p.T.Helper()
	names := map[string]bool{}
	for _, m := range models {
		for name := range m.Places {
			names[name] = true
		}
	}
	seen := model{map[string]bool{}, map[string]*modelCommunity{}, map[string]*modelPrivateChat{}}
	for _, who := range everyone {
		if p.Does("oz", `query($n: String!) { userByUsername(username: $n) { id } }`, vars{"n": who}).At("userByUsername") != nil {
			seen.People[who] = true
			if !models[0].People[who] {
				p.logsIn(who)
			}
		}
	}
	p.observePrivateChats(seen, models)
	for name := range names {
		d := p.Does("oz", `query($n: String!) { communityByName(name: $n) { id memberCount chatCount founder { username } members { items { user { username } joinedAt } }
			groupChats { items { id name private numMembers owner { username } } } } }`, vars{"n": name})
		if d.At("communityByName") == nil {
			continue
		}
		p.ids[name] = d.Text("communityByName.id")
		c := &modelCommunity{Founder: d.Text("communityByName.founder.username"), Chats: map[string]*modelChat{}}
		c.Members = p.ordered(models, d.List("communityByName.members.items", "user.username"), func(m model) []string {
			if m.Places[name] == nil {
				return nil
			}
			return m.Places[name].Members
		})
		seen.Places[name] = c
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

// ordered returns names in the order of one of the models, if any has that order.
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
		if m.Places[place] == nil || m.Places[place].Chats[name] == nil {
			return &modelChat{}
		}
		return m.Places[place].Chats[name]
	}
	v := vars{"h": p.ids[name]}
	h := &modelChat{Closed: chat.At("private").(bool), Owner: chat.Text("owner.username"), Unread: map[string][]string{}, Messages: []modelMessage{}}
	d := p.Does(h.Owner, `query($h: ID!) { groupChat(id: $h) { numMembers members { items { user { username } } } }
		messages(chatType: GROUP, chatId: $h, order: ASC, limit: 100) { items { id content deleted author { username } reactions { type user { username } } } } }`, v)
	h.Members = p.ordered(models, d.List("groupChat.members.items", "user.username"), func(m model) []string { return find(m).Members })
	for i, one := range d.Items("messages.items") {
		h.Messages = append(h.Messages, p.message(one, func(m model) []modelMessage { return find(m).Messages }, i, models))
	}
	for _, member := range h.Members {
		count := p.Does(member, `query($h: ID!) { groupChat(id: $h) { unreadCount } }`, v).Int("groupChat.unreadCount")
		h.Unread[member] = p.unread(count, models, func(m model) []string { return find(m).Unread[member] })
	}
	r := p.Does("oz", `query($h: ID!) { groupChatRequests(chatId: $h) { items { id user { username } } } }`, v)
	for _, item := range r.Items("groupChatRequests.items") {
		p.ids["request "+name+" "+item.Text("user.username")] = item.Text("id")
	}
	h.Pending = p.ordered(models, r.List("groupChatRequests.items", "user.username"), func(m model) []string { return find(m).Pending })
	h.Cooling = []string{}
	for _, m := range models { // nobody sees it but who asks; it changes with who is pending
		if slices.Equal(find(m).Pending, h.Pending) && find(m).Cooling != nil {
			h.Cooling = find(m).Cooling
		}
	}
	return h
}

// message returns a displayed message. The content of a deleted one is taken from a model.
func (p *player) message(shown apptest.Data, of func(model) []modelMessage, i int, models []model) modelMessage {
	p.T.Helper()
	content, _ := shown.At("content").(string)
	for _, m := range models {
		if all := of(m); content == "" && i < len(all) {
			content = all[i].Content
		}
	}
	p.ids[content] = shown.Text("id")
	seen := modelMessage{"", content, shown.At("deleted").(bool), map[string]string{}}
	if shown.At("author") != nil {
		seen.Author = shown.Text("author.username")
	}
	for _, r := range shown.Items("reactions") {
		seen.Reactions[r.Text("user.username")] = r.Text("type")
	}
	return seen
}

// observePrivateChats observes the private chats of all existing people, as each of them.
func (p *player) observePrivateChats(seen model, models []model) {
	p.T.Helper()
	for _, a := range everyone {
		for _, b := range everyone {
			if a == b || !seen.People[a] || !seen.People[b] {
				continue
			}
			d := p.Does(a, `query($u: ID!) { privateChatWith(userId: $u) { id unreadCount otherUser { username }
				messages(limit: 100) { items { id content deleted author { username } reactions { type user { username } } } } } }`, vars{"u": p.world.ids[b]})
			if d.At("privateChatWith") == nil {
				continue
			}
			name := pair(a, b)
			p.ids[name] = d.Text("privateChatWith.id")
			chat := seen.PrivateChats[name]
			if chat == nil {
				chat = &modelPrivateChat{map[string][]modelMessage{}, map[string][]string{}}
				seen.PrivateChats[name] = chat
			}
			of := func(m model) *modelPrivateChat {
				if m.PrivateChats[name] == nil {
					return &modelPrivateChat{}
				}
				return m.PrivateChats[name]
			}
			chat.Seen[a] = []modelMessage{}
			shown := d.Items("privateChatWith.messages.items")
			slices.Reverse(shown)
			for i, one := range shown {
				chat.Seen[a] = append(chat.Seen[a], p.message(one, func(m model) []modelMessage { return of(m).Seen[a] }, i, models))
			}
			chat.Unread[a] = p.unread(d.Int("privateChatWith.unreadCount"), models, func(m model) []string { return of(m).Unread[a] })
		}
	}
}

// unread returns the unread messages of a model that has the given number of them.
func (p *player) unread(count int, models []model, of func(model) []string) []string {
	unread := slices.Repeat([]string{"?"}, count)
	for _, m := range models {
		if all := of(m); len(all) == count && all != nil {
			unread = slices.Clone(all)
		}
	}
	return unread
}
