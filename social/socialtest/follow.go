package socialtest

// Follow makes a user follow another, or send a request if the other is private.
func (g Given) Follow(follower, followed string) Given {
	return g.Does(follower, `mutation { followUser(userId: "{%s}") { userId } }`, followed)
}

// Unfollow makes a user unfollow another, or withdraw a request.
func (g Given) Unfollow(follower, followed string) Given {
	return g.Does(follower, `mutation { unfollowUser(userId: "{%s}") { userId } }`, followed)
}

// Accept makes a user accept another's request.
func (g Given) Accept(followed, follower string) Given {
	return g.Does(followed, `mutation { acceptFollowerUser(userId: "{%s}") { userId } }`, follower)
}

// Deny makes a user deny another, who has sent a request or follows.
func (g Given) Deny(followed, follower string) Given {
	return g.Does(followed, `mutation { denyFollowerUser(userId: "{%s}") { userId } }`, follower)
}
