package pantry

// Wanted names things to read together, as they are now.
type Wanted struct {
	Users      []UserID
	Groups     []GroupID
	Containers []ContainerID
	// Codes are those of join links, Links those links themselves.
	Codes []string
	Links []LinkRef
	// Categories asks for the list.
	Categories bool
}

// LinkRef says where a join link is stored.
type LinkRef struct {
	GroupID GroupID
	// Key tells the links of a group apart, see Group.CurrentLink.
	Key string
}

// Facts are those of the wanted things that are there.
type Facts struct {
	Users      map[UserID]*User
	Groups     map[GroupID]*Group
	Containers map[ContainerID]*Container
	Codes      map[string]LinkRef
	Links      map[LinkRef]*JoinLink
	Categories Categories
}

// Registered refuses viewers who are no users. They must be among the wanted users.
func (f *Facts) Registered(viewer UserID) error {
	switch {
	case viewer == "":
		return ErrUnauthenticated
	case f.Users[viewer] == nil:
		return ErrNotRegistered
	}
	return nil
}

// Self is what a user's own partition holds.
type Self struct {
	// User is nil for an identity without a user.
	User *User
	// GroupIDs are the groups that the user is in, sorted. Some may be gone.
	GroupIDs []GroupID
}

// Registered refuses viewers who are no users.
func (s Self) Registered(viewer UserID) error {
	switch {
	case viewer == "":
		return ErrUnauthenticated
	case s.User == nil:
		return ErrNotRegistered
	}
	return nil
}
