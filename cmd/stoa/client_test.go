package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// person is a user with an account, as seen by their app.
type person struct {
	t      testing.TB
	url    string
	userID string
	token  string
}

// post sends JSON and returns the response, which must have the given status.
func post(t testing.TB, url, token string, status int, body any) map[string]any {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatalf("%s answers %s without JSON: %v", url, response.Status, err)
	}
	if response.StatusCode != status {
		t.Fatalf("%s answers %s, want %d: %v", url, response.Status, status, answer)
	}
	return answer
}

// signUp creates an account with a profile.
func signUp(t testing.TB, url, username string) *person {
	t.Helper()
	credentials := map[string]string{"email": username + "@example.com", "password": "correct horse battery"}
	id := post(t, url+"/auth/sign-up", "", http.StatusCreated, credentials)["userId"].(string)
	p := &person{t: t, url: url, userID: id}
	p.token = post(t, url+"/auth/sign-in", "", http.StatusOK, credentials)["accessToken"].(string)
	p.ask(`mutation($name: String!) { createCognitoOnlyUser(username: $name) { username } }`, map[string]any{"name": username})
	return p
}

// ask runs an operation that must succeed and returns its data.
func (p *person) ask(query string, variables map[string]any) map[string]any {
	p.t.Helper()
	answer := post(p.t, p.url+"/graphql", p.token, http.StatusOK, map[string]any{"query": query, "variables": variables})
	if answer["errors"] != nil {
		p.t.Fatalf("%s fails: %v", query, answer["errors"])
	}
	return answer["data"].(map[string]any)
}

// feed returns the texts of the person's feed.
func (p *person) feed() (texts []string) {
	p.t.Helper()
	for _, item := range at[[]any](p.ask(`{ self { feed { items { text postedBy { username } } } } }`, nil), "self.feed.items") {
		post := item.(map[string]any)
		texts = append(texts, at[string](post, "postedBy.username")+": "+post["text"].(string))
	}
	return texts
}

// feedOf returns the texts of the person's feed once it has the given number of posts,
// refetching after each event.
func (p *person) feedOf(posts int, events *listener) []string {
	p.t.Helper()
	for {
		if texts := p.feed(); len(texts) >= posts {
			return texts
		}
		if got := events.event(); got != "USER_FEED_CHANGED" {
			p.t.Fatalf("told %s", got)
		}
	}
}

// at returns the value at a path of member names.
func at[T any](value any, path string) T {
	for name := range strings.SplitSeq(path, ".") {
		value = value.(map[string]any)[name]
	}
	return value.(T)
}

// frame is a message of graphql-transport-ws.
type frame struct {
	ID      string         `json:"id,omitempty"`
	Type    string         `json:"type"`
	Payload map[string]any `json:"payload,omitempty"`
}

// listener is an open subscription.
type listener struct {
	t    testing.TB
	ctx  context.Context
	conn *websocket.Conn
	// early holds events that arrived while another frame was awaited: a server that has
	// just started may still deliver events of its predecessor.
	early []frame
}

// listen subscribes to the person's notifications. A query on the same socket is answered
// after the subscription has started, so no later event is missed.
func (p *person) listen() *listener {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	p.t.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(p.url, "http")+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.CloseNow() })
	l := &listener{t: p.t, ctx: ctx, conn: conn}
	l.send(frame{Type: "connection_init", Payload: map[string]any{"Authorization": p.token}})
	l.expect("connection_ack", "")
	l.send(frame{ID: "events", Type: "subscribe", Payload: map[string]any{
		"query":     `subscription($me: ID!) { onNotification(userId: $me) { type postId } }`,
		"variables": map[string]any{"me": p.userID},
	}})
	l.send(frame{ID: "marker", Type: "subscribe", Payload: map[string]any{"query": `{ self { username } }`}})
	l.expect("next", "marker")
	l.expect("complete", "marker")
	return l
}

// overAppSync subscribes with the protocol of AppSync's SDKs.
func (p *person) overAppSync(ctx context.Context, id, query string, variables map[string]any) *listener {
	p.t.Helper()
	authorization := map[string]any{"host": "stoa.test", "Authorization": p.token}
	header, err := json.Marshal(authorization)
	if err != nil {
		p.t.Fatal(err)
	}
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(p.url, "http")+"/graphql/realtime", &websocket.DialOptions{
		Subprotocols: []string{"graphql-ws", "header-" + base64.RawURLEncoding.EncodeToString(header)},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.CloseNow() })
	l := &listener{t: p.t, ctx: ctx, conn: conn}
	l.send(frame{Type: "connection_init"})
	l.expect("connection_ack", "")
	l.expect("ka", "")
	data, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		p.t.Fatal(err)
	}
	l.send(frame{ID: id, Type: "start", Payload: map[string]any{"data": string(data), "extensions": map[string]any{"authorization": authorization}}})
	return l
}

// overSSE subscribes over server-sent events and returns the events.
func (p *person) overSSE(ctx context.Context, query string, variables map[string]any) *bufio.Scanner {
	p.t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		p.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}, "Authorization": {p.token}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { response.Body.Close() })
	return bufio.NewScanner(response.Body)
}

func (l *listener) send(f frame) {
	l.t.Helper()
	if err := wsjson.Write(l.ctx, l.conn, f); err != nil {
		l.t.Fatal(err)
	}
}

// expect returns the next frame, which must have the given type and id. Keep-alives are
// skipped, and events are kept for later calls.
func (l *listener) expect(frameType, id string) frame {
	l.t.Helper()
	if id == "events" && len(l.early) > 0 {
		first := l.early[0]
		l.early = l.early[1:]
		return first
	}
	for {
		var f frame
		if err := wsjson.Read(l.ctx, l.conn, &f); err != nil {
			l.t.Fatalf("waiting for %s %s: %v", frameType, id, err)
		}
		if f.Type == "ping" || f.Type == "pong" {
			continue
		}
		if f.Type == "next" && f.ID == "events" && id != "events" {
			l.early = append(l.early, f)
			continue
		}
		if f.Type != frameType || f.ID != id {
			l.t.Fatalf("got %+v, want %s %s", f, frameType, id)
		}
		return f
	}
}

// event returns the type of the next notification.
func (l *listener) event() string {
	l.t.Helper()
	return at[string](l.expect("next", "events").Payload, "data.onNotification.type")
}

// closed waits until the server closes the socket and returns the status code.
func (l *listener) closed() websocket.StatusCode {
	for {
		if _, _, err := l.conn.Read(l.ctx); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}
