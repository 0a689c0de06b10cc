package socialtest

import "stoa/internal/outbox"

// Deliver delivers an event to all its receivers, as if late or repeated, with everything
// that follows from it.
func Deliver(w *World, e outbox.Event) {
	w.T.Helper()
	w.Host.Frame.Committed(w.T.Context(), w.Host.Frame.New(w.T.Context(), e)...)
	w.Settle()
}
