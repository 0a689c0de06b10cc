package social

import "stoa/internal/kit/viewer"

// UserID names an identity, with or without a profile.
type UserID = viewer.UserID

// PostID names a post. Clients choose it, by custom a version 4 UUID.
type PostID string

// AlbumID names an album. Clients choose it, by custom a version 4 UUID.
type AlbumID string

// CommentID names a comment. Clients choose it, by custom a version 4 UUID.
type CommentID string

// ChatID names a chat. Clients choose it, by custom a version 4 UUID.
type ChatID string

// ChatMessageID names a message of a chat. Clients choose it, by custom a version 4 UUID;
// the service chooses those of system messages.
type ChatMessageID string
