package messaging

import (
	"errors"
	"testing"

	"stoa/internal/kit/refusal"
)

// refused compares the reason of an error, "" if there is none.
func refused(t *testing.T, what any, err error, want string) {
	t.Helper()
	got := ""
	var e *refusal.Error
	if errors.As(err, &e) {
		got = e.Reason
	}
	if got != want || (err == nil) != (want == "") {
		t.Errorf("%v is refused with %q (%v), want %q", what, got, err, want)
	}
}

// messaging 5.2#1-3: modes are parsed in any case and written in order.
func TestModesAreParsedAndWritten(t *testing.T) {
	for _, c := range []struct {
		text string
		want Mode
		form string // as it is written
		err  string
	}{
		{"JRWPASDO", 255, "JRWPASDO", ""},
		{"odsapwrj", 255, "JRWPASDO", ""},
		{"JRWPS", 47, "JRWPS", ""},
		{"JRWPA", 31, "JRWPA", ""},
		{"JRPD", 75, "JRPD", ""},
		{"rj", 3, "JR", ""},
		{"JJJ", 1, "J", ""},
		{"N", 0, "N", ""},
		{"n", 0, "N", ""},
		{"NJ", 0, "", "INVALID_MODE"},
		{"JX", 0, "", "INVALID_MODE"},
		{"J R", 0, "", "INVALID_MODE"},
		{"255", 0, "", "INVALID_MODE"},
		{"Ĵ", 0, "", "INVALID_MODE"},
	} {
		got, err := ParseMode(c.text)
		refused(t, c.text, err, c.err)
		if err == nil && (got != c.want || got.String() != c.form) {
			t.Errorf("%s is %d, %s, want %d, %s", c.text, got, got, c.want, c.form)
		}
	}
}

// messaging 5.2#3: an empty mode is the default, N no permission.
func TestEmptyModesAreTheDefault(t *testing.T) {
	empty, none := "", "N"
	for text, want := range map[*string]Mode{nil: PairMode, &empty: PairMode, &none: Nothing} {
		if got, err := ModeOr(text, PairMode); got != want || err != nil {
			t.Errorf("%v is %s, %v, want %s", text, got, err, want)
		}
	}
}

// messaging 5.2#6: two-person topics have the permissions JRWPA only, always with A.
func TestModesInTwoPersonTopics(t *testing.T) {
	for mode, want := range map[string]string{"N": "N", "JRWPASDO": "JRWPA", "JR": "JRA", "SDO": "N", "D": "N", "JRWPA": "JRWPA"} {
		m, err := ParseMode(mode)
		if got := m.InPair().String(); got != want || err != nil {
			t.Errorf("%s becomes %s, %v, want %s", mode, got, err, want)
		}
	}
}

// messaging 5.2#5: admins have A or O, sharers also S.
func TestWhoManagesAndWhoInvites(t *testing.T) {
	for mode, want := range map[string][2]bool{"JRWP": {false, false}, "JRWPS": {false, true}, "JA": {true, true}, "O": {true, true}, "D": {false, false}} {
		m, _ := ParseMode(mode)
		if m.IsAdmin() != want[0] || m.IsSharer() != want[1] {
			t.Errorf("%s: admin %t, sharer %t", mode, m.IsAdmin(), m.IsSharer())
		}
	}
}
