package socialtest

// ViewPost makes a user report a view of a post.
func (g Given) ViewPost(viewer, postID string) Given {
	return g.Does(viewer, `mutation { reportPostViews(postIds: [%q]) }`, postID)
}

// FocusPost makes a user report a focus view of a post.
func (g Given) FocusPost(viewer, postID string) Given {
	return g.Does(viewer, `mutation { reportPostViews(postIds: [%q], viewType: FOCUS) }`, postID)
}
