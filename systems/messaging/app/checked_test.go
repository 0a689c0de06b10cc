package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/desk"
	"stoa/internal/host"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/refusal"
	"stoa/internal/operator"
	"stoa/internal/webhook"
	"stoa/systems/messaging"
	"stoa/systems/messaging/app"
)

// checked is a world whose messages are checked: the answer is the first word of their texts.
type checked struct {
	*world
	asked atomic.Int32
}

func testChecked(t *testing.T, failure desk.CheckVerdict, f func(w *checked)) {
	t.Helper()
	c := &checked{}
	ask := func(_ context.Context, _ webhook.Hook, _ string, _ time.Time, body []byte) ([]byte, error) {
		c.asked.Add(1)
		var q struct{ System, Kind, ItemID, Author, Text string }
		if err := json.Unmarshal(body, &q); err != nil || q.System != "messaging" || q.Kind != "CHAT_MESSAGE" || q.Author == "" || !strings.Contains(q.ItemID, ":-") {
			t.Errorf("asked %s: %v", body, err)
		}
		word, _, _ := strings.Cut(q.Text, " ")
		if word == "none" {
			return nil, fmt.Errorf("nobody answers")
		}
		if word != "HOLD" && word != "REMOVE" {
			word = "ALLOW"
		}
		return json.Marshal(map[string]string{"verdict": word, "rule": "spam"})
	}
	checks := func(_ *apptest.World, config *host.Config) {
		config.Check = host.ContentCheck{At: webhook.Hook{URL: "https://app.example"}, Timeout: 2 * time.Second, Failure: failure, Ask: ask}
	}
	apptest.Test(t, app.System(cheap), func(w *apptest.World) {
		w.Host.Operators = []string{"OZ@example.com"}
		w.People.Identity("oz")
		c.world = &world{World: w, ids: map[string]string{}}
		f(c)
		w.Settle()
		w.Whole()
	}, checks)
}

func (w *checked) caseOf(topic string, seq int) *desk.Case {
	w.T.Helper()
	c, err := w.Host.Ops.Operators.Case(w.OperatorContext("oz"), messaging.MessageRef{Topic: messaging.TopicID(topic), Seq: seq}.CaseItem())
	if err != nil {
		w.T.Fatal(err)
	}
	return c
}

func (w *checked) decides(c *desk.Case, v desk.Verdict) *desk.Case {
	w.T.Helper()
	after, err := w.Host.Desk.Service.DecideCase(w.OperatorContext("oz"), c.ID(), c.Revision, operator.Ruling{Verdict: v})
	if err != nil {
		w.T.Fatal(err)
	}
	w.Settle()
	return after
}

// shows compares what moderators see of the item of a case.
func (w *checked) shows(c *desk.Case, excerpt string, visible bool) {
	w.T.Helper()
	shown, err := w.Host.Desk.Service.Contents(w.OperatorContext("oz"), []*desk.Case{c})
	if err != nil || shown[c] == nil || shown[c].Excerpt != excerpt || shown[c].Visible != visible {
		w.T.Errorf("moderators see %+v: %v", shown[c], err)
	}
}

// reads compares the messages that a user sees, in both orders and on pages of two, as number and text,
// with (…) for deleted ones; and the number of unread ones.
func (w *checked) reads(who, topic, want string, unread int) {
	w.T.Helper()
	w.Settle()
	for _, order := range []string{"ASC", "DESC"} {
		for _, size := range []int{100, 2} {
			var got []string
			for next := any(nil); ; {
				d := w.Does(who, history, vars{"t": topic, "o": order, "l": size, "n": next})
				for _, m := range d.Items("messages.items") {
					text, _ := m.At("content").(string)
					if m.At("deletedAt") != nil {
						text = "(…)"
					}
					got = append(got, fmt.Sprint(m.At("seqId"), " ", text))
				}
				if next = d.At("messages.nextToken"); next == nil {
					break
				}
			}
			if order == "DESC" {
				slices.Reverse(got)
			}
			if strings.Join(got, ", ") != want {
				w.T.Errorf("%s sees, %s by %d, %q, want %q", who, order, size, strings.Join(got, ", "), want)
			}
		}
	}
	d := w.Does(who, `query($t: ID!) { topic(id: $t) { mySubscription { unread } } }`, vars{"t": topic})
	w.Is(d, "topic.mySubscription.unread", strconv.Itoa(unread))
}

