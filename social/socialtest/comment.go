package socialtest

import "strings"

// Comment adds a comment on a post. Its text is "text of " and its id, unless a text is
// given.
func (g Given) Comment(author, postID, id string, text ...string) Given {
	if len(text) == 0 {
		text = []string{"text of " + id}
	}
	return g.Does(author, `mutation { addComment(commentId: %q, postId: %q, text: %q) { commentId } }`, id, postID, strings.Join(text, " "))
}
