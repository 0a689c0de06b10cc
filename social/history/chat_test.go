package history_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
)

// talk holds the chats and messages.
type talk struct {
	chats    map[string]*chat
	messages []*message
	// looked holds the time of each user's last view of each chat.
	looked map[pair]time.Time
	// written and forced count the messages that profiles wrote, and those that were
	// removed by force, by author.
	written, forced map[string]int
}

func newTalk() talk {
	return talk{chats: map[string]*chat{}, looked: map[pair]time.Time{}, written: map[string]int{}, forced: map[string]int{}}
}

type chat struct {
	id, kind, name string
	at             time.Time
	// members holds the times of joining, by user.
	members map[string]time.Time
	// last is the time of the last message.
	last time.Time
}

func (c *chat) has(id string) bool { return c != nil && !c.members[id].IsZero() }

// message is a message in a chat; system messages have no author.
type message struct {
	id, chat, by, text string
	at, edited         time.Time
	tags               []tag
}

var (
	chatIDs    = []string{"k1", "k2", "k3", "k4"}
	messageIDs = []string{"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"}
	sentences  = []string{"hello", "@ana and @ben, @ben", "@Ana @nobody @cem", "what a uoiFZP8bjS", ""}
)

// inChat returns a random act about a chat, by a user who may be a member.
func inChat(d *draw, do string, args ...arg) act {
	by, id := d.One(everybody), d.One(chatIDs)
	if a, ok := d.Earlier("createDirectChat", "createGroupChat", "addToGroupChat"); ok {
		in := append([]string{a.By, a.By}, bares(a.Words("userIds"))...)
		if other := who(a); other != "" {
			in = append(in, other, other)
		}
		by, id = d.One(in), a.Text("chatId")
	}
	return act{By: by, Do: do, Args: append([]arg{with("chatId", id)}, args...)}
}

// onMessage returns a random act about a message, usually by its author.
func onMessage(d *draw, do string, args ...arg) act {
	by, id := d.One(everybody), d.One(messageIDs)
	if a, ok := d.Earlier("createDirectChat", "createGroupChat", "addChatMessage"); ok {
		by, id = a.By, a.Text("messageId")
	}
	if do == "flagChatMessage" {
		by = d.One(everybody)
	}
	return act{By: by, Do: do, Args: append([]arg{with("messageId", id)}, args...)}
}

// bares returns names without braces; never nil.
func bares(names []string) []string {
	bare := []string{everybody[0]}
	for _, name := range names {
		bare = append(bare, strings.Trim(name, "{}"))
	}
	return bare
}

// some returns random users.
func some(d *draw) []string {
	users := []string{}
	for range d.IntN(4) {
		users = append(users, "{"+d.One(everybody)+"}")
	}
	return users
}

func says(d *draw, text string) []arg {
	return []arg{with("messageId", d.One(messageIDs)), with(text, d.One(sentences))}
}

