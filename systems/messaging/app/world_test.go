package app_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"stoa/internal/apptest"
	"stoa/internal/identity"
	"stoa/systems/messaging"
	"stoa/systems/messaging/account"
	"stoa/systems/messaging/app"
)

// world is messaging as served, on an empty engine. Its people have accounts, except oz,
// who operates the service.
type world struct {
	*apptest.World
	mu  sync.Mutex
	ids map[string]string
}

type vars = apptest.Vars

// cheap reduces the cost of hashing passwords.
var cheap = app.Options{Passwords: &remembering{
	Passwords: identity.NewBcrypt(bcrypt.MinCost), hashes: map[string][]byte{}, matches: map[guess]bool{},
}}

// remembering hashes each password, and checks it against each hash, only once: thousands of
// people have the same.
type remembering struct {
	account.Passwords
	mu      sync.Mutex
	hashes  map[string][]byte
	matches map[guess]bool
}

type guess struct{ hash, password string }

func (r *remembering) Hash(ctx context.Context, password string) ([]byte, error) {
	return remember(&r.mu, r.hashes, password, func() ([]byte, error) { return r.Passwords.Hash(ctx, password) })
}

func (r *remembering) Matches(ctx context.Context, hash []byte, password string) (bool, error) {
	return remember(&r.mu, r.matches, guess{string(hash), password}, func() (bool, error) { return r.Passwords.Matches(ctx, hash, password) })
}

// remember returns the value for a key, and computes it if there is none.
func remember[K comparable, V any](mu *sync.Mutex, known map[K]V, key K, compute func() (V, error)) (V, error) {
	mu.Lock()
	v, ok := known[key]
	mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := compute()
	if err == nil {
		mu.Lock()
		known[key] = v
		mu.Unlock()
	}
	return v, err
}

func test(t *testing.T, f func(w *world)) {
	t.Helper()
	t.Parallel()
	once(t, f)
}

func once(t *testing.T, f func(w *world)) {
	t.Helper()
	apptest.Test(t, app.System(cheap), func(w *apptest.World) {
		w.Host.Operators = []string{"OZ@example.com"}
		w.People.Identity("oz")
		f(&world{World: w, ids: map[string]string{}})
	})
}

// races runs concurrent tests many times.
func races(t *testing.T, f func(w *world)) {
	t.Helper()
	t.Parallel()
	times := 100
	if testing.Short() {
		times = 10
	}
	for range times {
		once(t, f)
	}
}

const password = "correct horse"

const create = `mutation($i: CreateAccountInput!) { createAccount(input: $i) { token level expiresAt user { id tags state defaultAccess { auth anon } } } }`

// joins creates accounts and stores their tokens by name.
func (w *world) joins(names ...string) {
	w.T.Helper()
	for _, name := range names {
		w.account(name, vars{})
	}
}

// login returns the login of the user with a name.
func login(name string) string { return name + "." + name + ".login" }

// account creates an account with some changes of the defaults.
func (w *world) account(name string, changes vars) apptest.Data {
	w.T.Helper()
	i := vars{"scheme": "BASIC", "login": login(name), "password": password}
	for field, value := range changes {
		i[field] = value
	}
	d := w.Does("", create, vars{"i": i})
	w.knows(name, d, "createAccount")
	return d
}

func (w *world) knows(name string, d apptest.Data, field string) {
	w.SignIn(name, d.Text(field+".token"))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids[name] = d.Text(field + ".user.id")
}

// of returns the stored id of a user.
func (w *world) of(name string) messaging.UserID {
	id, _ := messaging.ParseUser(w.ids[name])
	return id
}

