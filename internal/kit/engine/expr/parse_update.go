package expr

// readUpdate parses the sections of an update, each at most once, in any order.
func (p *parser) readUpdate() {
	var seen [del + 1]bool
	for first := true; first || p.cur.kind != endOfText; first = false {
		v, ok := verbs[p.cur.text]
		if !ok || p.cur.kind != keyword {
			p.unexpected()
		}
		name := p.take().text
		if seen[v] && p.twice == nil {
			p.twice = p.invalid(`The "` + name + `" section can only be used once in an update expression;`)
		}
		seen[v] = true
		p.readAction(v)
		for p.skip(",") {
			p.readAction(v)
		}
	}
}

var verbs = map[string]verb{"SET": set, "REMOVE": remove, "ADD": add, "DELETE": del}

func (p *parser) readAction(v verb) {
	target := p.readPath()
	a := action{verb: v}
	switch v {
	case set:
		p.expect("=")
		a.value = p.readSetValue().operand
	case add, del:
		a.value = p.readValueRef()
	}
	p.tree.paths = append(p.tree.paths, target)
	p.tree.actions = append(p.tree.actions, a)
}

// readSetValue parses an operand or the sum or difference of two, possibly in parentheses;
// a sum in parentheses cannot be an operand of another.
func (p *parser) readSetValue() result {
	left := p.readSetOperand()
	if _, isSum := left.operand.(*arithmetic); isSum || !p.is("+") && !p.is("-") {
		return left
	}
	p.checkTerm(left.operand)
	minus := p.take().text == "-"
	p.operators++
	right := p.readOperand()
	p.checkTerm(right)
	return result{operand: &arithmetic{minus: minus, left: left.operand, right: right}}
}

func (p *parser) readSetOperand() result {
	if !p.skip("(") {
		return result{operand: p.readBareOperand()}
	}
	inner := p.readSetValue()
	p.expect(")")
	p.redundant = p.redundant || inner.wrapped
	inner.wrapped = true
	return inner
}

// checkTerm refuses the only function that does not return a number.
func (p *parser) checkTerm(o operand) {
	if c, ok := o.(*call); ok && c.function.id == listAppend {
		p.misplaced(c)
	}
}
