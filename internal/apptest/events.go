package apptest

import (
	"maps"
	"strings"

	"stoa/internal/kit/faultdb"
)

// Prefixes of stored keys. An event is stored in the outbox with its change, under its
// name, and the remainder of a large fan-out in a lane. Leases determine which process
// delivers them.
const (
	outboxKey  = "outbox/"
	secretKey  = "identityKey/" // random
	laneKey    = "lane/"
	leaseKey   = "lease/"
	nameOfItem = "event"
)

// record counts events when they are stored, regardless of delivery.
func (w *World) record(stored faultdb.Write) {
	if !strings.HasPrefix(stored.Text["partitionKey"], outboxKey) {
		return
	}
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
