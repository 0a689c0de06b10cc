package graph

import "stoa/internal/kit/scalar"

// Scalars are the validators of the schema's scalars, by name.
var Scalars = map[string]func(value any) error{
	"DateTime": func(value any) error { _, err := scalar.UnmarshalDateTime(value); return err },
}
