package badword_test

import (
	"errors"
	"testing"
	"time"

	"stoa/app"
	"stoa/internal/apptest"
	"stoa/social/badword"
	. "stoa/social/socialtest"
)

// chats 0.8#4: a changed dictionary takes effect within a minute, and all comments and
// messages are checked by it, with the same exemptions as new ones.
func TestReplacedDictionary(t *testing.T) {
	words, broken := []string{"darn"}, error(nil)
	read := With(func(o *app.Options) {
		o.BadWords = func() ([]string, error) { return words, broken }
	})
	apptest.Test(t, read, func(w *World) {
		given := Users("ana", "ben", "cleo").Post("ana", "p1").
			Follow("ana", "cleo").Follow("cleo", "ana").
			Comment("ben", "p1", "c1", "heck of a post").Comment("cleo", "p1", "c2", "heck yes").Comment("ben", "p1", "c3", "fine").
			DirectChat("ana", "ben", "chat", "m1").
			Does("ben", `mutation { addChatMessage(chatId: "chat", messageId: "m2", text: "what the heck") { messageId } }`)
		w.Do(given...)
		shown := func(when, comments, messages string) {
			w.T.Helper()
			w.Settle()
			w.Play(
				Scenario{
					Name:  when,
					As:    "ana",
					Query: `{ post(postId: "p1") { commentsCount comments { items { commentId } } } chat(chatId: "chat") { messages { items { messageId } } } }`,
					Want:  `{"post":` + comments + `,"chat":{"messages":{"items":` + messages + `}}}`,
				},
			)
		}
		const all = `{"commentsCount":3,"comments":{"items":[{"commentId":"c1"},{"commentId":"c2"},{"commentId":"c3"}]}}`
		const left = `{"commentsCount":2,"comments":{"items":[{"commentId":"c2"},{"commentId":"c3"}]}}`
		const both, first = `[{"messageId":"m1"},{"messageId":"m2"}]`, `[{"messageId":"m1"}]`
		shown("before", all, both)
		w.RunJob(badword.CheckJob)
		shown("by the same dictionary", all, both)

		words, broken = []string{"heck"}, errors.New("no such file")
		if err := w.Host.Jobs.RunNow(w.T.Context(), badword.CheckJob); err == nil {
			w.T.Error("a dictionary that cannot be read is no failure")
		}
		shown("by one that cannot be read", all, both)

		broken = nil
		for range 2 {
			w.RunJob(badword.CheckJob)
			shown("by another", left, first)
		}
		if n := w.Counters()["ben.commentForcedDeletionCount"]; n != 1 {
			w.T.Errorf("%d comments of ben's were removed by force", n)
		}
		if n := w.Counters()["ben.chatMessagesForcedDeletionCount"]; n != 1 {
			w.T.Errorf("%d messages of ben's were removed by force", n)
		}

		// Other processes use it without the job.
		words = []string{"fudge"}
		w.Advance(time.Minute)
		w.Must("ben", `mutation { addComment(commentId: "c4", postId: "p1", text: "oh fudge") { commentId } }`)
		shown("what is new by what is newest", left, first)

		// A change made while no server was running is found once, by the first server to
		// start; until then nothing is read again.
		words = []string{"fine"}
		const fine = `{"commentsCount":1,"comments":{"items":[{"commentId":"c2"}]}}`
		for _, name := range []string{"next", "and the one after"} {
			next := w.Beside(name)
			if err := next.Host.Jobs.RunNow(w.T.Context(), badword.CheckJob); err != nil {
				w.T.Error(err)
			}
			shown("by "+name, fine, first)
			w.Do(Change("chatMessage/m1", "-", map[string]any{"text": "a fine text that nobody looks at"}))
		}
		shown("by nobody again", fine, first)
	}, Options()...)
}
