package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// Limits of one table.
const (
	MaxIndexes = 20
	// MaxIncluded bounds the attributes that all INCLUDE projections of a
	// table name together.
	MaxIncluded = 100
)

const invalid = "One or more parameter values were invalid: "

// CheckName judges the name of a table or an index.
func CheckName(name *string) error {
	if name == nil || len(*name) < 3 || len(*name) > 255 || strings.IndexFunc(*name, foreign) >= 0 {
		return value.Invalid("Invalid table/index name.  Table/index names must be between 3 and 255 characters long, " +
			"and may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'")
	}
	return nil
}

// foreign reports characters that no name may have.
func foreign(c rune) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '.':
		return false
	}
	return true
}

// New returns the table that in asks for, still without relation numbers, UUID
// and time of creation. It refuses what DynamoDB refuses, with the same texts.
func New(in *dynamodb.CreateTableInput) (*Table, error) {
	if err := CheckName(in.TableName); err != nil {
		return nil, err
	}
	if len(in.LocalSecondaryIndexes) > 0 {
		return nil, value.Invalid(invalid + "Local secondary indexes are not supported; declare a global secondary index instead")
	}
	if in.StreamSpecification != nil && aws.ToBool(in.StreamSpecification.StreamEnabled) {
		return nil, value.Invalid(invalid + "Streams are not supported")
	}
	t := &Table{Name: *in.TableName, Billing: in.BillingMode, Class: in.TableClass,
		DeletionProtection: aws.ToBool(in.DeletionProtectionEnabled), Tags: tagMap(in.Tags)}
	if t.Billing == "" {
		t.Billing = types.BillingModeProvisioned
	}
	var err error
	if t.Throughput, err = throughput(t.Billing, in.ProvisionedThroughput, ""); err != nil {
		return nil, err
	}
	types, err := attributeTypes(in.AttributeDefinitions)
	if err != nil {
		return nil, err
	}
	if t.Key, err = newKey(in.KeySchema, types); err != nil {
		return nil, err
	}
	if in.GlobalSecondaryIndexes != nil && len(in.GlobalSecondaryIndexes) == 0 {
		return nil, value.Invalid(invalid + "List of GlobalSecondaryIndexes is empty")
	}
	for _, gsi := range in.GlobalSecondaryIndexes {
		x, err := NewIndex(t, gsi, in.AttributeDefinitions)
		if err != nil {
			return nil, err
		}
		t.Indexes = append(t.Indexes, x)
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	if used := len(t.definitions()); used != len(types) {
		return nil, value.Invalid(invalid + "Number of attributes in KeySchema does not exactly match number of attributes " +
			"defined in AttributeDefinitions")
	}
	return t, nil
}

// NewIndex returns the index that gsi asks for on t. The definitions are those
// of the request; they must cover the index's keys.
func NewIndex(t *Table, gsi types.GlobalSecondaryIndex, definitions []types.AttributeDefinition) (Index, error) {
	if err := CheckName(gsi.IndexName); err != nil {
		return Index{}, err
	}
	x := Index{Name: *gsi.IndexName}
	if _, taken := t.Index(x.Name); taken {
		return Index{}, value.Invalid(invalid+"Duplicate index name: %s", x.Name)
	}
	types, err := attributeTypes(definitions)
	if err != nil {
		return Index{}, err
	}
	if x.Key, err = newKey(gsi.KeySchema, types); err != nil {
		return Index{}, err
	}
	if x.Throughput, err = throughput(t.Billing, gsi.ProvisionedThroughput, x.Name); err != nil {
		return Index{}, err
	}
	if x.Projection, x.Include, err = projection(gsi.Projection); err != nil {
		return Index{}, err
	}
	return x, nil
}

// Check holds the rules that concern all indexes together.
func (t *Table) Check() error {
	if len(t.Indexes) > MaxIndexes {
		return value.Invalid(invalid+"GlobalSecondaryIndex count exceeds the per-table limit of %d", MaxIndexes)
	}
	included := 0
	for _, x := range t.Indexes {
		included += len(x.Include)
	}
	if included > MaxIncluded {
		return value.Invalid("Number of NonKeyAttributes exceeds the limit of %d", MaxIncluded)
	}
	return nil
}

func attributeTypes(definitions []types.AttributeDefinition) (map[string]types.ScalarAttributeType, error) {
	all := make(map[string]types.ScalarAttributeType, len(definitions))
	for _, d := range definitions {
		name := aws.ToString(d.AttributeName)
		if name == "" {
			return nil, value.Invalid(invalid + "AttributeDefinitions must name each attribute")
		}
		if _, twice := all[name]; twice {
			return nil, value.Invalid(invalid+"Cannot define attribute %s twice in AttributeDefinitions", name)
		}
		if !slices.Contains(d.AttributeType.Values(), d.AttributeType) {
			return nil, value.Invalid("1 validation error detected: Value '%s' at 'attributeDefinitions.1.member.attributeType' "+
				"failed to satisfy constraint: Member must satisfy enum value set: [B, N, S]", d.AttributeType)
		}
		all[name] = d.AttributeType
	}
	return all, nil
}

func newKey(schema []types.KeySchemaElement, defined map[string]types.ScalarAttributeType) (Key, error) {
	var k Key
	switch {
	case len(schema) == 0:
		return k, value.Invalid("1 validation error detected: Value '[]' at 'keySchema' failed to satisfy constraint: " +
			"Member must have length greater than or equal to 1")
	case len(schema) > 2:
		return k, value.Invalid("1 validation error detected: Value '%s' at 'keySchema' failed to satisfy constraint: "+
			"Member must have length less than or equal to 2", printSchema(schema))
	case schema[0].KeyType != types.KeyTypeHash:
		return k, value.Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	case len(schema) == 2 && schema[1].KeyType != types.KeyTypeRange:
		return k, value.Invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	case len(schema) == 2 && aws.ToString(schema[0].AttributeName) == aws.ToString(schema[1].AttributeName):
		return k, value.Invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name")
	}
	parts := make([]Attribute, 2)
	for i, e := range schema {
		name := aws.ToString(e.AttributeName)
		kind, ok := defined[name]
		if !ok {
			return k, value.Invalid(invalid+"Some index key attributes are not defined in AttributeDefinitions. "+
				"Keys: [%s], AttributeDefinitions: [%s]", keyNames(schema), definedNames(defined))
		}
		parts[i] = Attribute{Name: name, Type: kind}
	}
	return Key{Hash: parts[0], Sort: parts[1]}, nil
}

func projection(p *types.Projection) (types.ProjectionType, []string, error) {
	if p == nil || p.ProjectionType == "" {
		return "", nil, value.Invalid(invalid + "Unknown ProjectionType: null")
	}
	switch p.ProjectionType {
	case types.ProjectionTypeAll, types.ProjectionTypeKeysOnly:
		if p.NonKeyAttributes != nil {
			return "", nil, value.Invalid(invalid+"ProjectionType is %s, but NonKeyAttributes is specified", p.ProjectionType)
		}
	case types.ProjectionTypeInclude:
		if len(p.NonKeyAttributes) == 0 {
			return "", nil, value.Invalid(invalid + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
		}
	default:
		return "", nil, value.Invalid(invalid+"Unknown ProjectionType: %s", p.ProjectionType)
	}
	return p.ProjectionType, slices.Clone(p.NonKeyAttributes), nil
}

// throughput judges provisioned capacity: an on-demand table has none, any
// other must say how much.
func throughput(billing types.BillingMode, p *types.ProvisionedThroughput, index string) (Throughput, error) {
	if billing == types.BillingModePayPerRequest {
		if p != nil && (aws.ToInt64(p.ReadCapacityUnits) != 0 || aws.ToInt64(p.WriteCapacityUnits) != 0) {
			if index != "" {
				return Throughput{}, value.Invalid(invalid+"ProvisionedThroughput should not be specified for index: %s when BillingMode is PAY_PER_REQUEST", index)
			}
			return Throughput{}, value.Invalid(invalid + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
		}
		return Throughput{}, nil
	}
	if p == nil || p.ReadCapacityUnits == nil || p.WriteCapacityUnits == nil {
		if index != "" {
			return Throughput{}, value.Invalid(invalid+"ProvisionedThroughput must be specified for index: %s", index)
		}
		return Throughput{}, value.Invalid(invalid + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	}
	if *p.ReadCapacityUnits < 1 || *p.WriteCapacityUnits < 1 {
		return Throughput{}, value.Invalid(invalid + "ReadCapacityUnits and WriteCapacityUnits must both be at least 1")
	}
	return Throughput{Read: *p.ReadCapacityUnits, Write: *p.WriteCapacityUnits}, nil
}

func tagMap(tags []types.Tag) map[string]string {
	if len(tags) == 0 {
		return nil
	}
	m := make(map[string]string, len(tags))
	for _, tag := range tags {
		m[aws.ToString(tag.Key)] = aws.ToString(tag.Value)
	}
	return m
}

func keyNames(schema []types.KeySchemaElement) string {
	var names []string
	for _, e := range schema {
		names = append(names, aws.ToString(e.AttributeName))
	}
	return strings.Join(names, ", ")
}

func definedNames(defined map[string]types.ScalarAttributeType) string {
	var names []string
	for name := range defined {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func printSchema(schema []types.KeySchemaElement) string {
	var parts []string
	for _, e := range schema {
		parts = append(parts, fmt.Sprintf("KeySchemaElement(attributeName=%s, keyType=%s)", aws.ToString(e.AttributeName), e.KeyType))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
