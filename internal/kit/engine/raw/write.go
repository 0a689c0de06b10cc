package raw

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// Write is one action on an item. An update is refused when its item is absent.
type Write struct {
	Action Action
	Table  string
	// Key names the item, except for a put, whose fields do.
	Key Key

	// Exists and Absent are conditions on the item, and so are all of Conditions.
	Exists, Absent bool
	Conditions     []Condition

	// Fields are the whole item of a put, and what an update sets and removes, in the
	// order of their names. The store may rewrite their numbers in canonical notation.
	Fields []Field
	// Shifts are made to numbers by an update, to other attributes than those of Fields,
	// each once.
	Shifts []Shift
}

// Action is what a Write does.
type Action uint8

const (
	Check Action = iota // only looks at the conditions
	Put
	Update
	Delete
)

// Field is an attribute with its value: in Text where the kind has one, in Value for
// Other.
type Field struct {
	Name  string
	Kind  Kind
	Text  string
	Value types.AttributeValue
}

// Kind is how a value is given.
type Kind uint8

const (
	Removed Kind = iota // none: an update removes the attribute
	Text                // an S, in Text
	Number              // an N, in Text
	True
	False
	Other // any type, in Value
)

// Condition is in DynamoDB's notation. The placeholder of each attribute is its name
// with # in front; values are :0, :1, … in the order given.
type Condition struct {
	Text   string
	Values []types.AttributeValue
}

// Shift adds to a number, which is 0 when absent. One that would leave less than 0
// refuses the write as a condition would.
type Shift struct {
	Name string
	By   int64
}
