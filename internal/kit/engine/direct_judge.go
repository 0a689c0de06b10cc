package engine

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/value"
)

// Before a direct write is carried out it is judged as the request it stands for
// would be, and what is put is stored.

// judgeDirect makes the changes of writes. The caller holds e.shape.
func (e *Engine) judgeDirect(r *directRoom, writes []Write) error {
	r.open(writes)
	tests, size := r.tests, 0
	for i := range writes {
		c, d := &r.all[i], &r.direct[i]
		d.Write = &writes[i]
		d.tests, tests = tests[:len(d.Conditions)], tests[len(d.Conditions):]
		*c = change{action: d.Kind, direct: d, oldOnFailure: true, unpriced: true}
		if err := e.judgeWrite(c, d, r); err != nil {
			return err
		}
		if d.Kind == WritePut {
			size += d.view.Size()
		} else {
			size += len(c.table.key.Hash.Name) + len(c.table.key.Sort.Name) + len(d.Key.Hash) + len(d.Key.Sort)
		}
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

func (e *Engine) judgeWrite(c *change, d *directChange, r *directRoom) (err error) {
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
	if d.Kind == WritePut {
		err = c.judgePut(r)
	} else {
		err = c.judgeKeyed(r)
	}
	if c.fault != nil && c.place == nil { // see nowhere
		c.place = c.table.prefix
	}
	c.stripe = stripeOf(c.place)
	return err
}

// bindTests reads the conditions.
func (d *directChange) bindTests(t *table) error {
	if d.Kind == WriteCheck && len(d.tests) == 0 && !d.Exists && !d.Absent {
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

// judgeFields judges the values that are written, and makes their numbers canonical.
func (d *directChange) judgeFields() (err error) {
	for i := range d.Fields {
		f := &d.Fields[i]
		switch f.Form {
		case itemcodec.Decimal:
			f.Text, err = canonical(f.Text)
		case itemcodec.Other:
			f.Value, err = value.Normalize(f.Value)
		}
		if err != nil {
			return err
		}
		if d.Kind == WritePut && f.Form == itemcodec.Removed || f.Form > itemcodec.Other {
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

// learnNames makes the names of written attributes known.
func (e *Engine) learnNames(t *table, d *directChange) error {
	if len(d.Fields)+len(d.Shifts) == 0 {
		return nil
	}
	record := e.recordName(t.ID)
	for i := range d.Fields {
		if d.Fields[i].Form == itemcodec.Removed {
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

// judgePut stores the new item in r and places it.
func (c *change) judgePut(r *directRoom) (err error) {
	t, d := c.table, c.direct
	if len(d.Shifts) > 0 {
		return fmt.Errorf("engine: a put of table %s shifts attributes", t.Name)
	}
	at := len(r.bytes)
	data, err := itemcodec.AppendFields(r.bytes, t.names, d.Fields)
	if err != nil {
		return fmt.Errorf("engine: put into table %s: %w", t.Name, err)
	}
	if d.view, err = itemcodec.Open(t.names, data[at:len(data):len(data)]); err != nil {
		return err
	}
	r.bytes = data
	if d.view.Size() > value.MaxItemSize {
		return errItemSize()
	}
	d.movesEntries = true
	var room [usualColumns]itemcodec.Value
	columns := t.columns.Find(d.view, room[:0])
	if c.fault = t.checkKeyColumns(columns); c.fault != nil {
		return nil
	}
	c.fault = t.checkIndexColumns(columns)
	at = len(r.bytes)
	place, ok := t.appendKey(r.bytes, columns)
	if !ok {
		return errKeySchema()
	}
	r.bytes, c.place = place, place[at:len(place):len(place)]
	return nil
}

// usualColumns are as many key attributes as a table and its indexes mostly have.
const usualColumns = 24

// judgeKeyed places a change to the item with a key.
func (c *change) judgeKeyed(r *directRoom) error {
	t, d := c.table, c.direct
	if d.Kind != WriteUpdate && len(d.Fields)+len(d.Shifts) > 0 {
		return fmt.Errorf("engine: a check or delete of table %s gives attributes", t.Name)
	}
	for i, part := range [...]struct {
		catalog.Attribute
		text string
	}{{t.key.Hash, d.Key.Hash}, {t.key.Sort, d.Key.Sort}} {
		if part.Name == "" || part.Type == types.ScalarAttributeTypeN {
			continue
		}
		if c.fault = checkKeyLength(part.Attribute, i == 0, len(part.text)); c.fault != nil {
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
	place, err := t.appendPosition(r.bytes, d.Key)
	if err != nil {
		return err
	}
	r.bytes, c.place = place, place[at:len(place):len(place)]
	if d.movesEntries {
		c.fault = t.checkAssignedColumns(d)
	}
	return nil
}

// judgeTarget judges that an update changes an attribute.
func (c *change) judgeTarget(name string) error {
	place := c.table.columns.Place(name)
	switch {
	case place < 0:
	case place == c.table.places.hash, place == c.table.places.sort:
		return expr.ErrKeyUpdate(name)
	default:
		c.direct.movesEntries = true
	}
	return nil
}
