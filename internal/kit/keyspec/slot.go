package keyspec

import (
	"fmt"
	"unsafe"

	"stoa/internal/kit/stamp"
)

// Computed declares slots derived from an attribute, by slot name.
type Computed map[string]Part

// Part is a part of an attribute's text. It is absent if the text is too short.
type Part struct {
	attribute string
	from, to  int
}

// PartOf returns a range of bytes of an attribute that is text or a time.
func PartOf(attribute string, from, to int) Part { return Part{attribute, from, to} }

// DateOf returns the date of a time: 2006-01-02.
func DateOf(attribute string) Part { return PartOf(attribute, 0, len("2006-01-02")) }

// TimeOf returns the time of day of a time in fixed width: 15:04:05.000000.
func TimeOf(attribute string) Part {
	return PartOf(attribute, len("2006-01-02T"), len(stamp.Micro)-len("Z"))
}

// slot is the source of the text between the literals of a template.
type slot struct {
	field  *field
	number bool
	// part is nil for slots that are whole attributes. Others cannot be restored.
	part *Part
}

func (r *row) slotNamed(name string) (*slot, error) {
	if part, ok := r.spec.Computed[name]; ok {
		f := r.codec.byName[part.attribute]
		if f == nil || !f.isStamp && !f.isText {
			return nil, fmt.Errorf("{%s} is computed from %q, which is no text or time attribute of %s", name, part.attribute, r.codec.typ)
		}
		return &slot{field: f, part: &part}, nil
	}
	f := r.codec.byName[name]
	switch {
	case f == nil:
		return nil, fmt.Errorf("{%s} is no attribute of %s", name, r.codec.typ)
	case !f.isText && !f.isStamp && !f.isNumber:
		return nil, fmt.Errorf("{%s} must be text, a time or a number", name)
	}
	return &slot{field: f, number: f.isNumber}, nil
}

// of returns the slot's text for the item at p, or "" if it is absent.
func (s *slot) of(p unsafe.Pointer) string { return s.shape(s.field.text(p)) }

// in returns the slot's text, given the texts of attributes.
func (s *slot) in(text func(*field) string) string { return s.shape(text(s.field)) }

// shape returns the slot's text, given that of its attribute.
func (s *slot) shape(text string) string {
	switch {
	case s.part == nil:
		return text
	case len(text) < s.part.to:
		return ""
	default:
		return text[s.part.from:s.part.to]
	}
}
