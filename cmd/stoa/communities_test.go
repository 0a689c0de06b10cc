package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Clients of AppSync's SDKs receive the events of a chat of communities until they are no
// longer members.
func TestCommunitiesOverAppSync(t *testing.T) {
	url := serve(t, "--systems", "communities", "--store", "memory:")
	register := func(name string) *person {
		answer := post(t, url+"/communities/graphql", "", http.StatusOK, map[string]any{
			"query": `mutation($i: RegisterInput!) { register(input: $i) { accessToken user { id } } }`,
			"variables": map[string]any{"i": map[string]any{
				"username": name, "name": name, "email": name + "@example.com", "password": "correct horse",
				"location": map[string]any{"city": "Trenton", "state": "New Jersey", "country": "USA"},
			}},
		})
		data := answer["data"].(map[string]any)
		return &person{t: t, url: url + "/communities", userID: at[string](data, "register.user.id"), token: at[string](data, "register.accessToken")}
	}
	ann, ben, out := register("ann"), register("ben"), register("out")
	c := at[string](
		ann.ask(`mutation { createCommunity(input: {name: "Calm", description: "d", topic: PTSD, location: {city: "a", state: "b", country: "c"}}) { id } }`, nil),
		"createCommunity.id",
	)
	ben.ask(`mutation($c: ID!) { joinCommunity(id: $c) { id } }`, map[string]any{"c": c})
	h := at[string](ann.ask(`mutation($c: ID!) { createGroupChat(communityId: $c, input: {name: "n", description: "d"}) { id } }`, map[string]any{"c": c}), "createGroupChat.id")
	v := map[string]any{"h": h, "u": ben.userID}
	ben.ask(`mutation($h: ID!) { joinGroupChat(id: $h) { id } }`, v)

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	const subscription = `subscription($h: ID!) { chatEvents(chatType: GROUP, chatId: $h) { type message { content } user { username } } }`
	listen := func(p *person) *listener { return p.overAppSync(ctx, "chat", subscription, map[string]any{"h": h}) }
	refused := listen(out).expect("error", "chat").Payload
	if got := fmt.Sprint(refused); !strings.Contains(got, "NOT_CHAT_MEMBER") {
		t.Errorf("an outsider is told %s", got)
	}
	l := listen(ben)
	l.expect("start_ack", "chat")
	hears := func(want string) {
		t.Helper()
		text, err := json.Marshal(l.expect("data", "chat").Payload["data"])
		if err != nil {
			t.Fatal(err)
		}
		if got := string(text); got != want {
			t.Errorf("heard %s\nwant  %s", got, want)
		}
	}
	ann.ask(`mutation($h: ID!) { sendMessage(chatType: GROUP, chatId: $h, content: "hello") { id } }`, v)
	hears(`{"chatEvents":{"message":{"content":"hello"},"type":"MESSAGE_CREATED","user":{"username":"ann"}}}`)
	ann.ask(`mutation($h: ID!) { sendTyping(chatType: GROUP, chatId: $h) }`, v)
	hears(`{"chatEvents":{"message":null,"type":"TYPING","user":{"username":"ann"}}}`)
	ann.ask(`mutation($h: ID!, $u: ID!) { removeGroupChatMember(id: $h, userId: $u) { id } }`, v)
	if got := fmt.Sprint(l.expect("error", "chat").Payload); !strings.Contains(got, "The subscription has ended") {
		t.Errorf("a former member is told %s", got)
	}
}
