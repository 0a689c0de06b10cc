package chat_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	. "stoa/social/socialtest"
)

// talk is a model of chats: plain lists, written from the rules and not from the code.
type talk struct {
	users  []string // who are there
	blocks map[[2]string]bool
	chats  map[string]*talked
	moment int
}

type talked struct {
	direct   bool
	members  map[string]int // by when something happened for them last
	messages []*said
}

type said struct {
	id, author string
	unviewed   map[string]bool
}

func (t *talk) there(name string) bool { return slices.Contains(t.users, name) }
func (t *talk) apart(a, b string) bool {
	return t.blocks[[2]string{a, b}] || t.blocks[[2]string{b, a}]
}
func (c *talked) has(name string) bool { _, in := c.members[name]; return in }

func (t *talk) say(c *talked, id, author string) {
	t.moment++
	m := &said{id: id, author: author, unviewed: map[string]bool{}}
	for member := range c.members {
		c.members[member] = t.moment
		m.unviewed[member] = member != author
	}
	c.messages = append(c.messages, m)
}

func (t *talk) join(c *talked, by string, names []string) {
	added := false
	for _, name := range names {
		if t.there(name) && !t.apart(by, name) && !c.has(name) {
			t.moment++
			c.members[name] = t.moment
			added = true
		}
	}
	if added {
		t.say(c, "", "")
	}
}

func (t *talk) leave(id, name string) {
	c := t.chats[id]
	delete(c.members, name)
	for _, m := range c.messages {
		delete(m.unviewed, name)
	}
	if len(c.members) == 0 || c.direct {
		delete(t.chats, id)
		return
	}
	t.say(c, "", "")
}

func (t *talk) between(a, b string) string {
	for id, c := range t.chats {
		if c.direct && c.has(a) && c.has(b) {
			return id
		}
	}
	return ""
}

// seenBy returns the chats of a user, as they see them.
func (t *talk) seenBy(name string) string {
	ids := slices.Collect(maps.Keys(t.chats))
	ids = slices.DeleteFunc(ids, func(id string) bool { return !t.chats[id].has(name) })
	slices.SortFunc(ids, func(a, b string) int { return t.chats[b].members[name] - t.chats[a].members[name] })
	var lines []string
	busy := 0
	for _, id := range ids {
		c, unviewed := t.chats[id], 0
		var users, messages []string
		for member := range c.members {
			if !t.blocks[[2]string{member, name}] {
				users = append(users, member)
			}
		}
		for _, m := range c.messages {
			messages = append(messages, m.author+"/"+m.id)
			if m.unviewed[name] {
				unviewed++
			}
		}
		if unviewed > 0 {
			busy++
		}
		slices.Sort(users)
		lines = append(lines, fmt.Sprint(id, " of ", len(c.members), users, ", ", unviewed, " of ", len(messages), messages))
	}
	return fmt.Sprint(len(ids), " chats, ", busy, " to view\n", strings.Join(lines, "\n"))
}

func seenIn(w *World, name string) string {
	var answer struct {
		Self struct {
			ChatCount, ChatsWithUnviewedMessagesCount int
			Chats                                     struct {
				Items []struct {
					ChatID                              string
					UsersCount, MessagesCount, Unviewed int
					Users                               struct{ Items []struct{ Username string } }
					Messages                            struct {
						Items []struct{ MessageID, AuthorUserID string }
					}
				}
			}
		}
	}
	a := w.Must(name, `{ self { chatCount chatsWithUnviewedMessagesCount chats(limit: 100) { items { chatId usersCount messagesCount unviewed: messagesCount(viewedStatus: NOT_VIEWED)
		users(limit: 10) { items { username } } messages(limit: 100) { items { messageId authorUserId } } } } } }`)
	if err := json.Unmarshal(a.Data, &answer); err != nil {
		w.T.Fatal(err)
	}
	var lines []string
	for _, c := range answer.Self.Chats.Items {
		var users, messages []string
		for _, u := range c.Users.Items {
			users = append(users, u.Username)
		}
		for _, m := range c.Messages.Items {
			author := strings.Trim(w.People.Name(m.AuthorUserID), "{}")
			if author == "" {
				m.MessageID = ""
			}
			messages = append(messages, author+"/"+m.MessageID)
		}
		slices.Sort(users)
		lines = append(lines, fmt.Sprint(c.ChatID, " of ", c.UsersCount, users, ", ", c.Unviewed, " of ", c.MessagesCount, messages))
	}
	return fmt.Sprint(answer.Self.ChatCount, " chats, ", answer.Self.ChatsWithUnviewedMessagesCount, " to view\n", strings.Join(lines, "\n"))
}

