package graph

import (
	"stoa/internal/kit/page"
	"stoa/systems/pantry"
)

// Pages of lists, named as in the schema.
type (
	UserConnection      struct{ page.Page[*pantry.SeenUser] }
	GroupConnection     struct{ page.Page[*pantry.SeenGroup] }
	ContainerConnection struct {
		page.Page[*pantry.SeenContainer]
	}
	JoinLinkConnection     struct{ page.Page[*pantry.SeenLink] }
	ExpiringFoodConnection struct{ page.Page[*pantry.Found] }
	FoodHitConnection      struct{ page.Page[*pantry.Found] }
)
