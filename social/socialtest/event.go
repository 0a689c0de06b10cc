package socialtest

import "stoa/internal/outbox"

// Deliver delivers an event to everybody who receives it, as one that comes late or once
// more, with all that follows from it.
func Deliver(w *World, e outbox.Event) {
	w.T.Helper()
	w.Host.Sender.Committed(w.T.Context(), w.Host.Sender.New(w.T.Context(), e)...)
	w.Settle()
}
