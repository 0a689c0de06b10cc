package dump

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Tables is the part of DynamoDB's client that describes tables.
type Tables interface {
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
}

// Scanner is the part of DynamoDB's client that reads whole tables.
type Scanner interface {
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
}

// Describe returns the description of a table, whose name includes the prefix.
func Describe(ctx context.Context, db Tables, prefix, name string) (Table, error) {
	out, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return Table{}, err
	}
	kinds := map[string]string{}
	for _, d := range out.Table.AttributeDefinitions {
		kinds[*d.AttributeName] = string(d.AttributeType)
	}
	t := Table{
		Name:           strings.TrimPrefix(name, prefix),
		EstimatedItems: aws.ToInt64(out.Table.ItemCount),
		Key:            attributes(out.Table.KeySchema, kinds),
	}
	for _, x := range out.Table.GlobalSecondaryIndexes {
		t.Indexes = append(t.Indexes, Index{
			Name: *x.IndexName, Key: attributes(x.KeySchema, kinds),
			Projection: string(x.Projection.ProjectionType), Include: x.Projection.NonKeyAttributes,
		})
	}
	return t, nil
}

// attributes returns the attributes of a key, partition key first.
func attributes(schema []types.KeySchemaElement, kinds map[string]string) []Attribute {
	all := make([]Attribute, 0, 2)
	for _, kind := range []types.KeyType{types.KeyTypeHash, types.KeyTypeRange} {
		for _, element := range schema {
			if element.KeyType == kind {
				all = append(all, Attribute{*element.AttributeName, kinds[*element.AttributeName]})
			}
		}
	}
	return all
}

// Scan is a Source that scans tables. Concurrent writes, even parts of a transaction, may
// or may not be included.
type Scan struct{ DB Scanner }

// Items scans a table.
func (s Scan) Items(ctx context.Context, table string, after Item, visit func(Item) error) error {
	for {
		page, err := s.DB.Scan(ctx, &dynamodb.ScanInput{TableName: &table, ExclusiveStartKey: after, ConsistentRead: aws.Bool(true)})
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			if err := visit(item); err != nil {
				return err
			}
		}
		if after = page.LastEvaluatedKey; len(after) == 0 {
			return nil
		}
	}
}

// Count scans a table and returns the number of its items.
func Count(ctx context.Context, db Scanner, table string) (n int64, err error) {
	in := &dynamodb.ScanInput{TableName: &table, Select: types.SelectCount, ConsistentRead: aws.Bool(true)}
	for {
		page, err := db.Scan(ctx, in)
		if err != nil {
			return 0, fmt.Errorf("the items of table %s cannot be counted: %w", table, err)
		}
		n += int64(page.Count)
		if in.ExclusiveStartKey = page.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return n, nil
		}
	}
}

// Empty reports whether a table has no items.
func Empty(ctx context.Context, db Scanner, table string) (bool, error) {
	page, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: &table, Limit: aws.Int32(1), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return false, err
	}
	return page.Count == 0, nil
}
