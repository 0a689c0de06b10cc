package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

type variables map[string]any

// ask sends an operation whose answer is read into data.
func ask(ctx context.Context, addr, token, query string, v variables, data any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": v})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+"/messaging/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", token)
	}
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	answer := struct {
		Data   any
		Errors json.RawMessage
	}{Data: data}
	if err := json.Unmarshal(text, &answer); err != nil || response.StatusCode != http.StatusOK || answer.Errors != nil {
		return fmt.Errorf("%s: %.300s", response.Status, text)
	}
	return nil
}

func account(ctx context.Context, addr, login string) (token, id string, err error) {
	var made struct {
		CreateAccount struct {
			Token string
			User  struct{ ID string }
		}
	}
	err = ask(ctx, addr, "", `mutation($l: String!) { createAccount(input: {login: $l, password: "correct horse"}) { token user { id } } }`, variables{"l": login}, &made)
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
	heard, err := listen(ctx, addr, ben, chat.StartChat.ID)
	return &pair{heard: heard, publish: func(text string) error {
		return ask(ctx, addr, ana, `mutation W7($t: ID!, $c: JSON!) { publish(topicId: $t, content: $c) { id seqId content createdAt } }`,
			variables{"t": chat.StartChat.ID, "c": text}, nil)
	}}, err
}

type frame struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// listen subscribes to a topic over graphql-transport-ws.
func listen(ctx context.Context, addr, token, topic string) (<-chan string, error) {
	conn, _, err := websocket.Dial(ctx, "ws://"+addr+"/messaging/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return nil, err
	}
	send := func(kind, id string, payload any) {
		if err == nil {
			err = wsjson.Write(ctx, conn, map[string]any{"type": kind, "id": id, "payload": payload})
		}
	}
	send("connection_init", "", variables{"Authorization": token})
	send("subscribe", "events", variables{
		"query":     `subscription W7($t: ID!) { topicEvents(topicId: $t) { kind message { id topicId seqId content createdAt from { id } } } }`,
		"variables": variables{"t": topic},
	})
	if err != nil {
		return nil, err
	}
	var f frame
	if err := wsjson.Read(ctx, conn, &f); err != nil || f.Type != "connection_ack" {
		return nil, fmt.Errorf("%s in place of an acknowledgement: %w", f.Type, err)
	}
	heard := make(chan string, 64)
	go func() {
		defer close(heard)
		for {
			var f frame
			if wsjson.Read(ctx, conn, &f) != nil {
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
	time.Sleep(200 * time.Millisecond) // nothing tells that a subscription has begun
	return heard, nil
}