const (
	newGroup = `mutation($i: CreateGroupInput) { createGroup(input: $i) { id kind seqId subscriberCount owner { id } defaultAccess { auth anon } ` +
		`mySubscription { access { want given mode bits } } } }`
	chat = `mutation($u: ID!, $i: StartChatInput) { startChat(userId: $u, input: $i) { id kind seqId subscriberCount peer { id } ` +
		`mySubscription { access { want given mode bits } } } }`
	subscribe   = `mutation($t: ID!, $m: String, $p: JSON) { subscribe(topicId: $t, mode: $m, private: $p) { id readSeqId recvSeqId unread deleted access { want given mode } } }`
	unsubscribe = `mutation($t: ID!) { unsubscribe(topicId: $t) { id deleted readSeqId } }`
	setAccess   = `mutation($t: ID!, $u: ID!, $g: String) { setAccess(topicId: $t, userId: $u, given: $g) { user { id } access { want given mode } } }`
	setMine     = `mutation($t: ID!, $w: String!) { setMyAccess(topicId: $t, want: $w) { access { want given mode } } }`
	offer       = `mutation($t: ID!, $u: ID!) { transferOwnership(topicId: $t, userId: $u) { access { want given mode } } }`
	accept      = `mutation($t: ID!) { acceptOwnership(topicId: $t) { access { want given mode } topic { owner { id } } } }`
	remove      = `mutation($t: ID!, $u: ID!) { removeSubscriber(topicId: $t, userId: $u) { deleted } }`
	publish     = `mutation($t: ID!, $c: JSON!, $h: JSON, $n: Boolean, $k: String) { publish(topicId: $t, content: $c, head: $h, noEcho: $n, ` +
		`clientId: $k) { id seqId content head replaces replyTo clientId expiresAt createdAt } }`
	edit  = `mutation($t: ID!, $s: Int!, $c: JSON!) { editMessage(topicId: $t, seqId: $s, content: $c) { seqId replaces head content } }`
	erase = `mutation($t: ID!, $b: Int, $s: [Int!], $r: [SeqRange!], $h: Boolean) { deleteMessages(topicId: $t, before: $b, seqIds: $s, ranges: $r, ` +
		`hard: $h) { topicId clearId seqIds hard changed } }`
	note    = `mutation($t: ID!, $k: NoteKind!, $s: Int) { note(topicId: $t, kind: $k, seqId: $s) { readSeqId recvSeqId unread } }`
	history = `query($t: ID!, $s: Int, $b: Int, $o: SortOrder, $l: Int, $n: String) { messages(topicId: $t, since: $s, before: $b, order: $o, limit: $l, ` +
		`nextToken: $n) { items { seqId content deletedAt head } nextToken } }`
	dropTopic = `mutation($t: ID!, $h: Boolean) { deleteTopic(id: $t, hard: $h) }`
)

// group creates a group with subscribers.
func (w *world) group(owner string, input vars, members ...string) string {
	w.T.Helper()
	id := w.Does(owner, newGroup, vars{"i": input}).Text("createGroup.id")
	for _, m := range members {
		w.Does(m, subscribe, vars{"t": id})
	}
	return id
}

// chats creates the topic of two users.
func (w *world) chats(a, b string) string {
	w.T.Helper()
	return w.Does(a, chat, vars{"u": w.ids[b]}).Text("startChat.id")
}

// says publishes texts.
func (w *world) says(as, topic string, texts ...string) {
	w.T.Helper()
	for _, text := range texts {
		w.Does(as, publish, vars{"t": topic, "c": text})
	}
}

// counts publishes n messages.
func (w *world) counts(as, topic string, n int) {
	w.T.Helper()
	for i := range n {
		w.says(as, topic, fmt.Sprint(i+1))
	}
}

// sees compares the message numbers that a user sees in a topic, oldest first.
func (w *world) sees(as, topic, want string) {
	w.T.Helper()
	d := w.Does(as, history, vars{"t": topic, "o": "ASC", "l": 100})
	if got := d.List("messages.items", "seqId"); got != want {
		w.T.Errorf("%s sees %s, want %s", as, got, want)
	}
}

// numbers returns the numbers from one to another.
func numbers(from, to int) string {
	var all []string
	for n := from; ; {
		all = append(all, fmt.Sprint(n))
		switch {
		case n == to:
			return strings.Join(all, " ")
		case n < to:
			n++
		default:
			n--
		}
	}
}
