package stoa

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
