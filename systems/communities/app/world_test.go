package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/host"
	"stoa/systems/communities/app"
	"stoa/systems/communities/store"
)

// world is communities as it is served, on an empty engine. Its people have accounts in it,
// and its administrator is oz.
type world struct {
	*apptest.World
	mu     sync.Mutex
	tokens map[string]string
	ids    map[string]string
}

func test(t *testing.T, f func(w *world)) {
	t.Helper()
	t.Parallel()
	testWith(t, 0, f)
}

// testWith makes a world whose chats have at most so many members.
func testWith(t *testing.T, capacity int, f func(w *world)) {
	t.Helper()
	apptest.Test(t, app.System(app.Options{}), func(w *apptest.World) {
		w.Host.Operators = []string{"OZ@example.com"}
		f(&world{World: w, tokens: map[string]string{}, ids: map[string]string{}})
	}, apptest.WithIssuer, func(_ *apptest.World, c *host.Config) { c.ChatCapacity = capacity })
}

const password = "correct horse"

// The places of most people.
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

// registers makes users and remembers their tokens by name.
func (w *world) registers(names ...string) {
	w.T.Helper()
	for _, name := range names {
		d := w.does("", register, vars{"i": person(name)})
		w.knows(name, d, "register")
	}
}

func (w *world) knows(name string, d data, field string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tokens[name], w.ids[name] = d.text(field+".accessToken"), d.text(field+".user.id")
}

const found = `mutation($i: CreateCommunityInput!) { createCommunity(input: $i) { id memberCount chatCount founder { id } isMember version } }`

// founds makes a community and lets others join it.
func (w *world) founds(founder, name string, members ...string) string {
	w.T.Helper()
	id := w.does(founder, found, vars{"i": vars{"name": name, "description": "d", "topic": "PTSD", "location": trenton}}).text("createCommunity.id")
	for _, m := range members {
		w.does(m, `mutation($c: ID!) { joinCommunity(id: $c) { id } }`, vars{"c": id})
	}
	return id
}

const openChat = `mutation($c: ID!, $i: CreateGroupChatInput!) { createGroupChat(communityId: $c, input: $i) { id numMembers isMember capacity private owner { id } unreadCount } }`

// opens makes a group chat.
func (w *world) opens(owner, community string, changes ...vars) string {
	w.T.Helper()
	i := vars{"name": "chat", "description": "d"}
	for _, c := range changes {
		maps.Copy(i, c)
	}
	return w.does(owner, openChat, vars{"c": community, "i": i}).text("createGroupChat.id")
}

const (
	enter = `mutation($h: ID!) { joinGroupChat(id: $h) { id numMembers } }`
	send  = `mutation($t: ChatType!, $h: ID!, $x: String!, $r: ID, $k: String) { sendMessage(chatType: $t, chatId: $h, content: $x, replyToId: $r, clientId: $k) { id content createdAt edited read clientId replyTo { id } } }`
	ask   = `mutation($h: ID!, $n: String) { requestToJoin(chatId: $h, note: $n) { id status seen } }`
)

func (w *world) enters(chat string, names ...string) {
	w.T.Helper()
	for _, name := range names {
		w.does(name, enter, vars{"h": chat})
	}
}

// writes sends a message and returns its id.
func (w *world) writes(as, kind, chat, content string) string {
	w.T.Helper()
	return w.does(as, send, vars{"t": kind, "h": chat, "x": content}).text("sendMessage.id")
}

// meets opens the private chat of two.
func (w *world) meets(a, b string) string {
	w.T.Helper()
	return w.does(a, `mutation($u: ID!) { openPrivateChat(userId: $u) { id } }`, vars{"u": w.ids[b]}).text("openPrivateChat.id")
}

type vars = map[string]any

// data are those of an answer.
type data struct {
	t interface {
		Helper()
		Fatalf(string, ...any)
	}
	value any
}

// does makes a request that succeeds, and waits for what comes of it.
func (w *world) does(as, query string, v ...vars) data {
	w.T.Helper()
	a := w.send(as, query, v...)
	if len(a.Errors) > 0 {
		w.T.Fatalf("%s asks %s %v: %v", as, query, v, a.Errors)
	}
	return w.decoded(a)
}

