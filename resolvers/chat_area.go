package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Chats is the area of chats and their messages; package chat implements it. A nil page is
// a list that the viewer may not see.
type Chats interface {
	Chat(ctx context.Context, v social.Viewer, id social.ChatID, d social.Detail) (*social.SeenChat, error)
	Direct(ctx context.Context, v social.Viewer, with *social.SeenUser, d social.Detail) (*social.SeenChat, error)
	ByUser(ctx context.Context, of *social.SeenUser, list page.Args, d social.Detail) (*page.Page[*social.SeenChat], error)
	Members(ctx context.Context, in *social.SeenChat, list page.Args, without social.UserID) (*page.Page[social.UserID], error)
	Messages(ctx context.Context, v social.Viewer, in *social.SeenChat, list page.Args, reverse bool, d social.Detail) (*page.Page[*social.SeenChatMessage], error)
	Of(ctx context.Context, v social.Viewer, m *social.SeenChatMessage, d social.Detail) (*social.SeenChat, error)
	CreateDirect(ctx context.Context, c social.Caller, id social.ChatID, with social.UserID, messageID social.ChatMessageID, text string, d social.Detail) (*social.SeenChat, error)
	Add(ctx context.Context, c social.Caller, id social.ChatID, messageID social.ChatMessageID, text string, d social.Detail) (*social.SeenChatMessage, error)
	CreateGroup(ctx context.Context, c social.Caller, id social.ChatID, name string, others []social.UserID, messageID social.ChatMessageID, text string, d social.Detail) (*social.SeenChat, error)
	AddToGroup(ctx context.Context, c social.Caller, id social.ChatID, others []social.UserID, d social.Detail) (*social.SeenChat, error)
	EditGroup(ctx context.Context, c social.Caller, id social.ChatID, name string, d social.Detail) (*social.SeenChat, error)
	LeaveGroup(ctx context.Context, c social.Caller, id social.ChatID, d social.Detail) (*social.SeenChat, error)
	ReportViews(ctx context.Context, c social.Caller, ids []social.ChatID) error
	Edit(ctx context.Context, c social.Caller, id social.ChatMessageID, text string, d social.Detail) (*social.SeenChatMessage, error)
	Flag(ctx context.Context, c social.Caller, id social.ChatID, d social.Detail) (*social.SeenChat, error)
	FlagMessage(ctx context.Context, c social.Caller, id social.ChatMessageID, d social.Detail) (*social.SeenChatMessage, error)
	Delete(ctx context.Context, c social.Caller, id social.ChatMessageID, d social.Detail) (*social.SeenChatMessage, error)
	Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.ChatMessageNotification, error)
	Notified(ctx context.Context, v social.Viewer, n *social.ChatMessageNotification, d social.Detail) (*social.SeenChatMessage, error)
}
