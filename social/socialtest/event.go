package socialtest

import (
	"stoa/internal/decision"
	"stoa/internal/outbox"
)

// Deliver delivers an event to all its receivers, as if late or repeated, with everything
// that follows from it.
func Deliver(w *World, e outbox.Event) {
	w.T.Helper()
	_ = decision.Do(w.T.Context(), w.Host.Frame, func(a *decision.Attempt) error {
		outbox.MarkStored(a.Emit(e))
		return nil
	})
	w.Settle()
}
