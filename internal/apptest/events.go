package apptest

import (
	"maps"
	"strings"

	"stoa/internal/decision"
	"stoa/internal/kit/faultdb"
	"stoa/internal/outbox"
)

// Prefixes of stored keys. An event is stored in the outbox with its change, under its
// name, and the remainder of a large fan-out in a lane. Leases determine which process
// delivers them.
const (
	outboxKey  = "outbox/"
	secretKey  = "identityKey/" // random
	laneKey    = "lane/"
	leaseKey   = "lease/"
	auditKey   = "audit"
	nameOfItem = "event"
)

// record counts events when they are stored, regardless of delivery.
func (w *World) record(stored faultdb.Write) {
	key := stored.Text["partitionKey"]
	if strings.HasPrefix(key, laneKey) {
		w.stored.Add(1)
	}
	if !strings.HasPrefix(key, outboxKey) {
		return
	}
	w.stored.Add(1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events[stored.Text[nameOfItem]]++
}

// TakeEvents returns the number of events stored since the last call, by name.
func (w *World) TakeEvents() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	events := maps.Clone(w.events)
	clear(w.events)
	return events
}

// Deliver delivers an event to all its receivers, as if late or repeated, with everything
// that follows from it.
func (w *World) Deliver(e outbox.Event) {
	w.T.Helper()
	_ = decision.Do(w.T.Context(), w.Host.Frame, func(a *decision.Attempt) error {
		outbox.MarkStored(a.Emit(e))
		return nil
	})
	w.Settle()
}
