package expr

import (
	"encoding/base64"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// maxListOperands is the maximum number of operands of IN.
const maxListOperands = 100

// check returns an error for undefined placeholders and operands that cannot be valid. A
// condition is checked from left to right and from the inside out; the paths of a
// projection or an update, and then the actions of the update, are checked from the last to
// the first.
func (b *bound) check() error {
	if b.tree == nil {
		return nil
	}
	if err := b.checkPaths(); err != nil {
		return err
	}
	for i := len(b.actions) - 1; i >= 0; i-- {
		if err := b.checkAction(&b.actions[i]); err != nil {
			return err
		}
	}
	if b.condition != nil {
		return b.checkCondition(b.condition)
	}
	return nil
}

// checkPaths returns an error for overlapping paths of a projection or an update, and for
// paths of which one treats as a list what the other treats as a map.
func (b *bound) checkPaths() error {
	for _, p := range b.paths {
		if b.checkOperand(p) != nil {
			return b.lastPathFault()
		}
	}
	slices.SortFunc(b.order, func(i, j int32) int { return b.comparePaths(b.paths[i], b.paths[j]) })
	// In sorted order, conflicts are between neighbours.
	for i := 1; i < len(b.order); i++ {
		if b.clash(b.paths[b.order[i-1]], b.paths[b.order[i]]) != "" {
			return b.lastPathFault()
		}
	}
	return nil
}

func (b *bound) clash(x, y path) string {
	for i := range min(len(x), len(y)) {
		if (x[i].ref == element) != (y[i].ref == element) {
			return "conflict"
		}
		if b.compareSteps(&x[i], &y[i]) != 0 {
			return ""
		}
	}
	return "overlap"
}

// lastPathFault returns the error found by checking each path separately and against those
// that follow it, starting from the last.
func (b *bound) lastPathFault() error {
	for i := len(b.paths) - 1; i >= 0; i-- {
		if err := b.checkOperand(b.paths[i]); err != nil {
			return err
		}
		for _, later := range b.paths[i+1:] {
			if how := b.clash(b.paths[i], later); how != "" {
				return b.invalid("Two document paths %s with each other; must remove or rewrite one of these paths; path one: %s, path two: %s",
					how, b.show(b.paths[i]), b.show(later))
			}
		}
	}
	return nil
}

func (b *bound) checkAction(a *action) error {
	if a.value == nil {
		return nil
	}
	if err := b.checkOperand(a.value); err != nil || a.verb == set {
		return err
	}
	t := value.TypeOf(b.values[a.value.(valueRef)])
	section, fits := "ADD", t == "N" || t == "SS" || t == "NS" || t == "BS"
	if a.verb == del {
		section, fits = "DELETE", fits && t != "N"
	}
	if !fits {
		return b.invalid("Incorrect operand type for operator or function; operator: %s, operand type: %s, typeSet: ALLOWED_FOR_%s_OPERAND",
			section, longTypeNames[t], section)
	}
	return nil
}

// longTypeNames are used only in these texts.
var longTypeNames = map[string]string{
	"S": "STRING", "N": "NUMBER", "B": "BINARY", "BOOL": "BOOLEAN", "NULL": "NULL",
	"M": "MAP", "L": "LIST", "SS": "STRING_SET", "NS": "NUMBER_SET", "BS": "BINARY_SET",
}

func (b *bound) checkCondition(c condition) error {
	switch c := c.(type) {
	case *logical:
		if err := b.checkCondition(c.left); err != nil {
			return err
		}
		return b.checkCondition(c.right)
	case *negation:
		return b.checkCondition(c.of)
	case *comparison:
		return b.checkComparison(c)
	case *between:
		return b.checkBetween(c)
	case *membership:
		return b.checkMembership(c)
	case *call:
		return b.checkCall(c)
	}
	return nil
}

func (b *bound) checkComparison(c *comparison) error {
	if err := b.checkOperands(c.left, c.right); err != nil {
		return err
	}
	if err := b.checkDistinct(c.op.String(), c.left, c.right); err != nil {
		return err
	}
	if c.op == Equal || c.op == NotEqual {
		return nil
	}
	return b.checkOrdered(c.op.String(), c.left, c.right)
}

func (b *bound) checkBetween(c *between) error {
	if err := b.checkOperands(c.operand, c.low, c.high); err != nil {
		return err
	}
	if err := b.checkDistinct("BETWEEN", c.operand, c.low, c.high); err != nil {
		return err
	}
	if err := b.checkOrdered("BETWEEN", c.operand, c.low, c.high); err != nil {
		return err
	}
	low, high := b.given(c.low), b.given(c.high)
	if low == nil || high == nil {
		return nil
	}
	order, ok := value.Compare(low, high)
	switch {
	case !ok:
		return b.invalid(
			"The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: %s, upper bound operand: AttributeValue: %s",
			showBound(low),
			showBound(high),
		)
	case order > 0:
		return b.invalid(
			"The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: %s, "+
				"upper bound operand: AttributeValue: %s",
			showBound(low),
			showBound(high),
		)
	}
	return nil
}

// showBound formats a string, number or binary.
func showBound(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return "{S:" + v.Value + "}"
	case *types.AttributeValueMemberN:
		return "{N:" + v.Value + "}"
	case *types.AttributeValueMemberB:
		return "{B:" + base64.StdEncoding.EncodeToString(v.Value) + "}"
	}
	return ""
}

