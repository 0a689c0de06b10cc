package resolvers

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// Account manages users; see package account.
type Account interface {
	Me(ctx context.Context, v viewer.Viewer) (*communities.SeenUser, error)
	User(ctx context.Context, v viewer.Viewer, id communities.UserID) (*communities.SeenUser, error)
	ByUsername(ctx context.Context, v viewer.Viewer, name string) (*communities.SeenUser, error)
	ByEmail(ctx context.Context, v viewer.Viewer, address string) (*communities.SeenUser, error)
	Named(ctx context.Context, v viewer.Viewer, ids []communities.UserID) (map[communities.UserID]*communities.SeenUser, error)
	All(ctx context.Context, v viewer.Viewer, args page.Args) (page.Page[*communities.SeenUser], error)
	Register(ctx context.Context, v viewer.Viewer, r communities.Registration) (*communities.SignedIn, error)
	Login(ctx context.Context, v viewer.Viewer, login, password string) (*communities.SignedIn, error)
	Refresh(ctx context.Context, token string) (*communities.SignedIn, error)
	Revoke(ctx context.Context, v viewer.Viewer) error
	ChangePassword(ctx context.Context, v viewer.Viewer, current, to string) error
	Delete(ctx context.Context, v viewer.Viewer, password string) error
	Heartbeat(ctx context.Context, v viewer.Viewer) (time.Time, error)
	Update(ctx context.Context, v viewer.Viewer, p communities.ProfileChange) (*communities.SeenUser, error)
	SetPermissions(ctx context.Context, v viewer.Viewer, id communities.UserID, to []communities.Permission) (*communities.SeenUser, error)
	SetRole(ctx context.Context, v viewer.Viewer, id communities.UserID, role communities.Role) (*communities.SeenUser, error)
	Ban(ctx context.Context, v viewer.Viewer, id communities.UserID) (*communities.SeenUser, error)
	Unban(ctx context.Context, v viewer.Viewer, id communities.UserID) (*communities.SeenUser, error)
}

// Town manages communities and their members; see package town.
type Town interface {
	Community(ctx context.Context, v viewer.Viewer, id communities.CommunityID) (*communities.SeenCommunity, error)
	ByName(ctx context.Context, v viewer.Viewer, name string) (*communities.SeenCommunity, error)
	Known(ctx context.Context, v viewer.Viewer, ids []communities.CommunityID) (map[communities.CommunityID]*communities.SeenCommunity, error)
	Inside(ctx context.Context, v viewer.Viewer, ids []communities.CommunityID) (map[communities.CommunityID]bool, error)
	Find(ctx context.Context, v viewer.Viewer, near communities.Near, topic *communities.Topic, args page.Args) (page.Page[*communities.SeenCommunity], error)
	Of(ctx context.Context, v viewer.Viewer, operation string, id communities.UserID, args page.Args) (page.Page[*communities.SeenCommunity], error)
	Members(ctx context.Context, v viewer.Viewer, operation string, id communities.CommunityID, args page.Args) (page.Page[*communities.SeenCommunityMember], error)
	Create(ctx context.Context, v viewer.Viewer, p communities.CommunityPlan) (*communities.SeenCommunity, error)
	Update(ctx context.Context, v viewer.Viewer, id communities.CommunityID, change communities.CommunityChange) (*communities.SeenCommunity, error)
	Delete(ctx context.Context, v viewer.Viewer, id communities.CommunityID) error
	Transfer(ctx context.Context, v viewer.Viewer, id communities.CommunityID, to communities.UserID) (*communities.SeenCommunity, error)
	Join(ctx context.Context, v viewer.Viewer, id communities.CommunityID) (*communities.SeenCommunity, error)
	Leave(ctx context.Context, v viewer.Viewer, id communities.CommunityID) (*communities.SeenCommunity, error)
	Remove(ctx context.Context, v viewer.Viewer, id communities.CommunityID, member communities.UserID) (*communities.SeenCommunity, error)
}

