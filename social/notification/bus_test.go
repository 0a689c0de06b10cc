package notification_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/host"
	"stoa/internal/kit/bus"
	. "stoa/social/socialtest"
)

// unreliable is a bus that mishandles messages to some users.
type unreliable struct {
	bus.Local
	toCleo func(subject string) bool
	// instead handles a message instead of publishing it.
	instead func(publish func(data []byte), data []byte) error
}

func (b *unreliable) Publish(ctx context.Context, subject string, at bus.Sequence, data []byte) error {
	if b.toCleo == nil || !b.toCleo(subject) {
		return b.Local.Publish(ctx, subject, at, data)
	}
	return b.instead(func(data []byte) { _ = b.Local.Publish(ctx, subject, at, data) }, data)
}

// Failures in delivering messages to one user affect only that user's subscriptions:
// responses are unchanged, and others receive their events once and in order.
func TestUnreliableBus(t *testing.T) {
	broken := errors.New("the bus is away")
	type handling func(publish func([]byte), data []byte) error
	var held []byte
	for name, c := range map[string]struct {
		instead handling
		heard   string // of what was said, in order
	}{
		"sound":      {func(publish func([]byte), data []byte) error { publish(data); return nil }, "n1 n2 n3 n4"},
		"drops all":  {func(func([]byte), []byte) error { return nil }, ""},
		"fails":      {func(func([]byte), []byte) error { return broken }, ""},
		"fails late": {func(publish func([]byte), data []byte) error { publish(data); return broken }, "n1 n2 n3 n4"},
		"repeats":    {func(publish func([]byte), data []byte) error { publish(data); publish(data); return nil }, "n1 n1 n2 n2 n3 n3 n4 n4"},
		"adds rubbish": {func(publish func([]byte), data []byte) error {
			publish([]byte(`{"Since":`))
			publish(nil)
			publish(data)
			return nil
		}, "n1 n2 n3 n4"},
		"reorders": {func(publish func([]byte), data []byte) error {
			if held == nil {
				held = data
				return nil
			}
			publish(data)
			publish(held)
			held = nil
			return nil
		}, "n2 n1 n4 n3"},
	} {
		t.Run(name, func(t *testing.T) {
			b := &unreliable{instead: c.instead}
			option := func(_ *World, config *host.Config) { config.Bus = b }
			apptest.Test(t, System, func(w *World) {
				w.Do(
					Users(
						"ana",
						"ben",
						"cleo",
					).Does("ana", `mutation { createGroupChat(chatId: "g", userIds: ["{ben}", "{cleo}"], messageId: "n0", messageText: "n0") { chatId } }`).
						ListenToChats("ben", "cleo").
						Listen("ben", "cleo")...)
				w.TakeHeard()
				id := string(w.ID("cleo"))
				b.toCleo = func(subject string) bool { return subject == "chatMessage/"+id }
				for i := range 4 {
					w.Must("ana", fmt.Sprintf(`mutation { addChatMessage(chatId: "g", messageId: "n%d", text: "n%d") { messageId } }`, i+1, i+1))
				}
				w.Settle()
				heard := w.TakeHeard()
				if got := said(heard["cleo"]); got != c.heard {
					w.T.Errorf("cleo hears %q, want %q", got, c.heard)
				}
				if got, want := said(heard["ben"]), "n1 n2 n3 n4"; got != want {
					w.T.Errorf("ben hears %q, want %q", got, want)
				}
				for _, name := range []string{"ben", "cleo"} {
					w.Compare(
						name,
						w.Must(
							name,
							`{ chat(chatId: "g") { all: messagesCount new: messagesCount(viewedStatus: NOT_VIEWED) messages(reverse: true, limit: 4) { items { text } } } `+
								`self { chatsWithUnviewedMessagesCount cardCount } }`,
						).Data,
						`{"chat":{"all":7,"new":6,"messages":{"items":[{"text":"n4"},{"text":"n3"},{"text":"n2"},{"text":"n1"}]}},"self":{"chatsWithUnviewedMessagesCount":1,"cardCount":2}}`,
					)
				}
				// The subscription survives, also after the bus has recovered.
				b.toCleo = nil
				w.Must("ana", `mutation { addChatMessage(chatId: "g", messageId: "n5", text: "n5") { messageId } }`)
				if got := said(w.TakeHeard()["cleo"]); got != "n5" {
					w.T.Errorf("then cleo hears %q", got)
				}
				for _, problem := range w.Problems() {
					w.T.Error(problem)
				}
			}, append(slices.Clone(Options()), option)...)
		})
	}
}

// said returns the texts of received messages.
func said(heard []string) string {
	var texts []string
	for _, event := range heard {
		if _, rest, ok := strings.Cut(event, `"text":"`); ok {
			text, _, _ := strings.Cut(rest, `"`)
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " ")
}
