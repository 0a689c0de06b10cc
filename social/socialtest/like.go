package socialtest

// Like likes a post openly.
func (g Given) Like(liker, postID string) Given {
	return g.Does(liker, `mutation { onymouslyLikePost(postId: %q) { postId } }`, postID)
}

// LikeSecretly likes a post anonymously.
func (g Given) LikeSecretly(liker, postID string) Given {
	return g.Does(liker, `mutation { anonymouslyLikePost(postId: %q) { postId } }`, postID)
}

// Dislike removes a like.
func (g Given) Dislike(liker, postID string) Given {
	return g.Does(liker, `mutation { dislikePost(postId: %q) { postId } }`, postID)
}