// Chat manages chats and their members; see package chat.
type Chat interface {
	Group(ctx context.Context, v viewer.Viewer, id communities.ChatID) (*communities.SeenGroup, error)
	Known(ctx context.Context, v viewer.Viewer, ids []communities.ChatID) (map[communities.ChatID]*communities.SeenGroup, error)
	InCommunity(ctx context.Context, v viewer.Viewer, operation string, id communities.CommunityID, args page.Args) (page.Page[*communities.SeenGroup], error)
	Mine(ctx context.Context, v viewer.Viewer, args page.Args) (page.Page[*communities.SeenGroup], error)
	MinePrivate(ctx context.Context, v viewer.Viewer, args page.Args) (page.Page[*communities.SeenPrivate], error)
	Members(ctx context.Context, v viewer.Viewer, operation string, id communities.ChatID, args page.Args) (page.Page[*communities.SeenChatMember], error)
	Create(ctx context.Context, v viewer.Viewer, in communities.CommunityID, plan communities.ChatPlan) (*communities.SeenGroup, error)
	Update(ctx context.Context, v viewer.Viewer, id communities.ChatID, change communities.ChatChange) (*communities.SeenGroup, error)
	Delete(ctx context.Context, v viewer.Viewer, id communities.ChatID) error
	Join(ctx context.Context, v viewer.Viewer, id communities.ChatID) (*communities.SeenGroup, error)
	Leave(ctx context.Context, v viewer.Viewer, id communities.ChatID) (*communities.SeenGroup, error)
	Remove(ctx context.Context, v viewer.Viewer, id communities.ChatID, member communities.UserID) (*communities.SeenGroup, error)
	Transfer(ctx context.Context, v viewer.Viewer, id communities.ChatID, to communities.UserID) (*communities.SeenGroup, error)
	Open(ctx context.Context, v viewer.Viewer, with communities.UserID) (*communities.SeenPrivate, error)
	Private(ctx context.Context, v viewer.Viewer, id communities.ChatID) (*communities.SeenPrivate, error)
	PrivateWith(ctx context.Context, v viewer.Viewer, with communities.UserID) (*communities.SeenPrivate, error)
	Hide(ctx context.Context, v viewer.Viewer, id communities.ChatID) error
	Mute(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, muted bool) error
}

// Message manages messages; see package message.
type Message interface {
	List(ctx context.Context, v viewer.Viewer, operation string, ref communities.ChatRef, in communities.Span, newestFirst bool, args page.Args) (page.Page[*communities.SeenMessage], error)
	Message(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id string) (*communities.SeenMessage, error)
	RepliedTo(ctx context.Context, replies []*communities.SeenMessage) (map[*communities.SeenMessage]*communities.SeenMessage, error)
	Send(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, d communities.Draft) (*communities.SeenMessage, error)
	Edit(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id, content string) (*communities.SeenMessage, error)
	Delete(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id string) (*communities.SeenMessage, error)
	React(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id string, t communities.ReactionType) (*communities.SeenMessage, error)
	Unreact(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id string) (*communities.SeenMessage, error)
	MarkRead(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, ids []string) (int, error)
	Typing(ctx context.Context, v viewer.Viewer, ref communities.ChatRef) error
	Listen(ctx context.Context, v viewer.Viewer, ref communities.ChatRef) (<-chan *communities.SeenChatEvent, error)
}

// Request manages requests to join closed chats; see package request.
type Request interface {
	Request(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error)
	PendingOf(ctx context.Context, v viewer.Viewer, ids []communities.ChatID) (map[communities.ChatID]*communities.SeenRequest, error)
	Mine(ctx context.Context, v viewer.Viewer, pending bool, args page.Args) (page.Page[*communities.SeenRequest], error)
	For(ctx context.Context, v viewer.Viewer, id communities.ChatID, pending bool, args page.Args) (page.Page[*communities.SeenRequest], error)
	Ask(ctx context.Context, v viewer.Viewer, id communities.ChatID, note *string) (*communities.SeenRequest, error)
	Cancel(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error)
	Accept(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error)
	Reject(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error)
	See(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error)
	Listen(ctx context.Context, v viewer.Viewer, id *communities.ChatID) (<-chan *communities.SeenRequest, error)
}

// Notice manages notifications; see package notice.
type Notice interface {
	List(ctx context.Context, v viewer.Viewer, filter communities.NotificationFilter, args page.Args) (page.Page[*communities.SeenNotification], error)
	Texts(ctx context.Context, v viewer.Viewer, all []*communities.SeenNotification) (map[*communities.SeenNotification]string, error)
	Counts(ctx context.Context, v viewer.Viewer) (*communities.NotificationCounts, error)
	MarkRead(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenNotification, error)
	MarkAllRead(ctx context.Context, v viewer.Viewer) (int, error)
	MarkSeen(ctx context.Context, v viewer.Viewer, ids []string) (int, error)
	Delete(ctx context.Context, v viewer.Viewer, id string) error
	Listen(ctx context.Context, v viewer.Viewer) (<-chan *communities.SeenNotification, error)
}
