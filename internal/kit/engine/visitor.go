package engine

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
)

// Visitor receives an item that was read. A whole item is passed in stored form, in a view
// that is valid until the visitor returns; part is then nil. A projected item is passed as
// part, which the visitor owns. Reading stops at the first error, which is returned.
type Visitor func(stored itemcodec.View, part Item) error

// projector projects items according to a program.
type projector struct {
	program *expr.Program
	names   []string // the attributes shown at least in part; nil for whole items
	decoder itemcodec.Decoder
}

func newProjector(p *expr.Program) projector {
	return projector{program: p, names: p.ProjectedNames()}
}

// present passes v to a visitor.
func (x *projector) present(v itemcodec.View, show Visitor) error {
	if x.names == nil {
		return show(v, nil)
	}
	part, err := x.item(v)
	if err != nil {
		return err
	}
	return show(itemcodec.View{}, part)
}

// item decodes the projection of v.
func (x *projector) item(v itemcodec.View) (Item, error) {
	if x.names == nil {
		return x.decoder.Item(v)
	}
	part, err := x.decoder.Pick(v, x.names)
	if err != nil {
		return nil, err
	}
	return x.program.Project(part), nil
}

// usualPage is a number of items that few pages exceed.
const usualPage = 32

// collector is a Visitor that decodes items.
type collector struct {
	decoder itemcodec.Decoder
	items   []Item
}

func (c *collector) add(stored itemcodec.View, part Item) (err error) {
	if part == nil {
		if part, err = c.decoder.Item(stored); err != nil {
			return err
		}
	}
	if c.items == nil {
		c.items = make([]Item, 0, usualPage)
	}
	c.items = append(c.items, part)
	return nil
}

// page returns the collected items; nil only if items were not requested.
func (c *collector) page(asked types.Select) []Item {
	if c.items == nil && asked != types.SelectCount {
		return []Item{}
	}
	return c.items
}
