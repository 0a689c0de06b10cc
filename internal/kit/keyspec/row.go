package keyspec

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// versionAttribute is the version of an item's layout.
const versionAttribute = "schemaVersion"

// row is an untyped Entity.
type row struct {
	table *Table
	spec  Row
	codec *codec
	// fresh returns a new struct of the row's type.
	fresh func() unsafe.Pointer
	// primary is also keys[0].
	primary *keys
	keys    []*keys
	// version is spec.Version as stored.
	version string
	// hidden lists the keys that must be read to restore fields stored only there.
	hidden []*keys
	// counters are the counters, on other items, of this row's items.
	counters []counter
	// columns describes the attributes of an item, sorted by name.
	columns []column
	// keyNames are the key attributes by number, starting with 1.
	keyNames []string
	// expressions caches the parsed conditions.
	expressions expressions
}

// column is an attribute of stored items.
type column struct {
	name string
	// head distinguishes most names quickly.
	head nameHead
	role
	// number is set if the key is a number.
	number bool
}

// nameHead is the start of a name as a number, which sorts like the name.
type nameHead uint64

func headOf(name string) (h nameHead) {
	const size = 8
	for i := range min(len(name), size) {
		h |= nameHead(name[i]) << (8 * (size - 1 - i))
	}
	return h
}

// role is the role of an attribute: the value of a field, a key, both, or neither.
type role struct {
	field *field
	// key is the number of the key attribute in the row, starting with 1; 0 if it is none.
	key int
}

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
	c, err := compile(typ, cmp.Or(spec.Precision, table.Precision))
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
	r.assignColumns()
	return r, r.findHidden()
}

func (r *row) assignColumns() {
	roles := map[string]role{}
	for _, f := range r.codec.fields {
		if !f.keyOnly {
			roles[f.name] = role{field: f}
		}
	}
	r.keyNames = []string{""}
	for _, k := range r.keys {
		for i, name := range []string{k.pkName, k.skName} {
			if name == "" {
				continue // no sort key, whose number is 0
			}
			at := roles[name]
			if at.key == 0 {
				at.key = len(r.keyNames)
				roles[name] = at
				r.keyNames = append(r.keyNames, name)
			}
			k.numbers[i] = at.key
		}
	}
	for name, role := range roles {
		number := slices.ContainsFunc(r.keys, func(k *keys) bool { return k.skName == name && k.numeric() })
		r.columns = append(r.columns, column{name, headOf(name), role, number})
	}
	if !r.table.Unversioned {
		r.columns = append(r.columns, column{name: versionAttribute, head: headOf(versionAttribute)})
	}
	slices.SortFunc(r.columns, func(a, b column) int { return strings.Compare(a.name, b.name) })
}

// findHidden collects the keys that fields stored only in keys are restored from. It
// returns an error if such a field is in no key.
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
