package app_test

import (
	"maps"
	"sync"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/communities/app"
)

// world is communities as served, on an empty engine. Its people have accounts, and its
// administrator is oz.
type world struct {
	*apptest.World
	mu  sync.Mutex
	ids map[string]string
}

func test(t *testing.T, f func(w *world)) {
	t.Helper()
	t.Parallel()
	testWith(t, 0, f)
}

// testWith creates a world whose chats have a maximum capacity.
func testWith(t *testing.T, capacity int, f func(w *world)) {
	t.Helper()
	apptest.Test(t, app.System(app.Options{Capacity: capacity}), func(w *apptest.World) {
		w.Host.Operators = []string{"OZ@example.com"}
		f(&world{World: w, ids: map[string]string{}})
	}, apptest.WithIssuer)
}

const password = "correct horse"

// The locations of most people.
var (
	trenton = vars{"city": "Trenton", "state": "New Jersey", "country": "USA"}
	york    = vars{"city": "York", "state": "Yorkshire", "country": "UK"}
)

const register = `mutation($i: RegisterInput!) { register(input: $i) { accessToken refreshToken expiresAt user { id username role email } } }`

func person(name string, changes ...vars) vars {
	p := vars{"username": name, "name": "Name of " + name, "email": name + "@example.com", "password": password, "location": trenton}
	for _, c := range changes {
		maps.Copy(p, c)
	}
	return p
}

// registers registers users and stores their tokens by name.
func (w *world) registers(names ...string) {
	w.T.Helper()
	for _, name := range names {
		d := w.Does("", register, vars{"i": person(name)})
		w.knows(name, d, "register")
	}
}

func (w *world) knows(name string, d apptest.Data, field string) {
	w.SignIn(name, d.Text(field+".accessToken"))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids[name] = d.Text(field + ".user.id")
}

const found = `mutation($i: CreateCommunityInput!) { createCommunity(input: $i) { id memberCount chatCount founder { id } isMember version } }`

// founds creates a community with members.
func (w *world) founds(founder, name string, members ...string) string {
	w.T.Helper()
	id := w.Does(founder, found, vars{"i": vars{"name": name, "description": "d", "topic": "PTSD", "location": trenton}}).Text("createCommunity.id")
	for _, m := range members {
		w.Does(m, `mutation($c: ID!) { joinCommunity(id: $c) { id } }`, vars{"c": id})
	}
	return id
}

const openChat = `mutation($c: ID!, $i: CreateGroupChatInput!) { createGroupChat(communityId: $c, input: $i) { id numMembers isMember capacity private owner { id } unreadCount } }`

// opens creates a group chat.
func (w *world) opens(owner, community string, changes ...vars) string {
	w.T.Helper()
	i := vars{"name": "chat", "description": "d"}
	for _, c := range changes {
		maps.Copy(i, c)
	}
	return w.Does(owner, openChat, vars{"c": community, "i": i}).Text("createGroupChat.id")
}

const (
	enter = `mutation($h: ID!) { joinGroupChat(id: $h) { id numMembers } }`
	send  = `mutation($t: ChatType!, $h: ID!, $x: String!, $r: ID, $k: String) { sendMessage(chatType: $t, chatId: $h, content: $x, replyToId: $r, ` +
		`clientId: $k) { id content createdAt edited read clientId replyTo { id } } }`
	ask = `mutation($h: ID!, $n: String) { requestToJoin(chatId: $h, note: $n) { id status seen } }`
)

func (w *world) enters(chat string, names ...string) {
	w.T.Helper()
	for _, name := range names {
		w.Does(name, enter, vars{"h": chat})
	}
}

// writes sends a message and returns its id.
func (w *world) writes(as, kind, chat, content string) string {
	w.T.Helper()
	return w.Does(as, send, vars{"t": kind, "h": chat, "x": content}).Text("sendMessage.id")
}

// meets creates the private chat of two users.
func (w *world) meets(a, b string) string {
	w.T.Helper()
	return w.Does(a, `mutation($u: ID!) { openPrivateChat(userId: $u) { id } }`, vars{"u": w.ids[b]}).Text("openPrivateChat.id")
}

type vars = apptest.Vars
