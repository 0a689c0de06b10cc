package pantry

import (
	"context"

	"stoa/internal/kit/page"
)

// Wanted lists things to be read together, consistently.
type Wanted struct {
	Users      []UserID
	Groups     []GroupID
	Containers []ContainerID
	// Codes are codes of join links, Links the links themselves.
	Codes []string
	Links []LinkRef
	// Categories requests the list of categories.
	Categories bool
}

// LinkRef is the location of a stored join link.
type LinkRef struct {
	GroupID GroupID
	// Key identifies a link within its group; see Group.CurrentLink.
	Key string
}

// Facts contains those wanted things that exist.
type Facts struct {
	Users      map[UserID]*User
	Groups     map[GroupID]*Group
	Containers map[ContainerID]*Container
	Codes      map[string]LinkRef
	Links      map[LinkRef]*JoinLink
	Categories Categories
}

// Registered refuses viewers who are not users. The viewer must be among the wanted users.
func (f *Facts) Registered(viewer UserID) error {
	switch {
	case viewer == "":
		return ErrUnauthenticated
	case f.Users[viewer] == nil:
		return ErrNotRegistered
	}
	return nil
}

// Self is the content of a user's own partition.
type Self struct {
	// User is nil if the identity is not a user.
	User *User
	// GroupIDs are the user's groups, sorted. Some may have been deleted.
	GroupIDs []GroupID
}

// Registered refuses viewers who are not users.
func (s Self) Registered(viewer UserID) error {
	switch {
	case viewer == "":
		return ErrUnauthenticated
	case s.User == nil:
		return ErrNotRegistered
	}
	return nil
}

// Reader reads facts.
type Reader interface {
	// Facts never returns nil facts, not even with an error.
	Facts(ctx context.Context, w Wanted) (*Facts, error)
}

// ContainerLister lists the containers of groups.
type ContainerLister interface {
	// IDs returns the containers of a group ordered by id.
	IDs(ctx context.Context, group GroupID, q page.Query) (page.Page[ContainerID], error)
}

// SelfReader reads users with their groups.
type SelfReader interface {
	// Self reads everything stored in a user's own partition.
	Self(ctx context.Context, id UserID) (Self, error)
}

// SelfOf reads the viewer, or returns an error if they are not a user.
func SelfOf(ctx context.Context, r SelfReader, viewer UserID) (Self, error) {
	self, err := r.Self(ctx, viewer)
	if err != nil {
		return Self{}, err
	}
	return self, self.Registered(viewer)
}

// GroupFor reads a group, nil if it does not exist, for a viewer, who must be a user.
func GroupFor(ctx context.Context, r Reader, viewer UserID, id GroupID) (*Group, error) {
	facts, err := r.Facts(ctx, Wanted{Users: []UserID{viewer}, Groups: []GroupID{id}})
	if err != nil {
		return nil, err
	}
	return facts.Groups[id], facts.Registered(viewer)
}

// Admit reads a group for a member, or returns an error.
func Admit(ctx context.Context, r Reader, viewer UserID, id GroupID) (*Group, error) {
	g, err := GroupFor(ctx, r, viewer, id)
	if err != nil {
		return nil, err
	}
	return g, g.Admit(viewer)
}
