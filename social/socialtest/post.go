package socialtest

import (
	"fmt"
	"slices"
	"strings"
)

// Post adds a post with further arguments of addPost, such as `likesDisabled: true`. Unless
// they say otherwise, it is text-only, with the text "text of " and its id.
func (g Given) Post(owner, id string, arguments ...string) Given {
	given := func(name string) bool {
		return slices.ContainsFunc(arguments, func(a string) bool { return strings.HasPrefix(a, name+":") })
	}
	arguments = slices.Clone(arguments)
	if !given("text") {
		arguments = append(arguments, fmt.Sprintf("text: %q", "text of "+id))
	}
	if !given("postType") {
		arguments = append(arguments, "postType: TEXT_ONLY")
	}
	return g.Does(owner, `mutation { addPost(postId: %q, %s) { postId } }`, id, strings.Join(arguments, ", "))
}

// EditPost edits a post, with further arguments of editPost.
func (g Given) EditPost(owner, id, arguments string) Given {
	return g.Does(owner, `mutation { editPost(postId: %q, %s) { postId } }`, id, arguments)
}

// DeletePost deletes a post.
func (g Given) DeletePost(owner, id string) Given {
	return g.Does(owner, `mutation { deletePost(postId: %q) { postId } }`, id)
}

// Archive archives a post.
func (g Given) Archive(owner, id string) Given {
	return g.Does(owner, `mutation { archivePost(postId: %q) { postId } }`, id)
}
