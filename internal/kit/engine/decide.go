package engine

import (
	"errors"

	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/value"
)

// carryOut lets c, the change at i, decide on its item and puts what follows into the batch. The
// error is a failure of the store; a refusal is in the effect.
func (w *writer) carryOut(i int, c *change) (out effect, err error) {
	if c.fault != nil {
		return effect{err: c.fault}, nil
	}
	old, err := w.load(i, c)
	if err != nil {
		return effect{}, err
	}
	if c.program.HasCondition() && !c.program.Condition(old.View) {
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
	case actionCheck:
		out.units = checkUnits(old.View)
	case actionDelete:
		out.units, err = w.store(c, old, stored{})
	default:
		var item Item
		if item, err = w.decide(c, old); err == nil {
			out.new = item
			out.units, err = w.put(c, old, item)
		}
	}
	var bad *value.ValidationError
	if errors.As(err, &bad) {
		return effect{err: err}, nil
	}
	return out, err
}

// load opens the item of c, which is the change at i.
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

// decode returns an item in the SDK's form, nil when it does not exist.
func (w *writer) decode(c *change, item stored) (Item, error) {
	decoded, err := item.Item()
	if err != nil {
		return nil, w.engine.damaged(c.table.Name, err)
	}
	return decoded, nil
}

// decide returns the item as c wants it.
func (w *writer) decide(c *change, old stored) (Item, error) {
	if c.action == actionPut {
		return c.key, nil
	}
	base := c.key
	if old.Exists() {
		var err error
		if base, err = w.decode(c, old); err != nil {
			return nil, err
		}
	}
	item, err := c.program.Update(base)
	if err != nil {
		return nil, err
	}
	return item, c.table.checkUpdatedKeys(c.program, item)
}

// put stores item in the place of old.
func (w *writer) put(c *change, old stored, item Item) (units, error) {
	if c.action == actionUpdate && value.ItemSize(item) > value.MaxItemSize {
		return units{}, invalid("Item size to update has exceeded the maximum allowed size")
	}
	if err := c.table.names.Learn(item, w.engine.recordName(c.table.ID)); err != nil {
		return units{}, err
	}
	data, err := w.inRoom(func(room []byte) ([]byte, error) { return itemcodec.Append(room, c.table.names, item) })
	if err != nil {
		return units{}, err
	}
	view, err := itemcodec.Open(c.table.names, data)
	if err != nil {
		return units{}, err
	}
	return w.store(c, old, stored{view})
}
