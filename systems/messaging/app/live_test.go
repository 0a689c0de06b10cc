package app_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/push"
	"stoa/systems/messaging/presence"
)

// hears compares what a user has received since the last call.
func (w *world) hears(as string, want ...string) {
	w.T.Helper()
	w.Settle()
	time.Sleep(10 * time.Millisecond) // of the bubble: fields wait for others that name users
	heard := w.TakeHeard()[as]
	if fmt.Sprint(heard) != fmt.Sprint(want) {
		w.T.Errorf("%s hears %v\nwant %v", as, heard, want)
	}
}

// The events of a topic, until a user loses access to it (messaging 4.4).
func TestTopicEvents(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c", "d")
		topic := w.group("a", nil, "b", "c")
		listen := fmt.Sprintf(`subscription { topicEvents(topicId: %q) { kind topicId user { id } message { content } seqId seqIds access { mode } } }`, topic)
		w.Listen("d", listen)
		if heard := fmt.Sprint(w.TakeHeard()); !strings.Contains(heard, "NO_READ") {
			t.Errorf("a stranger hears %s", heard)
		}
		w.Listen("b", listen)
		w.TakeHeard()
		event := func(kind, user, rest string) string {
			all := map[string]string{"message": "null", "seqId": "null", "seqIds": "null", "access": "null"}
			for _, part := range strings.Fields(rest) {
				name, value, _ := strings.Cut(part, "=")
				all[name] = value
			}
			return fmt.Sprintf(`{"topicEvents":{"kind":%q,"topicId":%q,"user":{"id":%q},"message":%s,"seqId":%s,"seqIds":%s,"access":%s}}`,
				kind, topic, w.ids[user], all["message"], all["seqId"], all["seqIds"], all["access"])
		}
		w.says("a", topic, "hi")
		w.hears("b", event("MESSAGE", "a", `message={"content":"hi"} seqId=1`))
		w.Does("c", note, vars{"t": topic, "k": "READ", "s": 1})
		w.hears("b", event("READ", "c", "seqId=1"))
		w.Does("c", note, vars{"t": topic, "k": "READ", "s": 1})
		w.hears("b")
		w.Does("c", note, vars{"t": topic, "k": "TYPING"})
		w.hears("b", event("TYPING", "c", ""))
		w.Does("b", note, vars{"t": topic, "k": "TYPING"})
		w.hears("b")
		w.Does("a", erase, vars{"t": topic, "s": []int{1}, "h": true})
		w.hears("b", event("MESSAGES_DELETED", "a", "seqIds=[1]"))
		w.Does("d", subscribe, vars{"t": topic})
		w.hears("b", event("SUBSCRIBED", "d", `access={"mode":"JRWPS"}`))
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["d"], "g": "JR"})
		w.hears("b", event("ACCESS_CHANGED", "d", `access={"mode":"JR"}`))
		w.Does("d", unsubscribe, vars{"t": topic})
		w.hears("b", event("UNSUBSCRIBED", "d", ""))
		w.Does("a", `mutation($t: ID!) { updateTopic(id: $t, input: {public: {fn: "x"}}) { id } }`, vars{"t": topic})
		w.hears("b", event("DESCRIPTION_CHANGED", "a", ""))
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "N"})
		w.hears("b")
		w.says("a", topic, "secret")
		w.hears("b")
		w.Listen("c", listen)
		w.Does("oz", `mutation($u: ID!) { suspendUser(id: $u) { id } }`, vars{"u": w.ids["c"]})
		w.says("a", topic, "secret")
		w.hears("c")
		w.Whole()
	})
}

// messaging 5.8#6: hard deletions are announced to all who may read, soft ones to the
// caller's own sessions.
func TestToldDeletions(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		topic := w.group("a", nil, "b", "c")
		w.counts("a", topic, 5)
		for _, name := range []string{"a", "b", "c"} {
			w.Listen(name, fmt.Sprintf(`subscription { topicEvents(topicId: %q) { kind seqId seqIds user { id } } }`, topic))
		}
		w.Listen("b", `subscription { myEvents { kind seqId seqIds } }`)
		inTopic := func(user, seq, seqs string) string {
			return fmt.Sprintf(`{"topicEvents":{"kind":"MESSAGES_DELETED","seqId":%s,"seqIds":%s,"user":{"id":%q}}}`, seq, seqs, w.ids[user])
		}
		hears := func(want map[string][]string) {
			t.Helper()
			w.Settle()
			time.Sleep(10 * time.Millisecond) // of the bubble
			if got := w.TakeHeard(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("heard %v\nwant %v", got, want)
			}
		}
		w.Does("b", erase, vars{"t": topic, "s": []int{2, 3}})
		hears(map[string][]string{"b": {inTopic("b", "null", "[2,3]"), `{"myEvents":{"kind":"MESSAGES_DELETED","seqId":null,"seqIds":[2,3]}}`}})
		w.Does("b", erase, vars{"t": topic, "b": 3})
		hears(map[string][]string{"b": {inTopic("b", "3", "null"), `{"myEvents":{"kind":"MESSAGES_DELETED","seqId":3,"seqIds":null}}`}})
		w.Does("b", erase, vars{"t": topic, "s": []int{3}})
		w.Does("b", erase, vars{"t": topic, "b": 2})
		hears(map[string][]string{}) // covered already
		w.Does("a", erase, vars{"t": topic, "s": []int{4}, "h": true})
		one := inTopic("a", "null", "[4]")
		hears(map[string][]string{"a": {one}, "b": {one}, "c": {one}})
		w.Does("a", erase, vars{"t": topic, "b": 4, "h": true})
		all := inTopic("a", "4", "null")
		hears(map[string][]string{"a": {all}, "b": {all}, "c": {all}})
		w.Whole()
	})
}

