package pantry

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
