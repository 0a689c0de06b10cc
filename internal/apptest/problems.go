package apptest

import (
	"context"
	"slices"

	"stoa/internal/kit/keyspec"
)

// Problems are what contradicts the declarations in the store: index keys that are not
// made of their items, counters that are not the number of what they count, items of no
// row, and items counted where there is none.
func (w *World) Problems() []string {
	w.T.Helper()
	var problems []string
	err := w.DB.Verify(w.T.Context(), func(f keyspec.Finding) { problems = append(problems, w.People.Name(f.String())) })
	if err != nil {
		w.T.Fatal(err)
	}
	slices.Sort(problems)
	return problems
}

// Whole fails the test when anything that is stored contradicts something else: by
// Problems, or by a system's own count of what is broken.
func (w *World) Whole(broken func(ctx context.Context, db *keyspec.DB) ([]string, error)) {
	w.T.Helper()
	w.Settle()
	found, err := broken(w.T.Context(), w.DB)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, problem := range slices.Concat(w.Problems(), found) {
		w.T.Error(problem)
	}
}
