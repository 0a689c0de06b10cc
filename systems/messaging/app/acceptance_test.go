package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
)

// The acceptance scenarios of docs/rules/messaging.md, by number.

// messaging 7#1, 5.1#1, 5.1#3, 5.3#1-3 and 6#7: logins and tags are normalized.
func TestScenario1(t *testing.T) {
	test(t, func(w *world) {
		d := w.account("k", vars{"login": "Kestrel", "tags": []string{"Flowers", " flowers ", "email:a@x.org"}})
		w.Is(d, "createAccount.user.tags", `["basic:kestrel","email:a@x.org","flowers"]`)
		in := w.Does("", `mutation { login(login: "kestrel", password: "correct horse") { level user { id } } }`)
		w.Is(in, "login.level", `"AUTH"`)
		w.Is(in, "login.user.id", `"`+w.ids["k"]+`"`)
		w.Whole()
	})
}

// messaging 7#2, 2.3 and 5.3#1: registering with a taken tag leaves nothing behind.
func TestScenario2(t *testing.T) {
	test(t, func(w *world) {
		w.account("a", vars{"tags": []string{"email:a@x.org"}})
		i := vars{"i": vars{"login": "latecomer", "password": password, "tags": []string{"free", "email:a@x.org"}}}
		a := w.Asks("", create, i)
		if a.Refusal() != "CONFLICT TAGS_TAKEN" || !slices.Equal(a.Errors[0].Extensions.Tags, []string{"email:a@x.org"}) {
			t.Errorf("refused with %s and %v", a.Refusal(), a.Errors)
		}
		w.Refused("UNAUTHENTICATED", "", `mutation { login(login: "latecomer", password: "correct horse") { token } }`)
		w.Asked("", `{ checkTags(tags: ["free", "basic:latecomer", "email:a@x.org"]) { available } }`, nil, "checkTags",
			`[{"available":true},{"available":true},{"available":false}]`)
		w.Whole()
	})
}

// messaging 7#3 and 5.3#1: of two concurrent registrations with the same login, one succeeds.
func TestScenario3(t *testing.T) {
	races(t, func(w *world) {
		i := vars{"i": vars{"login": "kestrel", "password": password, "tags": []string{"same"}}}
		w.Counted(w.AtOnce(2, func(int) apptest.Answer { return w.Asks("", create, i) }), map[string]int{"": 1, "CONFLICT LOGIN_TAKEN": 1})
		w.Whole()
	})
}

// messaging 7#4, 5.4#1, 5.4#3 and 8#shared-tags: tags are unique, and a search finds users by required terms and alternatives.
func TestScenario4(t *testing.T) {
	test(t, func(w *world) {
		for name, tags := range map[string][]string{"first": {"flowers", "travel"}, "second": {"roses"}, "third": {"puppies"}, "me": nil} {
			w.account(name, vars{"tags": tags})
		}
		find := func(query string) (names []string) {
			d := w.Does("me", `query($q: String) { findContacts(query: $q) { user { id } matchedTags } }`, vars{"q": query})
			for _, id := range strings.Fields(d.List("findContacts", "user.id")) {
				for name, known := range w.ids {
					if known == id {
						names = append(names, name)
					}
				}
			}
			return names
		}
		for query, want := range map[string][]string{
			"flowers travel": {"first"}, "flowers travel, puppies": {"first"}, "": nil, "roses travel": nil, "flowers, travel": {"first"},
		} {
			if got := find(query); !slices.Equal(got, want) {
				t.Errorf("%q finds %v, want %v", query, got, want)
			}
		}
		got := find("flowers, travel, roses")
		if !slices.Equal(got, []string{"first", "second"}) {
			t.Errorf("found %v: who has most tags comes first", got)
		}
		both := find("flowers, roses")
		want := []string{"first", "second"}
		if w.ids["second"] < w.ids["first"] {
			slices.Reverse(want)
		}
		if !slices.Equal(both, want) {
			t.Errorf("found %v, want %v", both, want)
		}
		w.Whole()
	})
}

