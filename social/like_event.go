package social

// PostLiked: Liker liked a post of Owner.
type PostLiked struct {
	PostID PostID
	Owner  UserID
	Liker  UserID
	Status LikeStatus
	// Told is set if the owner's card has been changed with the like, or none is due.
	Told bool `json:",omitempty"`
}

// MakesCards reports whether a card has yet to be created.
func (e PostLiked) MakesCards() bool { return !e.Told }

func (PostLiked) EventName() string     { return "post.liked" }
func (e PostLiked) OrderingKey() string { return string(e.Owner) }

// PostDisliked: Liker no longer likes a post of Owner, possibly because of a block or
// denial. The post still exists.
type PostDisliked struct {
	PostID PostID
	Owner  UserID
	Liker  UserID
	// Status is how they liked it.
	Status LikeStatus
}

func (PostDisliked) EventName() string     { return "post.disliked" }
func (e PostDisliked) OrderingKey() string { return string(e.Owner) }
