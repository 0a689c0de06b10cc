package apptest

import (
	"slices"

	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
)

// Problems returns contradictions between the store and its declarations: index keys that
// do not match their items, wrong counters, items of unknown rows, counters of missing
// items, and violated invariants of identity and of the system.
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

// Whole fails the test if the stored data is inconsistent after all effects have settled.
func (w *World) Whole() {
	w.T.Helper()
	w.Settle()
	for _, problem := range w.Problems() {
		w.T.Error(problem)
	}
}
