package store

import (
	"context"

	"stoa/internal/kit/stored"
	"stoa/social"
)

// ReportedIDs are the ids of content and users that people have reported.
type ReportedIDs struct {
	Posts    []social.PostID
	Comments []social.CommentID
	Chats    []social.ChatID
	Messages []social.ChatMessageID
	Users    []social.UserID
}

// Reported has those that exist.
type Reported struct {
	Posts    map[social.PostID]*social.Post
	Comments map[social.CommentID]*social.Comment
	Chats    map[social.ChatID]*social.Chat
	Messages map[social.ChatMessageID]*social.ChatMessage
	Users    map[social.UserID]*social.User
}

// Reported returns what people have reported, in one batch, for moderators.
func (s *Store) Reported(ctx context.Context, ids ReportedIDs) (r Reported, err error) {
	b := stored.NewBatch(s.DB)
	stored.Into(b, &r.Posts, posts, ids.Posts, postKey, stored.Same)
	stored.Into(b, &r.Comments, comments, ids.Comments, commentKey, stored.Same)
	stored.Into(b, &r.Chats, chats, ids.Chats, chatKey, stored.Same)
	stored.Into(b, &r.Messages, chatMessages, ids.Messages, messageKey, stored.Same)
	stored.Into(b, &r.Users, profiles, ids.Users, profileKey, (*profileItem).user)
	return r, b.Run(ctx)
}
