package apptest

import (
	"maps"
	"strings"

	"stoa/internal/kit/faultdb"
)

// An event is stored in the outbox with the change that it tells of, under its name, and
// what is left of a large fan-out in a lane. Leases say who delivers them.
const (
	outboxKey  = "outbox/"
	secretKey  = "identityKey/" // made by chance
	laneKey    = "lane/"
	leaseKey   = "lease/"
	nameOfItem = "event"
)

// record counts events as they are stored, whenever they are delivered.
func (w *World) record(stored faultdb.Write) {
	if !strings.HasPrefix(stored.Text["partitionKey"], outboxKey) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events[stored.Text[nameOfItem]]++
}

// TakeEvents returns how many events of each name were stored since it was called last.
func (w *World) TakeEvents() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	events := maps.Clone(w.events)
	clear(w.events)
	return events
}
