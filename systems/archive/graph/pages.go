package graph

import (
	"stoa/internal/kit/page"
	"stoa/systems/archive"
)

// Pages of lists, named as in the schema.
type (
	UserConnection       struct{ page.Page[*archive.User] }
	CategoryConnection   struct{ page.Page[*archive.Category] }
	CollectionConnection struct {
		page.Page[*archive.Collection]
	}
	PostConnection      struct{ page.Page[*archive.Post] }
	RecordConnection    struct{ page.Page[*archive.SeenRecord] }
	HouseholdConnection struct{ page.Page[*archive.Household] }
	RecordHitConnection struct{ page.Page[*archive.RecordHit] }
)
