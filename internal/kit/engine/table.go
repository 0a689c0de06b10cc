package engine

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
)

// Item is an item, or the key of one, in the SDK's form.
type Item = itemcodec.Item

// tables holds all tables by name. A value is never modified once it is stored in the
// engine, only replaced.
type tables map[string]*table

// table is a table in the form used by requests. Everything is immutable, except the
// dictionary and the counts, which later versions of the table share.
type table struct {
	*catalog.Table
	relation
	names   *itemcodec.Dictionary
	indexes []*index
	// keyAttributes and indexKeys are the key attributes of the table and of its indexes.
	keyAttributes, indexKeys []string
	// columns are the key attributes of the table and of all indexes, each once.
	columns *itemcodec.Columns
	counts  *counts
}

// relation is the source of Query and Scan: the items of a table, or the entries of an
// index.
type relation struct {
	prefix []byte // prefix of all stored keys of the relation
	key    catalog.Key
	owner  *catalog.Key // for an index, the key of its table
	// parts are those of the key, ownerParts those of the owner's.
	parts, ownerParts []keyPart
	// source is the common prefix of the stored keys of the items that an index refers to; nil
	// for a table and for an index that contains what it projects.
	source []byte
}

// index is an index in the form used by requests.
type index struct {
	catalog.Index
	relation
	// projected is the set of attributes of an entry; nil means all.
	projected map[string]bool
	// keysOnly is set if only keys are projected.
	keysOnly bool
	counts   *counts
}

// keyPart is a part of a key.
type keyPart struct {
	catalog.Attribute
	isHash bool
	column int // its position among the columns of the table
}

func newTable(t *catalog.Table, names *itemcodec.Dictionary, known *countsOf) *table {
	tb := &table{
		Table:         t,
		relation:      relation{prefix: itemsPrefix(t.ID), key: t.Key},
		names:         names,
		keyAttributes: t.Key.Names(),
		counts:        known.of(t.ID),
	}
	for _, x := range t.Indexes {
		tb.indexKeys = append(tb.indexKeys, x.Key.Names()...)
		tb.indexes = append(tb.indexes, &index{
			Index:     x,
			relation:  relation{prefix: itemsPrefix(x.ID), key: x.Key, owner: &t.Key},
			projected: projected(t.Key, x),
			keysOnly:  x.Projection == types.ProjectionTypeKeysOnly,
			counts:    known.of(x.ID),
		})
	}
	tb.findColumns()
	return tb
}

func (t *table) findColumns() {
	var names []string
	for _, name := range slices.Concat(t.keyAttributes, t.indexKeys) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	t.columns = itemcodec.NewColumns(names...)
	t.parts = t.partsOf(t.key)
	for _, x := range t.indexes {
		if x.projected == nil {
			x.source = t.prefix
		}
		x.parts, x.ownerParts = t.partsOf(x.key), t.parts
	}
}

func (t *table) partsOf(k catalog.Key) []keyPart {
	parts := []keyPart{{k.Hash, true, t.columns.Index(k.Hash.Name)}}
	if k.HasSort() {
		parts = append(parts, keyPart{k.Sort, false, t.columns.Index(k.Sort.Name)})
	}
	return parts
}

func projected(owner catalog.Key, x catalog.Index) map[string]bool {
	if x.Projection == "ALL" {
		return nil
	}
	names := map[string]bool{}
	for _, name := range slices.Concat(owner.Names(), x.Key.Names(), x.Include) {
		names[name] = true
	}
	return names
}

// index returns the readable index called name.
func (t *table) index(name string) (*index, error) {
	for _, x := range t.indexes {
		if x.Name != name {
			continue
		}
		if x.Building {
			return nil, errBackfilling(name)
		}
		return x, nil
	}
	return nil, errNoIndex(name)
}

// checkPaths returns an error if a path of an expression goes into a key attribute.
func (t *table) checkPaths(p *expr.Program) error {
	return p.CheckNested(t.keyAttributes, t.indexKeys)
}

// schema returns the relation's key in the form used by expressions.
func (r relation) schema() expr.Schema {
	return expr.Schema{Hash: expr.Key(r.key.Hash), Sort: expr.Key(r.key.Sort)}
}

// keyNames returns the attributes that identify a position in the relation, without
// duplicates: the key of a table, or of an index and its table.
func (r relation) keyNames() []string {
	names := r.key.Names()
	if r.owner == nil {
		return names
	}
	for _, name := range r.owner.Names() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// table returns the current version of a table, which must exist, also apparently.
func (e *Engine) table(name *string) (*table, error) {
	t, ok := (*e.tables.Load())[aws.ToString(name)]
	if !ok || e.appearances.get(t.Name).status == types.TableStatusCreating {
		return nil, errNoTable()
	}
	return t, nil
}
