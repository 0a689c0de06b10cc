package expr

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

var (
	errNoAttribute = &value.ValidationError{Message: "The provided expression refers to an attribute that does not exist in the item"}
	errOperandType = &value.ValidationError{Message: "An operand in the update expression has an incorrect data type"}
	errPath        = &value.ValidationError{Message: "The document path provided in the update expression is invalid for update"}
)

// ErrUpdateSize is the error of an update that makes an item too large.
var ErrUpdateSize error = &value.ValidationError{Message: "Item size to update has exceeded the maximum allowed size"}

// Update returns the item after the update. It does not modify before; both share unchanged
// values. All operands are read from before, and list indexes refer to it. For an item that
// does not exist yet, pass its key attributes. Errors are [value.ValidationError]s. If
// there are several, it returns that of the first SET without a value, or else that of the
// first action in the text whose path does not exist or whose set or number has another
// type.
//
// The caller must check the limits of the whole item and the rules of the table (its size,
// its index keys).
func (p *Program) Update(before map[string]types.AttributeValue) (map[string]types.AttributeValue, error) {
	b := &p.update
	if b.tree == nil {
		return before, nil
	}
	u := updater{bound: b, before: Item(before), values: make([]types.AttributeValue, len(b.actions))}
	if err := u.assign(); err != nil {
		return nil, err
	}
	if err := u.change(); err != nil {
		return nil, err
	}
	return u.applyMap(before, b.order, 0)
}

// CheckUpdate returns an error for an update of a key attribute. Pass the names of the
// table's hash key and, if there is one, sort key.
func (p *Program) CheckUpdate(keys ...string) error {
	b := &p.update
	if b.tree == nil {
		return nil
	}
	for _, key := range keys {
		for _, target := range b.paths {
			if b.name(&target[0]) == key {
				return ErrKeyUpdate(key)
			}
		}
	}
	return nil
}

// ErrKeyUpdate returns the error for an update of a key attribute.
func ErrKeyUpdate(name string) error {
	return value.Invalid("One or more parameter values were invalid: Cannot update attribute %s. This attribute is part of the key", name)
}

// AssignedType returns the type that the update gives to an attribute of any item, or "" if
// it depends on the item or the update does not change the attribute.
func (p *Program) AssignedType(name string) string {
	b := &p.update
	if b.tree == nil {
		return ""
	}
	for i, target := range b.paths {
		if len(target) == 1 && b.name(&target[0]) == name {
			return b.typeOf(b.actions[i].value)
		}
	}
	return ""
}

// Updates reports whether the update changes the named attribute or a part of it.
func (p *Program) Updates(name string) bool {
	b := &p.update
	return b.tree != nil && slices.ContainsFunc(b.paths, func(target path) bool { return b.name(&target[0]) == name })
}

// typeOf returns the type of an operand of an update, if it is independent of the item.
func (b *bound) typeOf(o operand) string {
	switch o := o.(type) {
	case valueRef:
		return value.TypeOf(b.values[o])
	case *arithmetic:
		return "N"
	case *call:
		if o.function.id == listAppend {
			return "L"
		}
		return b.typeOf(o.operands[1])
	}
	return ""
}

// updater executes one update: it computes all new values, then assigns them.
type updater struct {
	*bound
	before Item
	values []types.AttributeValue // by action; nil removes
	// elements is the total number of elements of new lists and sets. Each takes at least
	// one byte of the item.
	elements int
	// depths caches the depths of values that are assigned to several places.
	depths map[types.AttributeValue]int
}

// made counts the elements of a new list or set, and refuses more than fit into an item:
// the same large value may be extended in hundreds of places.
func (u *updater) made(elements int) error {
	if u.elements += elements; u.elements > value.MaxItemSize {
		return ErrUpdateSize
	}
	return nil
}

// checkDepth returns an error if v nests too deep at the end of a path. At the top of an
// item no value does, because values are checked on input.
func (u *updater) checkDepth(v types.AttributeValue, p path) error {
	if len(p) == 1 {
		return nil
	}
	depth, known := u.depths[v]
	if !known {
		depth = value.Depth(v)
		if u.depths == nil {
			u.depths = map[types.AttributeValue]int{}
		}
		u.depths[v] = depth
	}
	if len(p)-1+depth > value.MaxDepth {
		return value.ErrDepth
	}
	return nil
}

// assign computes the values of SET.
func (u *updater) assign() (err error) {
	for i, a := range u.actions {
		if a.verb != set {
			continue
		}
		if u.values[i], err = u.eval(a.value); err != nil {
			return err
		}
		if err := u.checkDepth(u.values[i], u.paths[i]); err != nil {
			return err
		}
	}
	return nil
}

// change checks all paths, and computes the values of ADD and DELETE.
func (u *updater) change() (err error) {
	for i, a := range u.actions {
		target := u.paths[i]
		if !u.reachable(target) {
			return errPath
		}
		switch a.verb {
		case add:
			u.values[i], err = u.add(u.follow(target, u.before), u.bound.values[a.value.(valueRef)])
		case del:
			u.values[i], err = u.delete(u.follow(target, u.before), u.bound.values[a.value.(valueRef)])
		}
		if err != nil {
			return err
		}
		if v := u.values[i]; a.verb == add && v != nil {
			if err := u.checkDepth(v, target); err != nil {
				return err
			}
		}
	}
	return nil
}

// reachable reports whether the parent of the path exists: a map for a name, a list for an
// index.
func (u *updater) reachable(p path) bool {
	if len(p) == 1 {
		return true
	}
	last := len(p) - 1
	switch u.follow(p[:last], u.before).(type) {
	case *types.AttributeValueMemberM:
		return p[last].ref != element
	case *types.AttributeValueMemberL:
		return p[last].ref == element
	default:
		return false
	}
}