// sends publishes a text and returns the number.
func (w *checked) sends(who, topic, text string) int {
	w.T.Helper()
	n, _ := w.Does(who, publish, vars{"t": topic, "c": text}).At("publish.seqId").(float64)
	return int(n)
}

// topic creates a topic of either kind.
func (w *checked) topic(kind string) string {
	w.joins("ana", "ben")
	if kind == "P2P" {
		return w.chats("ana", "ben")
	}
	return w.group("ana", vars{}, "ben")
}

// operator 8#2: the table of answers, in both kinds of topics, and what decisions do.
func TestContentCheck(t *testing.T) {
	t.Parallel()
	for _, failure := range desk.CheckVerdicts {
		for _, kind := range []string{"GROUP", "P2P"} {
			for _, word := range []string{"fine", "HOLD", "REMOVE", "none"} {
				answer := map[string]desk.CheckVerdict{"fine": desk.CheckAllow, "HOLD": desk.CheckHold, "REMOVE": desk.CheckRemove, "none": failure}[word]
				if word != "none" && failure != desk.CheckAllow {
					continue
				}
				t.Run(fmt.Sprint(kind, " ", word, " ", answer), func(t *testing.T) {
					t.Parallel()
					testChecked(t, failure, func(w *checked) { answered(w, kind, word, answer) })
				})
			}
		}
	}
}

func answered(w *checked, kind, word string, answer desk.CheckVerdict) {
	topic, text := w.topic(kind), word+" text"
	touched := func() any {
		return w.Does("ben", `query($t: ID!) { topic(id: $t) { touchedAt seqId } }`, vars{"t": topic}).At("topic")
	}
	w.sends("ana", topic, "first")
	w.Does("ben", note, vars{"t": topic, "k": "READ", "s": 1})
	w.Listen("ben", `subscription { topicEvents(topicId: "`+topic+`") { kind seqId seqIds message { content } } }`)
	before := fmt.Sprint(touched())
	w.Advance(time.Second)
	w.Settle()
	w.TakeHeard()
	hears := func(want string) {
		w.T.Helper()
		w.Settle()
		if got := fmt.Sprint(w.TakeHeard()["ben"]); got != want {
			w.T.Errorf("ben hears %s, want %s", got, want)
		}
	}
	published := func(seq int, text string) string {
		return fmt.Sprintf(`[{"topicEvents":{"kind":"MESSAGE","seqId":%d,"seqIds":null,"message":{"content":%q}}}]`, seq, text)
	}
	n := w.sends("ana", topic, text)
	if w.asked.Load() != 2 {
		w.T.Errorf("asked %d times about two messages", w.asked.Load())
	}
	c := w.caseOf(topic, -1)
	if answer == desk.CheckAllow {
		w.reads("ben", topic, "1 first, 2 "+text, 1)
		hears(published(2, text))
		if n != 2 || c != nil {
			w.T.Errorf("the message is %d, there is the case %+v", n, c)
		}
		if kind == "GROUP" {
			w.Does("ben", report, vars{"t": topic, "s": 2})
			if c := w.caseOf(topic, 2); (c.Check != nil) != (word == "none") || c.Check != nil && !c.Check.Failed {
				w.T.Errorf("the case of a report is %+v", c)
			}
		}
		return
	}
	if n != -1 {
		w.T.Errorf("the message is %d", n)
	}
	own := "1 first"
	if answer == desk.CheckHold {
		own += ", -1 " + text
	}
	w.reads("ana", topic, own, 0)
	w.reads("ben", topic, "1 first", 0)
	hears("[]")
	if now := fmt.Sprint(touched()); now != before {
		w.T.Errorf("the topic is %s, was %s", now, before)
	}
	if c == nil || c.Status != desk.Open || c.Check == nil || c.Check.Verdict != answer || c.Check.Failed != (word == "none") || c.Source != desk.FromProgram {
		w.T.Fatalf("the case is %+v", c)
	}
	w.shows(c, text, false)
	around, err := w.Host.Desk.Service.Context(w.OperatorContext("oz"), c)
	if err != nil || len(around) != 1 || around[0].Excerpt != "first" {
		w.T.Errorf("moderators see %+v before it: %v", around, err)
	}
	one := `query($t: ID!, $s: Int!) { message(topicId: $t, seqId: $s) { content receivedBy readBy } }`
	of := vars{"t": topic, "s": -1}
	w.Is(w.Does("ben", one, of), "message", `null`)
	if answer == desk.CheckHold {
		w.Is(w.Does("ana", one, of), "message", `{"content":"`+text+`","readBy":0,"receivedBy":0}`)
		w.Refused("PRECONDITION_FAILED HELD", "ana", edit, of, vars{"c": "other"})
	}
	w.Refused("NOT_FOUND", "ben", edit, of, vars{"c": "other"})
	if got := w.Asks("ben", erase, vars{"t": topic, "s": []int{-1}}).Refusal(); !strings.HasPrefix(got, "BAD_INPUT ") {
		w.T.Errorf("ben deletes it and gets %s", got)
	}

	w.sends("ben", topic, "second")
	w.reads("ana", topic, strings.Replace(own, "first", "first, 2 second", 1), 1)
	w.TakeHeard()
	w.Advance(time.Second)
	c = w.decides(c, desk.Keep)
	hears(published(3, text))
	w.reads("ana", topic, "1 first, 2 second, 3 "+text, 2)
	w.reads("ben", topic, "1 first, 2 second, 3 "+text, 1)
	w.shows(c, text, true)
	w.Whole()

	c = w.decides(c, desk.Remove)
	hears(`[{"topicEvents":{"kind":"MESSAGES_DELETED","seqId":null,"seqIds":[3],"message":null}}]`)
	w.reads("ben", topic, "1 first, 2 second, 3 (…)", 1)
	w.shows(c, text, false)
	w.decides(c, desk.Keep)
	w.reads("ben", topic, "1 first, 2 second, 3 "+text, 1)
}

