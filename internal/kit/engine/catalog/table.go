package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/keycodec"
)

// Attribute is a key attribute and its type: S, N or B.
type Attribute struct {
	Name string
	Type types.ScalarAttributeType
}

// Key is a key schema. Sort.Name is empty when there is no sort key.
type Key struct {
	Hash Attribute
	Sort Attribute
}

// HasSort reports whether the key has a sort part.
func (k Key) HasSort() bool { return k.Sort.Name != "" }

// Names returns the one or two attribute names of the key.
func (k Key) Names() []string {
	if k.HasSort() {
		return []string{k.Hash.Name, k.Sort.Name}
	}
	return []string{k.Hash.Name}
}

// Table is the description of one table.
type Table struct {
	ID        keycodec.Relation
	Name      string
	UUID      string
	Key       Key
	Indexes   []Index
	CreatedAt time.Time

	// The settings below are stored and shown but have no effect: throughput is not limited
	// and there is one storage class.
	Billing    types.BillingMode
	Throughput Throughput
	Class      types.TableClass

	DeletionProtection bool
	// ExpiryAttribute is the time to live attribute, empty if it is disabled.
	ExpiryAttribute string
	Tags            map[string]string
}

// Throughput is provisioned capacity, zero for on-demand tables.
type Throughput struct{ Read, Write int64 }

// Index is a global secondary index of a table.
type Index struct {
	ID         keycodec.Relation
	Name       string
	Key        Key
	Projection types.ProjectionType
	// Include lists the attributes projected in addition to the keys, for INCLUDE only.
	Include    []string
	Throughput Throughput
	// Building is set while entries are being added for items that existed before the
	// index. Such an index is maintained but cannot be read.
	Building bool
}

// Index returns the index called name.
func (t *Table) Index(name string) (Index, bool) {
	i := slices.IndexFunc(t.Indexes, func(x Index) bool { return x.Name == name })
	if i < 0 {
		return Index{}, false
	}
	return t.Indexes[i], true
}

// WithIndex returns the table with x added, replacing the index with the same name.
func (t *Table) WithIndex(x Index) *Table {
	changed := *t.WithoutIndex(x.Name)
	changed.Indexes = append(changed.Indexes, x)
	return &changed
}

// WithoutIndex returns the table without the index called name.
func (t *Table) WithoutIndex(name string) *Table {
	changed := *t
	changed.Indexes = slices.DeleteFunc(slices.Clone(t.Indexes), func(x Index) bool { return x.Name == name })
	return &changed
}

// ARN returns the table's Amazon resource name, with a constant region and account.
func (t *Table) ARN() string {
	return "arn:aws:dynamodb:" + Region + ":" + Account + ":table/" + t.Name
}

// Region and Account are parts of resource names.
const (
	Region  = "ddblocal"
	Account = "000000000000"
)

// Encode returns the stored form of t.
func (t *Table) Encode() ([]byte, error) { return json.Marshal(t) }

// Decode decodes the output of Encode.
func Decode(data []byte) (*Table, error) {
	var t Table
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, fmt.Errorf("catalog: table description is damaged: %w", err)
	}
	return &t, nil
}
