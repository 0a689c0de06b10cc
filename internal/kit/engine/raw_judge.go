package engine

import (
	"fmt"
	"slices"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
)

// Before a raw write is executed, it is validated like the equivalent request, and items to
// put are encoded.

// judgeRaw returns the changes of writes. The caller must hold e.shape.
func (e *Engine) judgeRaw(r *rawScratch, writes []raw.Write) error {
	r.open(writes)
	tests, size := r.tests, 0
	for i := range writes {
		c, d := &r.all[i], &r.raw[i]
		d.Write = &writes[i]
		d.tests, tests = tests[:len(d.Conditions)], tests[len(d.Conditions):]
		*c = change{action: d.Action, raw: d, oldOnFailure: true, unpriced: true}
		if err := e.judgeWrite(c, d, r); err != nil {
			return err
		}
		size += c.size()
		if c.isAmong(r.changes[:i]) {
			return errSameItem()
		}
		r.changes[i] = c
	}
	if size > maxTransactionBytes {
		return errTransactionSize()
	}
	return nil
}

func (e *Engine) judgeWrite(c *change, d *rawChange, r *rawScratch) (err error) {
	if c.table, err = e.table(&d.Table); err != nil {
		return err
	}
	if err := d.bindTests(c.table); err != nil {
		return err
	}
	if err := d.judgeFields(); err != nil {
		return err
	}
	if err := e.learnNames(c.table, d); err != nil {
		return err
	}
	if d.Action == raw.Put {
		err = c.judgePut(r)
	} else {
		err = c.judgeKeyed(r)
	}
	return err
}

// bindTests parses the conditions.
func (d *rawChange) bindTests(t *table) error {
	if d.Action == raw.Check && len(d.tests) == 0 && !d.Exists && !d.Absent {
		return invalid("The expression can not be empty;")
	}
	for i, c := range d.Conditions {
		if err := d.tests[i].Bind(c.Text, c.Values); err != nil {
			return err
		}
		if err := d.tests[i].CheckNested(t.keyAttributes, t.indexKeys); err != nil {
			return err
		}
	}
	return nil
}

// judgeFields validates the written values and makes their numbers canonical.
func (d *rawChange) judgeFields() (err error) {
	for i := range d.Fields {
		f := &d.Fields[i]
		switch f.Kind {
		case raw.Number:
			f.Text, err = canonical(f.Text)
		case raw.Other:
			f.Value, err = value.Normalize(f.Value)
		}
		if err != nil {
			return err
		}
		if d.Action == raw.Put && f.Kind == raw.Removed || f.Kind > raw.Other {
			return fmt.Errorf("engine: attribute %q is put without a value", f.Name)
		}
		if err := checkAttributeName(f.Name); err != nil {
			return err
		}
	}
	return nil
}

func checkAttributeName(name string) error {
	if name == "" || len(name) > value.MaxNameLength {
		return invalid("One or more parameter values were invalid: An attribute name has %d bytes, must be 1 to %d", len(name), value.MaxNameLength)
	}
	return nil
}

// learnNames adds the names of written attributes to the dictionary.
func (e *Engine) learnNames(t *table, d *rawChange) error {
	if len(d.Fields)+len(d.Shifts) == 0 {
		return nil
	}
	record := e.recordName(t.ID)
	for i := range d.Fields {
		if d.Fields[i].Kind == raw.Removed {
			continue
		}
		if err := t.names.LearnName(d.Fields[i].Name, record); err != nil {
			return err
		}
	}
	for i := range d.Shifts {
		if err := t.names.LearnName(d.Shifts[i].Name, record); err != nil {
			return err
		}
	}
	return nil
}

// judgePut encodes the new item in r and sets its stored key.
func (c *change) judgePut(r *rawScratch) (err error) {
	t, d := c.table, c.raw
	if len(d.Shifts) > 0 {
		return fmt.Errorf("engine: a put of table %s shifts attributes", t.Name)
	}
	at := len(r.bytes)
	data, err := itemcodec.AppendFields(r.bytes, t.names, d.Fields)
	if err != nil {
		return fmt.Errorf("engine: put into table %s: %w", t.Name, err)
	}
	if c.view, err = itemcodec.Open(t.names, data[at:len(data):len(data)]); err != nil {
		return err
	}
	r.bytes = data
	if c.view.Size() > value.MaxItemSize {
		return errItemSize()
	}
	r.bytes, err = c.appendStoredKey(r.bytes)
	return err
}

// judgeKeyed sets the stored key of a change that has a key.
func (c *change) judgeKeyed(r *rawScratch) error {
	t, d := c.table, c.raw
	if d.Action != raw.Update && len(d.Fields)+len(d.Shifts) > 0 {
		return fmt.Errorf("engine: a check or delete of table %s gives attributes", t.Name)
	}
	texts := [...]string{d.Key.Hash, d.Key.Sort}
	for i, p := range t.parts {
		if isNumber(p.Attribute) {
			continue
		}
		if c.fault = p.checkLength(len(texts[i])); c.fault != nil {
			c.clearStoredKey()
			return nil
		}
	}
	for i := range d.Fields {
		if err := c.judgeTarget(d.Fields[i].Name); err != nil {
			return err
		}
	}
	for _, s := range d.Shifts {
		if err := c.judgeTarget(s.Name); err != nil {
			return err
		}
		if err := checkAttributeName(s.Name); err != nil {
			return err
		}
	}
	at := len(r.bytes)
	storedKey, err := t.appendRawKey(r.bytes, d.Key)
	if err != nil {
		return err
	}
	r.bytes, c.storedKey = storedKey, storedKey[at:len(storedKey):len(storedKey)]
	c.stripe = stripeOf(c.storedKey)
	if c.movesEntries {
		c.fault = t.checkAssignedTypes(c)
	}
	return nil
}

// judgeTarget checks that an update may change an attribute.
func (c *change) judgeTarget(name string) error {
	if slices.Contains(c.table.keyAttributes, name) {
		return expr.ErrKeyUpdate(name)
	}
	c.movesEntries = c.movesEntries || c.table.columns.Index(name) >= 0
	return nil
}
