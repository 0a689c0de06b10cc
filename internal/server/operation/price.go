package operation

import "github.com/vektah/gqlparser/v2/ast"

// Prices are meant to be proportional to the work that a field causes, whose unit is some
// 5 µs of a processor: what one more field of an object costs at most.
const (
	// lookupPrice is for a field with arguments: an object that is searched for.
	lookupPrice = 2
	// pagePrice is for a list, beside what its objects cost.
	pagePrice = 10
	// objectPrice is for each object of a list, which has to be read and judged.
	objectPrice = 1
	// manyPrice is for an argument that names many objects.
	manyPrice = 400
	// changePrice is for a mutation, which waits for a disk.
	changePrice = 100
)

// prices are those of fields that cost more than others of their form.
type prices map[string]int

func (p prices) of(field *ast.Field) (s surcharge) {
	switch arguments := field.Definition.Arguments; {
	case arguments.ForName(limitArgument) != nil:
		s = surcharge{once: pagePrice, each: objectPrice}
	case len(arguments) > 0:
		s.once = lookupPrice
	}
	for _, a := range field.Definition.Arguments {
		if a.Type.Elem != nil && field.Arguments.ForName(a.Name) != nil {
			s.once += manyPrice
		}
	}
	if field.ObjectDefinition.Name == "Mutation" {
		s.once += changePrice
	}
	if len(p) > 0 {
		s.once += p[field.ObjectDefinition.Name+"."+field.Name]
	}
	return s
}
