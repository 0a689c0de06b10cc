package graph

import (
	"stoa/internal/kit/page"
	"stoa/social"
)

// Pages of lists, with their names in the schema. A page of posts holds unfiltered ids:
// which posts the viewer sees is determined when its items are resolved.
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
