package resolvers

import (
	"context"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/resolve"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
	"stoa/systems/pantry/graph"
)

func (r *containerResolver) Group(ctx context.Context, obj *pantry.SeenContainer) (*pantry.SeenGroup, error) {
	return r.Kitchen.GroupOf(ctx, viewer.From(ctx), obj)
}

func (r *foodResolver) AddedBy(ctx context.Context, obj *pantry.SeenFood) (*pantry.SeenUser, error) {
	return r.met(ctx, obj.Adder())
}

func (r *groupResolver) Users(ctx context.Context, obj *pantry.SeenGroup, limit *int, nextToken *string) (*graph.UserConnection, error) {
	return resolve.Page[graph.UserConnection](r.Household.MembersOf(ctx, viewer.From(ctx), obj, resolve.Args(limit, nextToken)))
}

func (r *groupResolver) Containers(ctx context.Context, obj *pantry.SeenGroup, limit *int, nextToken *string) (*graph.ContainerConnection, error) {
	return resolve.Page[graph.ContainerConnection](r.Kitchen.OfGroup(ctx, viewer.From(ctx), obj, resolve.Args(limit, nextToken)))
}

func (r *groupResolver) JoinLink(ctx context.Context, obj *pantry.SeenGroup) (*pantry.SeenLink, error) {
	return r.Invite.Live(ctx, obj)
}

func (r *joinLinkResolver) CreatedBy(ctx context.Context, obj *pantry.SeenLink) (*pantry.SeenUser, error) {
	return r.met(ctx, obj.Creator())
}

func (r *mutationResolver) CreateUser(ctx context.Context, input *graph.CreateUserInput) (*pantry.SeenUser, error) {
	var name *string
	if input != nil {
		name = input.Name.Value()
	}
	return r.Household.Create(ctx, viewer.From(ctx), name)
}

func (r *mutationResolver) UpdateUser(ctx context.Context, name string) (*pantry.SeenUser, error) {
	return r.Household.Rename(ctx, viewer.From(ctx), name)
}

func (r *mutationResolver) DeleteUser(ctx context.Context) (string, error) {
	id, err := r.Household.Delete(ctx, viewer.From(ctx))
	return string(id), err
}

func (r *mutationResolver) CreateGroup(ctx context.Context, name *string) (*pantry.SeenGroup, error) {
	return r.Household.CreateGroup(ctx, viewer.From(ctx), name)
}

func (r *mutationResolver) UpdateGroup(ctx context.Context, id string, name string, expectedVersion *int) (*pantry.SeenGroup, error) {
	return r.Household.RenameGroup(ctx, viewer.From(ctx), pantry.GroupID(id), name, expectedVersion)
}

func (r *mutationResolver) DeleteGroup(ctx context.Context, id string) (string, error) {
	_, err := r.Household.DeleteGroup(ctx, viewer.From(ctx), pantry.GroupID(id))
	return id, err
}

func (r *mutationResolver) GenerateJoinLink(ctx context.Context, groupID string) (*pantry.SeenLink, error) {
	return r.Invite.Generate(ctx, viewer.From(ctx), pantry.GroupID(groupID))
}

func (r *mutationResolver) RevokeJoinLink(ctx context.Context, groupID string) (bool, error) {
	return r.Invite.Revoke(ctx, viewer.From(ctx), pantry.GroupID(groupID))
}

func (r *mutationResolver) JoinGroup(ctx context.Context, code string) (*pantry.SeenGroup, error) {
	return r.Invite.Join(ctx, viewer.From(ctx), code)
}

func (r *mutationResolver) LeaveGroup(ctx context.Context, groupID string) (string, error) {
	_, err := r.Household.Leave(ctx, viewer.From(ctx), pantry.GroupID(groupID))
	return groupID, err
}

func (r *mutationResolver) RemoveUserFromGroup(ctx context.Context, groupID string, userID string) (*pantry.SeenGroup, error) {
	return r.Household.Remove(ctx, viewer.From(ctx), pantry.GroupID(groupID), pantry.UserID(userID))
}

func (r *mutationResolver) CreateContainer(ctx context.Context, groupID string, name *string) (*pantry.SeenContainer, error) {
	return r.Kitchen.Create(ctx, viewer.From(ctx), pantry.GroupID(groupID), name)
}

func (r *mutationResolver) UpdateContainer(ctx context.Context, id string, name string, expectedVersion *int) (*pantry.SeenContainer, error) {
	return r.Kitchen.Rename(ctx, viewer.From(ctx), pantry.ContainerID(id), name, expectedVersion)
}

