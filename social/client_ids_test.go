package social

import (
	"strings"
	"testing"
)

func TestClientIDs(t *testing.T) {
	for _, c := range []struct {
		id    string
		valid bool
	}{
		{"7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f", true},
		{"us-east-1:x_y.z", true},
		{"1", true},
		{strings.Repeat("a", 100), true},
		{strings.Repeat("a", 101), false},
		{"", false},
		{"a/b", false},
		{"a b", false},
		{"é", false},
		{"a\n", false},
	} {
		if err := PostID(c.id).Check(); (err == nil) != c.valid || err != nil && !strings.HasPrefix(err.Error(), "postId must be ") {
			t.Errorf("PostID(%q).Check() = %v", c.id, err)
		}
		if err := CommentID(c.id).Check(); (err == nil) != c.valid || err != nil && !strings.HasPrefix(err.Error(), "commentId must be ") {
			t.Errorf("CommentID(%q).Check() = %v", c.id, err)
		}
	}
}

func TestClientIDsValid(t *testing.T) {
	for id, want := range map[PostID]bool{
		"7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f": true,
		"post_1.A:z":                           true,
		PostID(strings.Repeat("x", 100)):       true,
		PostID(strings.Repeat("x", 101)):       false,
		"":                                     false,
		"a/b":                                  false,
		"a b":                                  false,
		"ü":                                    false,
	} {
		if got := id.Valid(); got != want {
			t.Errorf("%q is valid: %v, want %v", id, got, want)
		}
		if err := id.Check(); (err == nil) != want {
			t.Errorf("Check of %q = %v, want an error: %v", id, err, !want)
		}
	}
}