// messaging 5.8#6: the deletion of each of many messages is announced and answered, even if somebody else
// deletes one of the last at that moment.
func TestToldDeletionsOfMany(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRWPASD"})
		w.Does("b", setMine, vars{"t": topic, "w": "JRWPASD"})
		w.counts("a", topic, 100)
		listed := func(from, to int) string { return "[" + strings.ReplaceAll(numbers(from, to), " ", ",") + "]" }
		all := vars{"t": topic, "r": []vars{{"low": 1, "high": 100}}, "h": true}
		w.Listen("b", fmt.Sprintf(`subscription { topicEvents(topicId: %q) { user { id } seqIds } }`, topic))
		w.TakeHeard()
		happened := w.Before(2, func(*apptest.World) { w.Does("b", erase, vars{"t": topic, "s": []int{100}, "h": true}) })
		w.Asked("a", erase, all, "deleteMessages", fmt.Sprintf(`{"changed":true,"clearId":0,"hard":true,"seqIds":%s,"topicId":%q}`, listed(1, 99), topic))
		if !happened() {
			t.Error("nothing was deleted meanwhile")
		}
		told := func(name string, from, to int) string {
			return fmt.Sprintf(`{"topicEvents":{"user":{"id":%q},"seqIds":%s}}`, w.ids[name], listed(from, to))
		}
		w.hears("b", told("b", 100, 100), told("a", 1, 90), told("a", 91, 99))
		w.Asked("a", erase, all, "deleteMessages.changed", "false")
		w.Whole()
	})
}

// Events of accounts; subscribers are online (messaging 4.4, 5.9#1 and 5.10#4).
func TestMyEvents(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		topic := w.chats("a", "b")
		w.chats("a", "c")
		w.Does("c", setMine, vars{"t": w.ids["a"], "w": "JRW"})
		const listen = `subscription { myEvents { kind topicId user { id } seqId message { content } userAgent } }`
		event := func(kind, topic, user, seq, content, agent string) string {
			message := "null"
			if content != "null" {
				message = `{"content":` + content + `}`
			}
			return fmt.Sprintf(`{"myEvents":{"kind":%q,"topicId":%q,"user":{"id":%q},"seqId":%s,"message":%s,"userAgent":%s}}`, kind, topic, w.ids[user], seq, message, agent)
		}
		online := func(want string) {
			t.Helper()
			w.Asked("b", `query($u: ID!, $t: ID!) { user(id: $u) { online } topic(id: $t) { online } }`, vars{"u": w.ids["a"], "t": topic}, "user.online", want)
		}
		w.Listen("b", listen)
		w.Listen("c", listen)
		w.hears("b")
		online("false")
		w.Does("a", `mutation { goOnline(userAgent: "Phone/1") }`)
		w.hears("b", event("ONLINE", topic, "a", "null", "null", `"Phone/1"`))
		online("true")
		w.Does("a", `mutation { goOnline(userAgent: "Phone/2") }`)
		w.hears("b", event("USER_AGENT", topic, "a", "null", "null", `"Phone/2"`))
		for range 2 {
			w.Does("a", `mutation { goOnline(userAgent: "Phone/3") }`) // within a minute
			w.hears("b")
			w.Advance(28 * time.Second)
			time.Sleep(11 * time.Second) // of the bubble: leases are renewed
		}
		w.Advance(2 * time.Second)
		w.Does("a", `mutation { goOnline(userAgent: "Phone/3") }`)
		w.hears("b", event("USER_AGENT", topic, "a", "null", "null", `"Phone/3"`))
		w.says("a", topic, "hi")
		w.hears("b", event("MESSAGE", topic, "a", "1", `"hi"`, "null"))
		w.Does("a", `mutation { goOffline }`)
		w.hears("b", event("OFFLINE", topic, "a", "null", "null", `"Phone/3"`))
		online("false")
		d := w.Does("b", `query($u: ID!) { user(id: $u) { lastSeen userAgent } }`, vars{"u": w.ids["a"]})
		if d.At("user.lastSeen") == nil || d.Text("user.userAgent") != "Phone/3" {
			t.Errorf("seen %v", d.At("user"))
		}
		w.Does("a", `mutation { goOnline }`)
		w.hears("b", event("ONLINE", topic, "a", "null", "null", "null"))
		w.Advance(61 * time.Second)
		time.Sleep(11 * time.Second) // of the bubble
		online("false")
		w.RunJob(presence.ExpireJob)
		w.hears("b", event("OFFLINE", topic, "a", "null", "null", "null"))
		fresh := w.group("c", nil)
		w.TakeHeard()
		w.Does("c", setAccess, vars{"t": fresh, "u": w.ids["b"]})
		w.hears("b", event("SUBSCRIBED", fresh, "b", "null", "null", "null"))
		w.Does("c", dropTopic, vars{"t": fresh})
		w.hears("b", fmt.Sprintf(`{"myEvents":{"kind":"TOPIC_DELETED","topicId":%q,"user":null,"seqId":null,"message":null,"userAgent":null}}`, fresh))
		w.Does("b", `mutation { deleteAccount }`)
		w.says("a", topic, "anybody?")
		w.hears("b")
		w.Whole()
	})
}

