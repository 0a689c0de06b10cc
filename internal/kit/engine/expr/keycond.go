package expr

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// Key is a key attribute of a table or an index.
type Key struct {
	Name string
	Type types.ScalarAttributeType
}

// Schema is the key of a table or an index; without a sort key, Sort is zero.
type Schema struct{ Hash, Sort Key }

// SortRange is a range of sort keys in one partition: those in relation Op to Low, or for
// Between from Low to High inclusive. With Any it is all of them.
type SortRange struct {
	Op        Op
	Low, High types.AttributeValue
}

// KeyCondition is one comparison of a key attribute with given values.
type KeyCondition struct {
	Name string
	SortRange
}

// KeyConditions holds one comparison for each key attribute of a query.
type KeyConditions struct {
	list  [2]KeyCondition
	count int
}

// KeyConditions returns the parts of the key condition.
func (p *Program) KeyConditions() KeyConditions { return p.keys }

// Hash applies the conditions to the hash key of the queried table or index, and returns
// the required value. Errors are [value.ValidationError]s.
func (k *KeyConditions) Hash(s Schema) (types.AttributeValue, error) {
	hash := k.of(s.Hash.Name)
	switch {
	case k.count == 0:
		return nil, value.Invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	case k.count > 1 && s.Sort.Name == "":
		return nil, value.Invalid("Query key condition not supported")
	case hash == nil:
		return nil, value.Invalid("Query condition missed key schema element: %s", s.Hash.Name)
	}
	if err := hash.checkType(s.Hash); err != nil {
		return nil, err
	}
	if hash.Op != Equal {
		return nil, value.Invalid("Query key condition not supported")
	}
	return hash.Low, nil
}

// Sort applies the remaining conditions to the sort key. Hash must have been called.
func (k *KeyConditions) Sort(s Schema) (SortRange, error) {
	if k.count < 2 {
		return SortRange{Op: Any}, nil
	}
	sort := k.of(s.Sort.Name)
	if sort == nil {
		return SortRange{}, value.Invalid("Query condition missed key schema element: %s", s.Sort.Name)
	}
	return sort.SortRange, sort.checkType(s.Sort)
}

// CheckFilter returns an error if the filter of a query uses a key attribute of the queried
// table or index.
func (p *Program) CheckFilter(s Schema) error {
	b := &p.filter
	if b.tree == nil {
		return nil
	}
	for _, key := range [...]string{s.Hash.Name, s.Sort.Name} {
		if key != "" && b.reaches(func(at path) bool { return b.name(&at[0]) == key }) {
			return value.Invalid("Filter Expression can only contain non-primary key attributes: Primary key attribute: %s", key)
		}
	}
	return nil
}

func (k *KeyConditions) of(name string) *KeyCondition {
	for i := range k.count {
		if k.list[i].Name == name {
			return &k.list[i]
		}
	}
	return nil
}

// Add adds a condition: at most one for each of two attributes.
func (k *KeyConditions) Add(c KeyCondition) error {
	if k.of(c.Name) != nil {
		return value.Invalid("KeyConditionExpressions must only contain one condition per key")
	}
	if k.count == len(k.list) {
		return value.Invalid("Conditions can be of length 1 or 2 only")
	}
	k.list[k.count] = c
	k.count++
	return nil
}

// checkType returns an error for values with a type other than the key's, and for empty
// ones, which keys cannot have.
func (c *KeyCondition) checkType(k Key) error {
	for _, v := range [...]types.AttributeValue{c.Low, c.High} {
		if v == nil {
			continue
		}
		if value.TypeOf(v) != string(k.Type) {
			return value.Invalid("One or more parameter values were invalid: Condition parameter type does not match schema type")
		}
		empty := ""
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			if v.Value == "" {
				empty = "string"
			}
		case *types.AttributeValueMemberB:
			if len(v.Value) == 0 {
				empty = "binary"
			}
		}
		if empty != "" {
			return value.Invalid(
				"One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s",
				empty,
				k.Name,
			)
		}
	}
	return nil
}

// keyConditions decomposes a key condition, which must be a comparison of a key attribute
// or two of them joined by AND.
func (b *bound) keyConditions() (KeyConditions, error) {
	var k KeyConditions
	err := b.collectKeys(b.condition, &k)
	return k, err
}

func (b *bound) collectKeys(c condition, k *KeyConditions) error {
	switch c := c.(type) {
	case *logical:
		if c.or {
			return notForKeys("OR")
		}
		if err := b.collectKeys(c.left, k); err != nil {
			return err
		}
		return b.collectKeys(c.right, k)
	case *negation:
		return notForKeys("NOT")
	case *membership:
		return notForKeys("IN")
	case *comparison:
		return b.collectComparison(c, k)
	case *between:
		return b.collectKey(k, "BETWEEN", Between, c.operand, c.low, c.high)
	case *call:
		if c.function.id != beginsWith {
			return notForKeys(c.function.name)
		}
		return b.collectKey(k, "begins_with", BeginsWith, c.operands...)
	}
	return nil
}

func (b *bound) collectComparison(c *comparison, k *KeyConditions) error {
	if c.op == NotEqual {
		return notForKeys("<>")
	}
	if _, isPath := c.left.(path); isPath {
		return b.collectKey(k, "", c.op, c.left, c.right)
	}
	if _, isPath := c.right.(path); isPath {
		return b.collectKey(k, "", c.op.mirrored(), c.right, c.left)
	}
	if err := flat(c.left, c.right); err != nil {
		return err
	}
	return value.Invalid("Invalid condition in KeyConditionExpression: No key attribute specified")
}

// collectKey adds a comparison of operands[0], which must be an attribute, with the others,
// which must be given values.
func (b *bound) collectKey(k *KeyConditions, name string, op Op, operands ...operand) error {
	if err := flat(operands...); err != nil {
		return err
	}
	key, ok := operands[0].(path)
	if !ok {
		return value.Invalid("Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand", name)
	}
	c := KeyCondition{SortRange: SortRange{Op: op}}
	for i, o := range operands[1:] {
		ref, ok := o.(valueRef)
		if !ok {
			return value.Invalid("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
		}
		if i == 0 {
			c.Low = b.values[ref]
		} else {
			c.High = b.values[ref]
		}
	}
	if len(key) > 1 {
		return value.Invalid("KeyConditionExpressions cannot have conditions on nested attributes")
	}
	c.Name = b.name(&key[0])
	return k.Add(c)
}

func notForKeys(operator string) error {
	return value.Invalid("Invalid operator used in KeyConditionExpression: %s", operator)
}

// flat returns an error for functions as operands.
func flat(operands ...operand) error {
	for _, o := range operands {
		if _, ok := o.(*call); ok {
			return value.Invalid("KeyConditionExpressions cannot contain nested operations")
		}
	}
	return nil
}
