package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/desk"
	"stoa/internal/host"
	"stoa/internal/kit/faultdb"
	"stoa/internal/operator"
	"stoa/internal/webhook"
	"stoa/systems/communities/app"
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
		if err := json.Unmarshal(body, &q); err != nil || q.System != "communities" || q.Kind != "CHAT_MESSAGE" || q.Author == "" || q.ItemID == "" {
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
	apptest.Test(t, app.System(app.Options{Capacity: 100}), func(w *apptest.World) {
		w.Host.Operators = []string{"OZ@example.com"}
		c.world = &world{World: w, ids: map[string]string{}}
		f(c)
		w.Settle()
		w.Whole()
	}, apptest.WithIssuer, checks)
}

// opensCase returns the open case about a message, or nil.
func (w *checked) caseOf(kind, chat, id string) *desk.Case {
	w.T.Helper()
	item := chat + "." + id
	if kind == "PRIVATE" {
		item = "private." + item
	}
	c, err := w.Host.Ops.Operators.Case(w.OperatorContext("oz"), desk.Item{System: "communities", Kind: desk.Message, ItemID: item})
	if err != nil {
		w.T.Fatal(err)
	}
	return c
}

func (w *checked) decides(c *desk.Case, v desk.Verdict) error {
	w.T.Helper()
	_, err := w.Host.Desk.Service.DecideCase(w.OperatorContext("oz"), c.ID(), c.Revision, operator.Ruling{Verdict: v})
	return err
}

// sees compares what somebody sees of a chat: texts, oldest first, with (…) for deleted ones, the
// number of unread messages, and that of notifications.
func (w *checked) sees(who, kind, chat, texts string, unread, notices int) {
	w.T.Helper()
	w.Settle()
	d := w.Does(who, `query($t: ChatType!, $h: ID!) { messages(chatType: $t, chatId: $h, order: ASC) { items { content deleted } } }`, vars{"t": kind, "h": chat})
	var got []string
	for _, m := range d.Items("messages.items") {
		text, _ := m.At("content").(string)
		if m.At("deleted") == true {
			text = "(…)"
		}
		got = append(got, text)
	}
	if strings.Join(got, ", ") != texts {
		w.T.Errorf("%s sees %q, want %q", who, strings.Join(got, ", "), texts)
	}
	field := map[string]string{"GROUP": "groupChat", "PRIVATE": "privateChat"}[kind]
	w.Is(w.Does(who, `query($h: ID!) { `+field+`(id: $h) { unreadCount } }`, vars{"h": chat}), field+".unreadCount", fmt.Sprint(unread))
	if n := strings.Count(fmt.Sprint(w.Does(who, `{ notifications { items { type } } }`)), "_MESSAGE"); n != notices {
		w.T.Errorf("%s has %d notifications, want %d", who, n, notices)
	}
}

