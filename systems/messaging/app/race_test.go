package app_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/systems/messaging"
	"stoa/systems/messaging/store"
)

// Concurrent requests, each kind a hundred times in separate worlds. Any order of the
// requests is valid; the stored state must agree with the responses.

// act is a request with its user.
type act struct {
	as, query string
	vars      vars
}

// together makes requests concurrently and returns their errors, "" for those that
// succeeded.
func (w *world) together(acts ...act) []string {
	w.T.Helper()
	refused := make([]string, len(acts))
	w.Together(len(acts), func(i int) { refused[i] = w.Asks(acts[i].as, acts[i].query, acts[i].vars).Refusal() })
	w.Settle()
	return refused
}

// answered fails unless each error is one of those possible for its request.
func (w *world) answered(refused []string, possible ...[]string) {
	w.T.Helper()
	for i, r := range refused {
		if !slices.Contains(possible[i], r) {
			w.T.Errorf("request %d is answered %q, want one of %q", i, r, possible[i])
		}
	}
}

// owners returns the members who own a group by their subscriptions.
func (w *world) owners(topic string, names ...string) (owners []string) {
	w.T.Helper()
	var want messaging.Wanted
	for _, name := range names {
		want.Subscriptions = append(want.Subscriptions, messaging.SubscriptionRef{Topic: messaging.TopicID(topic), User: w.of(name)})
	}
	facts, err := store.Open(w.DB).Topics.Facts(w.T.Context(), want)
	if err != nil {
		w.T.Fatal(err)
	}
	for i, ref := range want.Subscriptions {
		if s := facts.Subscriptions[ref]; s.Active() && s.Mode().Has(messaging.Own) {
			owners = append(owners, names[i])
		}
	}
	return owners
}

// messaging 5.5#transfer and 6#3: of several members who are offered a group, one owns it.
func TestRaceOfHeirs(t *testing.T) {
	races(t, func(w *world) {
		w.joins("a", "b", "c")
		topic := w.group("a", nil, "b", "c")
		v := vars{"t": topic}
		w.Does("a", offer, v, vars{"u": w.ids["b"]})
		w.Does("a", offer, v, vars{"u": w.ids["c"]})
		var refused []string
		w.watched(topic, []string{"a", "b", "c"}, func() {
			refused = w.together(act{"b", accept, v}, act{"c", accept, v}, act{"a", unsubscribe, v})
		})
		w.answered(refused, []string{"", "FORBIDDEN NOT_OFFERED"}, []string{"", "FORBIDDEN NOT_OFFERED"}, []string{"", "FORBIDDEN OWNER_MUST_TRANSFER"})
		owners := w.owners(topic, "a", "b", "c")
		if len(owners) != 1 || (refused[0] == "") == (refused[1] == "") || (owners[0] == "b") != (refused[0] == "") {
			t.Errorf("%v own the topic after %q", owners, refused)
		}
		w.Asked("b", `query($t: ID!) { topic(id: $t) { owner { id } } }`, v, "topic.owner.id", fmt.Sprintf("%q", w.ids[owners[0]]))
		w.Whole()
	})
}

// messaging 5.5#transfer and 6#3: a group has one owner while it is offered and accepted.
func TestRaceOfHeirAndOwner(t *testing.T) {
	races(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		v := vars{"t": topic}
		w.Does("a", offer, v, vars{"u": w.ids["b"]})
		var refused []string
		w.watched(topic, []string{"a", "b"}, func() {
			refused = w.together(act{"b", accept, v}, act{"a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRW"}}, act{"b", unsubscribe, v}, act{"a", dropTopic, v})
		})
		w.answered(refused,
			[]string{"", "FORBIDDEN NOT_OFFERED", "FORBIDDEN NOT_SUBSCRIBED", "NOT_FOUND"},
			[]string{"", "FORBIDDEN OWNER", "FORBIDDEN NOT_SHARER", "FORBIDDEN NOT_ADMIN", "NOT_FOUND"},
			[]string{"", "FORBIDDEN OWNER_MUST_TRANSFER", "NOT_FOUND"},
			[]string{"", "FORBIDDEN NOT_OWNER"})
		if owners := w.owners(topic, "a", "b"); refused[3] != "" && len(owners) != 1 {
			t.Errorf("%v own the topic after %q", owners, refused)
		}
		w.Whole()
	})
}

// messaging 2.3, 5.3#1 and 6#2: a tag that several users claim concurrently goes to one.
func TestRaceForTags(t *testing.T) {
	const retag = `mutation($tags: [String!]!) { updateAccount(input: {tags: $tags}) { tags } }`
	races(t, func(w *world) {
		w.account("a", vars{"tags": []string{"old"}})
		w.joins("b", "c")
		refused := w.together(
			act{"a", retag, vars{"tags": []string{"wanted", "mine"}}},
			act{"b", retag, vars{"tags": []string{"old", "wanted"}}},
			act{"c", retag, vars{"tags": []string{"wanted"}}},
		)
		won := 0
		for _, r := range refused {
			if r == "" {
				won++
			} else if r != "CONFLICT TAGS_TAKEN" {
				t.Errorf("refused with %q", r)
			}
		}
		if won != 1 {
			t.Errorf("%d of three have the tag: %q", won, refused)
		}
		w.Whole()
	})
}

