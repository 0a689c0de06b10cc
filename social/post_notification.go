package social

// PostNotificationType is the kind of a PostNotification.
type PostNotificationType string

// PostNotifyCompleted is sent once for each post.
const PostNotifyCompleted PostNotificationType = "COMPLETED"

// PostNotification notifies users about a post of theirs. Older apps subscribe to it.
type PostNotification struct {
	UserID UserID
	Type   PostNotificationType
	PostID PostID
}

// Subject returns the subject of the user's subscriptions.
func (n PostNotification) Subject() string { return PostNotificationSubject(n.UserID) }

// PostNotificationSubject returns the subject of notifications about a user's posts.
func PostNotificationSubject(id UserID) string { return "postNotification/" + string(id) }