func (r *mutationResolver) MoveContainer(ctx context.Context, id string, groupID string) (*pantry.SeenContainer, error) {
	return r.Kitchen.Move(ctx, viewer.From(ctx), pantry.ContainerID(id), pantry.GroupID(groupID))
}

func (r *mutationResolver) DeleteContainer(ctx context.Context, id string) (string, error) {
	_, err := r.Kitchen.Delete(ctx, viewer.From(ctx), pantry.ContainerID(id))
	return id, err
}

func (r *mutationResolver) AddFood(ctx context.Context, containerID string, input pantry.NewFood) (*pantry.Found, error) {
	return r.Kitchen.Add(ctx, viewer.From(ctx), pantry.ContainerID(containerID), input)
}

func (r *mutationResolver) AddFoods(ctx context.Context, containerID string, inputs []*pantry.NewFood) (*pantry.SeenContainer, error) {
	return r.Kitchen.AddAll(ctx, viewer.From(ctx), pantry.ContainerID(containerID), resolve.Values(inputs))
}

func (r *mutationResolver) UpdateFood(ctx context.Context, containerID string, foodID string, input pantry.NewFood, expectedVersion *int) (*pantry.Found, error) {
	return r.Kitchen.Change(ctx, viewer.From(ctx), pantry.ContainerID(containerID), pantry.FoodID(foodID),
		&pantry.ReplaceFood{Food: input, Expected: expectedVersion})
}

func (r *mutationResolver) PatchFood(ctx context.Context, containerID string, foodID string, input *pantry.PatchFood, clear []pantry.FoodField, expectedVersion *int) (*pantry.Found, error) {
	patch := optional.Or(input, pantry.PatchFood{})
	patch.Clear, patch.Expected = clear, expectedVersion
	return r.Kitchen.Change(ctx, viewer.From(ctx), pantry.ContainerID(containerID), pantry.FoodID(foodID), &patch)
}

func (r *mutationResolver) AdjustFoodQuantity(ctx context.Context, containerID string, foodID string, delta pantry.Decimal) (*pantry.Found, error) {
	return r.Kitchen.Change(ctx, viewer.From(ctx), pantry.ContainerID(containerID), pantry.FoodID(foodID), pantry.AdjustQuantity{Delta: delta})
}

func (r *mutationResolver) MoveFood(ctx context.Context, fromContainerID string, foodID string, toContainerID string) (*pantry.Found, error) {
	return r.Kitchen.MoveFood(ctx, viewer.From(ctx), pantry.ContainerID(fromContainerID), pantry.FoodID(foodID), pantry.ContainerID(toContainerID))
}

func (r *mutationResolver) RemoveFood(ctx context.Context, containerID string, foodID string) (*pantry.SeenContainer, error) {
	return r.Kitchen.Remove(ctx, viewer.From(ctx), pantry.ContainerID(containerID), pantry.FoodID(foodID))
}

func (r *mutationResolver) RemoveExpiredFoods(ctx context.Context, containerID string) (int, error) {
	return r.Kitchen.RemoveExpired(ctx, viewer.From(ctx), pantry.ContainerID(containerID))
}

func (r *mutationResolver) SetCategories(ctx context.Context, names []string) ([]*pantry.Category, error) {
	list, err := r.Kitchen.SetList(ctx, viewer.From(ctx), names)
	return resolve.Pointers(list), err
}

func (r *mutationResolver) PurgeExpiredJoinLinks(ctx context.Context) (int, error) {
	return r.Invite.Purge(ctx, viewer.From(ctx))
}

func (r *queryResolver) Me(ctx context.Context) (*pantry.SeenUser, error) {
	return r.Household.Me(ctx, viewer.From(ctx))
}

func (r *queryResolver) User(ctx context.Context, id string) (*pantry.SeenUser, error) {
	return r.Household.User(ctx, viewer.From(ctx), pantry.UserID(id))
}

