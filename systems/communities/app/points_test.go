package app_test

import (
	"slices"
	"strings"
	"testing"

	"stoa/systems/communities/app"
)

// communities 5.8#4 and 8#targets: what a notification leads to, and for whom.
func TestTargets(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "near")
		c := w.founds("a", "Calm", "b")
		h, closed := w.opens("a", c), w.opens("a", c, vars{"private": true})
		w.enters(h, "b")
		r := w.Does("b", ask, vars{"h": closed}).Text("requestToJoin.id")
		m := w.writes("b", "GROUP", h, "hi")
		p := w.meets("a", "b")
		letter := w.writes("b", "PRIVATE", p, "psst")
		w.Does("a", reject, vars{"r": r})
		w.Settle()
		const types = `query($f: NotificationFilter) { notifications(filter: $f) { items { type target { kind id parentId } actor { username } } } }`
		w.Asked("a", types, nil, "notifications.items", `[`+
			`{"actor":{"username":"b"},"target":{"id":"`+letter+`","kind":"MESSAGE","parentId":"`+p+`"},"type":"NEW_PRIVATE_MESSAGE"},`+
			`{"actor":{"username":"b"},"target":{"id":"`+m+`","kind":"MESSAGE","parentId":"`+h+`"},"type":"NEW_GROUP_MESSAGE"},`+
			`{"actor":{"username":"b"},"target":{"id":"`+r+`","kind":"CHAT_REQUEST","parentId":"`+closed+`"},"type":"NEW_CHAT_REQUEST"}]`)
		w.Asked("b", types, nil, "notifications.items.0", `{"actor":{"username":"a"},"target":{"id":"`+closed+`","kind":"GROUP_CHAT","parentId":null},"type":"CHAT_REQUEST_REJECTED"}`)
		w.Asked("near", types, nil, "notifications.items", `[{"actor":{"username":"a"},"target":{"id":"`+c+`","kind":"COMMUNITY","parentId":null},"type":"NEW_COMMUNITY_NEAR_YOU"}]`)
		// communities 5.8#4: the target may no longer exist.
		w.Does("a", `mutation($h: ID!) { deleteGroupChat(id: $h) }`, vars{"h": h})
		w.Settle()
		w.Asked("a", types, nil, "notifications.items.1.target.id", `"`+m+`"`)
		w.Refused("NOT_FOUND", "a", messages, vars{"t": "GROUP", "h": h})
		w.Whole()
	})
}

// communities 5.2#9, 5.5#5 and 8#who: those who may, besides the owner.
func TestWho(t *testing.T) {
	test(t, func(w *world) {
		w.registers("oz", "founder", "owner", "m", "asker")
		c := w.founds("founder", "Calm", "owner", "m", "asker")
		h := w.opens("owner", c, vars{"private": true})
		w.Does("owner", accept, vars{"r": w.Does("m", ask, vars{"h": h}).Text("requestToJoin.id")})
		const transfer = `mutation($h: ID!, $u: ID!) { transferGroupChat(id: $h, userId: $u) { owner { username } } }`
		for _, who := range []string{"founder", "oz"} {
			w.Is(w.Does(who, transfer, vars{"h": h, "u": w.ids["m"]}), "transferGroupChat.owner.username", `"m"`)
			w.Is(w.Does("m", transfer, vars{"h": h, "u": w.ids["owner"]}), "transferGroupChat.owner.username", `"owner"`)
		}
		const see = `mutation($r: ID!) { markChatRequestSeen(id: $r) { seen } }`
		for _, who := range []string{"founder", "oz", "owner"} {
			r := w.Does("asker", ask, vars{"h": h}).Text("requestToJoin.id")
			w.Is(w.Does(who, see, vars{"r": r}), "markChatRequestSeen.seen", `true`)
			w.Is(w.Does("owner", see, vars{"r": r}), "markChatRequestSeen.seen", `true`) // never false again (communities 5.5#7)
			w.Does("asker", `mutation($r: ID!) { cancelChatRequest(id: $r) { status } }`, vars{"r": r})
			if got := len(w.Does(who, requests, vars{"h": h, "p": false}).Items("groupChatRequests.items")); got == 0 {
				t.Errorf("%s sees no history", who)
			}
			w.Asked(who, `query($r: ID!) { chatRequest(id: $r) { status } }`, vars{"r": r}, "chatRequest.status", `"CANCELLED"`)
		}
		w.Does("asker", ask, vars{"h": h})
		w.Asked("m", requests, vars{"h": h}, "groupChatRequests.items.0.user.username", `"asker"`) // members see pending ones (communities 5.2#9)
		w.Whole()
	})
}

// communities 8#input-types: the fields of all inputs, and which lists are null.
func TestInputTypes(t *testing.T) {
	types := app.System(app.Options{}).Schema().Schema().Types
	for name, fields := range map[string]string{
		"RegisterInput":        "username: String! name: String! email: String! password: String! location: LocationInput! bio: String",
		"UpdateProfileInput":   "username: String name: String email: String bio: String location: LocationInput avatarUrl: String coverPhotoUrl: String expectedVersion: Int",
		"LocationInput":        "city: String! state: String! country: String!",
		"CreateCommunityInput": "name: String! description: String! topic: CommunityTopic! location: LocationInput! avatarUrl: String coverPhotoUrl: String",
		"UpdateCommunityInput": "name: String description: String topic: CommunityTopic location: LocationInput avatarUrl: String coverPhotoUrl: String expectedVersion: Int",
		"CreateGroupChatInput": "name: String! description: String! private: Boolean capacity: Int",
		"UpdateGroupChatInput": "name: String description: String private: Boolean capacity: Int expectedVersion: Int",
	} {
		var got []string
		for _, f := range types[name].Fields {
			got = append(got, f.Name+": "+f.Type.String())
		}
		slices.Sort(got)
		var want []string
		for pair := range strings.SplitSeq(fields, " ") {
			if strings.HasSuffix(pair, ":") {
				want = append(want, pair)
			} else {
				want[len(want)-1] += " " + pair
			}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", name, got, want)
		}
	}
	if order := types["SortOrder"].EnumValues; len(order) != 2 || order[0].Name != "ASC" || order[1].Name != "DESC" {
		t.Errorf("SortOrder is %v", order)
	}
	chat := types["GroupChat"]
	for _, field := range []string{"members", "messages"} {
		if chat.Fields.ForName(field).Type.NonNull {
			t.Errorf("GroupChat.%s is null to nobody", field)
		}
	}
}
