package socialtest

// Post adds a post of text, with further arguments of addPost if any are given.
func (g Given) Post(owner, id string, arguments ...string) Given {
	more := ""
	for _, a := range arguments {
		more += ", " + a
	}
	return g.Does(owner, `mutation { addPost(postId: %q, postType: TEXT_ONLY, text: %q%s) { postId } }`, id, "text of "+id, more)
}

// PostText adds a post of a given text.
func (g Given) PostText(owner, id, text string) Given {
	return g.Does(owner, `mutation { addPost(postId: %q, postType: TEXT_ONLY, text: %q) { postId } }`, id, text)
}

// EditPost edits a post, with further arguments of editPost.
func (g Given) EditPost(owner, id, arguments string) Given {
	return g.Does(owner, `mutation { editPost(postId: %q, %s) { postId } }`, id, arguments)
}

// DeletePost deletes a post.
func (g Given) DeletePost(owner, id string) Given {
	return g.Does(owner, `mutation { deletePost(postId: %q) { postId } }`, id)
}