// messaging 5.3#6: a user who is suspended publishes nothing afterwards.
func TestRaceOfPublishingAndSuspension(t *testing.T) {
	races(t, func(w *world) {
		w.joins("a", "b")
		topic := w.chats("a", "b")
		say := act{"b", publish, vars{"t": topic, "c": "x"}}
		refused := w.together(say, say, act{"oz", `mutation($u: ID!) { suspendUser(id: $u) { id } }`, vars{"u": w.ids["b"]}}, say, say)
		said := 0
		for i, r := range refused {
			switch {
			case r == "" && i != 2:
				said++
			case r != "" && r != "UNAUTHENTICATED" && r != "HTTP 401" || i == 2 && r != "":
				t.Errorf("request %d is answered %q", i, r)
			}
		}
		if got := w.Status("b", me); got != 401 {
			t.Errorf("a suspended user is answered %d", got)
		}
		w.Asked("a", `query($t: ID!) { topic(id: $t) { seqId } }`, vars{"t": topic}, "topic.seqId", fmt.Sprint(said))
		w.Whole()
	})
}

// messaging 5.5#1 and 6#6: the last places in a group are taken once.
func TestRaceForTheLastPlaces(t *testing.T) {
	races(t, func(w *world) {
		late := []string{"x", "y", "z"}
		w.joins(append(late, "a")...)
		topic := w.group("a", nil)
		w.fills(topic, messaging.MaxSubscribers-2)
		w.Counted(w.AtOnce(3, func(i int) apptest.Answer { return w.Asks(late[i], subscribe, vars{"t": topic}) }), map[string]int{"": 1, "LIMIT_EXCEEDED TOPIC_FULL": 2})
		w.Asked("a", `query($t: ID!) { topic(id: $t) { subscriberCount } }`, vars{"t": topic}, "topic.subscriberCount", fmt.Sprint(messaging.MaxSubscribers))
		w.Whole()
	})
}

// fills adds subscribers to a group that has only its owner.
func (w *world) fills(topic string, n int) {
	w.T.Helper()
	s, ctx := store.Open(w.DB), w.T.Context()
	for i := range n {
		id := messaging.UserID(messaging.Short(fmt.Sprint("filler ", i)))
		u := &messaging.User{ID: id, CreatedAt: w.Now(), UpdatedAt: w.Now(), State: messaging.InUse, Tags: []string{}}
		if err := s.Accounts.Create(ctx, u, nil, messaging.Hidden(id, "", w.Now())); err != nil {
			w.T.Fatal(err)
		}
		sub := messaging.NewSubscription(messaging.TopicID(topic), id, messaging.GroupDefault, messaging.GroupDefault, w.Now())
		if err := s.Subscriptions.Add(ctx, sub, messaging.Authority{}); err != nil {
			w.T.Fatal(err)
		}
	}
}

// messaging 5.6#2 and 6#1: messages of those who leave while publishing are numbered
// without gaps.
func TestRaceOfPublishersAndLeavers(t *testing.T) {
	races(t, func(w *world) {
		names := []string{"a", "b", "c", "d", "e"}
		w.joins(names...)
		topic := w.group("a", nil, names[1:]...)
		acts := []act{
			{"b", unsubscribe, vars{"t": topic}},
			{"a", remove, vars{"t": topic, "u": w.ids["c"]}},
			{"a", setAccess, vars{"t": topic, "u": w.ids["d"], "g": "JR"}},
		}
		for range 3 {
			for _, name := range names {
				acts = append(acts, act{name, publish, vars{"t": topic, "c": name}})
			}
		}
		refused := w.together(acts...)
		said := 0
		for i, r := range refused {
			switch {
			case i < 3 && r != "", r != "" && r != "FORBIDDEN NO_WRITE":
				t.Errorf("request %d is answered %q", i, r)
			case i >= 3 && r == "":
				said++
			}
		}
		if said < 6 { // of a and e, who stay
			t.Errorf("%d messages were published", said)
		}
		w.sees("a", topic, numbers(1, said))
		w.Whole()
	})
}

func TestRaceOfSessionsWithReceipts(t *testing.T) {
	races(t, func(w *world) {
		w.joins("a", "b")
		topic := w.chats("a", "b")
		w.counts("a", topic, 8)
		mark := func(kind string, seq int) act { return act{"b", note, vars{"t": topic, "k": kind, "s": seq}} }
		refused := w.together(mark("READ", 3), mark("RECEIVED", 7), mark("READ", 5), mark("RECEIVED", 2), mark("READ", 9), mark("READ", 1))
		w.answered(refused, slices.Repeat([][]string{{""}}, 6)...)
		w.Asked("b", `query($t: ID!) { subscription(topicId: $t) { readSeqId recvSeqId unread } }`, vars{"t": topic}, "subscription", `{"readSeqId":5,"recvSeqId":7,"unread":3}`)
		w.Whole()
	})
}

