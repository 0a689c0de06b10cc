package keyspec

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// versionAttribute holds the number of the layout an item was written in.
const versionAttribute = "schemaVersion"

// Row declares one kind of item: its keys and its version.
type Row struct {
	// Version is stamped on every item put. Items of older versions pass through
	// Upgrade when they are read.
	Version int
	Key     Keys
	On      Indexes
	// Computed are slots that are no attributes but follow from one.
	Computed Computed
	// Overlaps acknowledges the sort key templates of other rows that a query by
	// prefix for this row would meet. Such a query is refused for this row, and the
	// slot that ends its sort keys may hold no separator.
	Overlaps []string
	// Legacy rows are read and deleted but never written.
	Legacy bool
	// Upgrade maps a version to the change that makes the next version of it, on a
	// copy of the item.
	Upgrade map[int]func(item map[string]types.AttributeValue) error
}

// Indexes are the keys of a row in the indexes of its table.
type Indexes map[*Index]Keys

// Keys is a pair of key templates: text in which {attribute} is a slot. A template
// that is one slot may end in " or text": what stands there while it is absent.
type Keys struct {
	PK, SK string
	when   condition
}

// condition is what an attribute must be for a key to be filled.
type condition struct {
	attribute, value string
	not              bool
	// field is the attribute's field, nil for the condition that always holds.
	field *field
}

// K makes a pair of key templates.
func K(pk, sk string) Keys { return Keys{PK: pk, SK: sk} }

// When fills the keys only while attribute, which is text, has this value.
func (k Keys) When(attribute, value string) Keys {
	k.when = condition{attribute: attribute, value: value}
	return k
}

// Unless fills the keys only while attribute, which is text, has another value.
func (k Keys) Unless(attribute, value string) Keys {
	k.when = condition{attribute: attribute, value: value, not: true}
	return k
}

// holds reports whether the condition is met by what attribute is.
func (c condition) holds(value string) bool { return (value == c.value) != c.not }

// row is what an Entity knows without its type.
type row struct {
	table *Table
	spec  Row
	codec *codec
	// primary is also keys[0].
	primary *keys
	keys    []*keys
	// version is spec.Version as stored.
	version string
	// hidden are the keys that have to be read to restore fields stored only there.
	hidden []*keys
	// roles tells what each attribute of an item is.
	roles map[string]role
}

// role is what an attribute is: the value of a field, a key, both, or neither.
type role struct {
	field *field
	// key numbers the key attributes of the row from 1.
	key int
}

// keys is one compiled pair of key templates. The index is Primary for the table's own.
type keys struct {
	index          *Index
	pkName, skName string
	pk, sk         *template
	when           condition
	// pkSlots and skSlots are the sources of the templates' slots.
	pkSlots, skSlots []*slot
}

func (k *keys) numeric() bool { return k.index.Number }

func (r *row) String() string { return r.primary.pk.text + " | " + r.primary.sk.text }

// on returns the keys of r in an index, or nil.
func (r *row) on(ix *Index) *keys {
	for _, k := range r.keys {
		if k.index == ix {
			return k
		}
	}
	return nil
}

func newRow(table *Table, typ reflect.Type, spec Row) (*row, error) {
	c, err := compile(typ)
	if err != nil {
		return nil, err
	}
	r := &row{table: table, spec: spec, codec: c, version: strconv.Itoa(spec.Version)}
	if r.primary, err = r.compileKeys(Primary, table.PK, table.SK, spec.Key); err != nil {
		return nil, err
	}
	if r.primary.when.attribute != "" {
		return nil, errors.New("the primary key cannot depend on a condition")
	}
	r.keys = []*keys{r.primary}
	for _, ix := range table.Indexes {
		declared, ok := spec.On[ix]
		if !ok {
			continue
		}
		k, err := r.compileKeys(ix, ix.PK, ix.SK, declared)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ix.Name, err)
		}
		r.keys = append(r.keys, k)
	}
	for ix := range spec.On {
		if !slices.Contains(table.Indexes, ix) {
			return nil, fmt.Errorf("index %s is not of table %s", ix.Name, table.Name)
		}
	}
	r.assignRoles()
	return r, r.findHidden()
}

