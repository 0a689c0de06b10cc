package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/keycodec"
)

// maxListed is the maximum number of names returned by ListTables.
const maxListed = 100

// CreateTable creates a table. It can be used once the call returns, unless there is a
// state delay.
func (e *Engine) CreateTable(ctx context.Context, in *dynamodb.CreateTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	if err := e.writable(ctx); err != nil {
		return nil, err
	}
	t, err := catalog.New(in)
	if err != nil {
		return nil, public(err)
	}
	if err := e.lockShape(ctx); err != nil {
		return nil, err
	}
	defer e.shape.Unlock()
	_, exists := (*e.tables.Load())[t.Name]
	if exists || e.appearances.get(t.Name).goneTable != nil {
		return nil, &types.ResourceInUseException{Message: aws.String("Table already exists: " + t.Name)}
	}
	t.CreatedAt, t.UUID = e.now(), newUUID()
	batch := e.db.NewBatch()
	defer batch.Close()
	if t.ID, err = e.nextRelation(batch, 1+len(t.Indexes)); err != nil {
		return nil, err
	}
	for i := range t.Indexes {
		t.Indexes[i].ID = t.ID + 1 + keycodec.Relation(i)
	}
	tb := newTable(t, newNames(t), &e.counts)
	if err := recordNames(batch, tb); err != nil {
		return nil, err
	}
	if err := e.replace(batch, tb); err != nil {
		return nil, err
	}
	now := appearance{status: types.TableStatusCreating}
	e.appearances.begin(t.Name, now)
	description := e.describe(tb)
	now.show(description)
	return &dynamodb.CreateTableOutput{TableDescription: description}, nil
}

// DescribeTable describes a table.
func (e *Engine) DescribeTable(ctx context.Context, in *dynamodb.DescribeTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	if gone := e.appearances.get(aws.ToString(in.TableName)).goneTable; gone != nil {
		return &dynamodb.DescribeTableOutput{Table: gone}, nil
	}
	t, err := e.namedTable(in.TableName)
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.DescribeTableOutput{Table: e.describe(t)}, nil
}

// ListTables returns the sorted names of all tables, up to 100 at a time.
func (e *Engine) ListTables(ctx context.Context, in *dynamodb.ListTablesInput, _ ...func(*dynamodb.Options)) (*dynamodb.ListTablesOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	limit := cmp.Or(int(aws.ToInt32(in.Limit)), maxListed)
	names := slices.AppendSeq([]string{}, maps.Keys(*e.tables.Load())) // not nil even if empty
	names = append(names, e.appearances.deleting()...)
	slices.Sort(names)
	if start := in.ExclusiveStartTableName; start != nil {
		i, found := slices.BinarySearch(names, *start)
		if found {
			i++
		}
		names = names[i:]
	}
	out := &dynamodb.ListTablesOutput{TableNames: names}
	if len(names) > limit {
		out.TableNames = names[:limit]
		out.LastEvaluatedTableName = aws.String(names[limit-1])
	}
	return out, nil
}

// DeleteTable removes a table with all its items and indexes.
func (e *Engine) DeleteTable(ctx context.Context, in *dynamodb.DeleteTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error) {
	if err := e.writable(ctx); err != nil {
		return nil, err
	}
	if err := e.lockShape(ctx); err != nil {
		return nil, err
	}
	defer e.shape.Unlock()
	if gone := e.appearances.get(aws.ToString(in.TableName)).goneTable; gone != nil {
		return &dynamodb.DeleteTableOutput{TableDescription: gone}, nil
	}
	t, err := e.namedTable(in.TableName)
	if err != nil {
		return nil, public(err)
	}
	if err := e.appearances.checkIdle(t.Name); err != nil {
		return nil, err
	}
	if t.DeletionProtection {
		return nil, public(invalid("Resource cannot be deleted as it is currently protected against deletion. " +
			"Disable deletion protection first."))
	}
	batch := e.db.NewBatch()
	defer batch.Close()
	if err := e.remove(batch, t); err != nil {
		return nil, err
	}
	description := e.describe(t)
	description.TableStatus = types.TableStatusDeleting
	e.appearances.begin(t.Name, appearance{status: types.TableStatusDeleting, goneTable: description})
	return &dynamodb.DeleteTableOutput{TableDescription: description}, nil
}

