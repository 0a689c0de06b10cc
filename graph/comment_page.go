package graph

import (
	"stoa/internal/kit/page"
	"stoa/social"
)

// PaginatedComments is a page of comments.
type PaginatedComments struct{ page.Page[*social.SeenComment] }
