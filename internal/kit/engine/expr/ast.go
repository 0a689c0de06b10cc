package expr

import "sync/atomic"

// kind is the parameter that contains an expression; it is named in error texts.
type kind uint8

const (
	updateKind kind = iota
	conditionKind
	filterKind
	keyConditionKind
	projectionKind
)

func (k kind) String() string {
	return [...]string{"Update", "Condition", "Filter", "KeyCondition", "Projection"}[k]
}

// tree is a parsed expression. It is independent of requests, so it is cached by its text
// and shared; placeholders are positions in names and values.
type tree struct {
	names  []string // "#n", distinct, by first occurrence
	values []string // ":v", distinct, by first occurrence

	condition condition // conditions, filters and key conditions
	paths     []path    // projections: what to return; updates: the target of each action
	actions   []action  // updates
	operators int

	// alone is the compiled program of a condition without placeholders.
	alone atomic.Pointer[Program]
}

// path is the path to an attribute or into a document: a.#b[2].
type path []step

// step is one part of a path: an attribute name, a placeholder for one, or a
// position in a list.
type step struct {
	name  string
	ref   int32 // position in tree.names, or literal or element
	index int32 // of a list element
}

const (
	literal int32 = -1 - iota
	element
)

// operand has a value: a path, a valueRef, a *call or a *arithmetic.
type operand interface{ isOperand() }

// valueRef is a position in tree.values.
type valueRef int

// call is a function with its operands. The function determines whether it is a condition
// or a value.
type call struct {
	function *function
	operands []operand
}

type arithmetic struct {
	minus       bool
	left, right operand
}

func (path) isOperand()        {}
func (valueRef) isOperand()    {}
func (*call) isOperand()       {}
func (*arithmetic) isOperand() {}

// condition is true or false: a *logical, *negation, *comparison, *between, *membership or
// *call.
type condition interface{ isCondition() }

type logical struct {
	or          bool
	left, right condition
}

type negation struct{ of condition }

type comparison struct {
	op          Op
	left, right operand
}

type between struct{ operand, low, high operand }

type membership struct {
	operand operand
	list    []operand
}

func (*logical) isCondition()    {}
func (*negation) isCondition()   {}
func (*comparison) isCondition() {}
func (*between) isCondition()    {}
func (*membership) isCondition() {}
func (*call) isCondition()       {}

// action is one change of an update; its target is the path with the same position in
// tree.paths.
type action struct {
	verb  verb
	value operand // nil for remove
}

type verb uint8

const (
	set verb = iota
	remove
	add
	del
)

// Op is a comparison.
type Op uint8

// Any is no comparison: every value satisfies it.
const (
	Any Op = iota
	Equal
	NotEqual
	Less
	LessOrEqual
	Greater
	GreaterOrEqual
	Between
	BeginsWith
)

func (o Op) String() string {
	return [...]string{"", "=", "<>", "<", "<=", ">", ">=", "BETWEEN", "begins_with"}[o]
}

// mirrored returns the operator for swapped operands.
func (o Op) mirrored() Op {
	switch o {
	case Less:
		return Greater
	case LessOrEqual:
		return GreaterOrEqual
	case Greater:
		return Less
	case GreaterOrEqual:
		return LessOrEqual
	default:
		return o
	}
}

// function describes one of DynamoDB's functions.
type function struct {
	name      string
	operands  int
	forUpdate bool // an update's function, otherwise a condition's
	isValue   bool // returns a value, otherwise true or false
	id        functionID
}

type functionID uint8

const (
	attributeExists functionID = iota
	attributeNotExists
	attributeType
	beginsWith
	contains
	size
	ifNotExists
	listAppend
)

// functions by name; names are case-sensitive.
var functions = map[string]*function{
	"attribute_exists":     {name: "attribute_exists", operands: 1, id: attributeExists},
	"attribute_not_exists": {name: "attribute_not_exists", operands: 1, id: attributeNotExists},
	"attribute_type":       {name: "attribute_type", operands: 2, id: attributeType},
	"begins_with":          {name: "begins_with", operands: 2, id: beginsWith},
	"contains":             {name: "contains", operands: 2, id: contains},
	"size":                 {name: "size", operands: 1, isValue: true, id: size},
	"if_not_exists":        {name: "if_not_exists", operands: 2, forUpdate: true, isValue: true, id: ifNotExists},
	"list_append":          {name: "list_append", operands: 2, forUpdate: true, isValue: true, id: listAppend},
}