// operator 8#2: the table of answers, in both types of chats, and what decisions do.
func TestContentCheck(t *testing.T) {
	for _, failure := range desk.CheckVerdicts {
		for _, kind := range []string{"GROUP", "PRIVATE"} {
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

// chats creates chats of both types and returns that of one.
func (w *checked) chats(kind string) string {
	w.registers("ana", "ben", "oz")
	if kind == "PRIVATE" {
		return w.meets("ana", "ben")
	}
	chat := w.opens("ana", w.founds("ana", "club", "ben"))
	w.enters(chat, "ben")
	return chat
}

func answered(w *checked, kind, word string, answer desk.CheckVerdict) {
	chat, text := w.chats(kind), word+" text"
	w.Listen("ben", `subscription { chatEvents(chatType: `+kind+`, chatId: "`+chat+`") { type message { content } } }`)
	hears := func(texts ...string) {
		w.T.Helper()
		var want []string
		for _, text := range texts {
			want = append(want, fmt.Sprintf(`{"chatEvents":{"type":"MESSAGE_CREATED","message":{"content":%q}}}`, text))
		}
		if got := w.TakeHeard()["ben"]; fmt.Sprint(got) != fmt.Sprint(want) {
			w.T.Errorf("ben hears %v, want %v", got, want)
		}
	}
	w.writes("ana", kind, chat, "first")
	w.Does("ben", `mutation($t: ChatType!, $h: ID!) { sendMessage(chatType: $t, chatId: $h, content: "second") { id } }`, vars{"t": kind, "h": chat})
	field := map[string]string{"GROUP": "groupChat", "PRIVATE": "privateChat"}[kind]
	last := func() any {
		return w.Does("ben", `query($h: ID!) { `+field+`(id: $h) { lastMessageAt } }`, vars{"h": chat}).At(field + ".lastMessageAt")
	}
	w.Settle()
	w.TakeHeard()
	before := last()
	w.Advance(time.Second)
	id := w.writes("ana", kind, chat, text)
	c := w.caseOf(kind, chat, id)
	switch answer {
	case desk.CheckAllow:
		w.sees("ben", kind, chat, "first, second, "+text, 2, 2)
		if c != nil {
			w.T.Errorf("there is the case %+v", c)
		}
		return
	case desk.CheckHold:
		w.sees("ana", kind, chat, "first, second, "+text, 1, 1)
	case desk.CheckRemove:
		w.sees("ana", kind, chat, "first, second, (…)", 1, 1)
	}
	w.sees("ben", kind, chat, "first, second", 1, 1)
	if now := last(); now != before {
		w.T.Errorf("the last message is of %v, was of %v", now, before)
	}
	if c == nil || c.Status != desk.Open || c.Check == nil || c.Check.Verdict != answer || c.Check.Failed != (word == "none") || c.Source != desk.FromProgram {
		w.T.Fatalf("the case is %+v", c)
	}
	of := vars{"t": kind, "h": chat, "m": id}
	w.Is(w.Does("ben", `query($t: ChatType!, $h: ID!, $m: ID!) { message(chatType: $t, chatId: $h, id: $m) { id } }`, of), "message", `null`)
	for _, m := range []string{
		`mutation($t: ChatType!, $h: ID!, $m: ID!) { reactToMessage(chatType: $t, chatId: $h, id: $m, type: LIKE) { id } }`,
		`mutation($t: ChatType!, $h: ID!, $m: ID!) { sendMessage(chatType: $t, chatId: $h, content: "x", replyToId: $m) { id } }`,
		`mutation($t: ChatType!, $h: ID!, $m: ID!) { deleteMessage(chatType: $t, chatId: $h, id: $m) { id } }`,
	} {
		w.Refused("NOT_FOUND", "ben", m, of)
	}
	if answer == desk.CheckHold {
		w.Does("ana", `mutation($t: ChatType!, $h: ID!, $m: ID!) { sendMessage(chatType: $t, chatId: $h, content: "about it", replyToId: $m) { id } }`, of)
		w.sees("ben", kind, chat, "first, second, about it", 2, 2)
		w.Is(w.Does("ben", `query($t: ChatType!, $h: ID!) { messages(chatType: $t, chatId: $h, order: DESC) { items { replyTo { id } } } }`, of), "messages.items.0.replyTo", `null`)
		w.Does("ana", `mutation($t: ChatType!, $h: ID!, $m: ID!) { editMessage(chatType: $t, chatId: $h, id: $m, content: "edited") { id } }`, of)
		if err := w.decides(c, desk.Keep); err == nil {
			w.T.Error("a case is decided whose message was edited meanwhile")
		}
		text = "edited"
		c = w.caseOf(kind, chat, id)
		shown, err := w.Host.Desk.Service.Contents(w.OperatorContext("oz"), []*desk.Case{c})
		if err != nil || shown[c].Visible || shown[c].Excerpt != "edited" {
			w.T.Errorf("moderators see %+v: %v", shown[c], err)
		}
		if err := w.decides(c, desk.Keep); err != nil {
			w.T.Fatal(err)
		}
		w.sees("ben", kind, chat, "first, second, edited, about it", 3, 3)
		hears("about it", "edited")
	} else {
		if err := w.decides(c, desk.Keep); err != nil {
			w.T.Fatal(err)
		}
		w.sees("ben", kind, chat, "first, second, "+text, 2, 2)
		hears(text)
	}
	w.Whole()
	if err := w.decides(w.caseOf(kind, chat, id), desk.Remove); err != nil {
		w.T.Fatal(err)
	}
	texts, n := "first, second, (…)", 1
	if answer == desk.CheckHold {
		texts, n = texts+", about it", 2
	}
	w.Settle()
	w.Is(w.Does("ben", `query($h: ID!) { `+field+`(id: $h) { unreadCount } }`, vars{"h": chat}), field+".unreadCount", fmt.Sprint(n))
	w.sees("ben", kind, chat, texts, n, n+1)
	w.Whole()
}

// operator 8#2: what is held and then removed, or deleted by its author, others never see.
func TestHeldMessagesThatEnd(t *testing.T) {
	testChecked(t, desk.CheckAllow, func(w *checked) {
		chat := w.chats("GROUP")
		first, second := w.writes("ana", "GROUP", chat, "HOLD 1"), w.writes("ana", "GROUP", chat, "HOLD 2")
		w.writes("ana", "GROUP", chat, "there")
		if err := w.decides(w.caseOf("GROUP", chat, first), desk.Remove); err != nil {
			t.Fatal(err)
		}
		w.Does("ana", `mutation($h: ID!, $m: ID!) { deleteMessage(chatType: GROUP, chatId: $h, id: $m) { id } }`, vars{"h": chat, "m": second})
		w.sees("ben", "GROUP", chat, "there", 1, 1)
		if c := w.caseOf("GROUP", chat, second); c.Status != desk.Decided || !c.Gone {
			t.Errorf("the case of a deleted message is %+v", c)
		}
		if err := w.decides(w.caseOf("GROUP", chat, first), desk.Keep); err != nil {
			t.Fatal(err)
		}
		w.sees("ben", "GROUP", chat, "HOLD 1, there", 2, 2)

		// An edit that is not allowed takes the message out of the chat.
		id := w.writes("ana", "GROUP", chat, "fine")
		w.Does("ana", `mutation($h: ID!, $m: ID!) { editMessage(chatType: GROUP, chatId: $h, id: $m, content: "HOLD it") { id } }`, vars{"h": chat, "m": id})
		w.sees("ben", "GROUP", chat, "HOLD 1, there, (…)", 2, 3)
		if err := w.decides(w.caseOf("GROUP", chat, id), desk.Keep); err != nil {
			t.Fatal(err)
		}
		w.sees("ben", "GROUP", chat, "HOLD 1, there, HOLD it", 3, 3)
	})
}

// operator 8#2: with more members than are counted at once, too.
func TestHeldMessagesInLargeChats(t *testing.T) {
	testChecked(t, desk.CheckAllow, func(w *checked) {
		var names []string
		for i := range 26 {
			names = append(names, fmt.Sprint("member", i))
		}
		w.registers(append(names, "ana", "ben", "oz")...)
		chat := w.opens("ana", w.founds("ana", "club", append(names, "ben")...), vars{"capacity": 100})
		w.enters(chat, append(names, "ben")...)
		held, removed := w.writes("ana", "GROUP", chat, "HOLD it"), w.writes("ana", "GROUP", chat, "REMOVE it")
		w.sees("ben", "GROUP", chat, "", 0, 0)
		for i, id := range []string{held, removed} {
			if err := w.decides(w.caseOf("GROUP", chat, id), desk.Keep); err != nil {
				t.Fatal(err)
			}
			w.Settle()
			w.Is(w.Does("ben", `query($h: ID!) { groupChat(id: $h) { unreadCount } }`, vars{"h": chat}), "groupChat.unreadCount", fmt.Sprint(i+1))
		}
		w.sees("ben", "GROUP", chat, "HOLD it, REMOVE it", 2, 2)
	})
}

// operator 8#2: a message and its case are stored together, and so is a decision with what it
// decides, whichever store call fails.
func TestContentCheckWhoseStoreFails(t *testing.T) {
	for _, text := range []string{"HOLD it", "REMOVE it"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			testChecked(t, desk.CheckAllow, func(w *checked) {
				chat := w.chats("GROUP")
				seen := ""
				for n := range 24 {
					id, key := "", fmt.Sprint("key", n)
					v := vars{"t": "GROUP", "h": chat, "x": text, "k": key}
					fault := faultdb.On("", 1+n/2, faultdb.Internal)
					if n%2 == 0 {
						fault = fault.Late()
					}
					disarm := w.Client.Arm(fault)
					w.Asks("ana", send, v)
					spared := !disarm()
					w.Settle()
					id = w.Does("ana", send, v).Text("sendMessage.id") // the same, by its client id
					w.sees("ben", "GROUP", chat, seen, strings.Count(seen, "it"), strings.Count(seen, "it"))
					c := w.caseOf("GROUP", chat, id)
					if c == nil {
						t.Fatalf("call %d: no case of the message", n)
					}
					disarm = w.Client.Arm(fault)
					err := w.decides(c, desk.Keep)
					disarm()
					if err != nil {
						if c = w.caseOf("GROUP", chat, id); c.Status == desk.Open {
							if err := w.decides(c, desk.Keep); err != nil {
								t.Fatal(err)
							}
						}
					}
					seen = strings.TrimPrefix(seen+", "+text, ", ")
					w.sees("ben", "GROUP", chat, seen, n+1, n+1)
					w.Whole()
					if spared {
						break
					}
				}
			})
		})
	}
}
