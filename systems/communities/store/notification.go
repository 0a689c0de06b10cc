package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/communities"
)

// Notifications are stored in one of two places. Keys of unread ones sort before those of
// read ones, which is why NOTIFICATIONREAD has no # in it.
var (
	unread = keyspec.Define[notificationItem](Notifications, keyspec.Row{Key: keyspec.K("USER#{UserId}", "NOTIFICATION#UNREAD#{CreatedAt}#{Id}")})
	read   = keyspec.Define[notificationItem](Notifications, keyspec.Row{Key: keyspec.K("USER#{UserId}", "NOTIFICATIONREAD#{CreatedAt}#{Id}")})
)

type notificationItem struct {
	Type             string                       `dynamo:"Type"`
	UserID           communities.UserID           `dynamo:"UserId,keyonly"`
	ID               string                       `dynamo:"Id"`
	NotificationType communities.NotificationType `dynamo:"NotificationType"`
	// Message is the text, or if Quotes is set only its part before what the message says.
	Message   string             `dynamo:"Message"`
	Quotes    bool               `dynamo:"Quotes"`
	Target    targetItem         `dynamo:"Target"`
	Read      bool               `dynamo:"Read,zero"`
	Seen      bool               `dynamo:"Seen,zero"`
	ActorID   communities.UserID `dynamo:"ActorId"`
	CreatedAt keyspec.MilliStamp `dynamo:"CreatedAt"`
	ExpiresAt int64              `dynamo:"ExpiresAt"`
}

type targetItem struct {
	Kind     communities.TargetKind `dynamo:"Kind"`
	ID       string                 `dynamo:"Id"`
	ParentID *string                `dynamo:"ParentId"`
}

func unreadKey(r communities.NotificationRef) keyspec.Key {
	return unread.Key(string(r.UserID), keyspec.MilliStampOf(r.At).String(), r.ID)
}

func readKey(r communities.NotificationRef) keyspec.Key {
	return read.Key(string(r.UserID), keyspec.MilliStampOf(r.At).String(), r.ID)
}

func notificationItemOf(n *communities.Notification) notificationItem {
	return notificationItem{
		Type: "Notification", UserID: n.UserID, ID: n.ID, NotificationType: n.Type, Message: n.Text, Quotes: n.Quotes,
		Target: targetItem{n.Target.Kind, n.Target.ID, n.Target.ParentID}, Read: n.Read, Seen: n.Seen, ActorID: n.ActorID,
		CreatedAt: keyspec.MilliStampOf(n.At), ExpiresAt: n.ExpiresAt().Unix(),
	}
}

func (i *notificationItem) notification() *communities.Notification {
	return &communities.Notification{
		NotificationRef: communities.NotificationRef{UserID: i.UserID, Moment: communities.Moment{At: i.CreatedAt.Time(), ID: i.ID}},
		Type:            i.NotificationType, Text: i.Message, Quotes: i.Quotes,
		Target:  communities.Target{Kind: i.Target.Kind, ID: i.Target.ID, ParentID: i.Target.ParentID},
		ActorID: i.ActorID, Read: i.Read, Seen: i.Seen,
	}
}
