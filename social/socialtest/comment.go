package socialtest

// Comment adds a comment on a post.
func (g Given) Comment(author, postID, id string) Given {
	return g.Does(author, `mutation { addComment(commentId: %q, postId: %q, text: %q) { commentId } }`, id, postID, "text of "+id)
}
