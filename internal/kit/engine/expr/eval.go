package expr

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// Attributes is an item as read by conditions: attributes by name, nil if absent. An item
// that does not exist has none.
type Attributes interface {
	Attribute(name string) types.AttributeValue
}

// Item is the plain form of [Attributes].
type Item map[string]types.AttributeValue

// Attribute returns the named attribute, or nil if it is absent.
func (i Item) Attribute(name string) types.AttributeValue { return i[name] }

// Condition reports whether the item satisfies the condition.
func (p *Program) Condition(item Attributes) bool { return p.condition.holds(item) }

// Filter reports whether the item passes the filter.
func (p *Program) Filter(item Attributes) bool { return p.filter.holds(item) }

func (b *bound) holds(item Attributes) bool {
	if b.tree == nil {
		return true
	}
	if b.tree.operators > fewOperators {
		item = &remembering{item, map[string]types.AttributeValue{}}
	}
	return b.test(b.condition, item)
}

// fewOperators is the number of operators up to which a condition looks up attributes for
// each. A large attribute is slow to decode, and a condition may refer to it 300 times.
const fewOperators = 16

// remembering is an item that caches its attributes.
type remembering struct {
	Attributes
	known map[string]types.AttributeValue
}

func (r *remembering) Attribute(name string) types.AttributeValue {
	v, known := r.known[name]
	if !known {
		v = r.Attributes.Attribute(name)
		r.known[name] = v
	}
	return v
}

func (b *bound) test(c condition, item Attributes) bool {
	switch c := c.(type) {
	case *logical:
		if b.test(c.left, item) == c.or {
			return c.or
		}
		return b.test(c.right, item)
	case *negation:
		return !b.test(c.of, item)
	case *comparison:
		return b.eval(c.left, item).compare(c.op, b.eval(c.right, item))
	case *between:
		v := b.eval(c.operand, item)
		return v.compare(GreaterOrEqual, b.eval(c.low, item)) && v.compare(LessOrEqual, b.eval(c.high, item))
	case *membership:
		v := b.eval(c.operand, item)
		for _, o := range c.list {
			if v.compare(Equal, b.eval(o, item)) {
				return true
			}
		}
		return false
	case *call:
		return b.testCall(c, item)
	}
	return false
}

func (b *bound) testCall(c *call, item Attributes) bool {
	first := b.eval(c.operands[0], item).attribute()
	switch c.function.id {
	case attributeExists:
		return first != nil
	case attributeNotExists:
		return first == nil
	}
	second := b.eval(c.operands[1], item).attribute()
	if first == nil || second == nil {
		return false
	}
	switch c.function.id {
	case attributeType:
		wanted, ok := second.(*types.AttributeValueMemberS)
		return ok && value.TypeOf(first) == wanted.Value
	case beginsWith:
		return startsWith(first, second)
	case contains:
		return holdsValue(first, second)
	}
	return false
}

func startsWith(v, prefix types.AttributeValue) bool {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		prefix, ok := prefix.(*types.AttributeValueMemberS)
		return ok && strings.HasPrefix(v.Value, prefix.Value)
	case *types.AttributeValueMemberB:
		prefix, ok := prefix.(*types.AttributeValueMemberB)
		return ok && bytes.HasPrefix(v.Value, prefix.Value)
	}
	return false
}

// holdsValue is DynamoDB's contains: substring of a string or binary, element of a set or
// list.
func holdsValue(v, part types.AttributeValue) bool {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		part, ok := part.(*types.AttributeValueMemberS)
		return ok && strings.Contains(v.Value, part.Value)
	case *types.AttributeValueMemberB:
		part, ok := part.(*types.AttributeValueMemberB)
		return ok && bytes.Contains(v.Value, part.Value)
	case *types.AttributeValueMemberL:
		for _, e := range v.Value {
			if value.Equal(e, part) {
				return true
			}
		}
		return false
	default:
		return value.Has(v, part)
	}
}

// outcome is the value of an operand: an attribute value, nil if absent, or the result of
// size, stored separately to avoid allocation.
type outcome struct {
	value  types.AttributeValue
	size   int
	isSize bool
}

// attribute returns the outcome as an attribute value.
func (o outcome) attribute() types.AttributeValue {
	if o.isSize {
		return &types.AttributeValueMemberN{Value: strconv.Itoa(o.size)}
	}
	return o.value
}

// compare reports whether the relation op holds between o and other. For absent values and
// different types, only inequality holds.
func (o outcome) compare(op Op, other outcome) bool {
	if op == Equal || op == NotEqual {
		return o.equals(other) == (op == Equal)
	}
	order, ok := o.order(other)
	if !ok {
		return false
	}
	switch op {
	case Less:
		return order < 0
	case LessOrEqual:
		return order <= 0
	case Greater:
		return order > 0
	default:
		return order >= 0
	}
}

func (o outcome) equals(other outcome) bool {
	if o.isSize || other.isSize {
		order, ok := o.order(other)
		return ok && order == 0
	}
	return o.value != nil && other.value != nil && value.Equal(o.value, other.value)
}

func (o outcome) order(other outcome) (int, bool) {
	if !o.isSize && !other.isSize {
		return value.Compare(o.value, other.value)
	}
	a, ok := o.number()
	if !ok {
		return 0, false
	}
	b, ok := other.number()
	return a.Cmp(b), ok
}

func (o outcome) number() (value.Number, bool) {
	if o.isSize {
		return value.Int(int64(o.size)), true
	}
	n, ok := o.value.(*types.AttributeValueMemberN)
	if !ok {
		return value.Number{}, false
	}
	parsed, err := value.ParseNumber(n.Value)
	return parsed, err == nil
}

// eval returns the value of an operand of a condition.
func (b *bound) eval(o operand, item Attributes) outcome {
	switch o := o.(type) {
	case path:
		return outcome{value: b.follow(o, item)}
	case valueRef:
		return outcome{value: b.values[o]}
	case *call:
		if n, ok := sizeOf(b.eval(o.operands[0], item).value); ok {
			return outcome{size: n, isSize: true}
		}
	}
	return outcome{}
}

// sizeOf is DynamoDB's size; ok is false for values without one. Strings are measured in
// UTF-16 units.
func sizeOf(v types.AttributeValue) (n int, ok bool) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return utf16Length(v.Value), true
	case *types.AttributeValueMemberB:
		return len(v.Value), true
	case *types.AttributeValueMemberL:
		return len(v.Value), true
	case *types.AttributeValueMemberM:
		return len(v.Value), true
	case *types.AttributeValueMemberSS:
		return len(v.Value), true
	case *types.AttributeValueMemberNS:
		return len(v.Value), true
	case *types.AttributeValueMemberBS:
		return len(v.Value), true
	default:
		return 0, false
	}
}

func utf16Length(s string) int {
	n := utf8.RuneCountInString(s)
	for i := range len(s) {
		if s[i] >= 0xF0 { // first byte of a character beyond the BMP
			n++
		}
	}
	return n
}

// follow returns the value at a path in an item, nil if there is none.
func (b *bound) follow(p path, item Attributes) types.AttributeValue {
	v := item.Attribute(b.name(&p[0]))
	for i := 1; i < len(p) && v != nil; i++ {
		v = b.child(v, &p[i])
	}
	return v
}

func (b *bound) child(v types.AttributeValue, s *step) types.AttributeValue {
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		if s.ref != element {
			return v.Value[b.name(s)]
		}
	case *types.AttributeValueMemberL:
		if s.ref == element && int(s.index) < len(v.Value) {
			return v.Value[s.index]
		}
	}
	return nil
}
