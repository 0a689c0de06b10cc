package expr

import (
	"strconv"
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// FuzzParse parses any text with all five grammars. Parsing must not panic, and accepted
// texts must print the same after being printed and parsed again.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"a = :v AND NOT (b.c[1] <> #d OR size(e) BETWEEN :x AND :y)",
		"begins_with(a, :v) OR c IN (:x, d, :y) AND attribute_exists(e)",
		"SET a = b + :v, c = list_append(if_not_exists(d, :x), :y) REMOVE e[0].f ADD g :h DELETE i :j",
		"a, #b.c[2], d[0][1].e", "((a))", "a = 'x", "<>=<#:[", "\x80é", "a[99999999999999999999]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > hostile.Size {
			return
		}
		for _, k := range []kind{updateKind, conditionKind, filterKind, keyConditionKind, projectionKind} {
			var parsed *tree
			var err error
			hostile.Check(t, text, func() { parsed, err = parse(k, text) })
			if err != nil {
				continue
			}
			plain := printTree(parsed)
			if len(plain) > maxLength {
				continue
			}
			again, err := parse(k, plain)
			if err != nil {
				t.Fatalf("%q prints as %q, which is refused: %v", text, plain, err)
			}
			if second := printTree(again); second != plain {
				t.Fatalf("%q prints as %q, then as %q", text, plain, second)
			}
		}
	})
}

// TestPrintKeepsMeaning checks the printer used by the fuzz test: operators keep their
// operands.
func TestPrintKeepsMeaning(t *testing.T) {
	for _, c := range []struct {
		kind       kind
		text, want string
	}{
		{conditionKind, "a=b or c=d and not e=f", "(a = b) OR ((c = d) AND (NOT (e = f)))"},
		{conditionKind, "(a=b or c=d) and e=f", "((a = b) OR (c = d)) AND (e = f)"},
		{conditionKind, "a = b and c = d and e = f", "((a = b) AND (c = d)) AND (e = f)"},
		{conditionKind, "not a between b and c and d = e", "(NOT (a BETWEEN b AND c)) AND (d = e)"},
		{conditionKind, "a in(b,:c) or size ( #d ) > e [ 1 ] . f", "(a IN (b, :c)) OR (size(#d) > e[1].f)"},
		{updateKind, "remove a,b set c=(d-:e),f=if_not_exists(g,h) delete i :j", "SET c = d - :e, f = if_not_exists(g, h) REMOVE a, b DELETE i :j"},
		{projectionKind, "a ,b . c[ 0 ]", "a, b.c[0]"},
	} {
		parsed, err := parse(c.kind, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := printTree(parsed); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.text, got, c.want)
		}
	}
}

// printTree prints an expression fully parenthesized, with the sections of an update in a
// fixed order.
func printTree(t *tree) string {
	switch {
	case t.condition != nil:
		return t.printCondition(t.condition)
	case len(t.actions) == 0:
		return printList(t.paths, t.printPath)
	}
	var sections []string
	for _, v := range []verb{set, remove, add, del} {
		var parts []string
		for i, a := range t.actions {
			if a.verb != v {
				continue
			}
			part := t.printPath(t.paths[i])
			switch v {
			case set:
				part += " = " + t.printOperand(a.value)
			case add, del:
				part += " " + t.printOperand(a.value)
			}
			parts = append(parts, part)
		}
		if parts != nil {
			sections = append(sections, [...]string{"SET ", "REMOVE ", "ADD ", "DELETE "}[v]+strings.Join(parts, ", "))
		}
	}
	return strings.Join(sections, " ")
}

func (t *tree) printCondition(c condition) string {
	group := func(c condition) string {
		if call, ok := c.(*call); ok {
			return t.printOperand(call)
		}
		return "(" + t.printCondition(c) + ")"
	}
	switch c := c.(type) {
	case *logical:
		if c.or {
			return group(c.left) + " OR " + group(c.right)
		}
		return group(c.left) + " AND " + group(c.right)
	case *negation:
		return "NOT " + group(c.of)
	case *comparison:
		return t.printOperand(c.left) + " " + c.op.String() + " " + t.printOperand(c.right)
	case *between:
		return t.printOperand(c.operand) + " BETWEEN " + t.printOperand(c.low) + " AND " + t.printOperand(c.high)
	case *membership:
		return t.printOperand(c.operand) + " IN (" + printList(c.list, t.printOperand) + ")"
	default:
		return t.printOperand(c.(*call))
	}
}

func (t *tree) printOperand(o operand) string {
	switch o := o.(type) {
	case path:
		return t.printPath(o)
	case valueRef:
		return t.values[o]
	case *arithmetic:
		if o.minus {
			return t.printOperand(o.left) + " - " + t.printOperand(o.right)
		}
		return t.printOperand(o.left) + " + " + t.printOperand(o.right)
	default:
		c := o.(*call)
		return c.function.name + "(" + printList(c.operands, t.printOperand) + ")"
	}
}

func (t *tree) printPath(p path) string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.ref == element:
			b.WriteString("[" + strconv.Itoa(int(s.index)) + "]")
			continue
		case i > 0:
			b.WriteByte('.')
		}
		if s.ref == literal {
			b.WriteString(s.name)
		} else {
			b.WriteString(t.names[s.ref])
		}
	}
	return b.String()
}

func printList[T any](list []T, print func(T) string) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = print(e)
	}
	return strings.Join(parts, ", ")
}
