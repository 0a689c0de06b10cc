package resolvers

import (
	"context"
	"stoa/social"
)

func (r *mutationResolver) FlagPost(ctx context.Context, postID string, reason *string) (*social.SeenPost, error) {
	return r.Posts.Flag(ctx, social.CallerFrom(ctx), social.PostID(postID), valueOf(reason), asked(ctx))
}

func (r *mutationResolver) FlagComment(ctx context.Context, commentID string) (*social.SeenComment, error) {
	return r.Comments.Flag(ctx, social.CallerFrom(ctx), social.CommentID(commentID), asked(ctx))
}

func (r *mutationResolver) FlagChat(ctx context.Context, chatID string) (*social.SeenChat, error) {
	return r.Chats.Flag(ctx, social.CallerFrom(ctx), social.ChatID(chatID), asked(ctx))
}

func (r *mutationResolver) FlagChatMessage(ctx context.Context, messageID string) (*social.SeenChatMessage, error) {
	return r.Chats.FlagMessage(ctx, social.CallerFrom(ctx), social.ChatMessageID(messageID), asked(ctx))
}
