package graph

import (
	"stoa/internal/kit/page"
	"stoa/social"
)

// PaginatedUsers is a page of users.
type PaginatedUsers struct{ page.Page[*social.SeenUser] }
