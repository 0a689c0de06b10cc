package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/value"
)

// The writers in this file serve callers inside the process that know their tables,
// as the readers in visit.go do. What is written goes from plain texts straight to
// stored bytes. Rules, limits and errors are those of the requests they stand for.

// WriteKind is what a Write does.
type WriteKind = action

const (
	WritePut    = actionPut
	WriteUpdate = actionUpdate
	WriteDelete = actionDelete
	WriteCheck  = actionCheck
)

// Write is one action on an item. An update is refused when its item is absent.
type Write struct {
	Kind  WriteKind
	Table string
	// Key names the item, but for a put, whose fields do.
	Key Key

	// Exists and Absent are conditions on the item, and so are all of Conditions.
	Exists, Absent bool
	Conditions     []Condition

	// Fields are the whole item of a put, and what an update sets and removes, in
	// the order of their names. The engine may put their numbers into canonical
	// notation where they lie.
	Fields []itemcodec.Field
	// Shifts are made to numbers by an update, to other attributes than those of
	// Fields, each once.
	Shifts []Shift
}

// Condition is in DynamoDB's notation, the placeholders as for expr.Test.
type Condition struct {
	Text   string
	Values []types.AttributeValue
}

// Shift adds to a number, which is 0 when absent. One that would leave less than
// nothing refuses the write as a condition would.
type Shift struct {
	Name string
	By   int64
}

// WriteAll carries out all writes or none, and returns when they are on disk. It fails
// as TransactWriteItems does when it is asked for the items that refuse.
func (e *Engine) WriteAll(ctx context.Context, writes []Write) error {
	effects, err := e.writeDirect(ctx, writes)
	if err == errRefused {
		return cancelled(effects)
	}
	return public(err)
}

// WriteOne carries out one write. It fails as PutItem, UpdateItem and DeleteItem do.
func (e *Engine) WriteOne(ctx context.Context, write Write) error {
	effects, err := e.writeDirect(ctx, []Write{write})
	if err == errRefused {
		err = effects[0].err
	}
	return public(err)
}

func (e *Engine) writeDirect(ctx context.Context, writes []Write) ([]effect, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	if err := checkTransactionLength(len(writes)); err != nil {
		return nil, err
	}
	effects, wait, err := e.applyDirect(ctx, writes)
	if err != nil {
		return effects, err
	}
	return nil, wait()
}

func (e *Engine) applyDirect(ctx context.Context, writes []Write) ([]effect, func() error, error) {
	r := directRooms.Get().(*directRoom)
	defer r.release()
	e.shape.RLock()
	defer e.shape.RUnlock()
	if err := e.judgeDirect(r, writes); err != nil {
		return nil, nil, err
	}
	return e.apply(ctx, r.changes, nil)
}

// directChange is what is asked of an item in a direct write.
type directChange struct {
	*Write
	tests []expr.Test
	// view is what a put stores.
	view itemcodec.View
	// movesEntries says that attributes change that are keys of indexes.
	movesEntries bool
}

// directRoom holds the changes of one call.
type directRoom struct {
	all     []change
	direct  []directChange
	changes []*change
	tests   []expr.Test
	bytes   []byte // places and new items
}

var directRooms = sync.Pool{New: func() any { return new(directRoom) }}

func (r *directRoom) release() {
	if cap(r.bytes) > maxRoom {
		return
	}
	clear(r.all)
	clear(r.direct)
	clear(r.changes)
	clear(r.tests)
	r.bytes = r.bytes[:0]
	directRooms.Put(r)
}

