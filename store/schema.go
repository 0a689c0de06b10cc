package store

import (
	"io"

	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
)

const schemaHead = `<!-- Generated from the declarations in this package: go test ./store -run Schema -update -->

# Tables

The name of a table carries the prefix of its deployment. A key is absent while one
of the attributes in its braces is, and the item is then not in that index. Attributes
are text unless they say otherwise; those that end in At are times in UTC with six
digits of a second, those that end in Count are whole numbers, absent while zero. What
stands in braces but is no attribute is stored in the key alone. schemaVersion is the
number of the layout that an item was written in.
`

// WriteSchema writes the design of all tables, as derived from the declarations.
func WriteSchema(w io.Writer) error {
	if _, err := io.WriteString(w, schemaHead); err != nil {
		return err
	}
	for _, table := range []*keyspec.Table{Main, Feed, ops.Table} {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := table.Print(w); err != nil {
			return err
		}
	}
	return nil
}