var _ = add(area{
	acts: []kind{
		{4, func(d *draw) act {
			return act{
				By:   d.One(everybody),
				Do:   "createDirectChat",
				Args: append([]arg{with("chatId", d.One(chatIDs)), with("userId", "{"+d.One(everybody)+"}")}, says(d, "messageText")...),
			}
		}},
		{3, func(d *draw) act {
			a := act{By: d.One(everybody), Do: "createGroupChat", Args: append([]arg{with("chatId", d.One(chatIDs)), with("userIds", some(d))}, says(d, "messageText")...)}
			a.Args = append(a.Args, d.Some(0, with("name", d.One(sentences)))...)
			return a
		}},
		{2, func(d *draw) act { return inChat(d, "addToGroupChat", with("userIds", some(d))) }},
		{1, func(d *draw) act { return inChat(d, "editGroupChat", with("name", d.One(sentences))) }},
		{2, func(d *draw) act { return inChat(d, "leaveGroupChat") }},
		{8, func(d *draw) act { return inChat(d, "addChatMessage", says(d, "text")...) }},
		{2, func(d *draw) act { return onMessage(d, "editChatMessage", with("text", d.One(sentences))) }},
		{3, func(d *draw) act { return onMessage(d, "deleteChatMessage") }},
		{5, func(d *draw) act {
			a := inChat(d, "reportChatViews")
			return act{By: a.By, Do: a.Do, Args: []arg{with("chatIds", []string{a.Text("chatId"), d.One(chatIDs)})}}
		}},
		{1, func(d *draw) act { return inChat(d, "flagChat") }},
		{1, func(d *draw) act { return onMessage(d, "flagChatMessage") }},
	},
	mutations: map[string]mutation{
		"createDirectChat":  {"...Chat", (*model).createDirectChat},
		"createGroupChat":   {"...Chat", (*model).createGroupChat},
		"addToGroupChat":    {"...Chat", (*model).addToGroupChat},
		"editGroupChat":     {"...Chat", (*model).editGroupChat},
		"leaveGroupChat":    {"...Chat", (*model).leaveGroupChat},
		"addChatMessage":    {"...Message", (*model).addChatMessage},
		"editChatMessage":   {"...Message", (*model).editChatMessage},
		"deleteChatMessage": {"...Message", (*model).deleteChatMessage},
		"reportChatViews":   {"", (*model).reportChatViews},
		"flagChat":          {"...Chat", (*model).flagChat},
		"flagChatMessage":   {"...Message", (*model).flagChatMessage},
	},
	fragments: []fragment{
		{"Chat", "Chat", `chatId chatType name createdAt usersCount userCount messagesCount messageCount
			unviewed: messagesCount(viewedStatus: NOT_VIEWED) viewed: messagesCount(viewedStatus: VIEWED) flagStatus`,
			func(m *model, viewer, id string) shown {
				c, all, unviewed := m.chats[id], len(m.saidIn(id)), m.unviewedIn(id, viewer)
				return shown{
					"chatId": id, "chatType": c.kind, "name": given(c.name), "createdAt": instant(c.at), "usersCount": len(c.members), "userCount": len(c.members),
					"messagesCount": all, "messageCount": all, "unviewed": unviewed, "viewed": all - unviewed, "flagStatus": "NOT_FLAGGED",
				}
			}},
		{"Within", "Chat", `messages(limit: 12) { items { ...Message } } newest: messages(limit: 3, reverse: true) { items { ...Message } }`,
			func(m *model, viewer, id string) shown {
				items := []shown{}
				for _, said := range m.saidIn(id) {
					items = append(items, m.shownMessage(viewer, said))
				}
				newest := slices.Clone(items)
				slices.Reverse(newest)
				return shown{"messages": shown{"items": items[:min(12, len(items))]}, "newest": shown{"items": newest[:min(3, len(newest))]}}
			}},
		{"Message", "ChatMessage", `text lastEditedAt authorUserId author { ...Names } textTaggedUsers { tag user { ...Names } } viewedStatus flagStatus chat { chatId }`,
			func(*model, string, string) shown { return nil }}, // shown by shownMessage: those of the system have ids that nobody knows
		{"Trending", "Query", chatQueries(), func(m *model, viewer, _ string) shown {
			s := shown{}
			for _, id := range chatIDs {
				s[id] = nil
				if m.chats[id].has(viewer) {
					chat := m.show("Chat", viewer, id)
					maps.Copy(chat, m.show("Within", viewer, id))
					s[id] = chat
				}
			}
			return s
		}},
		{"Lists", "User", `chatCount chatsWithUnviewedMessagesCount directChat { chatId } chats { items { chatId } nextToken }`, func(m *model, viewer, id string) shown {
			all, unviewed, items := 0, 0, []any{}
			// Those of the same time, as when somebody leaves all of them at once, are ordered by id.
			for _, c := range slices.SortedFunc(maps.Values(m.chats), func(a, b *chat) int { return cmp.Or(b.last.Compare(a.last), cmp.Compare(b.id, a.id)) }) {
				if c.has(id) {
					all++
					items = append(items, shown{"chatId": c.id})
					if m.unviewedIn(c.id, id) > 0 {
						unviewed++
					}
				}
			}
			s := shown{"directChat": nil}
			s.put(viewer == id, shown{
				"chatCount": all, "chatsWithUnviewedMessagesCount": unviewed, "chats": shown{"items": items, "nextToken": nil},
			})
			if c := m.between(viewer, id); c != nil && viewer != id {
				s["directChat"] = shown{"chatId": c.id}
			}
			return s
		}},
	},
	removed: (*model).silence,
	rows: map[string]func(*model, row){
		"chat -": func(m *model, r row) {
			c := m.chatOf(r.text("chatId"))
			c.kind, c.name, c.at, c.last = r.text("chatType"), r.text("name"), r.time("createdAt"), r.time("lastMessageActivityAt")
		},
		"chat member": func(m *model, r row) {
			id, user := r.keys()
			joined, _ := strings.CutPrefix(r.text("gsiK1SortKey"), "member/")
			m.chatOf(id).members[user] = row{"at": joined}.time("at")
		},
		"chat view": func(m *model, r row) {
			id, user := r.keys()
			m.looked[pair{id, user}] = r.time("lastViewedAt")
		},
		"chatMessage -": func(m *model, r row) {
			m.chatOf(r.text("chatId"))
			m.messages = append(m.messages, &message{
				id: r.text("messageId"), chat: r.text("chatId"), by: r.who("userId"), text: r.text("text"),
				at: r.time("createdAt"), edited: r.maybe("lastEditedAt"), tags: r.tags(),
			})
		},
		// A flag removes the item: each user is more than a tenth of those present.
	},
	stored: func(m *model, rows []row) string {
		for _, r := range rows {
			thing, rest, _ := strings.Cut(r.text("partitionKey"), "/")
			if thing == "chat" && m.chats[rest] == nil {
				return fmt.Sprintf("left of a chat: %v", r)
			}
			if thing == "chatMessage" && m.chats[r.text("chatId")] == nil {
				return fmt.Sprintf("left of a chat: %v", r)
			}
		}
		for id, c := range m.chats {
			if c.kind == "" || len(c.members) == 0 || c.kind == "DIRECT" && len(c.members) != 2 {
				return fmt.Sprintf("chat %s is %+v", id, c)
			}
		}
		return ""
	},
})

