package raw

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// Write is one action on an item. An update fails if its item does not exist.
type Write struct {
	Action Action
	Table  string
	// Key identifies the item. It is unused for puts, whose fields contain the key.
	Key Key

	// Exists and Absent are conditions on the item, in addition to Conditions.
	Exists, Absent bool
	Conditions     []Condition

	// Fields are the whole item of a put, or the attributes that an update sets and
	// removes, sorted by name. The store may rewrite their numbers in canonical notation.
	Fields []Field
	// Shifts are additions to distinct numbers by an update, other than the attributes in
	// Fields.
	Shifts []Shift
}

// Action is what a Write does.
type Action uint8

const (
	Check Action = iota // only checks the conditions
	Put
	Update
	Delete
)

// Field is an attribute with its value: in Text if the kind has one, in Value for Other.
type Field struct {
	Name  string
	Kind  Kind
	Text  string
	Value types.AttributeValue
}

// Kind is the form of a value.
type Kind uint8

const (
	Removed Kind = iota // none: an update removes the attribute
	Text                // an S, in Text
	Number              // an N, in Text
	True
	False
	Other // any type, in Value
)

// Condition is a condition in DynamoDB's notation. The placeholder of an attribute is its
// name prefixed by #; values are :0, :1, … in order.
type Condition struct {
	Text   string
	Values []types.AttributeValue
}

// Shift adds to a number, which is 0 if absent. A shift with a negative result fails like a
// condition.
type Shift struct {
	Name string
	By   int64
}
