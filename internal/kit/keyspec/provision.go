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

// Difference is a difference between a table and its declaration.
type Difference struct {
	// Table is the physical name.
	Table string
	// Missing is set if the table, the expiry of its items or an index is missing. CreateTables
	// adds these; all other differences must be resolved manually.
	Missing bool
	// Index is the name of an index that is missing, or "".
	Index string
	// Text describes the difference.
	Text string
}

// NoTable is the text of the difference of a table that is missing.
const NoTable = "does not exist"

// Compare returns the differences between the tables and their declarations.
func (db *DB) Compare(ctx context.Context) ([]Difference, error) {
	var all []Difference
	for _, t := range db.tables {
		description, err := db.describe(ctx, t)
		if err != nil {
			return nil, err
		}
		all = append(all, db.compare(t, description)...)
		if description == nil || t.Expiry == "" {
			continue
		}
		if expiry, err := db.expiry(ctx, t); err != nil {
			return nil, err
		} else if expiry != t.Expiry {
			all = append(all, Difference{
				Table: *db.name(t), Missing: expiry == "",
				Text: fmt.Sprintf("expires items by %q, expected %q", expiry, t.Expiry),
			})
		}
	}
	return all, nil
}

// CreateTables creates missing tables and adds missing indexes, and waits until they are
// active. It does not change anything else of existing tables, and fails if one differs from
// its declaration.
func (db *DB) CreateTables(ctx context.Context) error { return db.Provision(ctx, nil) }

// Provision is CreateTables with reports about each index that is being filled.
func (db *DB) Provision(ctx context.Context, report func(Filling)) error {
	differences, err := db.Compare(ctx)
	if err != nil {
		return err
	}
	var missing []*Table
	for _, d := range differences {
		switch {
		case !d.Missing:
			return fmt.Errorf("keyspec: table %s: %s", d.Table, d.Text)
		case d.Index == "":
			missing = append(missing, db.byName[d.Table])
		}
	}
	for _, t := range missing {
		_, err := db.client.CreateTable(ctx, t.CreateInput(*db.name(t)))
		var made *types.ResourceInUseException
		if err != nil && !errors.As(err, &made) {
			return fmt.Errorf("keyspec: create table %s: %w", *db.name(t), err)
		}
	}
	for _, t := range missing {
		if err := db.await(ctx, t); err != nil {
			return err
		}
		if err := db.expire(ctx, t); err != nil {
			return err
		}
	}
	return db.addIndexes(ctx, differences, report)
}

// expire enables the expiry of items in a new table.
func (db *DB) expire(ctx context.Context, t *Table) error {
	if t.Expiry == "" {
		return nil
	}
	_, err := db.client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               db.name(t),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &t.Expiry, Enabled: aws.Bool(true)},
	})
	if err == nil {
		return nil
	}
	// Another process may have created the table concurrently.
	if expiry, describeErr := db.expiry(ctx, t); describeErr == nil && expiry == t.Expiry {
		return nil
	}
	return fmt.Errorf("keyspec: time to live of table %s: %w", *db.name(t), err)
}

// expiry returns the attribute that items of a table expire by, or "".
func (db *DB) expiry(ctx context.Context, t *Table) (string, error) {
	out, err := db.client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: db.name(t)})
	if err != nil {
		return "", fmt.Errorf("keyspec: time to live of table %s: %w", *db.name(t), err)
	}
	switch d := out.TimeToLiveDescription; {
	case d == nil, d.TimeToLiveStatus != types.TimeToLiveStatusEnabled && d.TimeToLiveStatus != types.TimeToLiveStatusEnabling:
		return "", nil
	default:
		return aws.ToString(d.AttributeName), nil
	}
}

// await waits until a table and its indexes are active.
func (db *DB) await(ctx context.Context, t *Table) error {
	for attempt := 0; ; attempt++ {
		d, err := db.describe(ctx, t)
		if err != nil {
			return err
		}
		building := func(ix types.GlobalSecondaryIndexDescription) bool { return ix.IndexStatus != types.IndexStatusActive }
		if d != nil && d.TableStatus == types.TableStatusActive && !slices.ContainsFunc(d.GlobalSecondaryIndexes, building) {
			return nil
		}
		if err := db.pause(ctx, attempt); err != nil {
			return fmt.Errorf("keyspec: waiting for table %s: %w", *db.name(t), err)
		}
	}
}

// describe returns the description of a table, or nil if it does not exist.
func (db *DB) describe(ctx context.Context, t *Table) (*types.TableDescription, error) {
	out, err := db.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: db.name(t)})
	var absent *types.ResourceNotFoundException
	switch {
	case errors.As(err, &absent):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("keyspec: describe table %s: %w", *db.name(t), err)
	}
	return out.Table, nil
}

func (db *DB) compare(t *Table, found *types.TableDescription) []Difference {
	name := *db.name(t)
	if found == nil {
		return []Difference{{Table: name, Missing: true, Text: NoTable}}
	}
	var all []Difference
	differ := func(format string, args ...any) {
		all = append(all, Difference{Table: name, Text: fmt.Sprintf(format, args...)})
	}
	wanted := t.CreateInput(name)
	if got, want := schemaText(found.KeySchema, found.AttributeDefinitions), schemaText(wanted.KeySchema, wanted.AttributeDefinitions); got != want {
		differ("has the key %s, expected %s", got, want)
	}
	for _, ix := range wanted.GlobalSecondaryIndexes {
		at := slices.IndexFunc(found.GlobalSecondaryIndexes, func(d types.GlobalSecondaryIndexDescription) bool {
			return aws.ToString(d.IndexName) == *ix.IndexName
		})
		if at < 0 {
			all = append(all, Difference{Table: name, Missing: true, Index: *ix.IndexName, Text: "lacks index " + *ix.IndexName})
			continue
		}
		other := found.GlobalSecondaryIndexes[at]
		if got, want := schemaText(other.KeySchema, found.AttributeDefinitions), schemaText(ix.KeySchema, wanted.AttributeDefinitions); got != want {
			differ("index %s has the key %s, expected %s", *ix.IndexName, got, want)
		}
		if got, want := other.Projection.ProjectionType, ix.Projection.ProjectionType; got != want {
			differ("index %s projects %s, expected %s", *ix.IndexName, got, want)
		}
	}
	return all
}

// schemaText formats a key with the types of its attributes: partitionKey:S,sortKey:S.
func schemaText(schema []types.KeySchemaElement, definitions []types.AttributeDefinition) string {
	text := ""
	for i, element := range schema {
		if i > 0 {
			text += ","
		}
		text += aws.ToString(element.AttributeName)
		for _, d := range definitions {
			if aws.ToString(d.AttributeName) == aws.ToString(element.AttributeName) {
				text += ":" + string(d.AttributeType)
			}
		}
	}
	return text
}