// operator 8#2 and messaging 5.6#7: what is held and then removed, or deleted by its author, others never see; the case of
// what was removed brings it back.
func TestHeldMessagesThatEnd(t *testing.T) {
	t.Parallel()
	testChecked(t, desk.CheckAllow, func(w *checked) {
		topic := w.topic("GROUP")
		w.Listen("ana", `subscription { myEvents { kind seqIds } }`)
		w.Listen("ben", `subscription { topicEvents(topicId: "`+topic+`") { kind seqIds } }`)
		w.sends("ana", topic, "fine")
		for n := range 3 {
			w.sends("ana", topic, fmt.Sprint("HOLD ", n))
		}
		w.sends("ben", topic, "HOLD it")
		w.reads("ana", topic, "1 fine, -1 HOLD 0, -2 HOLD 1, -3 HOLD 2", 0)
		w.reads("ben", topic, "1 fine, -4 HOLD it", 1)
		w.TakeHeard()

		c := w.decides(w.caseOf(topic, -1), desk.Remove)
		w.shows(c, "HOLD 0", false)
		w.Asked("ana", erase, vars{"t": topic, "s": []int{-2}}, "deleteMessages", `{"changed":true,"clearId":0,"hard":true,"seqIds":[-2],"topicId":"`+topic+`"}`)
		w.Settle()
		if c := w.caseOf(topic, -2); c.Status != desk.Decided || !c.Gone {
			t.Errorf("the case of a deleted message is %+v", c)
		}
		w.reads("ana", topic, "1 fine, -3 HOLD 2", 0)
		w.reads("ben", topic, "1 fine, -4 HOLD it", 1)
		heard := w.TakeHeard()
		if fmt.Sprint(heard["ana"]) != `[{"myEvents":{"kind":"MESSAGES_DELETED","seqIds":[-1]}} {"myEvents":{"kind":"MESSAGES_DELETED","seqIds":[-2]}}]` || heard["ben"] != nil {
			t.Errorf("heard is %v", heard)
		}
		w.decides(c, desk.Keep)
		w.reads("ben", topic, "1 fine, 2 HOLD 0, -4 HOLD it", 2)
		w.reads("ana", topic, "1 fine, 2 HOLD 0, -3 HOLD 2", 0)

		// An edit is a message of its own. The one it replaces stays until others see the edit.
		w.Is(w.Does("ana", edit, vars{"t": topic, "s": 1, "c": "HOLD edit"}), "editMessage", `{"content":"HOLD edit","head":{"replace":":1"},"replaces":1,"seqId":-5}`)
		w.reads("ben", topic, "1 fine, 2 HOLD 0, -4 HOLD it", 2)
		w.decides(w.caseOf(topic, -5), desk.Keep)
		w.Is(w.Does("ben", `query($t: ID!) { message(topicId: $t, seqId: 3) { content replaces } }`, vars{"t": topic}), "message", `{"content":"HOLD edit","replaces":1}`)

		// Who leaves takes back what is held.
		w.Does("ben", unsubscribe, vars{"t": topic})
		w.Does("ben", subscribe, vars{"t": topic})
		w.reads("ben", topic, "1 fine, 2 HOLD 0, 3 HOLD edit", 3)
		if c := w.decides(w.caseOf(topic, -4), desk.Keep); !c.Gone {
			t.Errorf("the case of a message that was taken back is %+v", c)
		}
		w.reads("ana", topic, "1 fine, 2 HOLD 0, 3 HOLD edit, -3 HOLD 2", 0)
	})
}