func (b *bound) checkMembership(c *membership) error {
	if err := b.checkOperand(c.operand); err != nil {
		return err
	}
	if err := b.checkOperands(c.list...); err != nil {
		return err
	}
	if err := b.checkDistinct("IN", c.operand, c.list...); err != nil {
		return err
	}
	if len(c.list) > maxListOperands {
		return b.invalid("The IN operator is provided with too many operands; number of operands: %d", len(c.list))
	}
	return nil
}

// checkOrdered returns an error for given values of types without an order.
func (b *bound) checkOrdered(operator string, operands ...operand) error {
	for _, o := range operands {
		switch t := value.TypeOf(b.given(o)); t {
		case "", "S", "N", "B":
		default:
			return b.wrongType(operator, t)
		}
	}
	return nil
}

func (b *bound) wrongType(operator, operandType string) error {
	return b.invalid("Incorrect operand type for operator or function; operator or function: %s, operand type: %s", operator, operandType)
}

// given returns the value of an operand that the request contains, nil if it depends on the
// item.
func (b *bound) given(o operand) types.AttributeValue {
	if ref, ok := o.(valueRef); ok {
		return b.values[ref]
	}
	return nil
}

// checkDistinct returns an error for a comparison of a path with itself.
func (b *bound) checkDistinct(operator string, first operand, others ...operand) error {
	for _, o := range others {
		if b.samePath(first, o) {
			return b.invalid("The first operand must be distinct from the remaining operands for this operator or function; operator: %s, first operand: %s",
				operator, b.show(first.(path)))
		}
	}
	return nil
}

func (b *bound) checkOperands(operands ...operand) error {
	for _, o := range operands {
		if err := b.checkOperand(o); err != nil {
			return err
		}
	}
	return nil
}

func (b *bound) checkOperand(o operand) error {
	switch o := o.(type) {
	case path:
		if len(o) > value.MaxDepth {
			return b.invalid("The document path has too many nesting levels; nesting levels: %d", len(o))
		}
		for i := range o {
			if ref := o[i].ref; ref >= 0 && b.names[ref] == "" {
				return b.invalid("An expression attribute name used in the document path is not defined; attribute name: %s", b.tree.names[ref])
			}
		}
	case valueRef:
		if b.values[o] == nil {
			return b.invalid("An expression attribute value used in expression is not defined; attribute value: %s", b.tree.values[o])
		}
	case *call:
		return b.checkCall(o)
	case *arithmetic:
		return b.checkArithmetic(o)
	}
	return nil
}

func (b *bound) checkArithmetic(a *arithmetic) error {
	if err := b.checkOperands(a.left, a.right); err != nil {
		return err
	}
	operator := "+"
	if a.minus {
		operator = "-"
	}
	for _, o := range [...]operand{a.left, a.right} {
		if t := value.TypeOf(b.given(o)); t != "" && t != "N" {
			return b.wrongType(operator, t)
		}
	}
	return nil
}

func (b *bound) checkCall(c *call) error {
	if err := b.checkOperands(c.operands...); err != nil {
		return err
	}
	f := c.function
	if len(c.operands) != f.operands {
		return b.invalid("Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d",
			f.name, len(c.operands))
	}
	switch f.id {
	case attributeExists, attributeNotExists, ifNotExists:
		if _, ok := c.operands[0].(path); !ok {
			return b.invalid("Operator or function requires a document path; operator or function: %s", f.name)
		}
	}
	switch f.id {
	case attributeType, contains, beginsWith, ifNotExists:
		if err := b.checkDistinct(f.name, c.operands[0], c.operands[1]); err != nil {
			return err
		}
	}
	switch f.id {
	case attributeType:
		return b.checkTypeName(c.operands[1])
	case beginsWith:
		return b.checkCallTypes(c, "S", "B")
	case size:
		return b.checkCallTypes(c, "S", "B", "SS", "NS", "BS", "L", "M")
	case listAppend:
		return b.checkCallTypes(c, "L")
	}
	return nil
}

// checkCallTypes returns an error for operands that cannot have any of the types.
func (b *bound) checkCallTypes(c *call, allowed ...string) error {
	for _, o := range c.operands {
		t := value.TypeOf(b.given(o))
		if inner, ok := o.(*call); ok && inner.function.id == size {
			t = "N"
		}
		if t != "" && !slices.Contains(allowed, t) {
			return b.wrongType(c.function.name, t)
		}
	}
	return nil
}

func (b *bound) checkTypeName(o operand) error {
	switch v := b.given(o).(type) {
	case nil:
		return b.wrongType("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
	case *types.AttributeValueMemberS:
		if _, ok := longTypeNames[v.Value]; !ok {
			return b.invalid("Invalid attribute type name found; type: %s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}", v.Value)
		}
		return nil
	default:
		return b.wrongType("attribute_type", value.TypeOf(v))
	}
}
