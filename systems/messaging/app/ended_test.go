package app_test

import (
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/page"
	"stoa/systems/messaging"
	"stoa/systems/messaging/store"
)

// messaging 5.3#7 and 5.10#3: of a user deleted hard, the messages of two-person topics are
// kept while the other may read them, and deleted once nobody may.
func TestHardDeletionEmptiesTwoPersonTopics(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "first", "later", "before", "soft")
		topics := map[string]string{}
		for _, name := range []string{"first", "later", "before", "soft"} {
			topics[name] = w.chats("a", name)
			w.counts(name, topics[name], 30)
		}
		w.Does("first", unsubscribe, vars{"t": topics["first"]})
		for _, name := range []string{"a", "before"} {
			w.Does(name, unsubscribe, vars{"t": topics["before"]})
		}
		left := func(name string, want int) {
			t.Helper()
			w.Settle()
			p, err := store.Open(w.DB).Messages.List(t.Context(), messaging.TopicID(topics[name]), messaging.Span{}, page.Query{First: page.Max}, false)
			if err != nil || len(p.Items) != want {
				t.Errorf("of the messages with %s, %d are left, %v, want %d", name, len(p.Items), err, want)
			}
		}
		w.Does("soft", `mutation { deleteAccount }`)
		left("before", 30)
		w.Does("a", `mutation { deleteAccount(hard: true) }`)
		left("first", 0)
		left("before", 0)
		left("soft", 0)
		left("later", 30)
		w.sees("later", topics["later"], numbers(1, 30))
		w.Does("later", unsubscribe, vars{"t": topics["later"]})
		left("later", 0)
		w.Whole()
	})
}

// messaging 5.5#deleteTopic: a message that a group takes just before it is deleted hard goes with it.
func TestHardDeletionAfterAMessage(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.says("b", topic, "one")
		happened := w.Before(1, func(*apptest.World) { w.says("b", topic, "two") })
		w.Does("a", dropTopic, vars{"t": topic, "h": true})
		if !happened() {
			t.Error("nothing was published meanwhile")
		}
		w.Whole()
	})
}

// messaging 5.3#7 and 5.10#3: the messages of a two-person topic go even if the former other user is
// deleted hard just before the last one leaves.
func TestLeavingAChatWhileTheOtherIsDeletedHard(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.chats("a", "b")
		w.says("b", topic, "hello")
		w.Does("b", unsubscribe, vars{"t": topic})
		happened := w.Before(1, func(*apptest.World) { w.Does("b", `mutation { deleteAccount(hard: true) }`) })
		w.Does("a", unsubscribe, vars{"t": topic})
		if !happened() {
			t.Error("nobody was deleted meanwhile")
		}
		w.Settle()
		p, err := store.Open(w.DB).Messages.List(t.Context(), messaging.TopicID(topic), messaging.Span{}, page.Query{First: page.Max}, false)
		if err != nil || len(p.Items) != 0 {
			t.Errorf("%d messages are left, %v", len(p.Items), err)
		}
		w.Whole()
	})
}
