package graph

import (
	"stoa/internal/kit/page"
	"stoa/social"
)

// PaginatedPosts is a page of unfiltered ids of posts: which of them the viewer sees is determined
// when its items are resolved.
type PaginatedPosts struct {
	page.Page[social.PostID]
	// Followed is set if the list has only posts by users whom the viewer follows, and their own.
	Followed bool
}