// messaging 5.6#7: an author has a bounded number of held messages in a topic.
func TestHeldMessagesAreBounded(t *testing.T) {
	t.Parallel()
	testChecked(t, desk.CheckAllow, func(w *checked) {
		topic := w.topic("GROUP")
		for range messaging.MaxHeld {
			w.sends("ana", topic, "HOLD it")
		}
		w.Refused("LIMIT_EXCEEDED TOO_MANY_HELD", "ana", publish, vars{"t": topic, "c": "HOLD it"})
		w.sends("ben", topic, "HOLD it")
		w.Does("ana", erase, vars{"t": topic, "s": []int{-7}})
		w.sends("ana", topic, "HOLD it")
		w.Refused("LIMIT_EXCEEDED TOO_MANY_HELD", "ana", publish, vars{"t": topic, "c": "HOLD it"})
		w.Advance(messaging.DefaultLifetimes.Group + time.Second)
		w.reads("ana", topic, "", 0)
		w.sends("ana", topic, "HOLD another")
		w.reads("ana", topic, "-23 HOLD another", 0)
	})
}

// operator 4#4 and 8#2: what is held goes with its author and with its topic.
func TestHeldMessagesAreErased(t *testing.T) {
	t.Parallel()
	testChecked(t, desk.CheckAllow, func(w *checked) {
		w.joins("ana", "ben")
		group, pair, own := w.group("ben", vars{}, "ana"), w.chats("ana", "ben"), w.group("ben", vars{}, "ana")
		for _, topic := range []string{group, pair, own} {
			w.sends("ana", topic, "HOLD of hers")
			w.sends("ana", topic, "REMOVE of hers")
			w.sends("ana", topic, "HOLD of hers")
			w.decides(w.caseOf(topic, -1), desk.Keep)
		}
		w.sends("ben", pair, "REMOVE an answer")
		w.sends("ben", pair, "HOLD an answer")
		if text := string(w.Exported(w.of("ana"))["messaging/messages.json"]); strings.Count(text, "HOLD of hers") != 6 || strings.Contains(text, "REMOVE") {
			t.Errorf("the export is %s", text)
		}
		w.Does("ben", dropTopic, vars{"t": own, "h": true})
		w.Settle()
		w.Whole()
		if _, err := w.Host.Desk.Service.ErasePerson(operator.AsCommand(t.Context(), "root"), w.of("ana"), "asked"); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		w.Left(w.ids["ana"], string(w.of("ana")), login("ana"), " of hers", pair)
		w.reads("ben", group, "1 (…)", 1)
	})
}

// operator 8#2 and messaging 5.6#2: whoever publishes, holds, deletes and decides at once, there are no gaps.
func TestHeldMessagesAtOnce(t *testing.T) {
	t.Parallel()
	testChecked(t, desk.CheckAllow, func(w *checked) {
		topic := w.topic("GROUP")
		for n := range 15 {
			w.sends("ana", topic, fmt.Sprint("HOLD ", n))
		}
		var all sync.WaitGroup
		for n := 1; n <= 15; n++ {
			c := w.caseOf(topic, -n)
			all.Go(func() {
				v := []desk.Verdict{desk.Keep, desk.Remove}[n%2]
				_, err := w.Host.Desk.Service.DecideCase(w.OperatorContext("oz"), c.ID(), 1, operator.Ruling{Verdict: v})
				if err != nil && (n%3 > 0 || refusal.KindOf(err) == 0) { // it may have been deleted before
					t.Errorf("a decision about %d: %v", n, err)
				}
			})
			all.Go(func() { w.Does("ben", publish, vars{"t": topic, "c": "fine"}) })
			if n%3 == 0 {
				all.Go(func() { w.Asks("ana", erase, vars{"t": topic, "s": []int{-n}}) })
			} else if n%3 == 1 {
				all.Go(func() { w.Does("ben", publish, vars{"t": topic, "c": "HOLD it"}) })
			}
		}
		all.Wait()
		w.Settle()
		kept := 0
		for n := 1; n <= 15; n++ {
			if c := w.caseOf(topic, -n); c.Status != desk.Decided {
				t.Errorf("the case of %d is %+v", n, c)
			} else if last := c.Last(); last != nil && last.Verdict == desk.Keep && !c.Gone {
				kept++
			}
		}
		w.sees("ana", topic, numbers(1, 15+kept))
	})
}

