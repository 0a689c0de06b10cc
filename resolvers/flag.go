package resolvers

import (
	"context"
	"stoa/internal/kit/optional"
	"stoa/social"
)

func (r *mutationResolver) FlagPost(ctx context.Context, postID string, reason *string) (*social.SeenPost, error) {
	return r.Posts.Flag(ctx, social.CallerFrom(ctx), social.PostID(postID), optional.Or(reason, ""), asked(ctx))
}

func (r *mutationResolver) FlagComment(ctx context.Context, commentID string, reason *string) (*social.SeenComment, error) {
	return r.Comments.Flag(ctx, social.CallerFrom(ctx), social.CommentID(commentID), optional.Or(reason, ""), asked(ctx))
}

func (r *mutationResolver) FlagChat(ctx context.Context, chatID string, reason *string) (*social.SeenChat, error) {
	return r.Chats.Flag(ctx, social.CallerFrom(ctx), social.ChatID(chatID), optional.Or(reason, ""), asked(ctx))
}

func (r *mutationResolver) FlagChatMessage(ctx context.Context, messageID string, reason *string) (*social.SeenChatMessage, error) {
	return r.Chats.FlagMessage(ctx, social.CallerFrom(ctx), social.ChatMessageID(messageID), optional.Or(reason, ""), asked(ctx))
}

func (r *mutationResolver) ReportUser(ctx context.Context, userID string, reason *string) (*social.SeenUser, error) {
	return r.Users.Report(ctx, social.CallerFrom(ctx), social.UserID(userID), optional.Or(reason, ""), asked(ctx))
}
