package pantry

import (
	"stoa/internal/kit/optional"
	"stoa/internal/kit/slice"
)

// ChangeKind is the kind of a change of a container or a food in it.
type ChangeKind string

const (
	ContainerCreated ChangeKind = "CONTAINER_CREATED"
	ContainerRenamed ChangeKind = "CONTAINER_RENAMED"
	ContainerDeleted ChangeKind = "CONTAINER_DELETED"
	FoodAdded        ChangeKind = "FOOD_ADDED"
	FoodUpdated      ChangeKind = "FOOD_UPDATED"
	FoodRemoved      ChangeKind = "FOOD_REMOVED"
)

// Change is a change in a group.
type Change struct {
	Kind        ChangeKind
	ContainerID ContainerID
	FoodID      FoodID `json:",omitempty"`
}

// GroupChanged: changes were made in a group, in this order.
type GroupChanged struct {
	GroupID GroupID
	Changes []Change
}

func (GroupChanged) EventName() string     { return "pantry.groupChanged" }
func (e GroupChanged) OrderingKey() string { return string(e.GroupID) }

// FoodsChanged returns the event for changes of the same kind to foods of a container.
func FoodsChanged(kind ChangeKind, c *Container, ids ...FoodID) GroupChanged {
	return GroupChanged{c.GroupID, slice.Map(ids, func(id FoodID) Change { return Change{kind, c.ID, id} })}
}

// ContainerChanged returns the event for a change of a container.
func ContainerChanged(kind ChangeKind, group GroupID, id ContainerID) GroupChanged {
	return GroupChanged{GroupID: group, Changes: []Change{{Kind: kind, ContainerID: id}}}
}

// MemberLeft: a user is no longer a member of a group.
type MemberLeft struct {
	GroupID GroupID
	UserID  UserID
}

func (MemberLeft) EventName() string     { return "pantry.memberLeft" }
func (e MemberLeft) OrderingKey() string { return string(e.GroupID) }

// GroupDeleted: a group was deleted. Its memberships and containers are still to be
// removed.
type GroupDeleted struct {
	GroupID GroupID
	// UserIDs were its members, sorted.
	UserIDs []UserID
}

func (GroupDeleted) EventName() string     { return "pantry.groupDeleted" }
func (e GroupDeleted) OrderingKey() string { return string(e.GroupID) }

// UserDeleted: a user was deleted. They are still to leave their groups.
type UserDeleted struct {
	UserID UserID
	// Erased is set if nothing may be left that identifies the user.
	Erased bool `json:",omitempty"`
}

// WasErased returns Erased.
func (e UserDeleted) WasErased() bool { return e.Erased }

func (UserDeleted) EventName() string     { return "pantry.userDeleted" }
func (e UserDeleted) OrderingKey() string { return string(e.UserID) }

// News is published to the subscribers of a group.
type News struct {
	GroupID GroupID
	Changes []Change `json:",omitempty"`
	// Left is a user who is no longer a member. Gone is set if the group was deleted.
	Left UserID `json:",omitempty"`
	Gone bool   `json:",omitempty"`
}

// Subject returns the subject under which the news are published.
func (n News) Subject() string { return NewsOf(n.GroupID) }

// NewsOf returns the subject of a group's news.
func NewsOf(id GroupID) string { return "pantry/group/" + string(id) }

// SeenChange is a change as a member of the group sees it, with the present state of the
// container and the food.
type SeenChange struct {
	change    Change
	group     *SeenGroup
	container *SeenContainer
}

// SeenIn returns c with the present container, nil if it is no longer in the group.
func (c Change) SeenIn(group *SeenGroup, container *SeenContainer) *SeenChange {
	if container != nil {
		group.is(container.GroupID())
	}
	return &SeenChange{c, group, container}
}

func (s *SeenChange) Kind() ChangeKind          { return s.change.Kind }
func (s *SeenChange) GroupID() GroupID          { return s.group.ID() }
func (s *SeenChange) ContainerID() ContainerID  { return s.change.ContainerID }
func (s *SeenChange) Container() *SeenContainer { return s.container }
func (s *SeenChange) FoodID() *FoodID           { return optional.IfSet(s.change.FoodID) }

// Food is nil if it is no longer in the container.
func (s *SeenChange) Food() *SeenFood {
	if s.change.FoodID == "" || s.container == nil {
		return nil
	}
	return s.container.Food(s.change.FoodID)
}
