package pantry

import "time"

// User is a person who shares kitchens.
type User struct {
	ID   UserID
	Name string
	// Email is the verified address, in the case used by the identity service.
	Email      string
	GroupCount int
	CreatedAt  time.Time
	UpdatedAt  time.Time
	Version    int
}

// SeenUser is a user as a viewer sees them.
type SeenUser struct {
	user *User
	self bool
	// groupIDs is valid if known is set.
	groupIDs []GroupID
	known    bool
}

// SeenBy returns u as a viewer sees them.
func (u *User) SeenBy(viewer UserID) *SeenUser { return &SeenUser{user: u, self: u.ID == viewer} }

// Seen returns the user as they see themselves.
func (s Self) Seen() *SeenUser {
	return &SeenUser{user: s.User, self: true, groupIDs: s.GroupIDs, known: true}
}

func (s *SeenUser) ID() UserID           { return s.user.ID }
func (s *SeenUser) Name() string         { return s.user.Name }
func (s *SeenUser) CreatedAt() time.Time { return s.user.CreatedAt }

// IsSelf reports whether the user is the viewer.
func (s *SeenUser) IsSelf() bool { return s.self }

// GroupIDs returns the groups of a user who is the viewer. known is false if they have not
// been read.
func (s *SeenUser) GroupIDs() (ids []GroupID, known bool) { return s.groupIDs, s.known }

// EmailAddress returns the address to the user themselves, and nil to others.
func (s *SeenUser) EmailAddress() *string {
	if !s.self {
		return nil
	}
	return &s.user.Email
}