// messaging 7#5, 5.4#2-3 and 5.3#6: a bare address finds its owner, unless they are suspended, and never the
// searcher.
func TestScenario5(t *testing.T) {
	test(t, func(w *world) {
		w.account("a", vars{"tags": []string{"email:a@x.org", "tel:+12025550123"}})
		w.joins("b")
		for _, query := range []string{"a@x.org", "A@X.org", "202-555-0123", "+1(202)555-0123", login("a")} {
			find := fmt.Sprintf(`{ findContacts(query: %q) { user { id } } }`, query)
			w.Asked("b", find, nil, "findContacts", `[{"user":{"id":"`+w.ids["a"]+`"}}]`)
			w.Asked("a", find, nil, "findContacts", `[]`)
		}
		w.Does("b", `mutation { setSavedSearch(query: "a@x.org") }`)
		w.Asked("b", `{ savedSearch findContacts { matchedTags } }`, nil, "findContacts", `[{"matchedTags":["email:a@x.org"]}]`)
		w.Does("oz", `mutation($u: ID!) { suspendUser(id: $u) { state } }`, vars{"u": w.ids["a"]})
		w.Asked("b", `{ findContacts(query: "a@x.org") { user { id } } }`, nil, "findContacts", `[]`)
		w.Whole()
	})
}

// messaging 7#6, 2.4, 5.5#startChat and 6: two users who start a chat concurrently get the same topic.
func TestScenario6(t *testing.T) {
	races(t, func(w *world) {
		w.joins("a", "b")
		names := []string{"a", "b"}
		topics := make([]string, 2)
		w.Counted(w.AtOnce(2, func(i int) apptest.Answer {
			a := w.Asks(names[i], chat, vars{"u": w.ids[names[1-i]]})
			if len(a.Errors) == 0 {
				topics[i] = w.DataOf(a).Text("startChat.id")
			}
			return a
		}), map[string]int{"": 2})
		if topics[0] != topics[1] || !strings.HasPrefix(topics[0], "p2p") || len(topics[0]) != 25 {
			t.Errorf("topics %v", topics)
		}
		d := w.Does("a", `query($t: ID!) { topic(id: $t) { subscriberCount subscribers { items { access { mode bits } } } } }`, vars{"t": topics[0]})
		w.Is(d, "topic.subscribers.items", `[{"access":{"bits":31,"mode":"JRWPA"}},{"access":{"bits":31,"mode":"JRWPA"}}]`)
		w.Whole()
	})
}

// messaging 7#7, 5.5#startChat and 5.6#1: nobody can write to a user whose default access gives no permissions, until
// the user grants them.
func TestScenario7(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		w.account("b", vars{"defaultAccess": vars{"auth": "N"}})
		topic := w.chats("a", "b")
		w.Refused("FORBIDDEN NO_WRITE", "a", publish, vars{"t": topic, "c": "hi"})
		w.Asked("b", setAccess, vars{"t": topic, "u": w.ids["a"], "g": "JRW"}, "setAccess.access", `{"given":"JRWA","mode":"JRWA","want":"JRWPA"}`)
		w.says("a", topic, "hi")
		w.sees("b", topic, "1")
		w.Whole()
	})
}

// messaging 7#8, 5.6#2, 6 and 6#1: concurrently published messages are numbered without gaps.
func TestScenario8(t *testing.T) {
	test(t, func(w *world) {
		w.joins("owner")
		topic := w.group("owner", nil)
		var writers []string
		for i := range 20 {
			name := fmt.Sprint("w", i)
			w.joins(name)
			w.Does(name, subscribe, vars{"t": topic})
			writers = append(writers, name)
		}
		seen := make([][]int, len(writers))
		w.Together(len(writers), func(i int) {
			for n := range 10 {
				seen[i] = append(seen[i], w.Does(writers[i], publish, vars{"t": topic, "c": n}).Int("publish.seqId"))
			}
		})
		all := slices.Concat(seen...)
		slices.Sort(all)
		for i, n := range all {
			if n != i+1 {
				t.Fatalf("numbers %v", all)
			}
		}
		w.Asked("owner", `query($t: ID!) { topic(id: $t) { seqId } }`, vars{"t": topic}, "topic.seqId", "200")
		w.Whole()
	})
}

// messaging 7#9, 3#1, 4 and 5.6#6: ranges and pages.
func TestScenario9(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		topic := w.group("a", nil)
		w.counts("a", topic, 50)
		d := w.Does("a", history, vars{"t": topic, "s": 10, "b": 20, "o": "ASC"})
		if got := d.List("messages.items", "seqId"); got != numbers(10, 19) {
			t.Errorf("listed %s", got)
		}
		var pages []string
		v := vars{"t": topic, "l": 20}
		for {
			d := w.Does("a", history, v)
			pages = append(pages, d.List("messages.items", "seqId"))
			next, more := d.At("messages.nextToken").(string)
			if !more {
				break
			}
			v["n"] = next
		}
		if want := []string{numbers(50, 31), numbers(30, 11), numbers(10, 1)}; !slices.Equal(pages, want) {
			t.Errorf("pages %q, want %q", pages, want)
		}
		w.Refused("BAD_INPUT INVALID_LIMIT", "a", history, vars{"t": topic, "l": 101})
		w.Refused("BAD_INPUT INVALID_TOKEN", "a", history, vars{"t": topic, "l": 20, "o": "ASC", "n": v["n"]})
	})
}