func (r *queryResolver) MyGroups(ctx context.Context, limit *int, nextToken *string) (*graph.GroupConnection, error) {
	return resolve.Page[graph.GroupConnection](r.Household.Mine(ctx, viewer.From(ctx), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Group(ctx context.Context, id string) (*pantry.SeenGroup, error) {
	return r.Household.Group(ctx, viewer.From(ctx), pantry.GroupID(id))
}

func (r *queryResolver) GroupUsers(ctx context.Context, groupID string, limit *int, nextToken *string) (*graph.UserConnection, error) {
	return resolve.Page[graph.UserConnection](r.Household.Members(ctx, viewer.From(ctx), pantry.GroupID(groupID), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) GroupContainers(ctx context.Context, groupID string, limit *int, nextToken *string) (*graph.ContainerConnection, error) {
	return resolve.Page[graph.ContainerConnection](r.Kitchen.InGroup(ctx, viewer.From(ctx), pantry.GroupID(groupID), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) MyContainers(ctx context.Context, limit *int, nextToken *string) (*graph.ContainerConnection, error) {
	return resolve.Page[graph.ContainerConnection](r.Kitchen.Mine(ctx, viewer.From(ctx), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Container(ctx context.Context, id string) (*pantry.SeenContainer, error) {
	return r.Kitchen.Container(ctx, viewer.From(ctx), pantry.ContainerID(id))
}

func (r *queryResolver) Food(ctx context.Context, containerID string, foodID string) (*pantry.SeenFood, error) {
	return r.Kitchen.Food(ctx, viewer.From(ctx), pantry.ContainerID(containerID), pantry.FoodID(foodID))
}

func (r *queryResolver) SearchFoods(ctx context.Context, text string, groupID *string, limit *int, nextToken *string) (*graph.FoodHitConnection, error) {
	return resolve.Page[graph.FoodHitConnection](r.Kitchen.Search(ctx, viewer.From(ctx), (*pantry.GroupID)(groupID), text, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) ExpiringFoods(ctx context.Context, withinDays *int, groupID *string, includeExpired *bool, limit *int, nextToken *string) (*graph.ExpiringFoodConnection, error) {
	within := pantry.Expiring{WithinDays: optional.Or(withinDays, pantry.DefaultWithinDays), IncludeExpired: optional.Or(includeExpired, true)}
	return resolve.Page[graph.ExpiringFoodConnection](
		r.Kitchen.Expiring(ctx, viewer.From(ctx), (*pantry.GroupID)(groupID), within, resolve.Args(limit, nextToken)),
	)
}

func (r *queryResolver) Categories(ctx context.Context) ([]*pantry.Category, error) {
	list, err := r.Kitchen.List(ctx, viewer.From(ctx))
	return resolve.Pointers(list), err
}

func (r *queryResolver) JoinLinks(ctx context.Context, groupID string, includeExpired *bool, limit *int, nextToken *string) (*graph.JoinLinkConnection, error) {
	return resolve.Page[graph.JoinLinkConnection](
		r.Invite.List(ctx, viewer.From(ctx), pantry.GroupID(groupID), optional.Or(includeExpired, false), resolve.Args(limit, nextToken)),
	)
}

func (r *queryResolver) JoinLinkPreview(ctx context.Context, code string) (*pantry.LinkPreview, error) {
	return r.Invite.Preview(ctx, viewer.From(ctx), code)
}

func (r *queryResolver) ExpiredJoinLinks(ctx context.Context, limit *int, nextToken *string) (*graph.JoinLinkConnection, error) {
	return resolve.Page[graph.JoinLinkConnection](r.Invite.Expired(ctx, viewer.From(ctx), resolve.Args(limit, nextToken)))
}

func (r *subscriptionResolver) ContainerChanged(ctx context.Context, groupID string) (<-chan *pantry.SeenChange, error) {
	return r.Kitchen.Listen(ctx, viewer.From(ctx), pantry.GroupID(groupID))
}

func (r *userResolver) Groups(ctx context.Context, obj *pantry.SeenUser, limit *int, nextToken *string) (*graph.GroupConnection, error) {
	p, err := r.Household.GroupsOf(ctx, viewer.From(ctx), obj, resolve.Args(limit, nextToken))
	if p == nil || err != nil {
		return nil, page.Refused(err)
	}
	return resolve.Page[graph.GroupConnection](*p, nil)
}

func (r *Resolver) Container() graph.ContainerResolver { return &containerResolver{r} }

func (r *Resolver) Food() graph.FoodResolver { return &foodResolver{r} }

func (r *Resolver) Group() graph.GroupResolver { return &groupResolver{r} }

func (r *Resolver) JoinLink() graph.JoinLinkResolver { return &joinLinkResolver{r} }

func (r *Resolver) Mutation() graph.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Query() graph.QueryResolver { return &queryResolver{r} }

func (r *Resolver) Subscription() graph.SubscriptionResolver { return &subscriptionResolver{r} }

func (r *Resolver) User() graph.UserResolver { return &userResolver{r} }

type (
	containerResolver    struct{ *Resolver }
	foodResolver         struct{ *Resolver }
	groupResolver        struct{ *Resolver }
	joinLinkResolver     struct{ *Resolver }
	mutationResolver     struct{ *Resolver }
	queryResolver        struct{ *Resolver }
	subscriptionResolver struct{ *Resolver }
	userResolver         struct{ *Resolver }
)
