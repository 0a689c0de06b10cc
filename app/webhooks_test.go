package app_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/host"
	"stoa/internal/webhook"
	. "stoa/social/socialtest"
)

// heard are the notices that a webhook has been sent, as type and subject.
type heard struct {
	mu  sync.Mutex
	all []string
}

// take returns the notices since the last call, sorted by subject, in order for each.
func (h *heard) take(w *World) string {
	w.T.Helper()
	w.Settle()
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.SortStableFunc(h.all, func(a, b string) int {
		return cmp.Compare(a[strings.Index(a, " "):], b[strings.Index(b, " "):])
	})
	text := w.People.Name(strings.Join(h.all, ", "))
	h.all = nil
	return text
}

// testHooked is TestStaffed with a webhook that receives everything.
func testHooked(t *testing.T, given Given, f func(w *World, h *heard)) {
	t.Helper()
	h := &heard{}
	hooked := func(_ *World, c *host.Config) {
		c.Webhooks = []webhook.Hook{{URL: "https://app.example", Events: host.Notices}}
		c.Send = func(_ context.Context, _ webhook.Hook, _ string, _ time.Time, body []byte) error {
			var n struct {
				Type string
				Data map[string]any
			}
			if err := json.Unmarshal(body, &n); err != nil {
				return err
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			about := n.Data["userId"]
			for _, id := range []string{"id", "commentId", "postId"} {
				if n.Data[id] != nil {
					about = n.Data[id]
					break
				}
			}
			told := fmt.Sprintf("%s %s", n.Type, about)
			if verdict, ok := n.Data["verdict"]; ok {
				told += fmt.Sprint(" ", verdict)
			}
			h.all = append(h.all, told)
			return nil
		}
	}
	apptest.Test(t, Staffed, func(w *World) {
		w.Do(given...)
		h.take(w)
		f(w, h)
	}, append(StaffOptions(), hooked)...)
}

// operator 8#1: webhooks are told of the cases of every kind of content, however they are opened
// and decided.
func TestWebhooksOfCases(t *testing.T) {
	given := Users("ana", "ben", "mod").Post("ben", "p1").Comment("ana", "p1", "c1").Comment("ana", "p1", "c2").
		Does("ana", `mutation { createGroupChat(userIds: ["{ben}"], chatId: "g1", messageId: "m1", messageText: "hello") { chatId } }`)
	testHooked(t, given, func(w *World, h *heard) {
		for _, c := range []struct{ does, as, want string }{
			{`mutation { flagPost(postId: "p1") { postId } }`, "ana", "case.opened social:POST:p1"},
			{`mutation { flagComment(commentId: "c1") { commentId } }`, "ben", "comment.removed c1, case.opened social:COMMENT:c1"},
			{`mutation { flagChat(chatId: "g1") { chatId } }`, "ben", "case.opened social:CHAT:g1"},
			{`mutation { reportUser(userId: "{ana}") { userId } }`, "ben", "case.opened social:PERSON:{ana}"},
			{`mutation { deletePost(postId: "p1") { postId } }`, "ben",
				"post.removed p1, case.decided social:POST:p1 <nil>"},
		} {
			w.Does(c.as, w.People.Fill(c.does))
			if got := h.take(w); got != c.want {
				t.Errorf("%s: told %s, want %s", c.does, got, c.want)
			}
		}
	})
}

// operator 8#1: webhooks are told of messages that are reported, and of appeals.
func TestWebhooksOfMessagesAndAppeals(t *testing.T) {
	given := Users("ana", "ben", "cleo", "mod").
		Does("ana", `mutation { createGroupChat(userIds: ["{ben}", "{cleo}"], chatId: "g1", messageId: "m1", messageText: "hello") { chatId } }`)
	testHooked(t, given, func(w *World, h *heard) {
		w.Does("ben", `mutation { flagChatMessage(messageId: "m1") { messageId } }`)
		if got, want := h.take(w), "case.opened social:CHAT_MESSAGE:m1, message.reported social:CHAT_MESSAGE:m1"; got != want {
			t.Errorf("a report: told %s, want %s", got, want)
		}
		w.OperatorDoes("mod", decide, apptest.Vars{"id": "social:CHAT_MESSAGE:m1", "r": 1, "v": "REMOVE"})
		if got, want := h.take(w), "case.decided social:CHAT_MESSAGE:m1 REMOVE"; got != want {
			t.Errorf("a decision: told %s, want %s", got, want)
		}
		w.Does("ana", `mutation { appealDecision(caseId: "social:CHAT_MESSAGE:m1", text: "please") { status } }`)
		if got, want := h.take(w), "case.opened social:CHAT_MESSAGE:m1"; got != want {
			t.Errorf("an appeal: told %s, want %s", got, want)
		}
	})
}

// operator 8#1: webhooks are told once of what happens to people, by whomever.
func TestWebhooksOfPeople(t *testing.T) {
	testHooked(t, Users("ana", "ben", "ozzy"), func(w *World, h *heard) {
		told := func(what, want string) {
			t.Helper()
			if got := h.take(w); got != want {
				t.Errorf("%s: told %s, want %s", what, got, want)
			}
		}
		id := apptest.Vars{"i": "{ana}"}
		w.OperatorDoes("ozzy", suspend, id, apptest.Vars{"r": "spam"})
		told("a suspension", "person.suspended {ana}")
		w.OperatorDoes("ozzy", `mutation($i: ID!) { reinstatePerson(id: $i) { id } }`, id)
		told("its end", "person.reinstated {ana}")
		w.Does("ben", `mutation { disableUser { userId } }`)
		told("a disabled account", "person.suspended {ben}")
		w.OperatorDoes("ozzy", `mutation($i: ID!) { erasePerson(id: $i, reason: "asked") { id } }`, id)
		told("an erasure", "person.erased {ana}")
	})
}
