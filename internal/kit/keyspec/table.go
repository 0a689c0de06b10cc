package keyspec

import (
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Table declares a table whose keys are strings. Define adds the rows it holds.
type Table struct {
	// Name is the table's name without the prefix of a deployment.
	Name string
	// PK and SK name the attributes of the primary key.
	PK, SK  string
	Indexes []*Index
	// Unversioned tables hold items without a schemaVersion.
	Unversioned bool

	rows []*row
}

// Index declares a global secondary index. Its partition key is a string. It is
// sparse: an item without one of its key attributes is not in it.
type Index struct {
	// Name is at least three characters long, because DynamoDB demands it.
	Name   string
	PK, SK string
	// Number makes the sort key a number.
	Number bool
	// KeysOnly leaves all attributes but the keys out of the index. What a query of
	// it returns has only those fields that stand in its keys or the table's.
	KeysOnly bool
}

// Primary stands for the table's own key where an index is asked for.
var Primary = &Index{Name: "primary key"}

// CreateInput is the request that creates the table under a physical name, paid
// per request.
func (t *Table) CreateInput(name string) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:   aws.String(name),
		KeySchema:   keySchema(t.PK, t.SK),
		BillingMode: types.BillingModePayPerRequest,
	}
	define := func(attribute string, kind types.ScalarAttributeType) {
		known := slices.ContainsFunc(in.AttributeDefinitions, func(d types.AttributeDefinition) bool {
			return *d.AttributeName == attribute
		})
		if !known {
			in.AttributeDefinitions = append(in.AttributeDefinitions,
				types.AttributeDefinition{AttributeName: aws.String(attribute), AttributeType: kind})
		}
	}
	define(t.PK, types.ScalarAttributeTypeS)
	define(t.SK, types.ScalarAttributeTypeS)
	for _, ix := range t.Indexes {
		define(ix.PK, types.ScalarAttributeTypeS)
		define(ix.SK, ix.sortType())
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName:  aws.String(ix.Name),
			KeySchema:  keySchema(ix.PK, ix.SK),
			Projection: &types.Projection{ProjectionType: ix.projection()},
		})
	}
	return in
}

func (ix *Index) sortType() types.ScalarAttributeType {
	if ix.Number {
		return types.ScalarAttributeTypeN
	}
	return types.ScalarAttributeTypeS
}

func (ix *Index) projection() types.ProjectionType {
	if ix.KeysOnly {
		return types.ProjectionTypeKeysOnly
	}
	return types.ProjectionTypeAll
}

func keySchema(pk, sk string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: aws.String(pk), KeyType: types.KeyTypeHash},
		{AttributeName: aws.String(sk), KeyType: types.KeyTypeRange},
	}
}

// isKey reports whether attribute is a key attribute of the table or an index.
func (t *Table) isKey(attribute string) bool {
	return attribute == t.PK || attribute == t.SK || slices.ContainsFunc(t.Indexes, func(ix *Index) bool {
		return attribute == ix.PK || attribute == ix.SK
	})
}

// Check compares the rows of the table with each other: no two may produce the same
// key, and where a query by prefix for the items of one row would meet those of
// another, the row must acknowledge it in Overlaps.
func (t *Table) Check() error {
	for i, a := range t.rows {
		for j, b := range t.rows {
			if i < j && collide(a.primary.pk, b.primary.pk) && collide(a.primary.sk, b.primary.sk) {
				return fmt.Errorf("keyspec: table %s: rows %s and %s can produce the same key", t.Name, a, b)
			}
			if i == j {
				continue
			}
			if err := a.checkOverlaps(b); err != nil {
				return fmt.Errorf("keyspec: table %s: %w", t.Name, err)
			}
		}
	}
	return nil
}

// checkOverlaps refuses a query by prefix on a that would meet items of b, unless a
// says that it knows.
func (a *row) checkOverlaps(b *row) error {
	for _, k := range a.keys {
		other := b.on(k.index)
		if k.meets(other) && !slices.Contains(a.spec.Overlaps, other.sk.text) {
			return fmt.Errorf("a query for row %s by prefix on %s also meets row %s: add %q to its Overlaps and list it by another index",
				a, k.index.Name, b, other.sk.text)
		}
	}
	return nil
}

// meets reports whether a query for all of k can find keys of other, which is nil or
// in the same index.
func (k *keys) meets(other *keys) bool {
	return other != nil && collide(k.pk, other.pk) && (k.numeric() || prefixMeets(k.sk, other.sk))
}