// open makes room for the changes of writes.
func (r *directRoom) open(writes []Write) {
	n, tests := len(writes), 0
	for i := range writes {
		tests += len(writes[i].Conditions)
	}
	r.all = slices.Grow(r.all[:0], n)[:n]
	r.direct = slices.Grow(r.direct[:0], n)[:n]
	r.changes = slices.Grow(r.changes[:0], n)[:n]
	r.tests = slices.Grow(r.tests[:0], tests)[:tests]
}

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
		for _, other := range r.changes[:i] {
			if other.stripe == c.stripe && bytes.Equal(other.place, c.place) && !c.isNowhere() {
				return errSameItem()
			}
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

// canonical returns the canonical notation of a number.
func canonical(text string) (string, error) {
	if _, ok := smallInteger(text); ok {
		return text, nil
	}
	n, err := value.ParseNumber(text)
	return n.String(), err
}

// smallInteger reads integers in canonical notation that are far from the limits of
// an int64, as counters and times are.
func smallInteger[T string | []byte](text T) (n int64, ok bool) {
	const maxDigits = 17
	digits := text
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > maxDigits || digits[0] == '0' && len(text) > 1 {
		return 0, false
	}
	for i := range len(digits) {
		digit := digits[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = n*10 + int64(digit)
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
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

// checkKeyColumns judges the key inside an item that is to be put.
func (t *table) checkKeyColumns(columns []itemcodec.Value) error {
	for i, a := range [...]catalog.Attribute{t.key.Hash, t.key.Sort} {
		if a.Name == "" {
			continue
		}
		v := columns[[...]int{t.places.hash, t.places.sort}[i]]
		switch {
		case v.Kind() == 0:
			return errKeyMissing(a)
		case v.Kind() != kindOf(a.Type):
			return errKeyType(a, value.TypeOf(v.SDK()))
		}
		if err := checkKeyLength(a, i == 0, keyLength(v)); err != nil {
			return err
		}
	}
	return nil
}

// checkIndexColumns judges what an item would put into the keys of indexes, as
// checkIndexKeys does.
func (t *table) checkIndexColumns(columns []itemcodec.Value) error {
	for _, x := range t.indexes {
		for i, place := range [...]int{x.places.hash, x.places.sort} {
			if place < 0 || columns[place].Kind() == 0 {
				continue
			}
			a, v := [...]catalog.Attribute{x.key.Hash, x.key.Sort}[i], columns[place]
			if v.Kind() == kindOf(a.Type) && keyLength(v) > 0 && keyLength(v) <= value.MaxSortKeySize {
				continue
			}
			if err := x.checkKey(a, i == 0, value.TypeOf(v.SDK()), keyLength(v)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkAssignedColumns judges the types that an update gives to keys of indexes, as
// checkAssignedTypes does.
func (t *table) checkAssignedColumns(d *directChange) error {
	for _, x := range t.indexes {
		for _, a := range [...]catalog.Attribute{x.key.Hash, x.key.Sort} {
			if is := d.assigns(a.Name); is != "" && is != string(a.Type) {
				return errIndexKeyType(x, a, is)
			}
		}
	}
	return nil
}

// assigns returns the type that d gives an attribute, "" when it gives none.
func (d *directChange) assigns(name string) string {
	for i := range d.Fields {
		if f := &d.Fields[i]; f.Name == name {
			switch f.Form {
			case itemcodec.Removed:
				return ""
			case itemcodec.Other:
				return value.TypeOf(f.Value)
			}
			return [...]string{itemcodec.Text: "S", itemcodec.Decimal: "N", itemcodec.True: "BOOL", itemcodec.False: "BOOL"}[f.Form]
		}
	}
	if slices.ContainsFunc(d.Shifts, func(s Shift) bool { return s.Name == name }) {
		return "N"
	}
	return ""
}

// checkUpdatedColumns judges what an update has made of the keys of indexes, as
// checkUpdatedKeys does.
func (t *table) checkUpdatedColumns(d *directChange, columns []itemcodec.Value) error {
	for _, x := range t.indexes {
		for i, place := range [...]int{x.places.hash, x.places.sort} {
			if place < 0 || columns[place].Kind() == 0 {
				continue
			}
			a, v := [...]catalog.Attribute{x.key.Hash, x.key.Sort}[i], columns[place]
			if is := d.assigns(a.Name); is != "" {
				if err := checkUpdatedKey(a, i == 0, is, keyLength(v)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// keyLength returns the bytes of a text or binary; a number always has an acceptable
// length.
func keyLength(v itemcodec.Value) int {
	if v.Kind() == itemcodec.Number {
		return 1
	}
	return len(v.Bytes())
}

// holds reports whether old meets all conditions.
func (d *directChange) holds(old *itemcodec.View) bool {
	if (d.Exists || d.Kind == WriteUpdate) && !old.Exists() || d.Absent && old.Exists() {
		return false
	}
	for i := range d.tests {
		if !d.tests[i].Holds(old) {
			return false
		}
	}
	for _, s := range d.Shifts {
		if s.By < 0 && !s.leavesSomething(old) {
			return false
		}
	}
	return true
}

// leavesSomething reports whether the number that s lowers is there and great enough.
func (s Shift) leavesSomething(old *itemcodec.View) bool {
	v, ok := old.Get(s.Name)
	if !ok || v.Kind() != itemcodec.Number {
		return false
	}
	if n, ok := smallInteger(v.Bytes()); ok {
		return n >= -s.By
	}
	n, err := value.ParseNumber(string(v.Bytes()))
	return err == nil && n.Cmp(value.Int(s.By).Neg()) >= 0
}

// sum returns the number that s makes of the one in old.
func (s Shift) sum(old *itemcodec.View) (string, error) {
	const tooGreat = 1 << 60
	v, ok := old.Get(s.Name)
	if !ok {
		return strconv.FormatInt(s.By, 10), nil
	}
	if n, ok := smallInteger(v.Bytes()); ok && v.Kind() == itemcodec.Number && s.By < tooGreat && s.By > -tooGreat {
		return strconv.FormatInt(n+s.By, 10), nil
	}
	return expr.Sum(v.SDK(), s.By)
}

// decideDirect returns the item as c wants it.
func (w *writer) decideDirect(c *change, old stored) (now stored, err error) {
	d := c.direct
	if d.Kind == WritePut {
		return stored{d.view}, nil
	}
	w.fields = append(w.fields[:0], d.Fields...)
	for _, s := range d.Shifts {
		text, err := s.sum(&w.seen)
		if err != nil {
			return stored{}, err
		}
		f := itemcodec.Field{Name: s.Name, Form: itemcodec.Decimal, Text: text}
		at, _ := slices.BinarySearchFunc(w.fields, f.Name, func(f itemcodec.Field, name string) int { return strings.Compare(f.Name, name) })
		w.fields = slices.Insert(w.fields, at, f)
	}
	now, err = w.make(c, func(room []byte) ([]byte, error) { return itemcodec.Patch(room, c.table.names, old.View, w.fields) })
	switch {
	case errors.Is(err, itemcodec.ErrCorrupt):
		return stored{}, w.engine.damaged(c.table.Name, err)
	case err != nil:
		return stored{}, err
	case now.Size() > value.MaxItemSize:
		return stored{}, errUpdateSize()
	case d.movesEntries:
		w.columns[1] = c.table.columns.Find(now.View, w.columns[1])
		err = c.table.checkUpdatedColumns(d, w.columns[1])
	}
	return now, err
}
