package keyspec

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Table declares a table whose partition keys are strings. Define adds its rows.
type Table struct {
	// Name is the table's name without the prefix of a deployment.
	Name string
	// PK and SK are the attributes of the primary key. A table without SK has only a
	// partition key; its rows have an empty second key template.
	PK, SK string
	// Precision is that of stored times, milliseconds, nanoseconds or, by default, microseconds.
	Precision time.Duration
	// Number makes the sort key a number.
	Number bool
	// Separator separates the parts of keys; "" means "/". A slot followed by more of its
	// key must not contain it; a slot at the end may, unless the row has Overlaps.
	Separator string
	// Expiry is the number attribute with the second since 1970 after which the server may
	// remove an item; "" if items do not expire.
	Expiry  string
	Indexes []*Index
	// Unversioned tables hold items without a schemaVersion.
	Unversioned bool

	rows []*row
	// checked is the number of rows that Check has compared.
	checked atomic.Int64
}

// Index declares a global secondary index. Its partition key is a string, and the sort key
// is optional. It is sparse: it does not contain items without one of its key attributes.
type Index struct {
	// Name has at least three characters, as required by DynamoDB.
	Name   string
	PK, SK string
	// Number makes the sort key a number.
	Number bool
	// KeysOnly projects only keys to the index. Queries of it return only the fields
	// contained in its keys or the table's.
	KeysOnly bool
}

// Primary denotes the table's own key where an index is expected.
var Primary = &Index{Name: "primary key"}

// CreateInput returns the request that creates the table with a physical name and on-demand
// billing.
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
	if t.SK != "" {
		define(t.SK, sortType(t.Number))
	}
	for _, ix := range t.Indexes {
		define(ix.PK, types.ScalarAttributeTypeS)
		if ix.SK != "" {
			define(ix.SK, sortType(ix.Number))
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName:  aws.String(ix.Name),
			KeySchema:  keySchema(ix.PK, ix.SK),
			Projection: &types.Projection{ProjectionType: ix.projection()},
		})
	}
	return in
}

func sortType(number bool) types.ScalarAttributeType {
	if number {
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
	schema := []types.KeySchemaElement{{AttributeName: aws.String(pk), KeyType: types.KeyTypeHash}}
	if sk == "" {
		return schema
	}
	return append(schema, types.KeySchemaElement{AttributeName: aws.String(sk), KeyType: types.KeyTypeRange})
}

// separator returns the separator of the parts of keys.
func (t *Table) separator() string {
	if t.Separator == "" {
		return "/"
	}
	return t.Separator
}

// isKey reports whether attribute is a key attribute of the table or an index.
func (t *Table) isKey(attribute string) bool {
	return attribute == t.PK || attribute == t.SK || slices.ContainsFunc(t.Indexes, func(ix *Index) bool {
		return attribute == ix.PK || attribute == ix.SK
	})
}
