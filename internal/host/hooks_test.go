package host_test

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/host/toy"
	"stoa/internal/ops"
	"stoa/internal/webhook"
)

// announced is the type of the notices of these tests.
const announced = "post.published"

// announcing returns the toy system, which tells webhooks of its notes.
func announcing() host.System {
	s := toy.System()
	join := s.Join
	s.Join = func(ctx context.Context, h *host.Host) (host.Face, error) {
		host.Announce(h, announced, func(_ context.Context, e toy.NoteAdded) (host.Notice, bool, error) {
			return host.Notice{Subject: e.Note.NoteID, Data: map[string]any{"postId": e.Note.NoteID}}, true, nil
		})
		return join(ctx, h)
	}
	return s
}

// addNote commits the event of a note.
func addNote(t *testing.T, h *host.Host, id string) {
	t.Helper()
	err := decision.Do(t.Context(), h.Frame, func(a *decision.Attempt) error {
		tx := h.DB.NewTx()
		ops.Record(tx, a.Emit(toy.NoteAdded{Note: toy.Note{NoteID: id, Text: "text", Owner: "ana"}})...)
		return tx.Run(t.Context())
	})
	if err != nil {
		t.Fatal(err)
	}
}

func hook(url string) webhook.Hook {
	return webhook.Hook{URL: url, Events: []string{announced}}
}

// operator 8#1: a webhook that takes its time delays nobody else's notices.
func TestAWebhookThatHangsDelaysNoOther(t *testing.T) {
	told, hung := make(chan string, 2), make(chan struct{})
	h := configuredHost(t, func(c *host.Config) {
		c.Webhooks = []webhook.Hook{hook("https://hangs.example"), hook("https://answers.example")}
		c.Send = func(_ context.Context, to webhook.Hook, _ string, _ time.Time, _ []byte) error {
			if to.URL == "https://hangs.example" {
				<-hung
			}
			told <- to.URL
			return nil
		}
	}, announcing())
	addNote(t, h, "1")
	select {
	case url := <-told:
		if url != "https://answers.example" {
			t.Errorf("%s is told first", url)
		}
	case <-time.After(5 * time.Second):
		t.Error("the other webhook is not told")
	}
	close(hung)
	h.End()
}

// A webhook that has just failed is left alone by the notices that waited for their turn, too.
func TestAWebhookThatHasFailedRests(t *testing.T) {
	began, end := make(chan struct{}, 50), make(chan struct{})
	var attempts atomic.Int64
	h := configuredHost(t, func(c *host.Config) {
		c.Webhooks = []webhook.Hook{hook("https://fails.example")}
		c.Send = func(context.Context, webhook.Hook, string, time.Time, []byte) error {
			attempts.Add(1)
			began <- struct{}{}
			<-end
			return errors.New("no")
		}
	}, announcing())
	for i := range 50 {
		addNote(t, h, strconv.Itoa(i))
	}
	<-began
	time.Sleep(50 * time.Millisecond) // the others wait for their turn
	close(end)
	h.End()
	if n := attempts.Load(); n > 16 {
		t.Errorf("%d attempts in a row, want at most those that were made at a time", n)
	}
}
