package retry

import (
	"errors"
	"slices"
	"testing"

	"stoa/internal/kit/refusal"
)

func TestOnConflict(t *testing.T) {
	conflict := refusal.Conflictf("changed meanwhile")
	broken := errors.New("broken")
	for _, c := range []struct {
		name    string
		answers []error
		rounds  int
		want    error
	}{
		{"succeeds at once", []error{nil}, 1, nil},
		{"starts over on a conflict", []error{conflict, nil}, 2, nil},
		{"a refusal of the second round is the answer", []error{conflict, refusal.NotFoundf("gone")}, 2, refusal.NotFoundf("gone")},
		{"lasts longer than a crowd", append(slices.Repeat([]error{conflict}, limit-1), nil), limit, nil},
		{"gives up on what can never hold", slices.Repeat([]error{conflict}, limit), limit, conflict},
		{"other errors are not repeated", []error{broken, nil}, 1, broken},
	} {
		rounds := 0
		got, err := OnConflict(func() (int, error) {
			rounds++
			return rounds, c.answers[rounds-1]
		})
		if rounds != c.rounds || got != c.rounds {
			t.Errorf("%s: %d rounds, answer of round %d, want %d", c.name, rounds, got, c.rounds)
		}
		if (err == nil) != (c.want == nil) || err != nil && err.Error() != c.want.Error() {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
}
