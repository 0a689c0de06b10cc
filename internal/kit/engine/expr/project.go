package expr

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// Project returns the part of an item selected by the projection, or the item itself if
// there is none. Paths without a value are omitted; elements of a list keep their order
// without gaps.
func (p *Program) Project(item map[string]types.AttributeValue) map[string]types.AttributeValue {
	if p.projection.tree == nil {
		return item
	}
	return p.projection.project(item)
}

// Touched returns the part of an item that the update refers to, for the return values
// UPDATED_OLD (of the item before) and UPDATED_NEW (of the item after). It is nil if there
// is none.
func (p *Program) Touched(item map[string]types.AttributeValue) map[string]types.AttributeValue {
	if p.update.tree == nil {
		return nil
	}
	part := p.update.project(item)
	if len(part) == 0 {
		return nil
	}
	return part
}

// ProjectedNames returns the top-level attributes that the projection reads, without
// duplicates; nil means all. The others may be omitted from the argument of Project.
func (p *Program) ProjectedNames() []string {
	b := &p.projection
	if b.tree == nil {
		return nil
	}
	names := make([]string, 0, len(b.paths))
	for rest := b.order; len(rest) > 0; rest = rest[b.group(rest, 0):] {
		names = append(names, b.name(&b.paths[rest[0]][0]))
	}
	return names
}

func (b *bound) project(item map[string]types.AttributeValue) map[string]types.AttributeValue {
	return b.projectMap(item, b.order, 0)
}

// projectMap returns the entries selected at depth by the paths in order.
func (b *bound) projectMap(m map[string]types.AttributeValue, order []int32, depth int) map[string]types.AttributeValue {
	part := make(map[string]types.AttributeValue, len(order))
	for len(order) > 0 {
		n := b.group(order, depth)
		s := &b.paths[order[0]][depth]
		if s.ref != element {
			if v := b.projectValue(m[b.name(s)], order[:n], depth+1); v != nil {
				part[b.name(s)] = v
			}
		}
		order = order[n:]
	}
	return part
}

// projectValue returns the part of v selected by the paths in order, all of which lead to
// it in depth steps; nil if there is none.
func (b *bound) projectValue(v types.AttributeValue, order []int32, depth int) types.AttributeValue {
	if v == nil || len(b.paths[order[0]]) == depth {
		return v
	}
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		if part := b.projectMap(v.Value, order, depth); len(part) > 0 {
			return &types.AttributeValueMemberM{Value: part}
		}
	case *types.AttributeValueMemberL:
		var part []types.AttributeValue
		for len(order) > 0 {
			n := b.group(order, depth)
			if e := b.child(v, &b.paths[order[0]][depth]); e != nil {
				if e = b.projectValue(e, order[:n], depth+1); e != nil {
					part = append(part, e)
				}
			}
			order = order[n:]
		}
		if len(part) > 0 {
			return &types.AttributeValueMemberL{Value: part}
		}
	}
	return nil
}
