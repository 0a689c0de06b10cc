package catalog

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Counts is the number and size of the items in a table or index. Like DynamoDB's own
// figures, they may be outdated.
type Counts struct {
	Items int64
	Bytes int64
}

// Describe returns the description of t for clients, ACTIVE unless an index is being built.
// counts returns the counts of the table, for the name "", and of its indexes.
func (t *Table) Describe(counts func(index string) Counts) *types.TableDescription {
	status := types.TableStatusActive
	if slices.ContainsFunc(t.Indexes, func(x Index) bool { return x.Building }) {
		status = types.TableStatusUpdating
	}
	total := counts("")
	d := &types.TableDescription{
		TableName:             aws.String(t.Name),
		TableId:               aws.String(t.UUID),
		TableArn:              aws.String(t.ARN()),
		TableStatus:           status,
		CreationDateTime:      aws.Time(t.CreatedAt),
		KeySchema:             t.Key.schema(),
		AttributeDefinitions:  t.definitions(),
		ItemCount:             aws.Int64(total.Items),
		TableSizeBytes:        aws.Int64(total.Bytes),
		ProvisionedThroughput: t.Throughput.describe(),

		DeletionProtectionEnabled: aws.Bool(t.DeletionProtection),
	}
	if t.Billing == types.BillingModePayPerRequest {
		d.BillingModeSummary = &types.BillingModeSummary{
			BillingMode: t.Billing, LastUpdateToPayPerRequestDateTime: aws.Time(t.CreatedAt),
		}
	}
	if t.Class != "" {
		d.TableClassSummary = &types.TableClassSummary{TableClass: t.Class}
	}
	for _, x := range t.Indexes {
		d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, x.describe(t, counts(x.Name)))
	}
	return d
}

func (x Index) describe(t *Table, counts Counts) types.GlobalSecondaryIndexDescription {
	d := types.GlobalSecondaryIndexDescription{
		IndexName:             aws.String(x.Name),
		IndexArn:              aws.String(t.ARN() + "/index/" + x.Name),
		IndexStatus:           types.IndexStatusActive,
		KeySchema:             x.Key.schema(),
		Projection:            &types.Projection{ProjectionType: x.Projection, NonKeyAttributes: x.Include},
		ItemCount:             aws.Int64(counts.Items),
		IndexSizeBytes:        aws.Int64(counts.Bytes),
		ProvisionedThroughput: x.Throughput.describe(),
	}
	if x.Building {
		d.IndexStatus, d.Backfilling = types.IndexStatusCreating, aws.Bool(true)
	}
	return d
}

func (p Throughput) describe() *types.ProvisionedThroughputDescription {
	return &types.ProvisionedThroughputDescription{
		ReadCapacityUnits:      aws.Int64(p.Read),
		WriteCapacityUnits:     aws.Int64(p.Write),
		NumberOfDecreasesToday: aws.Int64(0),
	}
}

func (k Key) schema() []types.KeySchemaElement {
	s := []types.KeySchemaElement{{AttributeName: aws.String(k.Hash.Name), KeyType: types.KeyTypeHash}}
	if k.HasSort() {
		s = append(s, types.KeySchemaElement{AttributeName: aws.String(k.Sort.Name), KeyType: types.KeyTypeRange})
	}
	return s
}

// keyAttributes returns the attributes that are parts of keys, without duplicates, the
// table's own first.
func (t *Table) keyAttributes() []Attribute {
	var all []Attribute
	add := func(k Key) {
		for _, a := range []Attribute{k.Hash, k.Sort} {
			if a.Name != "" && !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	add(t.Key)
	for _, x := range t.Indexes {
		add(x.Key)
	}
	return all
}

func (t *Table) definitions() []types.AttributeDefinition {
	var all []types.AttributeDefinition
	for _, a := range t.keyAttributes() {
		all = append(all, types.AttributeDefinition{AttributeName: aws.String(a.Name), AttributeType: a.Type})
	}
	return all
}
