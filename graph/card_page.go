package graph

import (
	"stoa/internal/kit/page"
	"stoa/social"
)

// PaginatedCards is a page of cards.
type PaginatedCards struct{ page.Page[*social.SeenCard] }
