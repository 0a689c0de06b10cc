package pantry

import (
	"fmt"
	"slices"
	"time"
)

// Group is a group of people who share containers. It has no roles.
type Group struct {
	ID   GroupID `dynamo:"GroupRef"`
	Name string  `dynamo:"GroupName"`
	// UserIDs are the members, sorted. There is at least one.
	UserIDs        []UserID `dynamo:"BelongingUsers,set"`
	ContainerCount int      `dynamo:"ContainerCount,zero"`
	// CurrentLink is the key of the newest join link; empty if there is none. The link may
	// have expired or been deleted.
	CurrentLink string    `dynamo:"CurrentJoinLink"`
	CreatedAt   time.Time `dynamo:"CreatedAt"`
	UpdatedAt   time.Time `dynamo:"UpdatedAt"`
	Version     int       `dynamo:"Version"`
}

// Has reports whether a user is a member.
func (g *Group) Has(id UserID) bool {
	_, found := slices.BinarySearch(g.UserIDs, id)
	return found
}

// With returns the group with another member.
func (g *Group) With(id UserID) *Group {
	larger := *g
	larger.UserIDs = append(slices.Clone(g.UserIDs), id)
	slices.Sort(larger.UserIDs)
	return &larger
}

// Admit refuses viewers who are not members. g is nil if the group does not exist.
func (g *Group) Admit(viewer UserID) error {
	switch {
	case g == nil:
		return ErrNoGroup
	case !g.Has(viewer):
		return ErrNotMember
	}
	return nil
}

// SeenGroup is a group as a viewer sees it. Members see all of it; operators, who reach it
// by its join link, only its name and size. Containers and links, and the people met there,
// are seen by way of it.
type SeenGroup struct {
	group  *Group
	viewer UserID
}

// SeenBy returns g as a member sees it, and nil for others. g is nil if the group does not
// exist.
func (g *Group) SeenBy(viewer UserID) *SeenGroup {
	if g.Admit(viewer) != nil {
		return nil
	}
	return &SeenGroup{g, viewer}
}

// SeenByOperator returns g as an operator sees it.
func (g *Group) SeenByOperator(o Operator) *SeenGroup { return &SeenGroup{g, o.id} }

// Without returns the group after a member left. If that was the viewer, they see as little
// of it as operators.
func (s *SeenGroup) Without(id UserID) *SeenGroup {
	smaller := *s.group
	smaller.UserIDs = slices.DeleteFunc(slices.Clone(smaller.UserIDs), func(other UserID) bool { return other == id })
	return &SeenGroup{&smaller, s.viewer}
}

// is panics if s is another group than something in it says.
func (s *SeenGroup) is(id GroupID) {
	if s.group.ID != id {
		panic(fmt.Sprintf("pantry: what is in group %s is not in %s", id, s.group.ID))
	}
}

func (s *SeenGroup) ID() GroupID          { return s.group.ID }
func (s *SeenGroup) Name() string         { return s.group.Name }
func (s *SeenGroup) CreatedAt() time.Time { return s.group.CreatedAt }
func (s *SeenGroup) UpdatedAt() time.Time { return s.group.UpdatedAt }
func (s *SeenGroup) MemberCount() int     { return len(s.group.UserIDs) }
func (s *SeenGroup) ContainerCount() int  { return s.group.ContainerCount }
func (s *SeenGroup) Version() int         { return s.group.Version }

// Inside returns the group if the viewer is a member.
func (s *SeenGroup) Inside() (*Group, error) {
	if !s.group.Has(s.viewer) {
		return nil, ErrNotMember
	}
	return s.group, nil
}

// Met returns a member whom the viewer meets in the group, or false for other users.
func (s *SeenGroup) Met(id UserID) (m Met, ok bool) {
	if !s.group.Has(id) || !s.group.Has(s.viewer) {
		return m, false
	}
	return Met{id, s.viewer}, true
}
