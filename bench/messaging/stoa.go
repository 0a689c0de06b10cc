package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"stoa/bench/load"
)

type variables map[string]any

// ask executes an operation and decodes its data.
func ask(ctx context.Context, addr, token, query string, v variables, data any) error {
	return load.Ask(ctx, "http://"+addr+"/messaging/graphql", map[string]string{"Authorization": token}, query, v, data)
}

func account(ctx context.Context, addr, login string) (token, id string, err error) {
	var made struct {
		CreateAccount struct {
			Token string
			User  struct{ ID string }
		}
	}
	err = ask(
		ctx,
		addr,
		"",
		`mutation($l: String!) { createAccount(input: {login: $l, password: "correct horse"}) { token user { id } } }`,
		variables{"l": login},
		&made,
	)
	return made.CreateAccount.Token, made.CreateAccount.User.ID, err
}

func stoaPair(ctx context.Context, addr string, n int) (*pair, error) {
	ana, _, err := account(ctx, addr, fmt.Sprintf("anabel%d", n))
	if err != nil {
		return nil, err
	}
	ben, benID, err := account(ctx, addr, fmt.Sprintf("benedict%d", n))
	if err != nil {
		return nil, err
	}
	var chat struct{ StartChat struct{ ID string } }
	if err := ask(ctx, addr, ana, `mutation($u: ID!) { startChat(userId: $u) { id } }`, variables{"u": benID}, &chat); err != nil {
		return nil, err
	}
	topic := chat.StartChat.ID
	from, err := dial(ctx, addr, ana)
	if err != nil {
		return nil, err
	}
	to, err := dial(ctx, addr, ben)
	if err != nil {
		return nil, err
	}
	heard, err := to.listen(topic)
	return &pair{heard: heard, publish: func(text string) error { return from.publish(topic, text) }}, err
}

// socket is a person's connection that speaks graphql-transport-ws.
type socket struct {
	ctx   context.Context
	conn  *websocket.Conn
	calls int
}

func dial(ctx context.Context, addr, token string) (*socket, error) {
	conn, err := load.Dial(ctx, "ws://"+addr+"/messaging/graphql", variables{"Authorization": token})
	return &socket{ctx: ctx, conn: conn}, err
}

// begin starts an operation.
func (s *socket) begin(query string, v variables) (id string, err error) {
	s.calls++
	id = strconv.Itoa(s.calls)
	return id, wsjson.Write(s.ctx, s.conn, variables{"type": "subscribe", "id": id, "payload": variables{"query": query, "variables": v}})
}

// expect reads a message, which must have the given type and operation.
func (s *socket) expect(kind, id string) error {
	var f load.Frame
	err := wsjson.Read(s.ctx, s.conn, &f)
	if err == nil && (f.Type != kind || f.ID != id || bytes.Contains(f.Payload, []byte(`"errors"`))) {
		err = fmt.Errorf("received %s of operation %q instead of %s of %q: %.300s", f.Type, f.ID, kind, id, f.Payload)
	}
	return err
}

func (s *socket) publish(topic, text string) error {
	id, err := s.begin(
		`mutation W7($t: ID!, $c: JSON!) { publish(topicId: $t, content: $c) { id topicId seqId content createdAt } }`,
		variables{"t": topic, "c": text},
	)
	if err != nil {
		return err
	}
	if err := s.expect("next", id); err != nil {
		return err
	}
	return s.expect("complete", id)
}

// listen returns the texts published in a topic from now on.
func (s *socket) listen(topic string) (<-chan string, error) {
	if _, err := s.begin(
		`subscription W7($t: ID!) { topicEvents(topicId: $t) { kind message { id topicId seqId content createdAt from { id } } } }`,
		variables{"t": topic},
	); err != nil {
		return nil, err
	}
	// A subscription has started when the next operation is answered.
	marker, err := s.begin(`{ me { id } }`, nil)
	if err != nil {
		return nil, err
	}
	for _, kind := range []string{"next", "complete"} {
		if err := s.expect(kind, marker); err != nil {
			return nil, err
		}
	}
	heard := make(chan string, 64)
	go func() {
		defer close(heard)
		for {
			var f load.Frame
			if wsjson.Read(s.ctx, s.conn, &f) != nil {
				return
			}
			var event struct {
				Data struct {
					TopicEvents struct{ Message struct{ Content string } }
				}
			}
			if f.Type == "next" && json.Unmarshal(f.Payload, &event) == nil {
				heard <- event.Data.TopicEvents.Message.Content
			}
		}
	}()
	return heard, nil
}
