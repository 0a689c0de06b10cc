package social

// NotificationType is what a Notification tells its user.
type NotificationType string

const (
	NotifyPostCompleted                 NotificationType = "POST_COMPLETED"
	NotifyPostError                     NotificationType = "POST_ERROR"
	NotifyChatsWithUnviewedCountChanged NotificationType = "USER_CHATS_WITH_UNVIEWED_MESSAGES_COUNT_CHANGED"
	NotifyDatingMatchChanged            NotificationType = "USER_DATING_MATCH_CHANGED"
	NotifyFeedChanged                   NotificationType = "USER_FEED_CHANGED"
	NotifyFollowedStoriesChanged        NotificationType = "USER_FOLLOWED_USERS_WITH_STORIES_CHANGED"
)

// Notification tells one user that something of theirs changed. Which of the
// optional fields are set depends on Type. Nothing is replayed: a user without an
// open subscription misses it.
type Notification struct {
	UserID                             UserID
	Type                               NotificationType
	FollowedUserID                     *UserID
	MatchUserID                        *UserID
	PostID                             *PostID
	UserChatsWithUnviewedMessagesCount *int
}

// Subject is what the user's subscriptions listen to.
func (n Notification) Subject() string { return NotificationSubject(n.UserID) }

// NotificationSubject is the subject of all notifications to a user.
func NotificationSubject(id UserID) string { return "notification/" + string(id) }
