package pantry

import (
	"fmt"
	"time"
)

// User is a person who shares kitchens.
type User struct {
	ID   UserID `dynamo:"UserId"`
	Name string `dynamo:"UserName"`
	// Email is the verified address, in the case used by the identity service.
	Email      string    `dynamo:"EMailAddress"`
	GroupCount int       `dynamo:"GroupCount,zero"`
	CreatedAt  time.Time `dynamo:"CreatedAt"`
	UpdatedAt  time.Time `dynamo:"UpdatedAt"`
	Version    int       `dynamo:"Version"`
}

// SeenUser is a user as a viewer sees them.
type SeenUser struct {
	user *User
	self bool
	// groupIDs is valid if known is set.
	groupIDs []GroupID
	known    bool
}

// Met is a user whom a viewer has met in a group, as another member or by a food or a link
// there. The user may be gone. Only what is seen there returns those who were met.
type Met struct{ id, viewer UserID }

// ID returns the id of the user.
func (m Met) ID() UserID { return m.id }

// SeenBy returns u as the viewer who has met them sees them.
func (u *User) SeenBy(m Met) *SeenUser {
	if u.ID != m.id {
		panic(fmt.Sprintf("pantry: user %s was met, not %s", m.id, u.ID))
	}
	return &SeenUser{user: u, self: m.id == m.viewer}
}

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
