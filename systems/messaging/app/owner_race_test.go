package app_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	"stoa/systems/messaging"
	"stoa/systems/messaging/store"
)

// watched runs f while observing the owners of a group, each time in one snapshot: after
// every transaction, before others learn that it has been committed, and as often as
// possible in between. Unless the group is deleted, exactly one of its members owns it at
// any time (messaging 5.5#transfer and 6#3), and the topic names them.
func (w *world) watched(topic string, members []string, f func()) {
	w.T.Helper()
	db := dynamo.NewFromIface(w.Client.Engine())
	read := func(table, id string) *dynamo.Query { return db.Table(apptest.Prefix+table).Get("Id", id) }
	var observed, owned atomic.Int64
	observe := func() {
		var group struct {
			Owner     messaging.UserID
			DeletedAt *string
		}
		subs := make([]struct {
			User                messaging.UserID
			ModeWant, ModeGiven messaging.Mode
			DeletedAt           *string
		}, len(members))
		tx := db.GetTx().GetOne(read(store.Topics.Name, topic), &group)
		for i, name := range members {
			ref := messaging.SubscriptionRef{Topic: messaging.TopicID(topic), User: w.of(name)}
			tx.GetOne(read(store.Subscriptions.Name, ref.String()), &subs[i])
		}
		if err := tx.Run(w.T.Context()); err != nil {
			w.T.Error(err)
			return
		}
		observed.Add(1)
		if group.DeletedAt != nil {
			return
		}
		var owners []messaging.UserID
		for _, s := range subs {
			if s.DeletedAt == nil && (s.ModeWant & s.ModeGiven).Has(messaging.Own|messaging.Join) {
				owners = append(owners, s.User)
			}
		}
		if !slices.Equal(owners, []messaging.UserID{group.Owner}) {
			w.T.Errorf("%s is the owner by the topic, %v by subscriptions", group.Owner, owners)
		}
		owned.Add(1)
	}
	observe()
	w.Client.Watch(func(faultdb.Write) { observe() })
	w.Together(2, func(i int) {
		if i == 0 {
			f()
			return
		}
		for range 50 {
			observe()
		}
	})
	if owned.Load() == 0 || observed.Load() <= 51 {
		w.T.Errorf("the group was observed %d times, and had an owner %d times", observed.Load(), owned.Load())
	}
}

// Three members transfer a group in turn, each offering it to the next and accepting
// offers.
func TestRaceOfTransfers(t *testing.T) {
	races(t, func(w *world) {
		names := []string{"a", "b", "c"}
		w.joins(names...)
		topic := w.group("a", nil, "b", "c")
		v := vars{"t": topic}
		var passed atomic.Int64
		w.watched(topic, names, func() {
			w.Together(len(names), func(i int) {
				as, next := names[i], names[(i+1)%len(names)]
				for range 4 {
					for _, a := range []act{{as, accept, v}, {as, offer, vars{"t": topic, "u": w.ids[next]}}, {as, unsubscribe, v}, {as, subscribe, v}} {
						refused := w.Asks(a.as, a.query, a.vars).Refusal()
						if !slices.Contains(
							[]string{
								"",
								"FORBIDDEN NOT_OFFERED",
								"FORBIDDEN NOT_OWNER",
								"FORBIDDEN NOT_SUBSCRIBED",
								"FORBIDDEN OWNER_MUST_TRANSFER",
								"NOT_FOUND",
								"CONCURRENT_UPDATE",
							},
							refused,
						) {
							t.Errorf("%s is answered %q", a.query, refused)
						}
						if a.query == offer && refused == "" {
							passed.Add(1)
						}
					}
				}
			})
		})
		if passed.Load() == 0 {
			t.Error("nothing was offered")
		}
		w.Whole()
	})
}

// messaging 5.5#transfer: an offer that the owner makes while another one is accepted is withdrawn with the
// others, since the new owner has not made it.
func TestOfferDuringATransfer(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		topic := w.group("a", nil, "b", "c")
		w.Does("a", offer, vars{"t": topic, "u": w.ids["b"]})
		happened := w.Before(1, func(*apptest.World) { w.Does("a", offer, vars{"t": topic, "u": w.ids["c"]}) })
		w.Does("b", accept, vars{"t": topic})
		if !happened() {
			t.Error("nothing was offered meanwhile")
		}
		w.Refused("FORBIDDEN NOT_OFFERED", "c", accept, vars{"t": topic})
		w.Asked("c", `query($t: ID!) { topic(id: $t) { owner { id } } }`, vars{"t": topic}, "topic.owner.id", fmt.Sprintf("%q", w.ids["b"]))
		w.Whole()
	})
}

