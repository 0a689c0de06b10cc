package chat_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
)

// chats 4.2: nobody's message is refused because others view the group all the time.
func TestManyViewWhileOthersWrite(t *testing.T) {
	const writers, viewers = 10, 35
	names, given := crowd(writers + viewers)
	Test(t, given.And(group("u000", names[1:])...), func(w *World) {
		for n := range 30000 { // a store call takes time
			defer w.Client.Arm(faultdb.Before("", n+1, func() { time.Sleep(time.Millisecond) }))()
		}
		w.Restless(true)
		var written atomic.Int32
		w.Together(writers+viewers, func(hand int) {
			if hand >= writers {
				for written.Load() < writers {
					w.Ask(names[hand], `mutation { reportChatViews(chatIds: ["g"]) }`)
				}
				return
			}
			defer written.Add(1)
			for i := range 10 {
				a := w.Ask(names[hand], fmt.Sprintf(`mutation { addChatMessage(chatId: "g", messageId: "m%d-%d", text: "x") { messageId } }`, hand, i))
				if len(a.Errors) > 0 {
					t.Errorf("message %d of %s: %v", i, names[hand], a.Errors)
				}
			}
		})
		w.Restless(false)
		w.Settle()
		Sound(w)
	})
}