func chatQueries() string {
	var queries []string
	for _, id := range chatIDs {
		queries = append(queries, fmt.Sprintf("%s: chat(chatId: %q) { ...Chat ...Within }", id, id))
	}
	return strings.Join(queries, " ")
}

// Histories of chats, and of changes between their members.
func TestHistoriesOfChats(t *testing.T) {
	chatHistory(0).Run(t, *seed, *seed+2**histories)
}

func TestHistoriesOfChatsWithFaults(t *testing.T) {
	chatHistory(15).Run(t, *seed+1000, *seed+1000+2**histories)
}

func chatHistory(faults int) apptest.History {
	h := history(false, faults)
	h.Begin, h.Kinds = profiles(), nil
	for _, a := range areas {
		for _, mutation := range []string{"createDirectChat", "blockUser", "resetUser", "followUser"} {
			if _, ok := a.mutations[mutation]; ok {
				for _, k := range a.acts {
					h.Kinds = append(h.Kinds, apptest.Kind{Weight: k.weight, Draw: k.draw})
				}
			}
		}
	}
	return h
}

// chatOf returns a chat, which is initially empty.
func (m *model) chatOf(id string) *chat {
	if m.chats[id] == nil {
		m.chats[id] = &chat{id: id, members: map[string]time.Time{}}
	}
	return m.chats[id]
}

// between returns the direct chat of two users.
func (m *model) between(a, b string) *chat {
	for _, c := range m.chats {
		if c.kind == "DIRECT" && c.has(a) && c.has(b) && a != b {
			return c
		}
	}
	return nil
}

// saidIn returns the messages of a chat, oldest first.
func (m *model) saidIn(id string) []*message {
	var said []*message
	for _, one := range m.messages {
		if one.chat == id {
			said = append(said, one)
		}
	}
	slices.SortStableFunc(said, func(a, b *message) int { return a.at.Compare(b.at) })
	return said
}

// messageOf returns a message by id.
func (m *model) messageOf(id string) *message {
	for _, one := range m.messages {
		if one.id == id && id != "" {
			return one
		}
	}
	return nil
}