// ListGlobalTables is unsupported: there is one process and no other region.
func (e *Engine) ListGlobalTables(context.Context, *dynamodb.ListGlobalTablesInput, ...func(*dynamodb.Options)) (*dynamodb.ListGlobalTablesOutput, error) {
	return nil, errUnsupported("ListGlobalTables", "Global tables")
}

// namedTable is table for administrative requests, whose error names the missing table.
func (e *Engine) namedTable(name *string) (*table, error) {
	if err := catalog.CheckTableName(aws.ToString(name)); err != nil {
		return nil, err
	}
	t, ok := (*e.tables.Load())[*name]
	if !ok {
		return nil, errNoTableNamed(*name)
	}
	return t, nil
}

func (e *Engine) describe(t *table) *types.TableDescription {
	d := t.Describe(func(name string) catalog.Counts {
		for _, x := range t.indexes {
			if x.Name == name {
				return x.counts.load()
			}
		}
		return t.counts.load()
	})
	e.appearances.get(t.Name).show(d)
	return d
}

// replace commits batch with the description of t and makes t the current version of its
// table. The caller must hold e.shape for writing.
func (e *Engine) replace(batch *pebble.Batch, t *table) error {
	description, err := t.Encode()
	if err != nil {
		return fmt.Errorf("engine: encode table %s: %w", t.Name, err)
	}
	if err := batch.Set(tableKey(t.Name), description, nil); err != nil {
		return fmt.Errorf("engine: write: %w", err)
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		return fmt.Errorf("engine: write: %w", err)
	}
	all := maps.Clone(*e.tables.Load())
	all[t.Name] = t
	e.tables.Store(&all)
	return nil
}

// remove commits batch with the deletion of t.
func (e *Engine) remove(batch *pebble.Batch, t *table) error {
	relations := []keycodec.Relation{t.ID}
	for _, x := range t.indexes {
		relations = append(relations, x.ID)
	}
	if err := batch.Delete(tableKey(t.Name), nil); err != nil {
		return fmt.Errorf("engine: write: %w", err)
	}
	if err := deletePrefix(batch, namesPrefix(t.ID)); err != nil {
		return err
	}
	for _, r := range relations {
		if err := dropRelation(batch, r); err != nil {
			return err
		}
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		return fmt.Errorf("engine: write: %w", err)
	}
	all := maps.Clone(*e.tables.Load())
	delete(all, t.Name)
	e.tables.Store(&all)
	e.keys.Gone(int(t.counts.load().Items))
	for _, r := range relations {
		e.counts.drop(r)
	}
	return nil
}

// dropRelation deletes all items of r, and its counts.
func dropRelation(batch *pebble.Batch, r keycodec.Relation) error {
	if err := batch.Delete(countsKey(r), nil); err != nil {
		return fmt.Errorf("engine: write: %w", err)
	}
	return deletePrefix(batch, itemsPrefix(r))
}

func deletePrefix(batch *pebble.Batch, prefix []byte) error {
	if err := batch.DeleteRange(prefix, keycodec.After(prefix), nil); err != nil {
		return fmt.Errorf("engine: write: %w", err)
	}
	return nil
}

// nextRelation reserves n consecutive relation numbers and returns the first. They are used
// up once batch is committed. The caller must hold e.shape for writing.
func (e *Engine) nextRelation(batch *pebble.Batch, n int) (keycodec.Relation, error) {
	last := uint32(0)
	value, closer, err := e.db.Get([]byte{spaceCounter})
	switch {
	case err == nil:
		last = binary.BigEndian.Uint32(value)
		closer.Close()
	case !errors.Is(err, pebble.ErrNotFound):
		return 0, fmt.Errorf("engine: read: %w", err)
	}
	next := binary.BigEndian.AppendUint32(nil, last+uint32(n))
	if err := batch.Set([]byte{spaceCounter}, next, nil); err != nil {
		return 0, fmt.Errorf("engine: write: %w", err)
	}
	return keycodec.Relation(last + 1), nil
}

func newUUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