// messaging 5.5#transfer: who has lost a group meanwhile offers it neither to a subscriber, nor to a former
// one, nor to somebody new.
func TestOfferAfterATransfer(t *testing.T) {
	for _, to := range []string{"subscriber", "former", "new"} {
		t.Run(to, func(t *testing.T) {
			test(t, func(w *world) {
				w.joins("a", "b", "subscriber", "former", "new")
				topic := w.group("a", nil, "b", "subscriber", "former")
				w.Does("former", unsubscribe, vars{"t": topic})
				w.Does("a", offer, vars{"t": topic, "u": w.ids["b"]})
				happened := w.Before(1, func(*apptest.World) { w.Does("b", accept, vars{"t": topic}) })
				w.Refused("FORBIDDEN NOT_OWNER", "a", setAccess, vars{"t": topic, "u": w.ids[to], "g": "JRWO"})
				if !happened() {
					t.Error("nothing was accepted meanwhile")
				}
				w.Whole()
			})
		})
	}
}

// messaging 4.4 and 5.5#transfer: those whose offers are withdrawn because somebody else has accepted
// hear of it, however many they are, and find it among what has changed since.
func TestWithdrawnOffersAreTold(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c", "d")
		topic := w.group("a", nil, "b", "c", "d")
		w.fills(topic, messaging.MaxSubscribers-4)
		s := store.Open(w.DB)
		subs, err := s.Roster.Present(t.Context(), messaging.TopicID(topic))
		if err != nil {
			t.Fatal(err)
		}
		for _, sub := range subs {
			if sub.User != w.of("a") && sub.User != w.of("d") {
				w.Does("a", offer, vars{"t": topic, "u": messaging.PublicID(sub.User)})
			}
		}
		w.Listen("c", `subscription { myEvents { kind access { given } } }`)
		w.TakeHeard()
		since := w.Now().Format(time.RFC3339Nano)
		w.Does("b", accept, vars{"t": topic})
		w.Settle()
		if heard := fmt.Sprint(w.TakeHeard()["c"]); heard != `[{"myEvents":{"kind":"ACCESS_CHANGED","access":{"given":"JRWPS"}}}]` {
			t.Errorf("c hears %s", heard)
		}
		w.Asked("c", `query($s: DateTime) { myTopics(since: $s) { items { access { given } } } }`, vars{"s": since}, "myTopics.items", `[{"access":{"given":"JRWPS"}}]`)
		w.Whole()
	})
}

// messaging 5.5#transfer: offers to others are withdrawn only if the own one is accepted, although they do
// not fit one transaction.
func TestManyOffersAndOneWithdrawnMeanwhile(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		topic := w.group("a", nil, "b", "c")
		w.fills(topic, messaging.MaxSubscribers-3)
		subs, err := store.Open(w.DB).Roster.Present(t.Context(), messaging.TopicID(topic))
		if err != nil {
			t.Fatal(err)
		}
		for _, sub := range subs {
			if sub.User != w.of("a") {
				w.Does("a", offer, vars{"t": topic, "u": messaging.PublicID(sub.User)})
			}
		}
		happened := w.Before(1, func(*apptest.World) { w.Does("a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRW"}) })
		w.Refused("FORBIDDEN NOT_OFFERED", "b", accept, vars{"t": topic})
		if !happened() {
			t.Error("nothing was withdrawn meanwhile")
		}
		if subs, err = store.Open(w.DB).Roster.Present(t.Context(), messaging.TopicID(topic)); err != nil {
			t.Fatal(err)
		}
		offers := 0
		for _, sub := range subs {
			if sub.Given.Has(messaging.Own) && sub.User != w.of("a") {
				offers++
			}
		}
		if want := messaging.MaxSubscribers - 2; offers != want {
			t.Errorf("%d offers are left, want %d", offers, want)
		}
		w.Whole()
	})
}
