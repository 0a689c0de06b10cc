package pantry

// ChangeKind is what happened to a container or a food in it.
type ChangeKind string

const (
	ContainerCreated ChangeKind = "CONTAINER_CREATED"
	ContainerRenamed ChangeKind = "CONTAINER_RENAMED"
	ContainerDeleted ChangeKind = "CONTAINER_DELETED"
	FoodAdded        ChangeKind = "FOOD_ADDED"
	FoodUpdated      ChangeKind = "FOOD_UPDATED"
	FoodRemoved      ChangeKind = "FOOD_REMOVED"
)

// Change is something that happened in a group.
type Change struct {
	Kind        ChangeKind
	ContainerID ContainerID
	FoodID      FoodID `json:",omitempty"`
}

// GroupChanged says that things happened in a group, in this order.
type GroupChanged struct {
	GroupID GroupID
	Changes []Change
}

func (GroupChanged) EventName() string     { return "pantry.groupChanged" }
func (e GroupChanged) OrderingKey() string { return string(e.GroupID) }

// FoodsChanged makes the event that the same happened to foods of a container.
func FoodsChanged(kind ChangeKind, c *Container, ids ...FoodID) GroupChanged {
	e := GroupChanged{GroupID: c.GroupID}
	for _, id := range ids {
		e.Changes = append(e.Changes, Change{kind, c.ID, id})
	}
	return e
}

// ContainerChanged makes the event that something happened to a container.
func ContainerChanged(kind ChangeKind, group GroupID, id ContainerID) GroupChanged {
	return GroupChanged{GroupID: group, Changes: []Change{{Kind: kind, ContainerID: id}}}
}

// MemberLeft says that a user is no member of a group any more.
type MemberLeft struct {
	GroupID GroupID
	UserID  UserID
}

func (MemberLeft) EventName() string     { return "pantry.memberLeft" }
func (e MemberLeft) OrderingKey() string { return string(e.GroupID) }

// GroupDeleted says that a group is gone, and what belonged to it is to follow.
type GroupDeleted struct {
	GroupID GroupID
	// UserIDs were its members, sorted.
	UserIDs []UserID
}

func (GroupDeleted) EventName() string     { return "pantry.groupDeleted" }
func (e GroupDeleted) OrderingKey() string { return string(e.GroupID) }

// UserDeleted says that a user is gone and has to leave all groups.
type UserDeleted struct{ UserID UserID }

func (UserDeleted) EventName() string     { return "pantry.userDeleted" }
func (e UserDeleted) OrderingKey() string { return string(e.UserID) }

// News is what those hear who listen to a group.
type News struct {
	GroupID GroupID
	Changes []Change `json:",omitempty"`
	// Left is a user who is no member any more; Gone says that nobody is.
	Left UserID `json:",omitempty"`
	Gone bool   `json:",omitempty"`
}

// Subject is what news of the group go by.
func (n News) Subject() string { return NewsOf(n.GroupID) }

// NewsOf is the subject of a group's news.
func NewsOf(id GroupID) string { return "pantry/group/" + string(id) }

// SeenChange is a change as a member of the group sees it, with what it is about as that
// is now.
type SeenChange struct {
	Kind        ChangeKind
	GroupID     GroupID
	ContainerID ContainerID
	FoodID      *FoodID
	Food        *SeenFood
	Container   *SeenContainer
}

// Seen returns c with the container as it is now, nil when it is not in the group.
func (c Change) Seen(group GroupID, container *SeenContainer) *SeenChange {
	s := &SeenChange{Kind: c.Kind, GroupID: group, ContainerID: c.ContainerID, Container: container}
	if c.FoodID != "" {
		s.FoodID = &c.FoodID
		if container != nil {
			s.Food = container.Food(c.FoodID)
		}
	}
	return s
}