func (r *row) assignRoles() {
	r.roles = map[string]role{}
	for _, f := range r.codec.fields {
		if !f.keyOnly {
			r.roles[f.name] = role{field: f}
		}
	}
	n := 0
	for _, k := range r.keys {
		for _, name := range []string{k.pkName, k.skName} {
			if at := r.roles[name]; at.key == 0 {
				n++
				at.key = n
				r.roles[name] = at
			}
		}
	}
}

func (r *row) compileKeys(ix *Index, pkName, skName string, declared Keys) (*keys, error) {
	pk, err := parseTemplate(declared.PK, maxPartitionKey)
	if err != nil {
		return nil, err
	}
	sk, err := parseTemplate(declared.SK, maxSortKey)
	if err != nil {
		return nil, err
	}
	sk.strict = len(r.spec.Overlaps) > 0
	k := &keys{index: ix, pkName: pkName, skName: skName, pk: &pk, sk: &sk, when: declared.when}
	if k.pkSlots, err = r.slotsOf(&pk, false); err != nil {
		return nil, err
	}
	if k.skSlots, err = r.slotsOf(&sk, ix.Number); err != nil {
		return nil, err
	}
	if ix.Number && (len(sk.slots) != 1 || sk.literals[0]+sk.literals[1] != "") {
		return nil, fmt.Errorf("template %q: a number key is a lone slot", sk.text)
	}
	if c := &k.when; c.attribute != "" {
		if c.field = r.codec.byName[c.attribute]; c.field == nil || !c.field.isText {
			return nil, fmt.Errorf("condition on %q, which is no text attribute of %s", c.attribute, r.codec.typ)
		}
	}
	return k, errors.Join(r.checkName(pkName, &pk), r.checkName(skName, &sk))
}

// checkName refuses a key attribute that is also an attribute of the struct, unless
// the key is exactly that attribute.
func (r *row) checkName(name string, t *template) error {
	f := r.codec.byName[name]
	if f == nil || t.text == "{"+name+"}" && !f.keyOnly {
		return nil
	}
	return fmt.Errorf("attribute %q is also a key attribute, so its template must be {%s}", name, name)
}

func (r *row) slotsOf(t *template, number bool) ([]*slot, error) {
	var slots []*slot
	for _, name := range t.slots {
		s, err := r.slotNamed(name)
		if err != nil {
			return nil, fmt.Errorf("template %q: %w", t.text, err)
		}
		if s.number != number {
			if number {
				return nil, fmt.Errorf("template %q: {%s} of a number key must be a number", t.text, name)
			}
			return nil, fmt.Errorf("template %q: {%s} is a number, which does not sort as text", t.text, name)
		}
		slots = append(slots, s)
	}
	return slots, nil
}

// findHidden collects the keys from which fields that are stored only in keys are
// restored, and refuses such a field that stands in no key.
func (r *row) findHidden() error {
	for _, f := range r.codec.fields {
		if !f.keyOnly {
			continue
		}
		at := slices.IndexFunc(r.keys, func(k *keys) bool { return k.holds(f) })
		if at < 0 {
			return fmt.Errorf("attribute %q is stored only in keys, but no key has it", f.name)
		}
		if k := r.keys[at]; !slices.Contains(r.hidden, k) {
			r.hidden = append(r.hidden, k)
		}
	}
	return nil
}

// holds reports whether the value of f can be read back from the keys.
func (k *keys) holds(f *field) bool {
	is := func(s *slot) bool { return s.field == f && s.part == nil }
	return slices.ContainsFunc(k.pkSlots, is) || slices.ContainsFunc(k.skSlots, is)
}
