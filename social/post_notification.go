package social

// PostNotificationType is what a PostNotification tells its user.
type PostNotificationType string

// PostNotifyCompleted is told once of each post.
const PostNotifyCompleted PostNotificationType = "COMPLETED"

// PostNotification tells users what became of a post of theirs. Older apps listen to it.
type PostNotification struct {
	UserID UserID
	Type   PostNotificationType
	PostID PostID
}

// Subject is what the user's subscriptions listen to.
func (n PostNotification) Subject() string { return PostNotificationSubject(n.UserID) }

// PostNotificationSubject is the subject of what is told of a user's posts.
func PostNotificationSubject(id UserID) string { return "postNotification/" + string(id) }
