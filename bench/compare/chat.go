package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/coder/websocket/wsjson"

	"stoa/bench/load"
)

// chatting is how a server's messages are sent and heard in W7. Users are numbers, and the
// pairs of chat n are users 2n+1 and 2n+2.
type chatting struct {
	// headers authorizes a request of a user, and init a connection.
	headers func(user int) map[string]string
	init    func(user int) map[string]any
	// open makes a chat; nil if chats need not be made.
	open func(n int) (query string, variables map[string]any)
	// listen is the subscription of the second user, send the mutation of the first.
	listen, send func(n int) (query string, variables map[string]any)
}

type object = map[string]any

func stoaChatting(tokens []string) chatting {
	chat := func(n int) string { return fmt.Sprintf("bench-%d", n) }
	return chatting{
		headers: func(user int) map[string]string { return map[string]string{"Authorization": tokens[user-1]} },
		init:    func(user int) map[string]any { return object{"Authorization": tokens[user-1]} },
		open: func(n int) (string, map[string]any) {
			return `mutation($c: ID!, $u: ID!, $m: ID!) { createDirectChat(chatId: $c, userId: $u, messageId: $m, messageText: "hi") { chatId } }`,
				object{"c": chat(n), "u": userID(2*n + 2), "m": fmt.Sprintf("bench-first-%d", n)}
		},
		listen: func(n int) (string, map[string]any) {
			return `subscription($me: ID!) { onChatMessageNotification(userId: $me) { message { messageId text createdAt author { userId username } } } }`,
				object{"me": userID(2*n + 2)}
		},
		send: func(n int) (string, map[string]any) {
			return `mutation W7($c: ID!, $id: ID!, $t: String!) { addChatMessage(chatId: $c, messageId: $id, text: $t) { messageId text createdAt } }`,
				object{"c": chat(n)}
		},
	}
}

func barChatting() chatting {
	return chatting{
		headers: func(user int) map[string]string { return map[string]string{"X-User": fmt.Sprint(user)} },
		init:    func(int) map[string]any { return object{} },
		listen: func(n int) (string, map[string]any) {
			return `subscription($c: ID!) { message(chatId: $c) { messageId text createdAt author { userId username } } }`, object{"c": n}
		},
		send: func(n int) (string, map[string]any) {
			return `mutation W7($c: ID!, $t: String!) { sendMessage(chatId: $c, text: $t) { messageId text createdAt } }`, object{"c": n}
		},
	}
}

// talk is W7: each of a number of pairs sends a message when the one before has been received.
func (p *peer) talk(ctx context.Context, pairs int, d time.Duration) (load.Result, error) {
	for n := len(p.heard); n < pairs; n++ {
		heard, err := p.hear(ctx, n)
		if err != nil {
			return load.Result{}, err
		}
		p.heard = append(p.heard, heard)
	}
	result, err := load.Measure(pairs, p.server.CPUSeconds, p.server.Settle, func(n int, start time.Time) ([]time.Duration, error) {
		return p.converse(n, start.Add(d))
	})
	if err != nil {
		return load.Result{}, err
	}
	result.Memory, err = load.MemoryMiB(p.server.PID())
	return result, err
}

// chatPatience is the timeout for a message to be received.
const chatPatience = 10 * time.Second

// converse returns the times from sending each message until it was received.
func (p *peer) converse(n int, until time.Time) (took []time.Duration, err error) {
	query, variables := p.chatting.send(n)
	for time.Now().Before(until) || len(took) == 0 {
		sent := time.Now()
		text := fmt.Sprint("hello there, it is now ", sent.UnixNano())
		variables["t"] = text
		if p.chatting.open != nil { // its clients choose the ids
			variables["id"] = fmt.Sprintf("m-%d-%d", n, sent.UnixNano())
		}
		answered := make(chan error, 1)
		go func() { answered <- p.ask(2*n+1, query, variables) }()
		select {
		case heard := <-p.heard[n]:
			if heard != text {
				return nil, fmt.Errorf("received %q instead of %q", heard, text)
			}
			took = append(took, time.Since(sent))
		case <-time.After(chatPatience):
			return nil, fmt.Errorf("%q was not received", text)
		}
		if err := <-answered; err != nil {
			return nil, err
		}
	}
	return took, nil
}

func (p *peer) ask(user int, query string, variables map[string]any) error {
	return load.Ask(context.Background(), "http://"+p.server.Addr+"/graphql", p.chatting.headers(user), query, variables, nil)
}

// hear opens a chat, if necessary, and subscribes the second user. It returns the texts that
// arrive.
func (p *peer) hear(ctx context.Context, n int) (<-chan string, error) {
	if p.chatting.open != nil {
		query, variables := p.chatting.open(n)
		if err := p.ask(2*n+1, query, variables); err != nil {
			return nil, err
		}
	}
	conn, err := load.Dial(ctx, "ws://"+p.server.Addr+"/graphql", p.chatting.init(2*n+2))
	if err != nil {
		return nil, err
	}
	query, variables := p.chatting.listen(n)
	if err := wsjson.Write(ctx, conn, object{"type": "subscribe", "id": "1", "payload": object{"query": query, "variables": variables}}); err != nil {
		return nil, err
	}
	// A query on the same connection is answered once the subscription before it has begun.
	if err := wsjson.Write(ctx, conn, object{"type": "subscribe", "id": "2", "payload": object{"query": "{ __typename }"}}); err != nil {
		return nil, err
	}
	var f load.Frame
	for f.Type != "complete" {
		if err := wsjson.Read(ctx, conn, &f); err != nil || f.Type == "error" {
			return nil, fmt.Errorf("the subscription is answered with %s, error %w", f.Payload, err)
		}
	}
	heard := make(chan string, 1)
	go func() {
		defer close(heard)
		defer conn.CloseNow()
		for {
			var f load.Frame
			if wsjson.Read(ctx, conn, &f) != nil {
				return
			}
			if f.Type != "next" {
				continue
			}
			if text := textIn(f.Payload); text != "" {
				heard <- text
			}
		}
	}()
	return heard, nil
}

// textIn returns the first member named text in JSON.
func textIn(payload []byte) string {
	_, rest, found := bytes.Cut(payload, []byte(`"text":"`))
	text, _, _ := bytes.Cut(rest, []byte(`"`))
	if !found {
		return ""
	}
	return string(text)
}
