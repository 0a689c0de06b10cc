package graph

import (
	"stoa/internal/kit/page"
	"stoa/social"
)

// PaginatedAlbums is a page of albums.
type PaginatedAlbums struct{ page.Page[*social.SeenAlbum] }
