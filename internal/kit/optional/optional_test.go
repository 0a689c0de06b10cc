package optional_test

import (
	"testing"

	"stoa/internal/kit/optional"
)

func TestOr(t *testing.T) {
	if optional.Or(nil, 1) != 1 || optional.Or(new(2), 1) != 2 {
		t.Error("Or does not fall back on nil alone")
	}
}
