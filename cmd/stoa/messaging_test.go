package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// register creates an account of messaging.
func register(t *testing.T, url, login string) *person {
	t.Helper()
	made := post(t, url+"/graphql", "", http.StatusOK, map[string]any{
		"query":     `mutation($l: String!) { createAccount(input: {login: $l, password: "correct horse"}) { token user { id } } }`,
		"variables": map[string]any{"l": login},
	})
	return &person{t: t, url: url, token: at[string](made, "data.createAccount.token"), userID: at[string](made, "data.createAccount.user.id")}
}

// Clients of AppSync's SDKs receive the events of a topic of messaging until they lose the
// permission to read.
func TestMessagingOverAppSync(t *testing.T) {
	url := serve(t, "--systems", "messaging", "--store", "memory:") + "/messaging"
	ann, ben, out := register(t, url, "anne"), register(t, url, "benn"), register(t, url, "outsider")
	topic := at[string](ann.ask(`mutation { createGroup { id } }`, nil), "createGroup.id")
	v := map[string]any{"t": topic, "u": ben.userID}
	ben.ask(`mutation($t: ID!) { subscribe(topicId: $t) { id } }`, v)

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	listen := func(p *person) *listener {
		return p.overAppSync(
			ctx,
			"topic",
			`subscription($t: ID!) { topicEvents(topicId: $t) { kind seqId message { content } user { id } access { mode } } }`,
			map[string]any{"t": topic},
		)
	}
	if got := fmt.Sprint(listen(out).expect("error", "topic").Payload); !strings.Contains(got, "NO_READ") {
		t.Errorf("an outsider is told %s", got)
	}
	l := listen(ben)
	l.expect("start_ack", "topic")
	account := ben.overAppSync(ctx, "account", `subscription { myEvents { kind topicId seqId } }`, nil)
	account.expect("start_ack", "account")
	hears := func(l *listener, id, want string) {
		t.Helper()
		text, err := json.Marshal(l.expect("data", id).Payload["data"])
		if err != nil {
			t.Fatal(err)
		}
		if got := string(text); got != want {
			t.Errorf("heard %s\nwant  %s", got, want)
		}
	}
	event := func(kind, seq, message, access string) string {
		return fmt.Sprintf(`{"topicEvents":{"access":%s,"kind":%q,"message":%s,"seqId":%s,"user":{"id":%q}}}`, access, kind, message, seq, ann.userID)
	}
	ann.ask(`mutation($t: ID!) { publish(topicId: $t, content: {txt: "hello"}) { id } }`, v)
	hears(l, "topic", event("MESSAGE", "1", `{"content":{"txt":"hello"}}`, "null"))
	hears(account, "account", fmt.Sprintf(`{"myEvents":{"kind":"MESSAGE","seqId":1,"topicId":%q}}`, topic))
	ann.ask(`mutation($t: ID!) { note(topicId: $t, kind: TYPING) { id } }`, v)
	hears(l, "topic", event("TYPING", "null", "null", "null"))
	ann.ask(`mutation($t: ID!, $u: ID!) { setAccess(topicId: $t, userId: $u, given: "JW") { id } }`, v)
	if got := fmt.Sprint(l.expect("error", "topic").Payload); !strings.Contains(got, "The subscription has ended") {
		t.Errorf("somebody who may not read is told %s", got)
	}
}

// protocols subscribe a person, and return a function that returns the data of the next
// event, or "" once the subscription has ended.
var protocols = map[string]func(ctx context.Context, p *person, query string, v map[string]any) (hear func() string){
	"graphql-transport-ws": func(ctx context.Context, p *person, query string, v map[string]any) func() string {
		conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(p.url, "http")+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
		if err != nil {
			p.t.Fatal(err)
		}
		p.t.Cleanup(func() { conn.CloseNow() })
		context.AfterFunc(ctx, func() { conn.CloseNow() })
		l := &listener{t: p.t, ctx: ctx, conn: conn}
		l.send(frame{Type: "connection_init", Payload: map[string]any{"Authorization": p.token}})
		l.expect("connection_ack", "")
		l.send(frame{ID: "topic", Type: "subscribe", Payload: map[string]any{"query": query, "variables": v}})
		l.send(frame{ID: "marker", Type: "subscribe", Payload: map[string]any{"query": `{ me { id } }`}})
		l.expect("next", "marker")
		l.expect("complete", "marker")
		return func() string { return l.data("next") }
	},
	"AppSync": func(ctx context.Context, p *person, query string, v map[string]any) func() string {
		l := p.overAppSync(ctx, "topic", query, v)
		context.AfterFunc(ctx, func() { l.conn.CloseNow() })
		l.expect("start_ack", "topic")
		return func() string { return l.data("data") }
	},
	"server-sent events": func(ctx context.Context, p *person, query string, v map[string]any) func() string {
		lines := p.overSSE(ctx, query, v)
		return func() string {
			for lines.Scan() {
				if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok && text != "" {
					var answer struct{ Data map[string]any }
					if err := json.Unmarshal([]byte(text), &answer); err != nil {
						p.t.Fatal(err)
					}
					if answer.Data == nil {
						return ""
					}
					return fmt.Sprint(answer.Data)
				}
			}
			return ""
		}
	},
}

