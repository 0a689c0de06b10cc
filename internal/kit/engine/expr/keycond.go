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

// KeyRange is the part of a table or an index that a query reads: one hash key and
// the sort keys in relation Op to Low, or for Between from Low to High inclusive.
// With Any all sort keys belong to it.
type KeyRange struct {
	Hash      types.AttributeValue
	Op        Op
	Low, High types.AttributeValue
}

// keyCondition is one comparison of a key attribute with given values.
type keyCondition struct {
	name      string
	op        Op
	low, high types.AttributeValue
}

// keyConditions holds one comparison for each key attribute.
type keyConditions struct {
	list  [2]keyCondition
	count int
}

// KeyRange applies the key condition to the key of the table or index that is
// queried. Errors are [value.ValidationError]s.
func (p *Program) KeyRange(s Schema) (KeyRange, error) {
	if p.keyCondition.tree == nil {
		return KeyRange{}, value.Invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	if p.keys.count == 2 && s.Sort.Name == "" {
		return KeyRange{}, value.Invalid("Query key condition not supported")
	}
	hash := p.keys.of(s.Hash.Name)
	if hash == nil {
		return KeyRange{}, value.Invalid("Query condition missed key schema element: %s", s.Hash.Name)
	}
	if err := hash.checkType(s.Hash); err != nil {
		return KeyRange{}, err
	}
	r := KeyRange{Hash: hash.low}
	if p.keys.count == 2 {
		sort := p.keys.of(s.Sort.Name)
		if sort == nil {
			return KeyRange{}, value.Invalid("Query condition missed key schema element: %s", s.Sort.Name)
		}
		if err := sort.checkType(s.Sort); err != nil {
			return KeyRange{}, err
		}
		r.Op, r.Low, r.High = sort.op, sort.low, sort.high
	}
	if hash.op != Equal {
		return KeyRange{}, value.Invalid("Query key condition not supported")
	}
	return r, nil
}

// CheckFilter refuses a filter of a query that uses a key attribute of the table or
// index that is queried.
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

func (k *keyConditions) of(name string) *keyCondition {
	for i := range k.count {
		if k.list[i].name == name {
			return &k.list[i]
		}
	}
	return nil
}

func (k *keyConditions) add(c keyCondition) error {
	if k.of(c.name) != nil {
		return value.Invalid("KeyConditionExpressions must only contain one condition per key")
	}
	if k.count == len(k.list) {
		return value.Invalid("Conditions can be of length 1 or 2 only")
	}
	k.list[k.count] = c
	k.count++
	return nil
}

// checkType refuses values of another type than the key's, and empty ones, which no
// key can have.
func (c *keyCondition) checkType(k Key) error {
	for _, v := range [...]types.AttributeValue{c.low, c.high} {
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
			return value.Invalid("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", empty, k.Name)
		}
	}
	return nil
}

// keyConditions takes a key condition apart. It may only be a comparison of a key
// attribute or two of them joined by AND.
func (b *bound) keyConditions() (keyConditions, error) {
	var k keyConditions
	err := b.collectKeys(b.condition, &k)
	return k, err
}

func (b *bound) collectKeys(c condition, k *keyConditions) error {
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

func (b *bound) collectComparison(c *comparison, k *keyConditions) error {
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

// collectKey adds a comparison of operands[0], which has to be an attribute, with
// the others, which have to be given values.
func (b *bound) collectKey(k *keyConditions, name string, op Op, operands ...operand) error {
	if err := flat(operands...); err != nil {
		return err
	}
	key, ok := operands[0].(path)
	if !ok {
		return value.Invalid("Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand", name)
	}
	c := keyCondition{op: op}
	for i, o := range operands[1:] {
		ref, ok := o.(valueRef)
		if !ok {
			return value.Invalid("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
		}
		if i == 0 {
			c.low = b.values[ref]
		} else {
			c.high = b.values[ref]
		}
	}
	if len(key) > 1 {
		return value.Invalid("KeyConditionExpressions cannot have conditions on nested attributes")
	}
	c.name = b.name(&key[0])
	return k.add(c)
}

func notForKeys(operator string) error {
	return value.Invalid("Invalid operator used in KeyConditionExpression: %s", operator)
}

// flat refuses functions as operands.
func flat(operands ...operand) error {
	for _, o := range operands {
		if _, ok := o.(*call); ok {
			return value.Invalid("KeyConditionExpressions cannot contain nested operations")
		}
	}
	return nil
}
