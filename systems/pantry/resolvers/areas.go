package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
)

// Household manages users and groups; see package household.
type Household interface {
	Me(ctx context.Context, v viewer.Viewer) (*pantry.SeenUser, error)
	User(ctx context.Context, v viewer.Viewer, id pantry.UserID) (*pantry.SeenUser, error)
	Met(ctx context.Context, met []pantry.Met) (map[pantry.Met]*pantry.SeenUser, error)
	Create(ctx context.Context, v viewer.Viewer, name *string) (*pantry.SeenUser, error)
	Rename(ctx context.Context, v viewer.Viewer, name string) (*pantry.SeenUser, error)
	Delete(ctx context.Context, v viewer.Viewer) (pantry.UserID, error)

	Group(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (*pantry.SeenGroup, error)
	Mine(ctx context.Context, v viewer.Viewer, list page.Args) (page.Page[*pantry.SeenGroup], error)
	GroupsOf(ctx context.Context, v viewer.Viewer, u *pantry.SeenUser, list page.Args) (*page.Page[*pantry.SeenGroup], error)
	Members(ctx context.Context, v viewer.Viewer, id pantry.GroupID, list page.Args) (page.Page[*pantry.SeenUser], error)
	MembersOf(ctx context.Context, v viewer.Viewer, of *pantry.SeenGroup, list page.Args) (page.Page[*pantry.SeenUser], error)
	CreateGroup(ctx context.Context, v viewer.Viewer, name *string) (*pantry.SeenGroup, error)
	RenameGroup(ctx context.Context, v viewer.Viewer, id pantry.GroupID, name string, expected *int) (*pantry.SeenGroup, error)
	DeleteGroup(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (pantry.GroupID, error)
	Leave(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (pantry.GroupID, error)
	Remove(ctx context.Context, v viewer.Viewer, id pantry.GroupID, member pantry.UserID) (*pantry.SeenGroup, error)
}

// Kitchen manages containers and foods; see package kitchen.
type Kitchen interface {
	Container(ctx context.Context, v viewer.Viewer, id pantry.ContainerID) (*pantry.SeenContainer, error)
	GroupOf(ctx context.Context, v viewer.Viewer, c *pantry.SeenContainer) (*pantry.SeenGroup, error)
	InGroup(ctx context.Context, v viewer.Viewer, id pantry.GroupID, list page.Args) (page.Page[*pantry.SeenContainer], error)
	OfGroup(ctx context.Context, v viewer.Viewer, of *pantry.SeenGroup, list page.Args) (page.Page[*pantry.SeenContainer], error)
	Mine(ctx context.Context, v viewer.Viewer, list page.Args) (page.Page[*pantry.SeenContainer], error)
	Create(ctx context.Context, v viewer.Viewer, group pantry.GroupID, name *string) (*pantry.SeenContainer, error)
	Rename(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, name string, expected *int) (*pantry.SeenContainer, error)
	Move(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, to pantry.GroupID) (*pantry.SeenContainer, error)
	Delete(ctx context.Context, v viewer.Viewer, id pantry.ContainerID) (pantry.ContainerID, error)

	Food(ctx context.Context, v viewer.Viewer, in pantry.ContainerID, id pantry.FoodID) (*pantry.SeenFood, error)
	Search(ctx context.Context, v viewer.Viewer, group *pantry.GroupID, text string, list page.Args) (page.Page[*pantry.Found], error)
	Expiring(ctx context.Context, v viewer.Viewer, group *pantry.GroupID, e pantry.Expiring, list page.Args) (page.Page[*pantry.Found], error)
	Add(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, food pantry.NewFood) (*pantry.Found, error)
	AddAll(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, foods []pantry.NewFood) (*pantry.SeenContainer, error)
	Change(ctx context.Context, v viewer.Viewer, in pantry.ContainerID, id pantry.FoodID, change pantry.FoodChange) (*pantry.Found, error)
	MoveFood(ctx context.Context, v viewer.Viewer, from pantry.ContainerID, id pantry.FoodID, to pantry.ContainerID) (*pantry.Found, error)
	Remove(ctx context.Context, v viewer.Viewer, in pantry.ContainerID, id pantry.FoodID) (*pantry.SeenContainer, error)
	RemoveExpired(ctx context.Context, v viewer.Viewer, in pantry.ContainerID) (removed int, err error)

	List(ctx context.Context, v viewer.Viewer) ([]pantry.Category, error)
	SetList(ctx context.Context, v viewer.Viewer, names []string) ([]pantry.Category, error)
	Listen(ctx context.Context, v viewer.Viewer, group pantry.GroupID) (<-chan *pantry.SeenChange, error)
}

// Invite manages join links; see package invite.
type Invite interface {
	Live(ctx context.Context, of *pantry.SeenGroup) (*pantry.SeenLink, error)
	Generate(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (*pantry.SeenLink, error)
	Revoke(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (bool, error)
	Join(ctx context.Context, v viewer.Viewer, code string) (*pantry.SeenGroup, error)
	Preview(ctx context.Context, v viewer.Viewer, code string) (*pantry.LinkPreview, error)
	List(ctx context.Context, v viewer.Viewer, id pantry.GroupID, includeExpired bool, list page.Args) (page.Page[*pantry.SeenLink], error)
	Expired(ctx context.Context, v viewer.Viewer, list page.Args) (page.Page[*pantry.SeenLink], error)
	Purge(ctx context.Context, v viewer.Viewer) (int, error)
}
