package operation

import "github.com/vektah/gqlparser/v2/ast"

// Prices should be proportional to the work that a field causes, in units of about 5 µs of
// CPU time, which is the maximum for one more field of an object.
const (
	// lookupPrice is the price of a field with arguments, which looks up an object.
	lookupPrice = 2
	// pagePrice is the price of a list, in addition to that of its objects.
	pagePrice = 10
	// objectPrice is the price of each object of a list, which must be read and checked.
	objectPrice = 1
	// manyPrice is the price of an argument that names many objects.
	manyPrice = 500
	// changePrice is the price of a mutation, which waits for a disk.
	changePrice = 100
	// alonePrice is the price, 50 ms, of an operation that its caller runs alone.
	alonePrice = 10_000
	// callPrice, 5 ms, is what an operation may cost that counts as one call. Others count
	// once more for each time that they cost as much.
	callPrice = 1_000
	// bytesParsed is the number of bytes of a document that are parsed for a price of 1.
	bytesParsed = 16
)

// prices are the prices of fields that cost more than others of their kind.
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
