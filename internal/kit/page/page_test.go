package page

import (
	"errors"
	"strconv"
	"testing"
)

// chats 0.2#1-2: a limit is 20 by default, and 1 to 100.
func TestQuery(t *testing.T) {
	number := func(n int) *int { return &n }
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		name  string
		limit *int
		token *string
		want  Query
		err   error
	}{
		{"nothing given", nil, nil, Query{First: 20}, nil},
		{"smallest", number(1), nil, Query{First: 1}, nil},
		{"largest", number(100), text("t"), Query{First: 100, After: "t"}, nil},
		{"zero", number(0), nil, Query{}, ErrLimit},
		{"negative", number(-1), nil, Query{}, ErrLimit},
		{"too large", number(101), nil, Query{}, ErrLimit},
		{"empty token", nil, text(""), Query{}, ErrToken},
		{"empty token and a bad size", number(0), text(""), Query{}, ErrLimit},
	} {
		got, err := Args{c.limit, c.token}.Query()
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: Query = %+v, %v, want %+v, %v", c.name, got, err, c.want, c.err)
		}
	}
}

func TestTokenIsNilAtTheEnd(t *testing.T) {
	if got := (Page[int]{}).NextToken(); got != nil {
		t.Errorf("Token of the last page = %q, want nil", *got)
	}
	if got := (Page[int]{Next: "x"}).NextToken(); got == nil || *got != "x" {
		t.Errorf("Token = %v, want x", got)
	}
}

func TestMapKeepsOrderAndNext(t *testing.T) {
	got := Map(Page[int]{Items: []int{3, 1}, Next: "n"}, strconv.Itoa)
	if len(got.Items) != 2 || got.Items[0] != "3" || got.Items[1] != "1" || got.Next != "n" {
		t.Errorf("Map = %+v", got)
	}
}