// messaging 7#10, 4.2, 5.7#2-4 and 6#5: receipts only increase, and not beyond the end.
func TestScenario10(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.counts("a", topic, 10)
		for _, step := range []struct {
			kind string
			seq  int
			want string
		}{
			{"READ", 5, `{"readSeqId":5,"recvSeqId":5,"unread":5}`},
			{"READ", 3, `{"readSeqId":5,"recvSeqId":5,"unread":5}`},
			{"READ", 8, `{"readSeqId":8,"recvSeqId":8,"unread":2}`},
			{"RECEIVED", 6, `{"readSeqId":8,"recvSeqId":8,"unread":2}`},
			{"READ", 99, `{"readSeqId":8,"recvSeqId":8,"unread":2}`},
			{"RECEIVED", 9, `{"readSeqId":8,"recvSeqId":9,"unread":2}`},
			{"READ", -1, `{"readSeqId":8,"recvSeqId":9,"unread":2}`},
		} {
			w.Asked("b", note, vars{"t": topic, "k": step.kind, "s": step.seq}, "note", step.want)
		}
		w.Asked("b", `{ unreadTotal }`, nil, "unreadTotal", "2")
		w.Asked("b", `query($t: ID!) { message(topicId: $t, seqId: 9) { receivedBy readBy } }`, vars{"t": topic}, "message", `{"readBy":0,"receivedBy":1}`)
		w.Whole()
	})
}

// messaging 7#11, 5.5#subscribe and 5.6#1: a subscriber with JR can only read, until they are given W.
func TestScenario11(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", vars{"defaultAccess": vars{"auth": "JR"}}, "b")
		w.Refused("FORBIDDEN NO_WRITE", "b", publish, vars{"t": topic, "c": "hi"})
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRW"})
		w.says("b", topic, "hi")
		w.Whole()
	})
}

// messaging 7#12, 5.5#createGroup,subscribe and 5.5#3: a request waits for approval.
func TestScenario12(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		topic := w.group("a", vars{"defaultAccess": vars{"auth": "N"}})
		w.counts("a", topic, 2)
		w.Listen("a", `subscription { myEvents { kind user { id } access { want given } } }`)
		w.Refused("FORBIDDEN PENDING_APPROVAL", "b", subscribe, vars{"t": topic})
		w.Settle()
		heard := w.TakeHeard()["a"]
		if want := `{"myEvents":{"kind":"ACCESS_CHANGED","user":{"id":"` + w.ids["b"] + `"},"access":{"want":"JRWPS","given":"N"}}}`; !slices.Equal(heard, []string{want}) {
			t.Errorf("the owner hears %v, want %s", heard, want)
		}
		const who = `query($t: ID!) { topicSubscribers(topicId: $t) { items { user { id } access { given } } } }`
		if got := w.Does("a", who, vars{"t": topic}).List("topicSubscribers.items", "user.id"); !strings.Contains(got, w.ids["b"]) {
			t.Errorf("the owner sees %s", got)
		}
		w.Refused("FORBIDDEN NO_READ", "b", history, vars{"t": topic})
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["c"], "g": "JR"})
		if got := w.Does("c", who, vars{"t": topic}).List("topicSubscribers.items", "user.id"); strings.Contains(got, w.ids["b"]) {
			t.Errorf("who may not invite sees %s", got)
		}
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JR"})
		w.sees("b", topic, "1 2")
		w.Whole()
	})
}

// messaging 7#13, 5.2#5 and 5.5#setAccess: S allows inviting with the group's default access; anything else requires A.
func TestScenario13(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c", "d")
		topic := w.group("a", nil, "b")
		w.Asked("b", setAccess, vars{"t": topic, "u": w.ids["c"]}, "setAccess.access", `{"given":"JRWPS","mode":"JRWP","want":"JRWPA"}`)
		w.Refused("FORBIDDEN NOT_ADMIN", "b", setAccess, vars{"t": topic, "u": w.ids["d"], "g": "JR"})
		w.Refused("FORBIDDEN NOT_SHARER", "d", setAccess, vars{"t": topic, "u": w.ids["c"], "g": "JR"})
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRWPAS"})
		w.Does("b", setMine, vars{"t": topic, "w": "JRWPAS"})
		w.Refused("FORBIDDEN NOT_OWNER", "b", setAccess, vars{"t": topic, "u": w.ids["d"], "g": "JRO"})
		w.Whole()
	})
}

