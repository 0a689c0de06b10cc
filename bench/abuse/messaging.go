package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/coder/websocket"
)

const messagingPath = "/messaging/graphql"

// manyLogins has each password of a request hashed, and single ones as fast as it goes.
func manyLogins(ctx context.Context, t *target) string {
	var o outcomes
	several(ctx, 2, func(i int) {
		const login = `login(login:"person.#",password:"guess #"){token}`
		o.note(code(t.post(messagingPath, "", map[string]string{"query": repeated("mutation", 1+199*i, login)})))
	})
	return o.String()
}

// longLogins are of the characters that are the most expensive to compare.
func longLogins(ctx context.Context, t *target) string {
	login := strings.Repeat("\ufdfa", 1<<20/3)
	var o outcomes
	several(ctx, 4, func(int) {
		o.note(
			code(
				t.post(
					"/communities/graphql",
					"",
					map[string]any{"query": `mutation($l:String!){login(login:$l,password:"guess"){accessToken}}`, "variables": map[string]any{"l": login}},
				),
			),
		)
	})
	return o.String()
}

// messenger returns the token of a new account.
func (t *target) messenger() (string, error) {
	_, body, err := t.post(messagingPath, "", map[string]any{"query": `mutation{createAccount(input:{scheme:ANONYMOUS}){token}}`})
	var account struct {
		Data struct{ CreateAccount struct{ Token string } }
	}
	if err != nil || json.Unmarshal(body, &account) != nil || account.Data.CreateAccount.Token == "" {
		return "", fmt.Errorf("account: %s %w", body, err)
	}
	return account.Data.CreateAccount.Token, nil
}

// largeMessages floods a topic with the largest messages that there are.
func largeMessages(ctx context.Context, t *target) string {
	token, err := t.messenger()
	if err != nil {
		return "FAILED: " + err.Error()
	}
	ask := func(token, query string, variables map[string]any) (int, []byte, error) {
		return t.post(messagingPath, token, map[string]any{"query": query, "variables": variables})
	}
	_, body, err := ask(token, `mutation{createGroup{id}}`, nil)
	var group struct {
		Data struct{ CreateGroup struct{ ID string } }
	}
	if err != nil || json.Unmarshal(body, &group) != nil || group.Data.CreateGroup.ID == "" {
		return fmt.Sprintf("FAILED: %s %v", body, err)
	}
	var o outcomes
	several(ctx, 4, func(int) {
		o.note(code(ask(token, `mutation($t:ID!,$c:JSON!){publish(topicId:$t,content:$c){seqId}}`,
			map[string]any{"t": group.Data.CreateGroup.ID, "c": strings.Repeat("x", 130_000)})))
	})
	return o.String()
}

// flappingSubscriptions opens as many subscriptions as three users may have, and again: each
// time they come online and go.
func flappingSubscriptions(ctx context.Context, t *target) string {
	var tokens []string
	for range 3 {
		token, err := t.messenger()
		if err != nil {
			return "FAILED: " + err.Error()
		}
		tokens = append(tokens, token)
	}
	var o outcomes
	several(ctx, 30, func(i int) {
		conn, err := socket(ctx, t, messagingPath)
		if err != nil {
			o.note("refused")
			return
		}
		defer conn.CloseNow()
		if conn.Write(ctx, websocket.MessageText, []byte(`{"type":"connection_init","payload":{"authorization":"`+tokens[i%3]+`"}}`)) != nil {
			o.note("closed")
			return
		}
		for n := range 100 {
			if conn.Write(
				ctx,
				websocket.MessageText,
				fmt.Appendf(nil, `{"id":"%d","type":"subscribe","payload":{"query":"subscription{myEvents{__typename}}"}}`, n),
			) != nil {
				o.note("closed")
				return
			}
		}
		time.Sleep(time.Duration(200+rand.IntN(400)) * time.Millisecond)
		o.note("opened")
	})
	return o.String()
}