// unviewedIn returns the number of messages that a member has not viewed: all by others
// since they joined and last viewed the chat.
func (m *model) unviewedIn(id, user string) (n int) {
	joined, in := m.chats[id].members[user]
	if !in {
		return 0
	}
	for _, one := range m.saidIn(id) {
		if one.by != user && !one.at.Before(joined) && one.at.After(m.looked[pair{id, user}]) {
			n++
		}
	}
	return n
}

func (m *model) shownMessage(viewer string, one *message) shown {
	s := shown{
		"text": one.text, "lastEditedAt": nil, "authorUserId": nil, "author": nil, "flagStatus": "NOT_FLAGGED", "chat": shown{"chatId": one.chat},
		"textTaggedUsers": m.tagged(viewer, one.tags, later(one.at, one.edited)),
		"viewedStatus":    viewed(one.by == viewer || !one.at.After(m.looked[pair{one.chat, viewer}])),
	}
	if !one.edited.IsZero() {
		s["lastEditedAt"] = instant(one.edited)
	}
	if one.by != "" {
		s["authorUserId"] = "{" + one.by + "}"
		if u := m.users[one.by]; u != nil && !u.signedUpAt.After(one.at) && !m.blocks[pair{one.by, viewer}] {
			s["author"] = m.show("Names", viewer, one.by)
		}
	}
	return s
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// say adds a message at the given time, or immediately after the newest.
func (m *model) say(c *chat, id, by, text string, at time.Time, tags []tag) *message {
	c.last = later(at, c.last.Add(time.Microsecond))
	one := &message{id: id, chat: c.id, by: by, text: text, at: c.last, tags: tags}
	m.messages = append(m.messages, one)
	if by != "" {
		m.written[by]++
		m.judge(one)
	}
	return one
}

func (m *model) announce(c *chat, text string, at time.Time) {
	m.say(c, "", "", text, at, m.tags(text))
}

// judge removes a message with a bad word after the response, unless all other members
// trust its author.
func (m *model) judge(one *message) {
	if !strings.Contains(one.text, "uoiFZP8bjS") {
		return
	}
	m.late = append(m.late, func() {
		c := m.chats[one.chat]
		if c == nil || m.messageOf(one.id) != one {
			return
		}
		for other := range c.members {
			mutual := m.status(one.by, other) == "FOLLOWING" || c.kind == "GROUP"
			if other != one.by && !(mutual && m.status(other, one.by) == "FOLLOWING") {
				m.forceOut(one)
				return
			}
		}
	})
}

// forceOut removes a message by force, which may disable its author.
func (m *model) forceOut(one *message) {
	m.unsay(one)
	u := m.users[one.by]
	if u == nil || u.signedUpAt.After(one.at) {
		return
	}
	if m.forced[one.by]++; m.written[one.by] > 5 && 10*m.forced[one.by] > m.written[one.by] {
		u.status = "DISABLED"
	}
}

func (m *model) unsay(one *message) {
	m.messages = slices.DeleteFunc(m.messages, func(other *message) bool { return other == one })
}

// endChat removes a chat with its messages.
func (m *model) endChat(id string) {
	delete(m.chats, id)
	m.messages = slices.DeleteFunc(m.messages, func(one *message) bool { return one.chat == id })
	maps.DeleteFunc(m.looked, func(p pair, _ time.Time) bool { return p.from == id })
}

func (m *model) createDirectChat(a act, _ *user, at time.Time) (shown, string) {
	id, other := a.Text("chatId"), who(a)
	u := m.users[other]
	switch {
	case u == nil:
		return nil, fmt.Sprintf("User `{%s}` does not exist", other)
	case other == a.By:
		return nil, fmt.Sprintf("User `{%s}` cannot open direct chat with themselves", a.By)
	case m.blocks[pair{a.By, other}]:
		return nil, fmt.Sprintf("User `{%s}` has blocked user `{%s}`", a.By, other)
	case m.blocks[pair{other, a.By}]:
		return nil, fmt.Sprintf("User `{%s}` has been blocked by `{%s}`", a.By, other)
	case m.between(a.By, other) != nil:
		return nil, fmt.Sprintf("Chat already exists between user `{%s}` and user `{%s}`", a.By, other)
	case u.status != "ACTIVE":
		return nil, fmt.Sprintf("Cannot open direct chat with user with status `%s`", u.status)
	}
	if refusal := m.idsTaken(a); refusal != "" {
		return nil, refusal
	}
	c := m.chatOf(id)
	c.kind, c.at, c.members = "DIRECT", at, map[string]time.Time{a.By: at, other: at}
	m.say(c, a.Text("messageId"), a.By, a.Text("messageText"), at, m.tags(a.Text("messageText")))
	return m.show("Chat", a.By, id), ""
}

// idsTaken returns the reason why a chat cannot be created, or "".
func (m *model) idsTaken(a act) string {
	switch {
	case m.chats[a.Text("chatId")] != nil:
		return fmt.Sprintf("Unable to add chat with id `%s`... id already used?", a.Text("chatId"))
	case m.messageOf(a.Text("messageId")) != nil:
		return "Unable to add message... id already used?"
	default:
		return ""
	}
}

func (m *model) createGroupChat(a act, me *user, at time.Time) (shown, string) {
	if refusal := m.idsTaken(a); refusal != "" {
		return nil, refusal
	}
	c, text := m.chatOf(a.Text("chatId")), "@"+me.username+" created the group"
	c.kind, c.at, c.name, c.members = "GROUP", at, a.Text("name"), map[string]time.Time{a.By: at}
	if c.name != "" {
		text += fmt.Sprintf(` "%s"`, c.name)
	}
	m.announce(c, text, at)
	m.bringIn(c, me, bares(a.Words("userIds"))[1:], at.Add(time.Microsecond))
	m.say(c, a.Text("messageId"), a.By, a.Text("messageText"), at.Add(time.Millisecond), m.tags(a.Text("messageText")))
	return m.show("Chat", a.By, c.id), ""
}

// bringIn adds the users who can be added, and a system message.
func (m *model) bringIn(c *chat, me *user, users []string, at time.Time) {
	at = later(at, c.last.Add(time.Microsecond))
	var names []string
	for _, id := range users {
		if u := m.users[id]; u != nil && u.status == "ACTIVE" && !c.has(id) && !m.apart(me.id, id) {
			c.members[id] = at
			names = append(names, "@"+u.username)
		}
	}
	if len(names) == 0 {
		return
	}
	list := names[0]
	if last := len(names) - 1; last > 0 {
		list = strings.Join(names[:last], ", ") + " and " + names[last]
	}
	m.announce(c, fmt.Sprintf("@%s added %s to the group", me.username, list), at)
}

// group returns a group of which the caller is a member, or the reason for a refusal.
func (m *model) group(a act, refusal string) (*chat, string) {
	c := m.chats[a.Text("chatId")]
	switch {
	case !c.has(a.By):
		return nil, fmt.Sprintf("User `{%s}` is not a member of chat `%s`", a.By, a.Text("chatId"))
	case c.kind == "DIRECT":
		return nil, fmt.Sprintf(refusal, c.id)
	default:
		return c, ""
	}
}

func (m *model) addToGroupChat(a act, me *user, at time.Time) (shown, string) {
	c, refusal := m.group(a, "Cannot add users to non-GROUP chat `%s`")
	if c == nil {
		return nil, refusal
	}
	m.bringIn(c, me, bares(a.Words("userIds"))[1:], at)
	return m.show("Chat", a.By, c.id), ""
}

func (m *model) editGroupChat(a act, me *user, at time.Time) (shown, string) {
	c, refusal := m.group(a, "Cannot edit non-GROUP chat `%s`")
	if c == nil {
		return nil, refusal
	}
	text := "@" + me.username + " deleted the name of the group"
	if c.name = a.Text("name"); c.name != "" {
		text = fmt.Sprintf(`@%s changed the name of the group to "%s"`, me.username, c.name)
	}
	m.announce(c, text, at)
	return m.show("Chat", a.By, c.id), ""
}

func (m *model) leaveGroupChat(a act, me *user, at time.Time) (shown, string) {
	c, refusal := m.group(a, "Cannot leave non-GROUP chat `%s`")
	if c == nil {
		return nil, refusal
	}
	if delete(c.members, a.By); len(c.members) > 0 {
		m.announce(c, "@"+me.username+" left the group", at)
	}
	last := m.show("Chat", a.By, c.id)
	if len(c.members) == 0 {
		m.endChat(c.id)
	}
	return last, ""
}

func (m *model) addChatMessage(a act, _ *user, at time.Time) (shown, string) {
	c := m.chats[a.Text("chatId")]
	switch {
	case !c.has(a.By):
		return nil, fmt.Sprintf("User `{%s}` is not a member of chat `%s`", a.By, a.Text("chatId"))
	case m.messageOf(a.Text("messageId")) != nil:
		return nil, "Unable to add message... id already used?"
	}
	return m.shownMessage(a.By, m.say(c, a.Text("messageId"), a.By, a.Text("text"), at, m.tags(a.Text("text")))), ""
}

// own returns a message of the caller, or the reason for a refusal.
func (m *model) own(a act, verb string) (*message, string) {
	one := m.messageOf(a.Text("messageId"))
	if one == nil || one.by != a.By {
		return nil, fmt.Sprintf("User `{%s}` cannot %s message `%s`", a.By, verb, a.Text("messageId"))
	}
	return one, ""
}

func (m *model) editChatMessage(a act, _ *user, at time.Time) (shown, string) {
	one, refusal := m.own(a, "edit")
	if one == nil {
		return nil, refusal
	}
	one.text, one.tags, one.edited = a.Text("text"), m.tags(a.Text("text")), at
	m.judge(one)
	return m.shownMessage(a.By, one), ""
}

func (m *model) deleteChatMessage(a act, _ *user, _ time.Time) (shown, string) {
	one, refusal := m.own(a, "delete")
	if one == nil {
		return nil, refusal
	}
	last := m.shownMessage(a.By, one)
	m.unsay(one)
	return last, ""
}

func (m *model) reportChatViews(a act, _ *user, at time.Time) (shown, string) {
	for _, id := range a.Words("chatIds") {
		if c := m.chats[id]; c.has(a.By) {
			m.looked[pair{id, a.By}] = later(later(at, c.last), m.looked[pair{id, a.By}])
		}
	}
	return nil, ""
}

func (m *model) flagChat(a act, _ *user, _ time.Time) (shown, string) {
	id := a.Text("chatId")
	switch {
	case m.chats[id] == nil:
		return nil, fmt.Sprintf("Chat `%s` does not exist", id)
	case !m.chats[id].has(a.By):
		return nil, fmt.Sprintf("User is not part of chat `%s`", id)
	}
	last := m.show("Chat", a.By, id)
	last["flagStatus"] = "FLAGGED"
	m.endChat(id)
	return last, ""
}

func (m *model) flagChatMessage(a act, _ *user, _ time.Time) (shown, string) {
	id := a.Text("messageId")
	one := m.messageOf(id)
	what := fmt.Sprintf("chatMessage `%s`", id)
	switch {
	case one == nil:
		return nil, fmt.Sprintf("ChatMessage `%s` does not exist", id)
	case !m.chats[one.chat].has(a.By):
		return nil, fmt.Sprintf("User is not part of chat of message `%s`", id)
	}
	if refusal := m.unfriendly(a.By, one.by, what); refusal != "" {
		return nil, refusal
	}
	last := m.shownMessage(a.By, one)
	last["flagStatus"] = "FLAGGED"
	m.forceOut(one)
	return last, ""
}

// silence removes a user from all chats.
func (m *model) silence(id string) {
	gone := m.users[id]
	for _, c := range slices.SortedFunc(maps.Values(m.chats), func(a, b *chat) int { return cmp.Compare(a.id, b.id) }) {
		switch {
		case !c.has(id):
		case c.kind == "DIRECT" || len(c.members) == 1:
			m.endChat(c.id)
		default:
			delete(c.members, id)
			m.say(c, "", "", "@"+gone.username+" left the group", m.now.Add(time.Second), nil) // when the request came
		}
	}
	maps.DeleteFunc(m.looked, func(p pair, _ time.Time) bool { return p.to == id })
	delete(m.written, id)
	delete(m.forced, id)
}