// Devices receive one push, unless their owner is attached, and are removed when they no
// longer exist (messaging 5.9#2-3 and 5.10#2).
func TestPush(t *testing.T) {
	test(t, func(w *world) {
		w.account("a", vars{"public": vars{"fn": "Ana"}})
		w.joins("b", "c", "d")
		topic := w.group("a", vars{"public": vars{"fn": "Birds"}}, "b", "c", "d")
		for _, name := range []string{"a", "b", "c", "d"} {
			w.Does(name, `mutation($d: ID!) { registerDevice(id: $d, platform: ANDROID) { id } }`, vars{"d": "phone of " + name})
		}
		pushed := func() (to []string) {
			w.Settle()
			for _, p := range w.Pushes.Take() {
				to = append(to, strings.TrimPrefix(p.To.Token, "phone of "))
			}
			slices.Sort(to)
			return to
		}
		w.Does("c", setMine, vars{"t": topic, "w": "JW"})
		w.Listen("d", fmt.Sprintf(`subscription { topicEvents(topicId: %q) { seqId } }`, topic))
		w.Does("a", publish, vars{"t": topic, "c": strings.Repeat("ä", 100), "h": vars{"mime": "text/plain"}})
		w.Settle()
		all := w.Pushes.Take()
		if len(all) != 1 || all[0].To != (push.Device{Platform: push.FCM, Token: "phone of b"}) {
			t.Fatalf("pushed %+v", all)
		}
		m := all[0].Message
		if m.Title != "Ana · Birds" || m.Body != strings.Repeat("ä", 80) || m.Collapse != topic+":1" || m.Data["seq"] != "1" || m.Data["mime"] != "text/plain" ||
			m.Data["sender"] != w.ids["a"] {
			t.Errorf("pushed %+v", m)
		}
		w.Does("c", setMine, vars{"t": topic, "w": "JRW"})
		w.Pushes.Fail("phone of b", fmt.Errorf("no app: %w", push.ErrGone))
		w.says("a", topic, "x")
		if got := pushed(); !slices.Equal(got, []string{"b", "c"}) {
			t.Errorf("pushed to %v", got)
		}
		w.Asked("b", `{ myDevices { id } }`, nil, "myDevices", "[]")
		w.Pushes.Fail("phone of c", errors.New("a moment"))
		w.Does("b", `mutation { registerDevice(id: "phone of b", platform: IOS) { id } }`)
		w.Pushes.Fail("phone of b", nil)
		w.Does("a", publish, vars{"t": topic, "c": 5})
		if err := w.Host.Outbox.Drain(w.T.Context()); err == nil {
			t.Error("a push that failed is not tried again")
		}
		w.Pushes.Fail("phone of c", nil)
		w.Advance(time.Minute)
		got := pushed()
		n := 0
		for _, name := range got {
			if name == "b" {
				n++
			}
		}
		if n != 1 || !slices.Contains(got, "c") {
			t.Errorf("pushed to %v: b once, c again", got)
		}
		w.Whole()
	})
}

// Whoever subscribes while a change is being committed receives it.
func TestWhoSubscribesDuringACommitHears(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.DuringCommit(func() {
			w.Listen("b", fmt.Sprintf(`subscription { topicEvents(topicId: %q) { kind } }`, topic))
		})
		w.says("a", topic, "hi")
		w.hears("b", `{"topicEvents":{"kind":"MESSAGE"}}`)
	})
}