// data returns the data of the next frame, which must have the given type, or "" if it ends
// the subscription or the connection.
func (l *listener) data(frameType string) string {
	l.t.Helper()
	for {
		var f frame
		switch err := wsjson.Read(l.ctx, l.conn, &f); {
		case err != nil && websocket.CloseStatus(err) < 0:
			l.t.Fatal(err)
		case err != nil, f.Type == "error", f.Type == "complete":
			return ""
		case f.Type == frameType:
			return fmt.Sprint(f.Payload["data"])
		}
	}
}

// Users are online while they are subscribed to their events, over any protocol, whether or
// not their connection is closed properly. A subscription ends when its user loses the
// permission (messaging 4.4 and 5.9#1).
func TestEventsOverEveryProtocol(t *testing.T) {
	for name, listen := range protocols {
		t.Run(name, func(t *testing.T) {
			url := serve(t, "--systems", "messaging", "--store", "memory:", "--operators", "root@example.com")
			credentials := map[string]any{"email": "root@example.com", "password": "correct horse"}
			post(t, url+"/auth/sign-up", "", http.StatusCreated, credentials)
			root := &person{t: t, url: url + "/messaging", token: at[string](post(t, url+"/auth/sign-in", "", http.StatusOK, credentials), "accessToken")}
			ann, ben := register(t, url+"/messaging", "anne"), register(t, url+"/messaging", "benn")
			topic := at[string](ann.ask(`mutation($u: ID!) { startChat(userId: $u) { id } }`, map[string]any{"u": ben.userID}), "startChat.id")
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			hears := func(hear func() string, want string) {
				t.Helper()
				if got := hear(); got != want {
					t.Fatalf("heard %q, want %q", got, want)
				}
			}
			const mine = `subscription { myEvents { kind user { id } } }`
			mineIs := func(kind string, of *person) string {
				return fmt.Sprintf("map[myEvents:map[kind:%s user:map[id:%s]]]", kind, of.userID)
			}
			ofAnn := listen(ctx, ann, mine, nil)

			atBen, hangUp := context.WithCancel(ctx)
			ofBen := listen(atBen, ben, mine, nil)
			hears(ofAnn, mineIs("ONLINE", ben))
			ann.ask(`mutation($t: ID!) { publish(topicId: $t, content: 1) { id } }`, map[string]any{"t": topic})
			hears(ofBen, mineIs("MESSAGE", ann))
			hears(ofAnn, mineIs("MESSAGE", ann))
			hangUp()
			hears(ofAnn, mineIs("OFFLINE", ben))

			ofBen = listen(ctx, ben, mine, nil)
			inTopic := listen(ctx, ben, `subscription($t: ID!) { topicEvents(topicId: $t) { kind user { id } } }`, map[string]any{"t": topic})
			hears(ofAnn, mineIs("ONLINE", ben))
			ann.ask(`mutation($t: ID!) { note(topicId: $t, kind: TYPING) { id } }`, map[string]any{"t": topic})
			hears(inTopic, fmt.Sprintf("map[topicEvents:map[kind:TYPING user:map[id:%s]]]", ann.userID))
			root.ask(`mutation($u: ID!) { suspendUser(id: $u) { id } }`, map[string]any{"u": ben.userID})
			hears(ofBen, "")
			hears(ofAnn, mineIs("OFFLINE", ben))
			ann.ask(`mutation($t: ID!) { publish(topicId: $t, content: 2) { id } }`, map[string]any{"t": topic})
			hears(inTopic, "")
		})
	}
}

// noEcho suppresses the event for the client that published, by client id or else by
// account, over every protocol.
func TestNoEcho(t *testing.T) {
	url := serve(t, "--systems", "messaging", "--store", "memory:") + "/messaging"
	ann, ben := register(t, url, "anne"), register(t, url, "benn")
	topic := at[string](ann.ask(`mutation($u: ID!) { startChat(userId: $u) { id } }`, map[string]any{"u": ben.userID}), "startChat.id")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	const query = `subscription($t: ID!, $c: String) { topicEvents(topicId: $t, clientId: $c) { seqId } }`
	type ear struct {
		name string
		hear func() string
		who  string
	}
	var ears []ear
	for name, listen := range protocols {
		ears = append(ears,
			ear{name, listen(ctx, ben, query, map[string]any{"t": topic}), "ben"},
			ear{name, listen(ctx, ann, query, map[string]any{"t": topic}), "ann"},
			ear{name, listen(ctx, ann, query, map[string]any{"t": topic, "c": "phone"}), "phone"},
			ear{name, listen(ctx, ann, query, map[string]any{"t": topic, "c": "tablet"}), "tablet"},
		)
	}
	publish := func(variables map[string]any) {
		variables["t"] = topic
		ann.ask(`mutation($t: ID!, $n: Boolean, $c: String) { publish(topicId: $t, content: 1, noEcho: $n, clientId: $c) { id } }`, variables)
	}
	publish(map[string]any{"n": true, "c": "phone"}) // 1: not sent to the phone or to clients without an id
	publish(map[string]any{"n": true})               // 2: not sent to the account
	publish(map[string]any{"c": "phone"})            // 3: sent to all
	heard := map[string][]int{"ben": {1, 2, 3}, "ann": {3}, "phone": {3}, "tablet": {1, 3}}
	for _, e := range ears {
		for _, n := range heard[e.who] {
			if got, want := e.hear(), fmt.Sprintf("map[topicEvents:map[seqId:%d]]", n); got != want {
				t.Fatalf("%s hears %s over %s, want %s", e.who, got, e.name, want)
			}
		}
	}
}