// operator 8#2: a held message that is removed or deleted has ended, with its case, whichever store call fails.
func TestHeldMessagesWhoseStoreFails(t *testing.T) {
	t.Parallel()
	for _, deletes := range []bool{false, true} {
		testChecked(t, desk.CheckAllow, func(w *checked) {
			topic := w.topic("P2P")
			for n := 1; ; n++ {
				w.sends("ana", topic, "HOLD it")
				c := w.caseOf(topic, -n)
				ends := func() {
					if deletes {
						w.Asks("ana", erase, vars{"t": topic, "s": []int{-n}})
					} else {
						_, _ = w.Host.Desk.Service.DecideCase(w.OperatorContext("oz"), c.ID(), 1, operator.Ruling{Verdict: desk.Remove})
					}
				}
				fault := faultdb.On("", (n+1)/2, faultdb.Internal)
				if n%2 == 0 {
					fault = fault.Late()
				}
				disarm := w.Client.Arm(fault)
				ends()
				spared := !disarm()
				w.Settle()
				if c := w.caseOf(topic, -n); c.Status == desk.Open {
					w.reads("ana", topic, fmt.Sprint(-n, " HOLD it"), 0)
					ends()
					w.Settle()
				}
				if c := w.caseOf(topic, -n); c.Status != desk.Decided || c.Gone != deletes {
					t.Fatalf("call %d: the case is %+v", n, c)
				}
				w.reads("ana", topic, "", 0)
				w.reads("ben", topic, "", 0)
				w.Whole()
				if spared {
					break
				}
			}
		})
	}
}

// operator 8#2: a message and its case are stored together, and so is a decision with what it
// decides, whichever store call fails.
func TestContentCheckWhoseStoreFails(t *testing.T) {
	t.Parallel()
	for text, kind := range map[string]string{"HOLD it": "GROUP", "REMOVE it": "GROUP", "HOLD that": "P2P", "REMOVE that": "P2P"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			testChecked(t, desk.CheckAllow, func(w *checked) {
				topic, seen, held := w.topic(kind), "", 0
				for n := 0; ; n++ {
					fault := faultdb.On("", 1+n/2, faultdb.Internal)
					if n%2 == 0 {
						fault = fault.Late()
					}
					disarm := w.Client.Arm(fault)
					w.Asks("ana", publish, vars{"t": topic, "c": text})
					spared := !disarm()
					w.Settle()
					if w.caseOf(topic, -held-1) == nil {
						w.sends("ana", topic, text)
					}
					held++
					c := w.caseOf(topic, -held)
					w.reads("ben", topic, seen, n)
					if c == nil || c.Status != desk.Open || w.caseOf(topic, -held-1) != nil {
						t.Fatalf("call %d: the case is %+v", n, c)
					}
					if strings.HasPrefix(text, "HOLD") {
						w.reads("ana", topic, strings.TrimPrefix(fmt.Sprint(seen, ", -", held, " ", text), ", "), 0)
					}
					disarm = w.Client.Arm(fault)
					_, err := w.Host.Desk.Service.DecideCase(w.OperatorContext("oz"), c.ID(), c.Revision, operator.Ruling{Verdict: desk.Keep})
					spared = !disarm() && spared
					if c = w.caseOf(topic, -held); err != nil && c.Status == desk.Open {
						w.reads("ben", topic, seen, n)
						c = w.decides(c, desk.Keep)
					}
					seen = strings.TrimPrefix(fmt.Sprint(seen, ", ", n+1, " ", text), ", ")
					w.reads("ben", topic, seen, n+1)
					w.reads("ana", topic, seen, 0)
					w.Whole()
					if spared {
						break
					}
				}
			})
		})
	}
}
