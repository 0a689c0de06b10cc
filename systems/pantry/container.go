package pantry

import (
	"time"

	"stoa/internal/kit/optional"
)

// Container is a fridge, a shelf or a box, with the foods in it.
type Container struct {
	ID      ContainerID     `dynamo:"ContainerId,keyonly"`
	GroupID GroupID         `dynamo:"OwnerGroup"`
	Name    string          `dynamo:"ContainerName"`
	Foods   map[FoodID]Food `dynamo:"-"`
	// Version counts changes of the container itself: of its name or group, and added
	// foods. Foods count their own changes.
	Version   int       `dynamo:"Version"`
	CreatedAt time.Time `dynamo:"CreatedAt"`
	UpdatedAt time.Time `dynamo:"UpdatedAt"`
}

// SeenContainer is a container as a member of its group sees it at a given time.
type SeenContainer struct {
	container *Container
	// group is nil if it has not been read.
	group  *SeenGroup
	viewer UserID
	now    time.Time
}

// SeenIn returns c as a member of its group sees it, and nil for others.
func (c *Container) SeenIn(group *SeenGroup, now time.Time) *SeenContainer {
	if group == nil || group.group.Admit(group.viewer) != nil {
		return nil
	}
	group.is(c.GroupID)
	return &SeenContainer{c, group, group.viewer, now}
}

// ChangedBy returns c as it is seen by the member who has just changed it: the transaction
// required the membership, so the group was not read.
func (c *Container) ChangedBy(viewer UserID, now time.Time) *SeenContainer {
	return &SeenContainer{c, nil, viewer, now}
}

// KnownGroup returns the group, or nil if it has not been read.
func (s *SeenContainer) KnownGroup() *SeenGroup { return s.group }

func (s *SeenContainer) ID() ContainerID      { return s.container.ID }
func (s *SeenContainer) GroupID() GroupID     { return s.container.GroupID }
func (s *SeenContainer) Name() string         { return s.container.Name }
func (s *SeenContainer) FoodCount() int       { return len(s.container.Foods) }
func (s *SeenContainer) CreatedAt() time.Time { return s.container.CreatedAt }
func (s *SeenContainer) UpdatedAt() time.Time { return s.container.UpdatedAt }
func (s *SeenContainer) Version() int         { return s.container.Version }

// Food returns one of the foods, or nil if it does not exist.
func (s *SeenContainer) Food(id FoodID) *SeenFood {
	f, ok := s.container.Foods[id]
	if !ok {
		return nil
	}
	return &SeenFood{f, s.viewer, s.now}
}

// Foods returns the foods that pass the filter, sorted by expiry unless another order is
// given.
func (s *SeenContainer) Foods(filter *FoodFilter, sort *FoodSort) []*SeenFood {
	var foods []*SeenFood
	for _, f := range s.container.Foods {
		if filter.passes(f, s.now) {
			foods = append(foods, &SeenFood{f, s.viewer, s.now})
		}
	}
	sortFoods(foods, optional.Or(sort, SortByExpiry))
	return foods
}
