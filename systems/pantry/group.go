package pantry

import (
	"slices"
	"time"
)

// Group is a group of people who share containers. It has no roles.
type Group struct {
	ID   GroupID
	Name string
	// UserIDs are the members, sorted. There is at least one.
	UserIDs        []UserID
	ContainerCount int
	// CurrentLink is the key of the newest join link; empty if there is none. The link may
	// have expired or been deleted.
	CurrentLink string
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Version     int
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

// Without returns the group without a member.
func (g *Group) Without(id UserID) *Group {
	smaller := *g
	smaller.UserIDs = slices.DeleteFunc(slices.Clone(g.UserIDs), func(other UserID) bool { return other == id })
	return &smaller
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
// by its join link, only its name and size.
type SeenGroup struct {
	group  *Group
	viewer UserID
}

// SeenBy returns g as a viewer sees it.
func (g *Group) SeenBy(viewer UserID) *SeenGroup { return &SeenGroup{g, viewer} }

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