// chats 0.5#1-2, 3.11#1-7 and service E6: after random actions, chats have the members,
// messages, unviewed messages and order that the rules say.
func TestRandomHistoriesOfChats(t *testing.T) {
	histories := uint64(20)
	if testing.Short() {
		histories = 3
	}
	for seed := range histories {
		names := []string{"ana", "ben", "cleo", "dan", "eve"}
		Test(t, Users(names...), func(w *World) {
			r := rand.New(rand.NewPCG(seed, 7))
			m := &talk{users: slices.Clone(names), blocks: map[[2]string]bool{}, chats: map[string]*talked{}}
			for step := range 120 {
				what, allowed := m.act(r, step, func(by, mutation string) bool { return len(w.Ask(by, "mutation { "+mutation+" }").Errors) == 0 })
				if !allowed {
					w.T.Fatalf("history %d, step %d: %s was answered otherwise than by the rules", seed, step, what)
				}
				for _, name := range m.users {
					if got, want := seenIn(w, name), m.seenBy(name); got != want {
						w.T.Fatalf("history %d, step %d, after %s: %s sees\n%s\nwant\n%s", seed, step, what, name, got, want)
					}
				}
			}
			for _, problem := range w.Problems() {
				w.T.Error(problem)
			}
		})
	}
}

// act performs a random action, and reports whether it was refused or accepted as the rules
// say.
func (t *talk) act(r *rand.Rand, step int, do func(by, mutation string) bool) (what string, right bool) {
	one := func(of []string) string { return of[r.IntN(len(of))] }
	by, other := one(t.users), one(t.users)
	id := "none"
	if ids := slices.Sorted(maps.Keys(t.chats)); len(ids) > 0 { // in order, so that a seed says it all
		id = one(ids)
	}
	c := t.chats[id]
	in := c != nil && c.has(by)
	allowed := false
	var then func()
	switch r.IntN(16) {
	case 0, 1:
		fresh := fmt.Sprint("c", step)
		what = fmt.Sprintf(`createDirectChat(chatId: %q, userId: "{%s}", messageId: "m%d", messageText: "x") { chatId }`, fresh, other, step)
		allowed = by != other && !t.apart(by, other) && t.between(by, other) == ""
		then = func() {
			t.chats[fresh] = &talked{direct: true, members: map[string]int{by: 0, other: 0}}
			t.say(t.chats[fresh], fmt.Sprint("m", step), by)
		}
	case 2:
		fresh, others := fmt.Sprint("c", step), []string{one(t.users), one(t.users), by}
		what = fmt.Sprintf(`createGroupChat(chatId: %q, userIds: ["{%s}", "{%s}", "{%s}"], messageId: "m%d", messageText: "x") { chatId }`, fresh, others[0], others[1], others[2], step)
		allowed = true
		then = func() {
			g := &talked{members: map[string]int{by: 0}}
			t.chats[fresh] = g
			t.say(g, "", "")
			t.join(g, by, others)
			t.say(g, fmt.Sprint("m", step), by)
		}
	case 3:
		what = fmt.Sprintf(`addToGroupChat(chatId: %q, userIds: ["{%s}"]) { chatId }`, id, other)
		allowed = in && !c.direct
		then = func() { t.join(c, by, []string{other}) }
	case 4:
		what = fmt.Sprintf(`leaveGroupChat(chatId: %q) { chatId }`, id)
		allowed = in && !c.direct
		then = func() { t.leave(id, by) }
	case 5:
		what = fmt.Sprintf(`editGroupChat(chatId: %q, name: "n") { chatId }`, id)
		allowed = in && !c.direct
		then = func() { t.say(c, "", "") }
	case 6, 7:
		what = fmt.Sprintf(`reportChatViews(chatIds: [%q])`, id)
		allowed = true
		then = func() {
			if in {
				for _, m := range c.messages {
					delete(m.unviewed, by)
				}
			}
		}
	case 8, 9:
		message := fmt.Sprint("m", r.IntN(step+1))
		what = fmt.Sprintf(`deleteChatMessage(messageId: %q) { messageId }`, message)
		for _, c := range t.chats {
			for i, m := range c.messages {
				if m.id == message && m.author == by {
					allowed = true
					then = func() { c.messages = slices.Delete(c.messages, i, i+1) }
				}
			}
		}
	case 10:
		what = fmt.Sprintf(`blockUser(userId: "{%s}") { userId }`, other)
		allowed = by != other && !t.blocks[[2]string{by, other}]
		then = func() {
			t.blocks[[2]string{by, other}] = true
			if id := t.between(by, other); id != "" {
				delete(t.chats, id)
			}
		}
	case 11:
		what = fmt.Sprintf(`unblockUser(userId: "{%s}") { userId }`, other)
		allowed = t.blocks[[2]string{by, other}]
		then = func() { delete(t.blocks, [2]string{by, other}) }
	case 12:
		if step < 60 || len(t.users) < 4 {
			return "nothing", true
		}
		what, allowed = `deleteUser { userId }`, true
		then = func() {
			for _, id := range slices.Sorted(maps.Keys(t.chats)) {
				if t.chats[id].has(by) {
					t.leave(id, by)
				}
			}
			t.users = slices.DeleteFunc(t.users, func(name string) bool { return name == by })
		}
	default:
		what = fmt.Sprintf(`addChatMessage(chatId: %q, messageId: "m%d", text: "x") { messageId }`, id, step)
		allowed = in
		then = func() { t.say(c, fmt.Sprint("m", step), by) }
	}
	done := do(by, what)
	if done && allowed {
		then()
	}
	return by + " asks for " + what, done == allowed
}