// messaging 5.5#deleteTopic and 6: a message that a topic takes while it is being deleted
// goes with it.
func TestRaceOfDeletionAndPublishing(t *testing.T) {
	races(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.says("b", topic, "one", "two", "three")
		refused := w.together(
			act{"a", erase, vars{"t": topic, "s": []int{1, 2}, "h": true}},
			act{"b", edit, vars{"t": topic, "s": 2, "c": "two, again"}},
			act{"b", publish, vars{"t": topic, "c": "four"}},
			act{"b", erase, vars{"t": topic, "s": []int{2, 3}}},
			act{"a", publish, vars{"t": topic, "c": "five"}},
		)
		w.answered(refused, []string{""}, []string{"", "NOT_FOUND"}, []string{""}, []string{""}, []string{""})
		last := 5
		if refused[1] == "" {
			last++
		}
		d := w.Does("a", history, vars{"t": topic, "o": "ASC", "l": 100})
		if got := d.List("messages.items", "seqId"); got != numbers(1, last) {
			t.Errorf("the messages are %s, want 1 to %d", got, last)
		}
		for i, m := range d.Items("messages.items") {
			if erased := m.At("deletedAt") != nil; erased != (i < 2) || erased == (m.At("content") != nil) {
				t.Errorf("message %d is %v", i+1, m)
			}
		}
		w.Whole()
	})
}

// messaging 5.7#3 and 6#5: receipts and clear numbers that change concurrently never fall.
func TestRaceOfClearingAndReceipts(t *testing.T) {
	races(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.counts("a", topic, 6)
		refused := w.together(
			act{"b", erase, vars{"t": topic, "b": 4}}, act{"b", erase, vars{"t": topic, "b": 2}},
			act{"a", erase, vars{"t": topic, "b": 3, "h": true}}, act{"b", note, vars{"t": topic, "k": "RECEIVED", "s": 5}}, act{"a", publish, vars{"t": topic, "c": "x"}},
		)
		w.answered(refused, slices.Repeat([][]string{{""}}, 5)...)
		w.Asked("b", `query($t: ID!) { subscription(topicId: $t) { clearId readSeqId recvSeqId unread topic { clearId seqId } } }`, vars{"t": topic}, "subscription",
			`{"clearId":4,"readSeqId":4,"recvSeqId":5,"topic":{"clearId":3,"seqId":7},"unread":3}`)
		w.Whole()
	})
}

const register = `mutation($d: ID!) { registerDevice(id: $d, platform: WEB) { id } }`

// messaging 5.1 and 5.9#2: a user has as many devices as are allowed if two are registered at once.
func TestRaceForTheLastDevice(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		for i := range messaging.MaxDevices - 1 {
			w.Advance(time.Second)
			w.Does("a", register, vars{"d": fmt.Sprint("device ", i)})
		}
		happened := w.Before(1, func(*apptest.World) { w.Does("a", register, vars{"d": "one"}) })
		w.Does("a", register, vars{"d": "other"})
		d := w.Does("a", `{ myDevices { id } }`)
		if devices := d.Items("myDevices"); !happened() || len(devices) != messaging.MaxDevices || devices[0].Text("id") != "device 1" {
			t.Errorf("the devices are %v", devices)
		}
		w.Whole()
	})
}

// messaging 5.3#7 and 5.9#2: a device that is registered while its former user, or its new one, deletes
// the account is that of its only live user.
func TestRaceOfDevicesAndDeletion(t *testing.T) {
	for _, hard := range []bool{false, true} {
		leave := fmt.Sprintf(`mutation { deleteAccount(hard: %t) }`, hard)
		for _, by := range []string{"a", "b"} {
			t.Run(fmt.Sprintf("hard %t, for %s", hard, by), func(t *testing.T) {
				test(t, func(w *world) {
					w.joins("a", "b", "c")
					w.Does("a", register, vars{"d": "old"})
					happened := w.Before(1, func(*apptest.World) {
						w.Does(by, register, vars{"d": "old"})
						w.Does(by, register, vars{"d": "new"})
					})
					w.Does("a", leave)
					if !happened() {
						t.Error("nothing was registered meanwhile")
					}
					w.Whole()
					w.Does("c", register, vars{"d": "old"})
					w.Does("c", register, vars{"d": "new"})
					w.Asked("b", `{ myDevices { id } }`, nil, "myDevices", "[]")
					w.Whole()
				})
			})
		}
	}
}

// messaging 5.3#1: a change that is made twice at once does not meet its own tags or login as those of
// somebody else.
func TestTagsAndLoginsOfOneselfAreNotTaken(t *testing.T) {
	for name, change := range map[string]string{
		"tags":  `mutation { updateAccount(input: {tags: ["flowers"]}) { tags } }`,
		"login": `mutation { changeLogin(currentPassword: "correct horse", login: "another") { tags } }`,
	} {
		t.Run(name, func(t *testing.T) {
			test(t, func(w *world) {
				w.joins("a")
				happened := w.Before(1, func(*apptest.World) { w.Does("a", change) })
				w.Does("a", change)
				if !happened() {
					t.Error("nothing was changed meanwhile")
				}
				w.Whole()
			})
		})
	}
}