// messaging 7#14 and 5.5#setMyAccess,setAccess: a user who wants no access cannot be invited again.
func TestScenario14(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.Asked("b", setMine, vars{"t": topic, "w": "N"}, "setMyAccess.access.mode", `"N"`)
		w.Refused("FORBIDDEN USER_REFUSES", "a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRW"})
		w.Refused("FORBIDDEN USER_REFUSES", "a", remove, vars{"t": topic, "u": w.ids["b"]})
		w.Asked("a", `query($t: ID!) { topic(id: $t) { subscriberCount } }`, vars{"t": topic}, "topic.subscriberCount", "1")
		w.Whole()
	})
}

// messaging 7#15, 5.5#transfer,unsubscribe and 6#3: an owner cannot leave, but can transfer the group.
func TestScenario15(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		topic := w.group("a", nil, "b", "c")
		v := vars{"t": topic}
		w.Refused("FORBIDDEN OWNER_MUST_TRANSFER", "a", unsubscribe, v)
		w.Refused("FORBIDDEN OWNER_MODE", "a", setMine, v, vars{"w": "JRWP"})
		w.Refused("FORBIDDEN OWNER_MODE", "a", setMine, v, vars{"w": "N"})
		w.Refused("FORBIDDEN OWNER_MODE", "b", setMine, v, vars{"w": "JRWO"})
		w.Refused("FORBIDDEN NOT_OFFERED", "b", accept, v)
		w.Refused("FORBIDDEN NOT_OWNER", "b", offer, v, vars{"u": w.ids["c"]})
		w.Whole()
		w.Asked("a", offer, vars{"t": topic, "u": w.ids["b"]}, "transferOwnership.access", `{"given":"JRWPSO","mode":"JRWPS","want":"JRWPS"}`)
		w.Does("a", offer, vars{"t": topic, "u": w.ids["c"]})
		w.Whole()
		w.Asked("b", accept, v, "acceptOwnership", `{"access":{"given":"JRWPSO","mode":"JRWPSO","want":"JRWPSO"},"topic":{"owner":{"id":"`+w.ids["b"]+`"}}}`)
		w.Whole()
		w.Refused("FORBIDDEN NOT_OFFERED", "c", accept, v) // by somebody who does not own it any more
		w.Asked("a", unsubscribe, v, "unsubscribe.deleted", "true")
		w.Refused("FORBIDDEN OWNER_MUST_TRANSFER", "b", unsubscribe, v)
		w.Whole()
	})
}

// messaging 7#16 and 5.8#2: without D, a deletion is for the caller only.
func TestScenario16(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.counts("a", topic, 5)
		w.Asked("b", erase, vars{"t": topic, "s": []int{4}, "h": true}, "deleteMessages", `{"changed":true,"clearId":0,"hard":false,"seqIds":[4],"topicId":"`+topic+`"}`)
		w.sees("b", topic, "1 2 3 5")
		w.sees("a", topic, "1 2 3 4 5")
		w.Asked("b", `query($t: ID!) { deletedMessages(topicId: $t) { items } }`, vars{"t": topic}, "deletedMessages.items", "[4]")
		w.Asked("b", `query($t: ID!) { message(topicId: $t, seqId: 4) { deletedForMe content } }`, vars{"t": topic}, "message", `{"content":null,"deletedForMe":true}`)
		w.Whole()
	})
}

// messaging 7#17, 5.8#3 and 6#8: after ten minutes only the owner can delete for everybody.
func TestScenario17(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRWPSD"})
		w.Does("b", setMine, vars{"t": topic, "w": "JRWPSD"})
		w.counts("a", topic, 2)
		w.Advance(11 * time.Minute)
		w.says("a", topic, "young")
		v := vars{"t": topic, "s": []int{1, 3}, "h": true}
		w.Refused("PRECONDITION_FAILED TOO_OLD", "b", erase, v)
		w.Asked("b", erase, vars{"t": topic, "s": []int{3}, "h": true}, "deleteMessages.hard", "true")
		w.Asked("a", erase, v, "deleteMessages.seqIds", "[1]")
		d := w.Does("b", history, vars{"t": topic, "o": "ASC"})
		for i, want := range []string{"null", `"2"`, "null"} {
			w.Is(d, fmt.Sprint("messages.items.", i, ".content"), want)
			if deleted := d.At(fmt.Sprint("messages.items.", i, ".deletedAt")) != nil; deleted != (want == "null") {
				t.Errorf("message %d is deleted: %v", i+1, deleted)
			}
		}
		w.Whole()
	})
}

