package testgraph

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Word is a scalar with a coercion rule of its own: lower-case letters only.
type Word string

// Scalars validate values before anything is executed.
var Scalars = map[string]func(any) error{"Word": func(v any) error { return new(Word).UnmarshalGQL(v) }}

// UnmarshalGQL accepts only strings of lower-case letters.
func (w *Word) UnmarshalGQL(v any) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("Word must be a string, not %T", v)
	}
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") != "" {
		return fmt.Errorf("Word %q has other characters than a to z", s)
	}
	*w = Word(s)
	return nil
}

// MarshalGQL writes the word as a JSON string.
func (w Word) MarshalGQL(out io.Writer) {
	io.WriteString(out, strconv.Quote(string(w)))
}
