package resolvers

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// Account manages accounts; see package account.
type Account interface {
	Me(ctx context.Context, v viewer.Viewer) (*messaging.SeenUser, error)
	User(ctx context.Context, v viewer.Viewer, id string) (*messaging.SeenUser, error)
	Named(ctx context.Context, v viewer.Viewer, ids []messaging.UserID) (map[messaging.UserID]*messaging.SeenUser, error)
	Create(ctx context.Context, v viewer.Viewer, r messaging.Registration) (*messaging.SignedIn, error)
	Login(ctx context.Context, v viewer.Viewer, login, password string) (*messaging.SignedIn, error)
	Refresh(ctx context.Context, v viewer.Viewer) (*messaging.SignedIn, error)
	ChangeLogin(ctx context.Context, v viewer.Viewer, password, to string) (*messaging.SeenUser, error)
	ChangePassword(ctx context.Context, v viewer.Viewer, password, to string) (*messaging.SeenUser, error)
	Update(ctx context.Context, v viewer.Viewer, c messaging.AccountChange) (*messaging.SeenUser, error)
	VerifyTags(ctx context.Context, v viewer.Viewer, token string) (*messaging.SeenUser, error)
	Delete(ctx context.Context, v viewer.Viewer, hard bool) error
	Suspend(ctx context.Context, v viewer.Viewer, id string) (*messaging.SeenUser, error)
	Restore(ctx context.Context, v viewer.Viewer, id string) (*messaging.SeenUser, error)
	Devices(ctx context.Context, v viewer.Viewer) ([]*messaging.Device, error)
	RegisterDevice(ctx context.Context, v viewer.Viewer, id string, p messaging.Platform, lang *string) (*messaging.Device, error)
	RemoveDevice(ctx context.Context, v viewer.Viewer, id string) (bool, error)
}

// Contact finds people by their tags; see package contact.
type Contact interface {
	Check(ctx context.Context, tags []string) ([]*messaging.TagStatus, error)
	Find(ctx context.Context, v viewer.Viewer, query *string, limit *int) ([]*messaging.FoundContact, error)
	Saved(ctx context.Context, v viewer.Viewer) (*string, error)
	Save(ctx context.Context, v viewer.Viewer, query *string) (*string, error)
}

// Topic manages topics and their subscribers; see package topic.
type Topic interface {
	Topic(ctx context.Context, v viewer.Viewer, id string) (*messaging.SeenTopic, error)
	Subscription(ctx context.Context, v viewer.Viewer, id string, user *string) (*messaging.SeenSubscription, error)
	Mine(ctx context.Context, v viewer.Viewer, w messaging.TopicFilter, args page.Args) (page.Page[*messaging.SeenSubscription], error)
	Of(ctx context.Context, v viewer.Viewer, operation, id string, since time.Time, args page.Args) (page.Page[*messaging.SeenSubscription], error)
	Readers(ctx context.Context, topics []messaging.TopicID) (map[messaging.TopicID]messaging.Readers, error)
	Unread(ctx context.Context, v viewer.Viewer) (int, error)
	CreateGroup(ctx context.Context, v viewer.Viewer, plan messaging.GroupPlan) (*messaging.SeenTopic, error)
	StartChat(ctx context.Context, v viewer.Viewer, with string, plan messaging.ChatPlan) (*messaging.SeenTopic, error)
	Update(ctx context.Context, v viewer.Viewer, id string, c messaging.TopicChange) (*messaging.SeenTopic, error)
	Delete(ctx context.Context, v viewer.Viewer, id string, hard bool) error
	Subscribe(ctx context.Context, v viewer.Viewer, id string, mode *string, note messaging.JSON) (*messaging.SeenSubscription, error)
	Unsubscribe(ctx context.Context, v viewer.Viewer, id string) (*messaging.SeenSubscription, error)
	RemoveSubscriber(ctx context.Context, v viewer.Viewer, id, user string) (*messaging.SeenSubscription, error)
	SetPrivate(ctx context.Context, v viewer.Viewer, id string, note messaging.JSON) (*messaging.SeenSubscription, error)
	SetMyAccess(ctx context.Context, v viewer.Viewer, id, want string) (*messaging.SeenSubscription, error)
	SetAccess(ctx context.Context, v viewer.Viewer, id, user string, given *string) (*messaging.SeenSubscription, error)
	Offer(ctx context.Context, v viewer.Viewer, id, user string) (*messaging.SeenSubscription, error)
	Accept(ctx context.Context, v viewer.Viewer, id string) (*messaging.SeenSubscription, error)
}

// Message manages messages; see package message.
type Message interface {
	List(ctx context.Context, v viewer.Viewer, l messaging.Listing, args page.Args) (page.Page[*messaging.SeenMessage], error)
	Deleted(ctx context.Context, v viewer.Viewer, l messaging.Listing, args page.Args) (page.Page[int], error)
	Message(ctx context.Context, v viewer.Viewer, topic string, seq int) (*messaging.SeenMessage, error)
	Publish(ctx context.Context, v viewer.Viewer, topic string, d messaging.Draft) (*messaging.SeenMessage, error)
	Edit(ctx context.Context, v viewer.Viewer, topic string, seq int, content messaging.JSON) (*messaging.SeenMessage, error)
	Delete(ctx context.Context, v viewer.Viewer, topic string, d messaging.Deletion) (*messaging.Deleted, error)
	Note(ctx context.Context, v viewer.Viewer, topic string, kind messaging.NoteKind, seq *int) (*messaging.SeenSubscription, error)
}

// Presence tracks which users are online; see package presence.
type Presence interface {
	Online(ctx context.Context, v viewer.Viewer, topics []messaging.TopicID) (map[messaging.TopicID]bool, error)
	GoOnline(ctx context.Context, v viewer.Viewer, agent *string) (time.Time, error)
	GoOffline(ctx context.Context, v viewer.Viewer, agent *string) (time.Time, error)
	ListenTopic(ctx context.Context, v viewer.Viewer, id string, clientID *string) (<-chan *messaging.SeenTopicEvent, error)
	ListenAccount(ctx context.Context, v viewer.Viewer, clientID *string) (<-chan *messaging.SeenTopicEvent, error)
}
