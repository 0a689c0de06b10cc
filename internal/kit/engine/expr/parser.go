package expr

import (
	"slices"
	"strconv"

	"stoa/internal/kit/engine/value"
)

const (
	// maxLength is the maximum size of an expression, in bytes.
	maxLength = 4096
	// maxOperators is the maximum number of operators and functions.
	maxOperators = 300
	// maxListIndex is the largest list index in a path.
	maxListIndex = 1<<31 - 1
)

// parser parses one expression by recursive descent. Syntax errors abort it by a panic with
// a syntaxError. Semantic errors (a reserved word, an unknown function) do not, because
// DynamoDB reports syntax errors first: the first semantic error is kept until the end.
type parser struct {
	kind      kind
	lexer     lexer
	prev      token
	cur       token
	ahead     token
	tree      *tree
	operators int

	redundant bool  // parentheses around parentheses
	fault     error // the first semantic error
	twice     error // a duplicate section of an update: reported last
}

// syntaxError is the panic value of parser.
type syntaxError struct{ err error }

// parse parses text as an expression of kind k. Errors are validation errors.
func parse(k kind, text string) (t *tree, err error) {
	p := &parser{kind: k, lexer: lexer{text: text}, tree: &tree{}}
	switch {
	case text == "":
		return nil, p.invalid("The expression can not be empty;")
	case len(text) > maxLength:
		return nil, p.invalid("Expression size has exceeded the maximum allowed size; expression size: " + strconv.Itoa(len(text)))
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case syntaxError:
			t, err = nil, e.err
		default:
			panic(e)
		}
	}()
	p.read()
	switch {
	case p.redundant:
		return nil, p.invalid("The expression has redundant parentheses;")
	case p.fault != nil:
		return nil, p.fault
	case p.operators > maxOperators:
		return nil, p.invalid("The expression contains too many operators; operator count: " + strconv.Itoa(maxOperators+1))
	case p.twice != nil:
		return nil, p.twice
	}
	p.tree.operators = p.operators
	return p.tree, nil
}

func (p *parser) read() {
	p.cur, p.ahead = p.lexer.next(), p.lexer.next()
	switch p.kind {
	case updateKind:
		p.readUpdate()
	case projectionKind:
		p.tree.paths = p.readPaths()
	default:
		p.tree.condition = p.readCondition()
	}
	if p.cur.kind != endOfText {
		p.unexpected()
	}
}

func (p *parser) invalid(message string) error {
	return value.Invalid("Invalid %vExpression: %s", p.kind, message)
}

// found records a semantic error; only the first counts.
func (p *parser) found(message string) {
	if p.fault == nil {
		p.fault = p.invalid(message)
	}
}

// unexpected aborts with an error about the current token, shown between its neighbours.
func (p *parser) unexpected() {
	near := p.lexer.text[p.prev.start:p.ahead.end]
	shown := p.cur.text
	if p.cur.kind == keyword {
		shown = p.lexer.text[p.cur.start:p.cur.end]
	}
	panic(syntaxError{p.invalid(`Syntax error; token: "` + shown + `", near: "` + near + `"`)})
}

// take consumes and returns the current token.
func (p *parser) take() token {
	p.prev, p.cur, p.ahead = p.cur, p.ahead, p.lexer.next()
	return p.prev
}

// is reports whether the current token is the symbol or keyword s.
func (p *parser) is(s string) bool {
	return p.cur.text == s && (p.cur.kind == symbol || p.cur.kind == keyword)
}

// skip consumes the current token if it is the symbol or keyword s.
func (p *parser) skip(s string) bool {
	if !p.is(s) {
		return false
	}
	p.take()
	return true
}

func (p *parser) expect(s string) {
	if !p.skip(s) {
		p.unexpected()
	}
}

// readPaths parses one or more paths separated by commas.
func (p *parser) readPaths() []path {
	paths := []path{p.readPath()}
	for p.skip(",") {
		paths = append(paths, p.readPath())
	}
	return paths
}

// readPath parses a path such as a.#b[2].
func (p *parser) readPath() path {
	steps := path{p.readName()}
	for {
		switch {
		case p.skip("."):
			steps = append(steps, p.readName())
		case p.skip("["):
			steps = append(steps, p.readIndex())
			p.expect("]")
		default:
			return steps
		}
	}
}

func (p *parser) readName() step {
	switch p.cur.kind {
	case identifier:
		name := p.take().text
		if isReserved(name) {
			p.found("Attribute name is a reserved keyword; reserved keyword: " + name)
		}
		return step{name: name, ref: literal}
	case namePlaceholder:
		return step{ref: int32(position(&p.tree.names, p.take().text))}
	}
	p.unexpected()
	return step{}
}

func (p *parser) readIndex() step {
	if p.cur.kind != number {
		p.unexpected()
	}
	text := p.take().text
	index, err := strconv.ParseInt(text, 10, 64)
	if err != nil || index > maxListIndex {
		p.found("List index is not within the allowable range; index: [" + text + "]")
		index = 0
	}
	return step{ref: element, index: int32(index)}
}

func (p *parser) readValueRef() valueRef {
	if p.cur.kind != valuePlaceholder {
		p.unexpected()
	}
	return valueRef(position(&p.tree.values, p.take().text))
}

// position returns the position of s in list, appending it if it is new.
func position(list *[]string, s string) int {
	if i := slices.Index(*list, s); i >= 0 {
		return i
	}
	*list = append(*list, s)
	return len(*list) - 1
}

// readOperand parses a path, a value, a function or one of them in parentheses. Parentheses
// cannot contain anything else here.
func (p *parser) readOperand() operand {
	o, _ := p.readWrapped()
	return o
}

// readWrapped is readOperand, and reports whether the operand was in parentheses.
func (p *parser) readWrapped() (o operand, wrapped bool) {
	if !p.skip("(") {
		return p.readBareOperand(), false
	}
	o, inner := p.readWrapped()
	p.expect(")")
	p.redundant = p.redundant || inner
	return o, true
}

func (p *parser) readBareOperand() operand {
	switch {
	case p.cur.kind == valuePlaceholder:
		return p.readValueRef()
	case p.atCall():
		return p.readCall()
	default:
		return p.readPath()
	}
}

func (p *parser) atCall() bool {
	return p.cur.kind == identifier && p.ahead.kind == symbol && p.ahead.text == "("
}

// unknown represents an undefined function until the end of parsing.
var unknown = &function{isValue: true}

// readCall parses a function. It checks that the function is valid in this kind of
// expression; the caller must check its position, and bind its operands.
func (p *parser) readCall() *call {
	name := p.take().text
	f, ok := functions[name]
	switch {
	case !ok:
		f = unknown
		p.found("Invalid function name; function: " + name)
	case p.kind == updateKind && !f.forUpdate:
		p.found("The function is not allowed in an update expression; function: " + name)
	case p.kind != updateKind && f.forUpdate:
		p.found("The function is not allowed in a condition expression; function: " + name)
	}
	p.operators++
	p.expect("(")
	c := &call{function: f, operands: []operand{p.readFunctionOperand()}}
	for p.skip(",") {
		c.operands = append(c.operands, p.readFunctionOperand())
	}
	p.expect(")")
	return c
}

// readFunctionOperand parses an operand of a function: only size and if_not_exists may be
// nested.
func (p *parser) readFunctionOperand() operand {
	o := p.readOperand()
	if c, ok := o.(*call); ok && (!c.function.isValue || c.function.id == listAppend) {
		p.misplaced(c)
	}
	return o
}

func (p *parser) misplaced(c *call) {
	p.found("The function is not allowed to be used this way in an expression; function: " + c.function.name)
}
