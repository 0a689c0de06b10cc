package socialtest

// Follow makes a user follow another, or ask to where that one is private.
func (g Given) Follow(follower, followed string) Given {
	return g.Does(follower, `mutation { followUser(userId: "{%s}") { userId } }`, followed)
}

// Unfollow makes a user leave another, or take a request back.
func (g Given) Unfollow(follower, followed string) Given {
	return g.Does(follower, `mutation { unfollowUser(userId: "{%s}") { userId } }`, followed)
}

// Accept makes a user accept the request of another.
func (g Given) Accept(followed, follower string) Given {
	return g.Does(followed, `mutation { acceptFollowerUser(userId: "{%s}") { userId } }`, follower)
}

// Deny makes a user deny another, who has asked or follows.
func (g Given) Deny(followed, follower string) Given {
	return g.Does(followed, `mutation { denyFollowerUser(userId: "{%s}") { userId } }`, follower)
}
