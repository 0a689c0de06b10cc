package engine

import (
	"errors"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
)

// carryOut lets c, the change at i, decide on its item and adds the results to the batch.
// The error is a failure of the store; a refusal is in the effect.
func (w *writer) carryOut(i int, c *change) (out effect, err error) {
	if c.fault != nil {
		return effect{err: c.fault}, nil
	}
	old, err := w.load(i, c)
	if err != nil {
		return effect{}, err
	}
	if w.seen = old.View; !c.holds(&w.seen) {
		var shown Item
		if c.oldOnFailure {
			shown, err = w.decode(c, old)
		}
		return effect{err: errConditionFailed(shown)}, err
	}
	if c.keepOld {
		if out.old, err = w.decode(c, old); err != nil {
			return effect{}, err
		}
	}
	switch c.action {
	case raw.Check:
		out.units = checkUnits(old.View)
	case raw.Delete:
		out.units, err = w.store(c, old, stored{})
	default:
		var now stored
		if now, err = w.decide(c, old); err == nil {
			out.units, err = w.store(c, old, now)
		}
		if c.keepNew && err == nil {
			out.new, err = w.decode(c, now)
		}
	}
	if err != nil && isInvalid(err) {
		return effect{err: err}, nil
	}
	return out, err
}

func isInvalid(err error) bool {
	var bad *value.ValidationError
	return errors.As(err, &bad)
}

// load returns the item of c, which is the change at i.
func (w *writer) load(i int, c *change) (old stored, err error) {
	data, found := w.old.at(i)
	if !found {
		return stored{}, nil
	}
	if old.View, err = itemcodec.Open(c.table.names, data); err != nil {
		return stored{}, w.engine.damaged(c.table.Name, err)
	}
	return old, nil
}

// decode returns an item in the SDK's form, or nil if it does not exist.
func (w *writer) decode(c *change, item stored) (Item, error) {
	decoded, err := item.Item()
	if err != nil {
		return nil, w.engine.damaged(c.table.Name, err)
	}
	return decoded, nil
}

// decide returns the item after c.
func (w *writer) decide(c *change, old stored) (now stored, err error) {
	switch {
	case c.action == raw.Put:
		return stored{c.view}, nil
	case c.raw != nil:
		now, err = w.patch(c, old)
	default:
		now, err = w.update(c, old)
	}
	if err != nil || !c.movesEntries {
		return now, err
	}
	w.columns[1] = c.table.columns.Find(now.View, w.columns[1])
	return now, c.table.checkUpdatedKeys(c, w.columns[1])
}

// update returns the item after the program of c.
func (w *writer) update(c *change, old stored) (stored, error) {
	before := c.key
	if old.Exists() {
		var err error
		if before, err = w.decode(c, old); err != nil {
			return stored{}, err
		}
	}
	item, err := c.program.Update(before)
	if err != nil {
		return stored{}, err
	}
	if !value.Fits(item) {
		return stored{}, expr.ErrUpdateSize
	}
	if err := c.table.names.Learn(item, w.engine.recordName(c.table.ID)); err != nil {
		return stored{}, err
	}
	return w.make(c, func(room []byte) ([]byte, error) { return itemcodec.Append(room, c.table.names, item) })
}

// make encodes a new item in the writer's room.
func (w *writer) make(c *change, put func(room []byte) ([]byte, error)) (stored, error) {
	data, err := w.inRoom(put)
	if err != nil {
		return stored{}, err
	}
	view, err := itemcodec.Open(c.table.names, data)
	return stored{view}, err
}
