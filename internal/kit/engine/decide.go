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
	if w.seen = old; !c.holds(&w.seen) {
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
		out.units = checkUnits(old)
	case raw.Delete:
		out.units, err = w.store(c, old, itemcodec.View{})
	default:
		var now itemcodec.View
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
func (w *writer) load(i int, c *change) (old itemcodec.View, err error) {
	data, found := w.old.at(i)
	if !found {
		return old, nil
	}
	old, err = itemcodec.Open(c.table.names, data)
	return old, w.engine.noteDamage(c.table.Name, err)
}

// decode returns an item in the SDK's form, or nil if it does not exist.
func (w *writer) decode(c *change, item itemcodec.View) (Item, error) {
	decoded, err := item.Item()
	return decoded, w.engine.noteDamage(c.table.Name, err)
}

// decide returns the item after c.
func (w *writer) decide(c *change, old itemcodec.View) (now itemcodec.View, err error) {
	switch {
	case c.action == raw.Put:
		return c.view, nil
	case c.raw != nil:
		now, err = w.patch(c, old)
	default:
		now, err = w.update(c, old)
	}
	if err != nil || !c.movesEntries {
		return now, err
	}
	w.columns[1] = c.table.columns.Find(now, w.columns[1])
	return now, c.table.checkUpdatedKeys(c, w.columns[1])
}

// update returns the item after the program of c.
func (w *writer) update(c *change, old itemcodec.View) (now itemcodec.View, err error) {
	before := c.key
	if old.Exists() {
		if before, err = w.decode(c, old); err != nil {
			return now, err
		}
	}
	item, err := c.program.Update(before)
	if err != nil {
		return now, err
	}
	if !value.Fits(item) {
		return now, expr.ErrUpdateSize
	}
	if err := c.table.names.Learn(item, w.engine.recordName(c.table.ID)); err != nil {
		return now, err
	}
	return w.make(c, func(dst []byte) ([]byte, error) { return itemcodec.Append(dst, c.table.names, item) })
}

// make encodes a new item in the writer's buffer.
func (w *writer) make(c *change, put func(dst []byte) ([]byte, error)) (itemcodec.View, error) {
	data, err := w.encode(put)
	if err != nil {
		return itemcodec.View{}, err
	}
	return itemcodec.Open(c.table.names, data)
}
