package input_test

import (
	"errors"
	"strings"
	"testing"

	"stoa/internal/kit/input"
	"stoa/internal/kit/refusal"
)

func reason(err error) string {
	var r *refusal.Error
	if !errors.As(err, &r) {
		return ""
	}
	return r.Kind.String() + " " + r.Reason
}

func TestEdit(t *testing.T) {
	name, bio := "old", new("old")
	for _, c := range []struct {
		edit      input.Edit[string]
		name, bio string
		refused   string
	}{
		{input.Edit[string]{}, "old", "old", ""},
		{input.Edit[string]{Given: true, Value: new("new")}, "new", "new", ""},
		{input.Edit[string]{Given: true}, "new", "none", "BAD_INPUT REQUIRED"},
	} {
		err := c.edit.Required(&name, "name")
		c.edit.Nullable(&bio)
		if reason(err) != c.refused || name != c.name || c.bio == "none" && bio != nil || c.bio != "none" && *bio != c.bio {
			t.Errorf("%+v: %q and %v, %v", c.edit, name, bio, err)
		}
	}
}

func TestRules(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		err  error
		want string
	}{
		{input.Length("name", "", 1, 3), "BAD_INPUT INVALID_LENGTH"},
		{input.Length("name", "äöü", 1, 3), ""},
		{input.Length("name", "äöü!", 1, 3), "BAD_INPUT INVALID_LENGTH"},
		{input.Length("name", "a\xff", 1, 3), "BAD_INPUT INVALID_LENGTH"},
		{input.Count("ids", 0, 2), "BAD_INPUT INVALID_COUNT"},
		{input.Count("ids", 2, 2), ""},
		{input.Count("ids", 3, 2), "BAD_INPUT INVALID_COUNT"},
		{input.CheckVersion(nil, 3), ""},
		{input.CheckVersion(new(3), 3), ""},
		{input.CheckVersion(new(2), 3), "CONCURRENT_UPDATE "},
		{input.First(nil, input.Required("name"), broken), "BAD_INPUT REQUIRED"},
		{input.First(nil, nil), ""},
	} {
		if got := reason(c.err); got != c.want {
			t.Errorf("%v is refused as %q, want %q", c.err, got, c.want)
		}
	}
	if err := input.Outdated(7); !strings.Contains(err.Error(), "version 7") {
		t.Error(err)
	}
}
