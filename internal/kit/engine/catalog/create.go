package catalog

import (
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
	// MaxIncluded is the maximum number of attributes in all INCLUDE projections of a
	// table.
	MaxIncluded = 100
)

const invalid = "One or more parameter values were invalid: "

// New returns the table described by in, without relation numbers, UUID and creation time.
// It performs the same checks as DynamoDB, in the same order and with the same texts.
func New(in *dynamodb.CreateTableInput) (*Table, error) {
	if err := checkMembers(in); err != nil {
		return nil, err
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
	if len(in.KeySchema) > len(in.AttributeDefinitions) {
		return nil, value.Invalid("Invalid KeySchema: Some index key attribute have no definition")
	}
	if t.Key, err = newKey(in.KeySchema, in.AttributeDefinitions); err != nil {
		return nil, err
	}
	if in.GlobalSecondaryIndexes == nil && len(in.KeySchema) != len(in.AttributeDefinitions) {
		return nil, value.Invalid(invalid + "Number of attributes in KeySchema does not exactly match number of attributes " +
			"defined in AttributeDefinitions")
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
	return t, t.checkAllUsed(in.AttributeDefinitions)
}

// checkMembers validates each part of a request separately.
func checkMembers(in *dynamodb.CreateTableInput) error {
	if err := CheckTableName(aws.ToString(in.TableName)); err != nil {
		return err
	}
	for _, gsi := range in.GlobalSecondaryIndexes {
		if err := checkIndexMembers(gsi); err != nil {
			return err
		}
	}
	switch {
	case len(in.LocalSecondaryIndexes) > 0:
		return value.Invalid(invalid + "Local secondary indexes are not supported; declare a global secondary index instead")
	case in.StreamSpecification != nil && aws.ToBool(in.StreamSpecification.StreamEnabled):
		return value.Invalid(invalid + "Streams are not supported")
	case len(in.VectorIndexes) > 0:
		return value.Invalid(invalid + "Vector indexes are not supported")
	case in.GlobalTableSourceArn != nil || in.GlobalTableSettingsReplicationMode != "":
		return value.Invalid(invalid + "Global tables are not supported")
	case in.ResourcePolicy != nil:
		return value.Invalid(invalid + "Resource policies are not supported")
	}
	if err := CheckThroughputSettings(in.WarmThroughput, in.OnDemandThroughput); err != nil {
		return err
	}
	return CheckEncryption(in.SSESpecification)
}

// CheckThroughputSettings refuses limits and warm throughput of on-demand tables.
func CheckThroughputSettings(warm *types.WarmThroughput, onDemand *types.OnDemandThroughput) error {
	if warm != nil || onDemand != nil {
		return value.Invalid(invalid + "Settings of warm and of on-demand throughput are not supported")
	}
	return nil
}

// CheckEncryption refuses customer-managed keys. Disabled encryption is the default of
// tables.
func CheckEncryption(s *types.SSESpecification) error {
	if s != nil && (aws.ToBool(s.Enabled) || s.KMSMasterKeyId != nil || s.SSEType != "") {
		return value.Invalid(invalid + "Encryption settings are not supported")
	}
	return nil
}

func checkIndexMembers(gsi types.GlobalSecondaryIndex) error {
	if hash := types.KeyTypeHash; len(gsi.KeySchema) > 2 || len(gsi.KeySchema) == 2 && gsi.KeySchema[0].KeyType == hash && gsi.KeySchema[1].KeyType == hash {
		return value.Invalid(invalid+"Keys of more than one HASH and one RANGE attribute are not supported: "+
			"make one attribute of several; index: %s", *gsi.IndexName)
	}
	return CheckThroughputSettings(gsi.WarmThroughput, gsi.OnDemandThroughput)
}

// NewIndex returns the index of t described by gsi. The definitions are those of the
// request; they must include the index's keys.
func NewIndex(t *Table, gsi types.GlobalSecondaryIndex, definitions []types.AttributeDefinition) (Index, error) {
	if err := checkIndexMembers(gsi); err != nil {
		return Index{}, err
	}
	x := Index{Name: *gsi.IndexName}
	var err error
	if x.Key, err = newKey(gsi.KeySchema, definitions); err != nil {
		return Index{}, err
	}
	if x.Projection, x.Include, err = projection(gsi.Projection); err != nil {
		return Index{}, err
	}
	if x.Throughput, err = throughput(t.Billing, gsi.ProvisionedThroughput, x.Name); err != nil {
		return Index{}, err
	}
	if _, taken := t.Index(x.Name); taken {
		return Index{}, value.Invalid(invalid+"Duplicate index name: %s", x.Name)
	}
	return x, nil
}

// Check performs the checks that concern all indexes together.
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

// checkAllUsed returns an error for definitions of attributes that are in no key.
func (t *Table) checkAllUsed(definitions []types.AttributeDefinition) error {
	used := t.keyAttributes()
	if len(used) == len(definitions) {
		return nil
	}
	names := make([]string, len(used))
	for i, a := range used {
		names[i] = a.Name
	}
	return value.Invalid(invalid+"Some AttributeDefinitions are not used. AttributeDefinitions: [%s], keys used: [%s]",
		definedNames(definitions), strings.Join(names, ", "))
}

func newKey(schema []types.KeySchemaElement, definitions []types.AttributeDefinition) (Key, error) {
	parts := make([]Attribute, 2)
	for i, e := range schema {
		name := aws.ToString(e.AttributeName)
		at := slices.IndexFunc(definitions, func(d types.AttributeDefinition) bool { return aws.ToString(d.AttributeName) == name })
		if at < 0 {
			return Key{}, value.Invalid(invalid+"Some index key attributes are not defined in AttributeDefinitions. "+
				"Keys: [%s], AttributeDefinitions: [%s]", keyNames(schema), definedNames(definitions))
		}
		parts[i] = Attribute{Name: name, Type: definitions[at].AttributeType}
	}
	switch {
	case parts[0].Name == parts[1].Name:
		return Key{}, value.Invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name")
	case schema[0].KeyType != types.KeyTypeHash:
		return Key{}, value.Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	case len(schema) == 2 && schema[1].KeyType != types.KeyTypeRange:
		return Key{}, value.Invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	}
	return Key{Hash: parts[0], Sort: parts[1]}, nil
}

func projection(p *types.Projection) (types.ProjectionType, []string, error) {
	switch {
	case p.ProjectionType == "":
		return "", nil, value.Invalid(invalid + "Unknown ProjectionType: null")
	case p.ProjectionType != types.ProjectionTypeInclude && p.NonKeyAttributes != nil:
		return "", nil, value.Invalid(invalid+"ProjectionType is %s, but NonKeyAttributes is specified", p.ProjectionType)
	case p.ProjectionType == types.ProjectionTypeInclude && p.NonKeyAttributes == nil:
		return "", nil, value.Invalid(invalid + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	}
	return p.ProjectionType, slices.Clone(p.NonKeyAttributes), nil
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
	names := make([]string, len(schema))
	for i, e := range schema {
		names[i] = aws.ToString(e.AttributeName)
	}
	return strings.Join(names, ", ")
}

func definedNames(definitions []types.AttributeDefinition) string {
	names := make([]string, len(definitions))
	for i, d := range definitions {
		names[i] = aws.ToString(d.AttributeName)
	}
	return strings.Join(names, ", ")
}
