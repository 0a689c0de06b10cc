package social

import "stoa/internal/kit/refusal"

// NotificationType is the kind of change that a Notification reports.
type NotificationType string

const (
	NotifyPostCompleted                 NotificationType = "POST_COMPLETED"
	NotifyPostError                     NotificationType = "POST_ERROR"
	NotifyChatsWithUnviewedCountChanged NotificationType = "USER_CHATS_WITH_UNVIEWED_MESSAGES_COUNT_CHANGED"
	NotifyDatingMatchChanged            NotificationType = "USER_DATING_MATCH_CHANGED"
	NotifyFeedChanged                   NotificationType = "USER_FEED_CHANGED"
	NotifyFollowedStoriesChanged        NotificationType = "USER_FOLLOWED_USERS_WITH_STORIES_CHANGED"
)

// Notification tells a user that something of theirs changed. Type determines which of the
// optional fields are set. Nothing is replayed: a user without an open subscription misses
// it.
type Notification struct {
	UserID                             UserID
	Type                               NotificationType
	FollowedUserID                     *UserID
	MatchUserID                        *UserID
	PostID                             *PostID
	UserChatsWithUnviewedMessagesCount *int

	// FollowsChanged is set if the user's follows, or large follows, have changed. With no Type,
	// it is for the service alone.
	FollowsChanged bool `json:",omitempty"`
}

// Subject is the bus subject that the user's subscriptions listen to.
func (n Notification) Subject() string { return NotificationSubject(n.UserID) }

// FollowsChanged returns the notification of a user whose follows have changed, and with them
// the feed.
func FollowsChanged(id UserID) Notification {
	return Notification{UserID: id, Type: NotifyFeedChanged, FollowsChanged: true}
}

// CheckSubscriber refuses subscriptions to the notifications of another user.
func CheckSubscriber(v Viewer, id UserID) error {
	if id != v.UserID {
		return refusal.Forbiddenf("Cannot subscribe to notifications intended for another user")
	}
	return nil
}

// NotificationSubject returns the bus subject for a user's notifications.
func NotificationSubject(id UserID) string { return "notification/" + string(id) }
