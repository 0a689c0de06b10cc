package store

import (
	"io"
	"slices"

	"stoa/internal/ops"
)

const schemaHead = `<!-- Generated from the declarations in this package: go test ./store -run Schema -update -->

# Tables

The name of each table is preceded by the table prefix of the deployment. An item lacks a
key, and is not in its index, while any of the attributes in braces is absent. Attributes
are strings unless marked otherwise; names ending in At are times in UTC with six
fractional digits, names ending in Count are integers, absent if zero. Names in braces
that are not attributes are stored only in the key. schemaVersion is the version of the
layout in which an item was written.
`

// WriteSchema writes the design of all tables, as derived from the declarations.
func WriteSchema(w io.Writer) error {
	if _, err := io.WriteString(w, schemaHead); err != nil {
		return err
	}
	for _, table := range slices.Concat(Tables, ops.Tables) {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := table.Print(w); err != nil {
			return err
		}
	}
	return nil
}
