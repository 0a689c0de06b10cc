package expr

// result is the result of a rule of the condition grammar: a condition, or an operand that
// may become part of a comparison. An opening parenthesis may precede either.
type result struct {
	condition condition
	operand   operand
	wrapped   bool // the whole result was in parentheses
}

func (p *parser) readCondition() condition { return p.asCondition(p.readOr()) }

// asCondition converts a function to a condition, and refuses other operands where a
// condition is required.
func (p *parser) asCondition(r result) condition {
	if r.condition != nil {
		return r.condition
	}
	c, ok := r.operand.(*call)
	if !ok {
		p.unexpected()
	}
	if c.function.isValue {
		p.misplaced(c)
	}
	return c
}

// asOperand refuses conditions where a value is required.
func (p *parser) asOperand(o operand) operand {
	if c, ok := o.(*call); ok && !c.function.isValue {
		p.misplaced(c)
	}
	return o
}

func (p *parser) readOr() result {
	left := p.readAnd()
	for p.is("OR") {
		l := p.asCondition(left)
		p.take()
		p.operators++
		left = result{condition: &logical{or: true, left: l, right: p.asCondition(p.readAnd())}}
	}
	return left
}

func (p *parser) readAnd() result {
	left := p.readNot()
	for p.is("AND") {
		l := p.asCondition(left)
		p.take()
		p.operators++
		left = result{condition: &logical{left: l, right: p.asCondition(p.readNot())}}
	}
	return left
}

func (p *parser) readNot() result {
	if !p.skip("NOT") {
		return p.readComparison()
	}
	p.operators++
	return result{condition: &negation{of: p.asCondition(p.readNot())}}
}

func (p *parser) readComparison() result {
	left := p.readPrimary()
	if left.condition != nil {
		return left
	}
	switch op := comparator(p.cur); {
	case op != Any:
		l := p.asOperand(left.operand)
		p.take()
		p.operators++
		return result{condition: &comparison{op: op, left: l, right: p.readValue()}}
	case p.is("BETWEEN"):
		l := p.asOperand(left.operand)
		p.take()
		p.operators++
		low := p.readValue()
		p.expect("AND")
		return result{condition: &between{operand: l, low: low, high: p.readValue()}}
	case p.is("IN"):
		l := p.asOperand(left.operand)
		p.take()
		p.operators++
		return result{condition: &membership{operand: l, list: p.readList()}}
	default:
		return left
	}
}

func (p *parser) readPrimary() result {
	if !p.skip("(") {
		return result{operand: p.readBareOperand()}
	}
	inner := p.readOr()
	if !p.is(")") {
		if inner.condition == nil {
			p.asCondition(inner)
		}
		p.unexpected()
	}
	p.take()
	p.redundant = p.redundant || inner.wrapped
	inner.wrapped = true
	return inner
}

func (p *parser) readValue() operand { return p.asOperand(p.readOperand()) }

func (p *parser) readList() []operand {
	p.expect("(")
	list := []operand{p.readValue()}
	for p.skip(",") {
		list = append(list, p.readValue())
	}
	p.expect(")")
	return list
}

// comparator returns the operator of a token, or Any if it is none.
func comparator(t token) Op {
	if t.kind != symbol {
		return Any
	}
	switch t.text {
	case "=":
		return Equal
	case "<>":
		return NotEqual
	case "<":
		return Less
	case "<=":
		return LessOrEqual
	case ">":
		return Greater
	case ">=":
		return GreaterOrEqual
	default:
		return Any
	}
}
