package graph

import (
	"stoa/internal/kit/page"
	"stoa/social"
)

// Pages of lists, by their names in the schema. A page of posts holds ids before anything
// is left out: which of them the viewer sees is settled when its items are asked for.
type (
	PaginatedAlbums       struct{ page.Page[*social.SeenAlbum] }
	PaginatedCards        struct{ page.Page[*social.SeenCard] }
	PaginatedChatMessages struct {
		page.Page[*social.SeenChatMessage]
	}
	PaginatedChats    struct{ page.Page[*social.SeenChat] }
	PaginatedComments struct{ page.Page[*social.SeenComment] }
	PaginatedPosts    struct{ page.Page[social.PostID] }
	PaginatedUsers    struct{ page.Page[*social.SeenUser] }
)
