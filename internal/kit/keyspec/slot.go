package keyspec

import (
	"fmt"
	"unsafe"
)

// Computed declares slots that follow from an attribute, by slot name.
type Computed map[string]Cut

// Cut is a part of a Stamp's text.
type Cut struct {
	attribute string
	from, to  int
}

// DateOf is the date of a Stamp attribute: 2006-01-02.
func DateOf(attribute string) Cut { return Cut{attribute, 0, len("2006-01-02")} }

// TimeOf is the time of day of a Stamp attribute, in fixed width: 15:04:05.000000.
func TimeOf(attribute string) Cut { return Cut{attribute, len("2006-01-02T"), stampWidth - len("Z")} }

// slot is where the text between the literals of a template comes from.
type slot struct {
	field  *field
	number bool
	// cut is nil for slots that are the whole attribute. Others cannot be read back.
	cut *Cut
}

func (r *row) slotNamed(name string) (*slot, error) {
	if cut, ok := r.spec.Computed[name]; ok {
		f := r.codec.byName[cut.attribute]
		if f == nil || !f.isStamp {
			return nil, fmt.Errorf("{%s} is computed from %q, which is no Stamp attribute of %s", name, cut.attribute, r.codec.typ)
		}
		return &slot{field: f, cut: &cut}, nil
	}
	f := r.codec.byName[name]
	switch {
	case f == nil:
		return nil, fmt.Errorf("{%s} is no attribute of %s", name, r.codec.typ)
	case !f.isText && !f.isStamp && !f.isNumber:
		return nil, fmt.Errorf("{%s} must be text, a Stamp or a number", name)
	}
	return &slot{field: f, number: f.isNumber}, nil
}

// of returns the slot's text for the item at p, or "" when it is absent.
func (s *slot) of(p unsafe.Pointer) string { return s.shape(s.field.text(p)) }

// shape makes the slot's text from that of its attribute.
func (s *slot) shape(text string) string {
	if s.cut == nil || text == "" {
		return text
	}
	return text[s.cut.from:s.cut.to]
}