func (w *world) decoded(a apptest.Answer) data {
	w.T.Helper()
	var value any
	if err := json.Unmarshal(a.Data, &value); err != nil {
		w.T.Fatal(err)
	}
	return data{w.T, value}
}

// token is what somebody signs requests with.
func (w *world) token(as string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if token, known := w.tokens[as]; known {
		return token
	}
	return as
}

func (w *world) send(as, query string, v ...vars) apptest.Answer {
	w.T.Helper()
	all := vars{}
	for _, some := range v {
		maps.Copy(all, some)
	}
	return w.Send(w.token(as), apptest.Request{Query: query, Variables: all})
}

// status sends a query and returns the status of HTTP.
func (w *world) status(authorization, query string) int {
	w.T.Helper()
	body, err := json.Marshal(vars{"query": query})
	if err != nil {
		w.T.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", authorization)
	recorder := httptest.NewRecorder()
	w.Handler.ServeHTTP(recorder, r)
	return recorder.Code
}

// refused makes a request that is refused, with a code and, after a space, a reason.
func (w *world) refused(want, as, query string, v ...vars) {
	w.T.Helper()
	if got := refusal(w.send(as, query, v...)); got != want {
		w.T.Errorf("%s asks %s %v: refused with %q, want %q", as, query, v, got, want)
	}
}

// refusal is the code and the reason of an answer's errors, "" without any.
func refusal(a apptest.Answer) string {
	var all []string
	for _, e := range a.Errors {
		text := strings.TrimSpace(e.Extensions.Code + " " + e.Extensions.Reason)
		if e.Extensions.CurrentVersion != nil {
			text += fmt.Sprintf(" %d", *e.Extensions.CurrentVersion)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// at returns what a path leads to, such as "myGroupChats.items.0.id".
func (d data) at(path string) any {
	d.t.Helper()
	value := d.value
	for _, step := range strings.Split(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			i := 0
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(v) {
				d.t.Fatalf("%s does not lead anywhere in %v", path, d.value)
			}
			value = v[i]
		default:
			d.t.Fatalf("%s does not lead anywhere in %v", path, d.value)
		}
	}
	return value
}

func (d data) text(path string) string {
	d.t.Helper()
	s, ok := d.at(path).(string)
	if !ok {
		d.t.Fatalf("%s is no text in %v", path, d.value)
	}
	return s
}

// list returns a field of each item of a list, as texts.
func (d data) list(path, field string) string {
	d.t.Helper()
	var all []string
	items, ok := d.at(path).([]any)
	if !ok {
		d.t.Fatalf("%s is no list in %v", path, d.value)
	}
	for i := range items {
		all = append(all, fmt.Sprint(data{d.t, items[i]}.at(field)))
	}
	return strings.Join(all, " ")
}

// is compares what a path leads to, as JSON.
func (w *world) is(d data, path, want string) {
	w.T.Helper()
	got, err := json.Marshal(d.at(path))
	if err != nil {
		w.T.Fatal(err)
	}
	if string(got) != want {
		w.T.Errorf("%s is %s, want %s", path, got, want)
	}
}

// asked compares an answer's field.
func (w *world) asked(as, query string, v vars, path, want string) {
	w.T.Helper()
	w.is(w.does(as, query, v), path, want)
}

// together makes n requests at once and returns how often each refusal, "" for none, was
// the answer.
func (w *world) together(n int, request func(i int) apptest.Answer) map[string]int {
	answers := make([]apptest.Answer, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { answers[i] = request(i) })
	}
	all.Wait()
	counts := map[string]int{}
	for _, a := range answers {
		counts[refusal(a)]++
	}
	return counts
}

func (w *world) counted(got map[string]int, want map[string]int) {
	w.T.Helper()
	if !maps.Equal(got, want) {
		w.T.Errorf("answers %v, want %v", got, want)
	}
}

// whole checks the invariants over what is stored.
func (w *world) whole() {
	w.T.Helper()
	w.Settle()
	for _, problem := range slices.Concat(w.Problems(), w.broken()) {
		w.T.Error(problem)
	}
}

// broken are invariants that do not hold.
func (w *world) broken() []string {
	w.T.Helper()
	problems, err := store.Broken(w.T.Context(), w.DB)
	if err != nil {
		w.T.Fatal(err)
	}
	return problems
}
