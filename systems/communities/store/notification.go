package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stamp"
	"stoa/systems/communities"
)

// Notifications are stored in one of two places. Keys of unread ones sort before those of
// read ones, which is why NOTIFICATIONREAD has no # in it.
var (
	unread = keyspec.Define[notificationItem](Notifications, keyspec.Row{Key: keyspec.K("USER#{UserId}", "NOTIFICATION#UNREAD#{CreatedAt}#{Id}")})
	read   = keyspec.Define[notificationItem](Notifications, keyspec.Row{Key: keyspec.K("USER#{UserId}", "NOTIFICATIONREAD#{CreatedAt}#{Id}")})
)

type notificationItem struct {
	Type string `dynamo:"Type"`
	communities.Notification
	ExpiresAt int64 `dynamo:"ExpiresAt"`
}

func unreadKey(r communities.NotificationRef) keyspec.Key {
	return unread.Key(string(r.UserID), stamp.MilliOf(r.At), r.ID)
}

func readKey(r communities.NotificationRef) keyspec.Key {
	return read.Key(string(r.UserID), stamp.MilliOf(r.At), r.ID)
}

func notificationItemOf(n *communities.Notification) notificationItem {
	return notificationItem{"Notification", *n, n.ExpiresAt().Unix()}
}

func (i *notificationItem) notification() *communities.Notification { return &i.Notification }
