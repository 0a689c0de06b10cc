package keyspec

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Filling is the state of an index that is being filled from its table.
type Filling struct {
	// Table is the physical name.
	Table, Index string
	// Items is the number of items in the index, and Of that of the table. DynamoDB counts
	// both every six hours, so they are rough, and may be zero.
	Items, Of int64
	// Done is set once the index can be read.
	Done bool
}

// addIndexes adds the indexes that are missing, one after another, as DynamoDB demands. The
// tables are read and written meanwhile.
func (db *DB) addIndexes(ctx context.Context, differences []Difference, report func(Filling)) error {
	for _, d := range differences {
		if d.Index == "" {
			continue
		}
		t := db.byName[d.Table]
		if err := db.await(ctx, t); err != nil { // no other may be in progress
			return err
		}
		if err := db.addIndex(ctx, t, d.Index); err != nil {
			return err
		}
		if err := db.awaitIndex(ctx, t, d.Index, report); err != nil {
			return err
		}
	}
	return nil
}

func (db *DB) addIndex(ctx context.Context, t *Table, index string) error {
	wanted := t.CreateInput(*db.name(t))
	i := slices.IndexFunc(wanted.GlobalSecondaryIndexes, func(ix types.GlobalSecondaryIndex) bool { return *ix.IndexName == index })
	ix := wanted.GlobalSecondaryIndexes[i]
	in := &dynamodb.UpdateTableInput{TableName: wanted.TableName, GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
		Create: &types.CreateGlobalSecondaryIndexAction{IndexName: ix.IndexName, KeySchema: ix.KeySchema, Projection: ix.Projection},
	}}}
	for _, d := range wanted.AttributeDefinitions {
		keyed := func(e types.KeySchemaElement) bool { return *e.AttributeName == *d.AttributeName }
		if slices.ContainsFunc(ix.KeySchema, keyed) || slices.ContainsFunc(wanted.KeySchema, keyed) {
			in.AttributeDefinitions = append(in.AttributeDefinitions, d)
		}
	}
	_, err := db.client.UpdateTable(ctx, in)
	var busy *types.ResourceInUseException
	if err == nil || errors.As(err, &busy) { // another process may be adding it
		return nil
	}
	return fmt.Errorf("keyspec: index %s of table %s: %w", index, *db.name(t), err)
}

// awaitIndex waits until an index is filled.
func (db *DB) awaitIndex(ctx context.Context, t *Table, index string, report func(Filling)) error {
	for attempt := 0; ; attempt++ {
		d, err := db.describe(ctx, t)
		if err != nil {
			return err
		}
		f := Filling{Table: *db.name(t), Index: index}
		if d != nil {
			f.Of = aws.ToInt64(d.ItemCount)
			for _, ix := range d.GlobalSecondaryIndexes {
				if aws.ToString(ix.IndexName) == index {
					f.Items, f.Done = aws.ToInt64(ix.ItemCount), ix.IndexStatus == types.IndexStatusActive
				}
			}
		}
		if report != nil {
			report(f)
		}
		if f.Done {
			return nil
		}
		if err := db.pause(ctx, attempt); err != nil {
			return fmt.Errorf("keyspec: waiting for index %s of table %s: %w", index, *db.name(t), err)
		}
	}
}
