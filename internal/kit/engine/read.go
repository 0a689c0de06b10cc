package engine

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/itemcache"
	"stoa/internal/kit/engine/itemcodec"
)

// latest appends to room the item stored at place, or returns nothing when there is
// none. It is the item as of some moment during the call.
func (e *Engine) latest(room, place []byte) (data []byte, found bool, err error) {
	data, known, ticket := e.items.Get(room, place)
	if known != itemcache.Unknown {
		return data, known == itemcache.Found, nil
	}
	stored, closer, err := e.db.Get(place)
	if errors.Is(err, pebble.ErrNotFound) {
		e.items.Offer(ticket, place, nil, false)
		return room, false, nil
	}
	if err != nil {
		return room, false, fmt.Errorf("engine: read: %w", err)
	}
	defer closer.Close()
	e.items.Offer(ticket, place, stored, true)
	return append(room, stored...), true, nil
}

// visitLatest calls visit with the item stored at place, or not at all when there is
// none. The view lies in room, or in what is returned when that was too small: room for
// the next.
func (e *Engine) visitLatest(t *table, room, place []byte, visit func(itemcodec.View) error) ([]byte, error) {
	data, found, err := e.latest(room[:0], place)
	if err != nil || !found {
		return data, err
	}
	v, err := itemcodec.Open(t.names, data)
	if err == nil {
		err = visit(v)
	}
	if errors.Is(err, itemcodec.ErrCorrupt) {
		err = e.damaged(t.Name, err)
	}
	return data, err
}