// messaging 7#18-19, 5.8#5-6 and 5.7#3-4: a soft deletion up to a number, once.
func TestScenarios18And19(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.counts("a", topic, 10)
		w.Does("b", note, vars{"t": topic, "k": "READ", "s": 2})
		w.Listen("b", `subscription { myEvents { kind seqId seqIds } }`)
		w.Listen("a", fmt.Sprintf(`subscription { topicEvents(topicId: %q) { kind } }`, topic))
		v := vars{"t": topic, "b": 6}
		w.Asked("b", erase, v, "deleteMessages", `{"changed":true,"clearId":6,"hard":false,"seqIds":[],"topicId":"`+topic+`"}`)
		w.sees("b", topic, "7 8 9 10")
		w.sees("a", topic, numbers(1, 10))
		w.Asked("b", `query($t: ID!) { subscription(topicId: $t) { readSeqId recvSeqId clearId unread } }`, vars{"t": topic}, "subscription",
			`{"clearId":6,"readSeqId":6,"recvSeqId":6,"unread":4}`)
		w.Settle()
		if heard := w.TakeHeard(); fmt.Sprint(heard) != `map[b:[{"myEvents":{"kind":"MESSAGES_DELETED","seqId":6,"seqIds":null}}]]` {
			t.Errorf("heard %v", heard)
		}
		w.Asked("b", erase, v, "deleteMessages.changed", "false")
		w.Asked("b", erase, vars{"t": topic, "s": []int{8}}, "deleteMessages.changed", "true")
		w.Asked("b", erase, vars{"t": topic, "s": []int{8}}, "deleteMessages.changed", "false")
		w.Settle()
		if heard := w.TakeHeard(); len(heard["b"]) != 1 || len(heard["a"]) != 0 {
			t.Errorf("heard %v", heard)
		}
		w.Whole()
	})
}

// messaging 7#20, 2.6, 5.6#2 and 5.10#1: expired messages are not listed, and their numbers are not reused.
func TestScenario20(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		topic := w.group("a", nil)
		w.counts("a", topic, 2)
		w.Advance(604_800*time.Second - time.Minute)
		w.says("a", topic, "young")
		w.Advance(2 * time.Minute)
		w.sees("a", topic, "3")
		w.Asked("a", publish, vars{"t": topic, "c": "next"}, "publish.seqId", "4")
		w.Asked("a", `query($t: ID!) { message(topicId: $t, seqId: 1) { id } }`, vars{"t": topic}, "message", "null")
		w.Refused("NOT_FOUND", "a", edit, vars{"t": topic, "s": 1, "c": "x"})
	})
}

// messaging 7#21, 2.5 and 5.5#unsubscribe: a restored subscription keeps its receipts.
func TestScenario21(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.counts("a", topic, 40)
		w.Does("b", note, vars{"t": topic, "k": "READ", "s": 40})
		w.Asked("b", unsubscribe, vars{"t": topic}, "unsubscribe.deleted", "true")
		w.Refused("FORBIDDEN NO_READ", "b", history, vars{"t": topic})
		w.Asked("b", subscribe, vars{"t": topic}, "subscribe.readSeqId", "40")
		w.Asked("b", `query($t: ID!) { topic(id: $t) { subscriberCount subscribers { items { id } } } }`, vars{"t": topic}, "topic.subscriberCount", "2")
		w.Whole()
	})
}

// messaging 7#22, 5.1#4, 5.5#1 and 6#6: a group has at most 128 subscribers.
func TestScenario22(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "x", "y")
		topic := w.group("a", nil)
		for i := range 127 {
			name := fmt.Sprint("m", i)
			w.joins(name)
			w.Does(name, subscribe, vars{"t": topic})
		}
		late := []string{"x", "y"}
		w.Counted(w.AtOnce(2, func(i int) apptest.Answer { return w.Asks(late[i], subscribe, vars{"t": topic}) }), map[string]int{"LIMIT_EXCEEDED TOPIC_FULL": 2})
		const count = `query($t: ID!) { topic(id: $t) { subscriberCount } }`
		w.Asked("a", count, vars{"t": topic}, "topic.subscriberCount", "128")
		w.Does("m5", unsubscribe, vars{"t": topic})
		w.Counted(w.AtOnce(2, func(i int) apptest.Answer { return w.Asks(late[i], subscribe, vars{"t": topic}) }), map[string]int{"": 1, "LIMIT_EXCEEDED TOPIC_FULL": 1})
		w.Refused("LIMIT_EXCEEDED TOPIC_FULL", "m5", subscribe, vars{"t": topic})
		w.Asked("a", count, vars{"t": topic}, "topic.subscriberCount", "128")
		w.Whole()
	})
}

