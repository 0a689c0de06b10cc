package graph

import (
	"stoa/internal/kit/page"
	"stoa/social"
)

// PaginatedChats is a page of chats.
type PaginatedChats struct{ page.Page[*social.SeenChat] }

// PaginatedChatMessages is a page of messages.
type PaginatedChatMessages struct {
	page.Page[*social.SeenChatMessage]
}
