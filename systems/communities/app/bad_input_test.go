package app_test

import (
	"maps"
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/communities"
)

// communities 5.1#1-9 and 4#paging: input at both ends of every limit.
func TestLimits(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		c := w.founds("a", "Calm", "b")
		h := w.opens("a", c)
		closed := w.opens("a", c, vars{"private": true})
		m := w.writes("a", "GROUP", h, "x")
		ö := func(n int) string { return strings.Repeat("ö", n) }
		place := func(change vars) vars {
			p := maps.Clone(trenton)
			maps.Copy(p, change)
			return p
		}
		const (
			createCommunity = `mutation($i: CreateCommunityInput!) { createCommunity(input: $i) { id } }`
			updateCommunity = `mutation($i: UpdateCommunityInput!) { updateCommunity(id: "C", input: $i) { id } }`
			createChat      = `mutation($i: CreateGroupChatInput!) { createGroupChat(communityId: "C", input: $i) { id } }`
			updateChat      = `mutation($i: UpdateGroupChatInput!) { updateGroupChat(id: "H", input: $i) { id } }`
		)
		plan := func(change vars) vars {
			p := vars{"name": "N", "description": "d", "topic": "PTSD", "location": trenton}
			maps.Copy(p, change)
			return p
		}
		chat := func(change vars) vars {
			p := vars{"name": "N", "description": "d"}
			maps.Copy(p, change)
			return p
		}
		const (
			length = "BAD_INPUT INVALID_LENGTH"
			name   = "BAD_INPUT INVALID_NAME"
			url    = "BAD_INPUT INVALID_URL"
			mail   = "BAD_INPUT INVALID_EMAIL"
			size   = "BAD_INPUT INVALID_CAPACITY"
			null   = "BAD_INPUT REQUIRED"
		)
		https := func(n int) string { return "https://x.org/" + strings.Repeat("a", n-14) }
		for _, x := range []struct {
			query string
			input vars
			want  string
		}{
			{register, person(""), length}, {register, person(" "), length}, {register, person(ö(33)), length}, {register, person("a b"), name},
			{register, person("a@b"), name}, {register, person("a＠b"), name}, {register, person("a#b"), name}, {register, person("a＃b"), name}, {register, person("a﹟b"), name},
			{register, person("a\u3000b"), name}, {register, person("a\x00"), name}, {register, person("Ｂ"), "CONFLICT USERNAME_TAKEN"}, {register, person("ß"), ""},
			{register, person("ẞ", vars{"email": "c@example.com"}), "CONFLICT USERNAME_TAKEN"},
			{register, person("n1", vars{"name": ""}), length}, {register, person("n1", vars{"name": ö(33)}), length}, {register, person("n1", vars{"name": ö(32)}), ""},
			{register, person("n2", vars{"email": "nothing"}), mail}, {register, person("n2", vars{"email": "a b@example.com"}), mail},
			{register, person("n2", vars{"email": "N <n@example.com>"}), mail},
			{register, person("n2", vars{"email": strings.Repeat("a", 243) + "@example.com"}), mail}, {register, person("n2", vars{"email": strings.Repeat("a", 242) + "@example.com"}), ""},
			{register, person("n3", vars{"password": "1234567"}), "BAD_INPUT INVALID_PASSWORD"},
			{register, person("n3", vars{"password": strings.Repeat("x", 73)}), "BAD_INPUT INVALID_PASSWORD"},
			{register, person("n3", vars{"password": ö(37)}), "BAD_INPUT INVALID_PASSWORD"}, {register, person("n3", vars{"password": ö(4)}), ""},
			{register, person("n4", vars{"bio": ö(281)}), length}, {register, person("n4", vars{"bio": ö(280)}), ""},
			{register, person("n5", vars{"location": place(vars{"city": ""})}), length}, {register, person("n5", vars{"location": place(vars{"city": ö(65)})}), length},
			{register, person("n5", vars{"location": place(vars{"state": ö(33)})}), length}, {register, person("n5", vars{"location": place(vars{"country": ö(33)})}), length},
			{register, person("n5", vars{"location": place(vars{"city": "a#STATE"})}), name}, {register, person("n5", vars{"location": place(vars{"state": "a＃b"})}), name},
			{register, person("n5", vars{"location": place(vars{"country": "#"})}), name},
			{register, person("n5", vars{"location": vars{"city": ö(64), "state": ö(32), "country": ö(32)}}), ""},

			{profile, vars{"username": "a#"}, name}, {profile, vars{"username": ""}, length}, {profile, vars{"name": ö(33)}, length}, {profile, vars{"email": "x"}, mail},
			{profile, vars{"bio": ö(281)}, length}, {profile, vars{"location": place(vars{"city": "#"})}, name}, {profile, vars{"avatarUrl": "ftp://x.org/a"}, url},
			{profile, vars{"avatarUrl": "//x.org/a"}, url}, {profile, vars{"coverPhotoUrl": "https:///a"}, url}, {profile, vars{"coverPhotoUrl": https(2049)}, url},
			{profile, vars{"coverPhotoUrl": https(2048)}, ""}, {profile, vars{"username": nil}, null}, {profile, vars{"email": nil}, null}, {profile, vars{"name": nil}, null},
			{profile, vars{"location": nil}, null}, {profile, vars{"coverPhotoUrl": nil, "avatarUrl": nil, "bio": nil}, ""},

			{createCommunity, plan(vars{"name": ""}), length}, {createCommunity, plan(vars{"name": ö(65)}), length}, {createCommunity, plan(vars{"name": "a#b"}), name},
			{createCommunity, plan(vars{"name": "ＣＡＬＭ "}), "CONFLICT NAME_TAKEN"}, {createCommunity, plan(vars{"name": "  calm"}), "CONFLICT NAME_TAKEN"},
			{createCommunity, plan(vars{"name": ö(64)}), ""}, {createCommunity, plan(vars{"description": " "}), length}, {createCommunity, plan(vars{"description": ö(281)}), length},
			{createCommunity, plan(vars{"location": place(vars{"state": "#"})}), name}, {createCommunity, plan(vars{"avatarUrl": "x"}), url},
			{updateCommunity, vars{"name": nil}, null}, {updateCommunity, vars{"description": nil}, null}, {updateCommunity, vars{"topic": nil}, null},
			{updateCommunity, vars{"location": nil}, null},
			{updateCommunity, vars{"name": "#"}, name}, {updateCommunity, vars{"coverPhotoUrl": "x"}, url}, {updateCommunity, vars{"description": ö(280), "coverPhotoUrl": nil}, ""},

			{createChat, chat(vars{"name": " "}), length}, {createChat, chat(vars{"name": ö(33)}), length}, {createChat, chat(vars{"description": ö(141)}), length},
			{createChat, chat(vars{"description": ""}), length},
			{createChat, chat(vars{"capacity": 1}), size}, {createChat, chat(vars{"capacity": 11}), size}, {createChat, chat(vars{"capacity": -5}), size},
			{createChat, chat(vars{"capacity": 2, "name": ö(32), "description": ö(140)}), ""}, {createChat, chat(vars{"capacity": nil, "private": nil}), ""},
			{updateChat, vars{"name": nil}, null}, {updateChat, vars{"description": nil}, null}, {updateChat, vars{"private": nil}, null}, {updateChat, vars{"capacity": nil}, null},
			{updateChat, vars{"capacity": 0}, size}, {updateChat, vars{"name": "a#b"}, ""}, // chat names are in no key
		} {
			as := "a"
			if x.query == register {
				as = ""
			}
			if got := w.Asks(as, strings.NewReplacer(`"C"`, `"`+c+`"`, `"H"`, `"`+h+`"`).Replace(x.query), vars{"i": x.input}).Refusal(); got != x.want {
				t.Errorf("%s with %v: refused with %q, want %q", x.query, x.input, got, x.want)
			}
		}
		v := vars{"t": "GROUP", "h": h, "m": m}
		for _, x := range []struct {
			as, query string
			v         vars
			want      string
		}{
			{"a", send, vars{"x": ""}, length}, {"a", send, vars{"x": " \n"}, length}, {"a", send, vars{"x": ö(501)}, length}, {"a", send, vars{"x": " " + ö(500) + " "}, ""},
			{"a", send, vars{"x": "x", "k": ""}, length}, {"a", send, vars{"x": "x", "k": ö(129)}, length}, {"a", edit, vars{"x": ö(501)}, length}, {"a", edit, vars{"x": ö(500)}, ""},
			{"b", ask, vars{"h": closed, "n": ö(141)}, length}, {"b", ask, vars{"h": closed, "n": ö(140)}, ""},
			{"b", send, vars{"t": "PRIVATE", "x": "x"}, "NOT_FOUND"}, {"a", send, vars{"h": "", "x": "x"}, "NOT_FOUND"}, {"a", send, vars{"h": h + "#", "x": "x"}, "NOT_FOUND"},
			{"a", markRead, vars{"m": strings.Split(strings.Repeat("x ", 25)+"x", " ")}, "BAD_INPUT INVALID_COUNT"}, {"a", markRead, vars{"m": []string{}}, "BAD_INPUT INVALID_COUNT"},
			{"a", markRead, vars{"m": []string{"", "x", "MESSAGE#", m + "=", m[:8]}}, ""},
			{"a", `mutation { markNotificationsSeen(ids: ["x", ""]) }`, nil, ""}, {"a", `mutation { markNotificationRead(id: "x") { id } }`, nil, "NOT_FOUND"},
			{"a", `mutation { deleteNotification(id: "") }`, nil, "NOT_FOUND"},
			{"a", nearby, vars{}, "BAD_INPUT LOCATION_INCOMPLETE"}, {"a", nearby, vars{"s": "x", "t": "PTSD"}, "BAD_INPUT LOCATION_INCOMPLETE"},
			{"a", nearby, vars{"c": "x", "y": "x"}, "BAD_INPUT LOCATION_INCOMPLETE"}, {"a", nearby, vars{"c": "USA#STATE"}, name}, {"a", nearby, vars{"c": ""}, length},
			{"a", nearby, vars{"c": "USA", "s": "New Jersey＃CITY"}, name}, {"a", nearby, vars{"c": "USA", "l": 0}, "BAD_INPUT INVALID_LIMIT"},
			{"a", nearby, vars{"c": "USA", "l": 101}, "BAD_INPUT INVALID_LIMIT"},
			{"a", nearby, vars{"c": "USA", "k": ""}, "BAD_INPUT INVALID_TOKEN"}, {"a", nearby, vars{"c": "USA", "k": "eA"}, "BAD_INPUT INVALID_TOKEN"},
		} {
			all := maps.Clone(v)
			maps.Copy(all, x.v)
			if x.query == nearby {
				all = x.v // whose $t is a topic
			}
			used := apptest.Used(x.query, all)
			if got := w.Asks(x.as, x.query, used).Refusal(); got != x.want {
				t.Errorf("%s with %v: refused with %q, want %q", x.query, x.v, got, x.want)
			}
		}
		w.Whole()
	})
}

// communities 2#4, 5.1#5 and 8#usernames: places whose names look the same are one place.
func TestPlacesFold(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a")
		w.founds("a", "Calm")
		for _, country := range []string{"usa", "ＵＳＡ", " USA  "} {
			w.Asked("a", nearby, vars{"c": country, "s": "new\u00a0JERSEY"}, "communities.items.0.name", `"Calm"`)
		}
		w.Asked("a", nearby, vars{"c": "USA", "s": "New"}, "communities.items", `[]`)
		if communities.Fold("\u00c5") != communities.Fold("A\u030a") { // composed or not
			t.Error("an accent depends on how it is written")
		}
	})
}