// messaging 7#23 and 5.9#3: a device belongs to the user who registered it last.
func TestScenario23(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		const register = `mutation($d: ID!, $p: Platform!) { registerDevice(id: $d, platform: $p) { id platform } }`
		d := vars{"d": "phone", "p": "IOS"}
		w.Does("a", register, d)
		w.Does("b", register, d)
		topicA, topicB := w.chats("c", "a"), w.chats("c", "b")
		w.Settle()
		w.Pushes.Take()
		w.says("c", topicA, "for a")
		w.says("c", topicB, "for b")
		w.Settle()
		pushed := w.Pushes.Take()
		if len(pushed) != 1 || pushed[0].To.Token != "phone" || pushed[0].Message.Body != "for b" || pushed[0].Message.Data["topic"] != topicB {
			t.Errorf("pushed %+v", pushed)
		}
		w.Asked("a", `mutation { removeDevice(id: "phone") }`, nil, "removeDevice", "false")
		w.Asked("b", `mutation { removeDevice(id: "phone") }`, nil, "removeDevice", "true")
		w.Asked("b", `{ myDevices { id } }`, nil, "myDevices", "[]")
		w.says("c", topicB, "nobody hears")
		w.Settle()
		if pushed := w.Pushes.Take(); len(pushed) != 0 {
			t.Errorf("pushed %+v", pushed)
		}
		w.Whole()
	})
}

// messaging 7#24, 5.5#2, 5.6#6 and 8#topic-seen-by-strangers: what non-subscribers see.
func TestScenario24(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "stranger")
		topic := w.group("a", vars{"public": vars{"fn": "Birds"}})
		w.counts("a", topic, 3)
		const all = `query($t: ID!) { topic(id: $t) { kind public defaultAccess { auth anon } seqId clearId subscriberCount online owner { id } touchedAt mySubscription { id } ` +
			`subscribers { items { id } } messages { items { id } } } }`
		w.Asked(
			"stranger",
			all,
			vars{"t": topic},
			"topic",
			`{"clearId":0,"defaultAccess":{"anon":"N","auth":"JRWPS"},"kind":"GROUP","messages":null,"mySubscription":null,"online":false,"owner":null,"public":{"fn":"Birds"},`+
				`"seqId":0,"subscriberCount":0,"subscribers":null,"touchedAt":null}`,
		)
		w.Refused("FORBIDDEN NO_READ", "stranger", history, vars{"t": topic})
		pair := w.chats("a", "b")
		w.Refused("NOT_FOUND", "stranger", history, vars{"t": pair})
		w.Asked("stranger", all, vars{"t": pair}, "topic", "null")
		w.Refused("NOT_FOUND", "stranger", publish, vars{"t": pair, "c": "x"})
	})
}

// messaging 7#25, 5.6#5 and 8#replacing: an author replaces a message, and both are kept.
func TestScenario25(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.says("a", topic, "first")
		w.Refused("FORBIDDEN NOT_AUTHOR", "b", edit, vars{"t": topic, "s": 1, "c": "second"})
		w.Refused("FORBIDDEN NOT_AUTHOR", "b", publish, vars{"t": topic, "c": "second", "h": vars{"replace": ":1"}})
		w.Asked("a", edit, vars{"t": topic, "s": 1, "c": "second"}, "editMessage", `{"content":"second","head":{"replace":":1"},"replaces":1,"seqId":2}`)
		w.Asked("a", publish, vars{"t": topic, "c": "third", "h": vars{"replace": ":1"}}, "publish.replaces", "1")
		w.Refused("NOT_FOUND", "a", edit, vars{"t": topic, "s": 9, "c": "x"})
		d := w.Does("b", history, vars{"t": topic, "o": "ASC"})
		if got := d.List("messages.items", "content"); got != "first second third" {
			t.Errorf("messages %s", got)
		}
		w.Whole()
	})
}
