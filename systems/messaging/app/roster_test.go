package app_test

import (
	"fmt"
	"testing"
	"time"

	"stoa/systems/messaging"
	"stoa/systems/messaging/store"
)

// ended stores subscriptions to a topic that have ended, which sort before all others.
func (w *world) ended(topic string, n int) {
	w.T.Helper()
	at := w.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	for i := range n {
		user := fmt.Sprintf("--------%03d", i)
		w.Put("TinodeSubscriptions", map[string]any{
			"Id": topic + ":" + user, "Topic": topic, "User": user, "CreatedAt": at, "UpdatedAt": at, "DeletedAt": at, "ModeWant": 47, "ModeGiven": 47,
			"ReadSeqId": 0, "RecvSeqId": 0, "ClearId": 0, "State": 0, "Private": nil,
		})
	}
}

// Those who have left a group do not hide who is online in it, nor are they read again for
// every message.
func TestManyFormerSubscribers(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c", "d")
		topic := w.group("a", nil, "b", "c")
		w.ended(topic, 250)
		online := func(want string) {
			t.Helper()
			w.Asked("a", `query($t: ID!) { topic(id: $t) { online } }`, vars{"t": topic}, "topic.online", want)
		}
		online("false")
		w.Does("b", `mutation { goOnline }`)
		online("true")
		w.Does("b", `mutation { goOffline }`)
		for _, name := range []string{"b", "c", "d"} {
			w.Listen(name, `subscription { myEvents { kind seqId } }`)
		}
		heard := func(content string, want ...string) {
			t.Helper()
			w.says("a", topic, content)
			w.Settle()
			time.Sleep(10 * time.Millisecond) // of the bubble: fields wait for others
			got := w.TakeHeard()
			for _, name := range []string{"b", "c", "d"} {
				var events []string
				for _, n := range want {
					if n == name {
						events = append(events, fmt.Sprintf(`{"myEvents":{"kind":"MESSAGE","seqId":%s}}`, content))
					}
				}
				if fmt.Sprint(got[name]) != fmt.Sprint(events) {
					t.Errorf("of message %s, %s hears %v, want %v", content, name, got[name], events)
				}
			}
		}
		heard("1", "b", "c")
		queries := func(topic string) int {
			w.says("a", topic, "warm")
			w.Settle()
			w.Client.Reset()
			w.says("a", topic, "counted")
			w.Settle()
			w.TakeHeard()
			return w.Client.Count("Query")
		}
		if n, want := queries(topic), queries(w.group("a", nil, "b", "c")); n > want {
			t.Errorf("a message takes %d queries, in a group that nobody has left %d", n, want)
		}
		// Every change of who may read is effective with the next message.
		w.Does("d", subscribe, vars{"t": topic})
		w.Settle()
		w.TakeHeard()
		heard("4", "b", "c", "d")
		w.Does("c", unsubscribe, vars{"t": topic})
		w.Settle()
		w.TakeHeard()
		heard("5", "b", "d")
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JW"})
		w.Does("c", subscribe, vars{"t": topic})
		w.Settle()
		w.TakeHeard()
		heard("6", "c", "d")
		w.Whole()
	})
}

// The live subscriptions of a user are renewed by one write.
func TestLeasesAreRenewedTogether(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		for range 4 {
			w.Listen("a", fmt.Sprintf(`subscription { topicEvents(topicId: %q) { seqId } }`, topic))
		}
		stop := w.Listen("a", `subscription { myEvents { kind } }`)
		w.Settle()
		w.Client.Reset()
		for range 24 { // two minutes
			w.Advance(5 * time.Second)
			time.Sleep(5 * time.Second) // of the bubble
			w.Settle()
		}
		writes := w.Client.Count("TransactWriteItems") + w.Client.Count("PutItem") + w.Client.Count("UpdateItem")
		if writes < 6 || writes > 13 {
			t.Errorf("%d writes (%s) in two minutes", writes, w.Client)
		}
		facts, err := store.Open(w.DB).Presences.Facts(t.Context(), messaging.Wanted{Presences: []messaging.UserID{w.of("a")}})
		if err != nil {
			t.Fatal(err)
		}
		sessions := facts.Presences[w.of("a")]
		if !sessions.Online(w.Now()) || !sessions.Attached(messaging.TopicID(topic), w.Now()) || len(sessions.Open) != 5 {
			t.Errorf("after two minutes, the sessions are %+v", sessions)
		}
		stop()
		w.Settle()
		w.Asked("b", `query($u: ID!) { user(id: $u) { online } }`, vars{"u": w.ids["a"]}, "user.online", "false")
	})
}
