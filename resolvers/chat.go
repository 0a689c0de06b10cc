package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *chatResolver) Users(ctx context.Context, obj *social.SeenChat, limit *int, nextToken *string, excludeUserID *string) (*graph.PaginatedUsers, error) {
	members, err := r.Chats.Members(ctx, obj, page.Args{Limit: limit, NextToken: nextToken}, social.UserID(optional.Or(excludeUserID, "")))
	return r.shownUsers(ctx, members, err)
}

func (r *chatResolver) Messages(ctx context.Context, obj *social.SeenChat, limit *int, nextToken *string, reverse *bool) (*graph.PaginatedChatMessages, error) {
	return shown[graph.PaginatedChatMessages](
		r.Chats.Messages(ctx, viewer.From(ctx), obj, page.Args{Limit: limit, NextToken: nextToken}, optional.Or(reverse, false), asked(ctx)),
	)
}

func (r *chatMessageResolver) Chat(ctx context.Context, obj *social.SeenChatMessage) (*social.SeenChat, error) {
	return r.Chats.Of(ctx, viewer.From(ctx), obj, asked(ctx))
}

func (r *chatMessageNotificationResolver) Message(ctx context.Context, obj *social.ChatMessageNotification) (*social.SeenChatMessage, error) {
	return r.Chats.Notified(ctx, viewer.From(ctx), obj, asked(ctx))
}

func (r *mutationResolver) CreateDirectChat(ctx context.Context, chatID string, userID string, messageID string, messageText string) (*social.SeenChat, error) {
	return r.Chats.CreateDirect(
		ctx,
		social.CallerFrom(ctx),
		social.ChatID(chatID),
		social.UserID(userID),
		social.ChatMessageID(messageID),
		messageText,
		asked(ctx),
	)
}

func (r *mutationResolver) AddChatMessage(ctx context.Context, chatID string, messageID string, text string) (*social.SeenChatMessage, error) {
	return r.Chats.Add(ctx, social.CallerFrom(ctx), social.ChatID(chatID), social.ChatMessageID(messageID), text, asked(ctx))
}

func (r *mutationResolver) CreateGroupChat(ctx context.Context, chatID string, name *string, userIds []string, messageID string, messageText string) (*social.SeenChat, error) {
	return r.Chats.CreateGroup(
		ctx,
		social.CallerFrom(ctx),
		social.ChatID(chatID),
		optional.Or(name, ""),
		idsOf[social.UserID](userIds),
		social.ChatMessageID(messageID),
		messageText,
		asked(ctx),
	)
}

func (r *mutationResolver) EditGroupChat(ctx context.Context, chatID string, name string) (*social.SeenChat, error) {
	return r.Chats.EditGroup(ctx, social.CallerFrom(ctx), social.ChatID(chatID), name, asked(ctx))
}

func (r *mutationResolver) AddToGroupChat(ctx context.Context, chatID string, userIds []string) (*social.SeenChat, error) {
	return r.Chats.AddToGroup(ctx, social.CallerFrom(ctx), social.ChatID(chatID), idsOf[social.UserID](userIds), asked(ctx))
}

func (r *mutationResolver) LeaveGroupChat(ctx context.Context, chatID string) (*social.SeenChat, error) {
	return r.Chats.LeaveGroup(ctx, social.CallerFrom(ctx), social.ChatID(chatID), asked(ctx))
}

func (r *mutationResolver) ReportChatViews(ctx context.Context, chatIds []string) (*bool, error) {
	return succeeded(r.Chats.ReportViews(ctx, social.CallerFrom(ctx), idsOf[social.ChatID](chatIds)))
}

func (r *mutationResolver) EditChatMessage(ctx context.Context, messageID string, text string) (*social.SeenChatMessage, error) {
	return r.Chats.Edit(ctx, social.CallerFrom(ctx), social.ChatMessageID(messageID), text, asked(ctx))
}

func (r *mutationResolver) DeleteChatMessage(ctx context.Context, messageID string) (*social.SeenChatMessage, error) {
	return r.Chats.Delete(ctx, social.CallerFrom(ctx), social.ChatMessageID(messageID), asked(ctx))
}

func (r *mutationResolver) TriggerChatMessageNotification(ctx context.Context, input graph.ChatMessageNotificationInput) (*social.ChatMessageNotification, error) {
	return nil, refusal.Forbiddenf("Access denied")
}

func (r *queryResolver) Chat(ctx context.Context, chatID string) (*social.SeenChat, error) {
	return r.Chats.Chat(ctx, viewer.From(ctx), social.ChatID(chatID), asked(ctx))
}

func (r *subscriptionResolver) OnChatMessageNotification(ctx context.Context, userID string) (<-chan *social.ChatMessageNotification, error) {
	return r.Chats.Subscribe(ctx, viewer.From(ctx), social.UserID(userID))
}

func (r *userResolver) Chats(ctx context.Context, obj *social.SeenUser, limit *int, nextToken *string) (*graph.PaginatedChats, error) {
	return shown[graph.PaginatedChats](r.Resolver.Chats.ByUser(ctx, obj, page.Args{Limit: limit, NextToken: nextToken}, asked(ctx)))
}

func (r *userResolver) DirectChat(ctx context.Context, obj *social.SeenUser) (*social.SeenChat, error) {
	return r.Resolver.Chats.Direct(ctx, viewer.From(ctx), obj, asked(ctx))
}

func (r *Resolver) Chat() graph.ChatResolver { return &chatResolver{r} }

func (r *Resolver) ChatMessage() graph.ChatMessageResolver { return &chatMessageResolver{r} }

func (r *Resolver) ChatMessageNotification() graph.ChatMessageNotificationResolver {
	return &chatMessageNotificationResolver{r}
}

type (
	chatResolver                    struct{ *Resolver }
	chatMessageResolver             struct{ *Resolver }
	chatMessageNotificationResolver struct{ *Resolver }
)
