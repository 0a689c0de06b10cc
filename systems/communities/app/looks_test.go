package app_test

import (
	"fmt"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/communities"
	"stoa/systems/communities/store"
)

// communities 8#usernames: nobody takes a name that only looks different to a computer, neither by
// registering nor by renaming, and each becomes free with its owner.
func TestNamesThatLookAlike(t *testing.T) {
	test(t, func(w *world) {
		w.registers("root", "a", "b")
		other := func(username string) vars {
			return vars{"i": person("other", vars{"username": username})}
		}
		for _, name := range []string{"root\u200b", "\u202eroot", "rооt", "ｒооt"} {
			w.Refused("BAD_INPUT INVALID_NAME", "", register, other(name))
			w.Refused("BAD_INPUT INVALID_NAME", "a", profile, vars{"i": vars{"username": name}})
		}
		w.Refused("BAD_INPUT INVALID_NAME", "", register, vars{"i": person("other", vars{"name": "Ann \u202e"})})
		const rename = `mutation($n: String!) { updateProfile(input: {username: $n}) { username } }`
		w.Does("a", rename, vars{"n": "scope"})
		w.Refused("CONFLICT USERNAME_TAKEN", "", register, other("ѕсоре"))
		w.Refused("CONFLICT USERNAME_TAKEN", "b", rename, vars{"n": "ЅСОРЕ"})
		w.Does("a", rename, vars{"n": "ѕсоре"}) // their own
		w.Refused("CONFLICT USERNAME_TAKEN", "", register, other("Scope"))
		w.Refused("CONFLICT USERNAME_TAKEN", "", register, other("ЅСОРЕ"))
		w.Asked("b", `{ userByUsername(username: "scope") { id } }`, nil, "userByUsername", `null`)
		w.Does("a", rename, vars{"n": "Scope"})
		w.Does("a", rename, vars{"n": "ѕсоре"})
		w.Does("a", `mutation { deleteAccount(password: "correct horse") }`)
		w.Does("", register, other("scope"))

		c := w.founds("root", "асе")
		const call = `mutation($c: ID!, $n: String!) { updateCommunity(id: $c, input: {name: $n}) { name } }`
		w.Refused("CONFLICT NAME_TAKEN", "b", found, vars{"i": vars{"name": "Ace", "description": "d", "topic": "PTSD", "location": trenton}})
		w.Refused("BAD_INPUT INVALID_NAME", "root", call, vars{"c": c, "n": "Cаlm"})
		mine := w.founds("b", "Calm")
		w.Refused("CONFLICT NAME_TAKEN", "b", call, vars{"c": mine, "n": "ACE"})
		w.Refused("CONFLICT NAME_TAKEN", "b", call, vars{"c": mine, "n": "АСЕ"})
		w.Does("root", call, vars{"c": c, "n": "Peace"})
		w.Does("b", call, vars{"c": mine, "n": "ACE"})
		w.Does("b", `mutation($c: ID!) { deleteCommunity(id: $c) }`, vars{"c": mine})
		w.founds("root", "асе")
		h := w.opens("root", c)
		w.Refused("BAD_INPUT INVALID_NAME", "root", `mutation($h: ID!) { updateGroupChat(id: $h, input: {name: "\u202elmaC"}) { id } }`, vars{"h": h})
		w.Whole()
	})
}

// Two who register names that look alike at once do not both get theirs (communities
// 8#usernames).
func TestNamesThatLookAlikeAtOnce(t *testing.T) {
	test(t, func(w *world) {
		for n := range rounds / 4 {
			w.Counted(w.AtOnce(3, func(i int) apptest.Answer {
				name := []string{"асе", "ace", "АСЕ"}[i]
				return w.Asks("", register, vars{"i": person(name+fmt.Sprint(n), vars{"email": fmt.Sprintf("%d.%d@example.com", n, i)})})
			}), map[string]int{"": 1, "CONFLICT USERNAME_TAKEN": 2})
			w.Whole()
		}
	})
}

// Names from before these rules are read and used as before, and leave with their owner.
func TestNamesOlderThanTheirRules(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		s := store.Open(w.Host.DB, func(*communities.User) bool { return false })
		for name, old := range map[string]string{"a": "root\u200b", "b": "rооt"} {
			id := communities.UserID(w.ids[name])
			facts, err := s.People.Facts(t.Context(), communities.Wanted{Users: []communities.UserID{id}})
			if err != nil {
				t.Fatal(err)
			}
			u := *facts.Users[id]
			u.Username = old
			if err := s.People.Update(t.Context(), facts.Users[id], &u); err != nil {
				t.Fatal(err)
			}
			w.Asked(name, `query($n: String!) { userByUsername(username: $n) { id } }`, vars{"n": old}, "userByUsername.id", `"`+w.ids[name]+`"`)
			w.Does("", login, vars{"l": old, "p": password})
			w.Is(w.Does(name, profile, vars{"i": vars{"bio": "hi", "username": old}}), "updateProfile.bio", `"hi"`)
		}
		w.Does("a", profile, vars{"i": vars{"username": "ann"}})
		w.Does("b", `mutation { deleteAccount(password: "correct horse") }`)
		w.registers("root")
		w.Whole()
	})
}
