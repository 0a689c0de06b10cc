package expr

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// bound is an expression with the values of its placeholders in one request. An undefined
// placeholder has the name "" or the value nil until check refuses it.
type bound struct {
	*tree
	kind   kind
	names  []string
	values []types.AttributeValue
	// order has the positions in tree.paths, sorted by path.
	order []int32
}

func (b *bound) invalid(format string, args ...any) error {
	return value.Invalid("Invalid "+b.kind.String()+"Expression: "+format, args...)
}

// name returns the attribute name of a step that is no list element.
func (b *bound) name(s *step) string {
	if s.ref == literal {
		return s.name
	}
	return b.names[s.ref]
}

// compareSteps orders list elements by position, before names.
func (b *bound) compareSteps(x, y *step) int {
	switch {
	case x.ref == element && y.ref == element:
		return int(x.index) - int(y.index)
	case x.ref == element:
		return -1
	case y.ref == element:
		return 1
	default:
		return strings.Compare(b.name(x), b.name(y))
	}
}

// comparePaths orders paths step by step; a path immediately precedes those it contains.
func (b *bound) comparePaths(x, y path) int {
	for i := range min(len(x), len(y)) {
		if order := b.compareSteps(&x[i], &y[i]); order != 0 {
			return order
		}
	}
	return len(x) - len(y)
}

// samePath reports whether both operands are the same path.
func (b *bound) samePath(x, y operand) bool {
	p, ok := x.(path)
	if !ok {
		return false
	}
	q, ok := y.(path)
	return ok && b.comparePaths(p, q) == 0
}

// show formats a path as in error texts: [a, [0], b].
func (b *bound) show(p path) string {
	var s strings.Builder
	s.WriteByte('[')
	for i := range p {
		if i > 0 {
			s.WriteString(", ")
		}
		if p[i].ref == element {
			s.WriteString("[" + strconv.Itoa(int(p[i].index)) + "]")
		} else {
			s.WriteString(b.name(&p[i]))
		}
	}
	s.WriteByte(']')
	return s.String()
}

// group returns the number of paths in order that share the step at depth with the first.
func (b *bound) group(order []int32, depth int) int {
	first := &b.paths[order[0]][depth]
	n := 1
	for n < len(order) && b.compareSteps(first, &b.paths[order[n]][depth]) == 0 {
		n++
	}
	return n
}
