package apptest

import (
	"slices"

	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
)

// Problems are what contradicts the declarations in the store: index keys that are not
// made of their items, counters that are not the number of what they count, items of no
// row, items counted where there is none, and what breaks the invariants of identity and of
// the system.
func (w *World) Problems() []string {
	w.T.Helper()
	var problems []string
	err := w.DB.Verify(w.T.Context(), func(f keyspec.Finding) { problems = append(problems, w.People.Name(f.String())) })
	if err != nil {
		w.T.Fatal(err)
	}
	flaws, err := host.Broken(w.T.Context(), w.DB, w.Now(), w.system)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, f := range flaws {
		problems = append(problems, w.People.Name(f.Text))
	}
	slices.Sort(problems)
	return problems
}

// Whole fails the test when anything that is stored contradicts something else once all
// that was caused has come about.
func (w *World) Whole() {
	w.T.Helper()
	w.Settle()
	for _, problem := range w.Problems() {
		w.T.Error(problem)
	}
}