// add adds numbers and unites sets; an absent attribute becomes the operand.
func (u *updater) add(old, operand types.AttributeValue) (types.AttributeValue, error) {
	if old == nil {
		return operand, nil
	}
	if n, ok := operand.(*types.AttributeValueMemberN); ok {
		return combine(old, n, false)
	}
	union, ok := value.Union(old, operand)
	if !ok {
		return nil, errOperandType
	}
	return union, nil
}

// delete removes elements from a set. A set without elements is removed.
func (u *updater) delete(old, operand types.AttributeValue) (types.AttributeValue, error) {
	if old == nil {
		return nil, nil
	}
	rest, ok := value.Difference(old, operand)
	if !ok {
		return nil, errOperandType
	}
	return rest, nil
}

func combine(x, y types.AttributeValue, minus bool) (types.AttributeValue, error) {
	a, err := numberOf(x)
	if err != nil {
		return nil, err
	}
	b, err := numberOf(y)
	if err != nil {
		return nil, err
	}
	if minus {
		b = b.Neg()
	}
	sum, err := a.Add(b)
	if err != nil {
		return nil, err
	}
	return &types.AttributeValueMemberN{Value: sum.String()}, nil
}

func numberOf(v types.AttributeValue) (value.Number, error) {
	n, ok := v.(*types.AttributeValueMemberN)
	if !ok {
		return value.Number{}, errOperandType
	}
	return value.ParseNumber(n.Value)
}

// eval returns the value of an operand of SET. It is never nil without an error.
func (u *updater) eval(o operand) (types.AttributeValue, error) {
	switch o := o.(type) {
	case path:
		v := u.follow(o, u.before)
		if v == nil {
			return nil, errNoAttribute
		}
		return v, nil
	case valueRef:
		return u.bound.values[o], nil
	case *arithmetic:
		x, y, err := u.evalBoth(o.left, o.right)
		if err != nil {
			return nil, err
		}
		return combine(x, y, o.minus)
	case *call:
		return u.evalCall(o)
	}
	return nil, errNoAttribute
}

func (u *updater) evalBoth(left, right operand) (x, y types.AttributeValue, err error) {
	if x, err = u.eval(left); err != nil {
		return nil, nil, err
	}
	y, err = u.eval(right)
	return x, y, err
}

func (u *updater) evalCall(c *call) (types.AttributeValue, error) {
	if c.function.id == ifNotExists {
		if v := u.follow(c.operands[0].(path), u.before); v != nil {
			return v, nil
		}
		return u.eval(c.operands[1])
	}
	x, y, err := u.evalBoth(c.operands[0], c.operands[1])
	if err != nil {
		return nil, err
	}
	first, ok := x.(*types.AttributeValueMemberL)
	if !ok {
		return nil, errOperandType
	}
	second, ok := y.(*types.AttributeValueMemberL)
	if !ok {
		return nil, errOperandType
	}
	if err := u.made(len(first.Value) + len(second.Value)); err != nil {
		return nil, err
	}
	joined := make([]types.AttributeValue, 0, len(first.Value)+len(second.Value))
	joined = append(append(joined, first.Value...), second.Value...)
	return &types.AttributeValueMemberL{Value: joined}, nil
}

// applyMap returns a copy of m after the actions in order, whose paths lead to it in depth
// steps.
func (u *updater) applyMap(m map[string]types.AttributeValue, order []int32, depth int) (map[string]types.AttributeValue, error) {
	after := make(map[string]types.AttributeValue, len(m)+len(order))
	maps.Copy(after, m)
	for len(order) > 0 {
		n := u.group(order, depth)
		s := &u.paths[order[0]][depth]
		if s.ref == element {
			return nil, errPath
		}
		name := u.name(s)
		v, err := u.apply(m[name], order[:n], depth+1)
		if err != nil {
			return nil, err
		}
		if v == nil {
			delete(after, name)
		} else {
			after[name] = v
		}
		order = order[n:]
	}
	return after, nil
}

// apply returns the new value of old; nil if it is removed.
func (u *updater) apply(old types.AttributeValue, order []int32, depth int) (types.AttributeValue, error) {
	if len(u.paths[order[0]]) == depth {
		return u.values[order[0]], nil
	}
	switch old := old.(type) {
	case *types.AttributeValueMemberM:
		after, err := u.applyMap(old.Value, order, depth)
		if err != nil {
			return nil, err
		}
		return &types.AttributeValueMemberM{Value: after}, nil
	case *types.AttributeValueMemberL:
		return u.applyList(old.Value, order, depth)
	default:
		return nil, errPath
	}
}

// applyList replaces and removes elements by their old indexes. Elements set beyond the end
// are appended, by index.
func (u *updater) applyList(list []types.AttributeValue, order []int32, depth int) (types.AttributeValue, error) {
	after := make([]types.AttributeValue, 0, len(list)+len(order))
	done := 0 // elements of list already processed
	for len(order) > 0 {
		n := u.group(order, depth)
		s := &u.paths[order[0]][depth]
		if s.ref != element {
			return nil, errPath
		}
		var old types.AttributeValue
		if at := int(s.index); at < len(list) {
			after = append(after, list[done:at]...)
			old, done = list[at], at+1
		} else {
			after = append(after, list[done:]...)
			done = len(list)
		}
		v, err := u.apply(old, order[:n], depth+1)
		if err != nil {
			return nil, err
		}
		if v != nil {
			after = append(after, v)
		}
		order = order[n:]
	}
	return &types.AttributeValueMemberL{Value: append(after, list[done:]...)}, nil
}
