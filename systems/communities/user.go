package communities

import (
	"fmt"
	"slices"
	"time"

	"stoa/internal/kit/optional"
)

// Role is the role of a user in the service.
type Role string

const (
	Regular   Role = "REGULAR_USER"
	Moderator Role = "MODERATOR"
	Admin     Role = "ADMIN"
)

// Permission is a permission that can be taken from a user.
type Permission string

const (
	ReadMessages      Permission = "READ_CHAT_MESSAGE"
	WriteMessages     Permission = "WRITE_CHAT_MESSAGE"
	CreateGroupChat   Permission = "CREATE_GROUP_CHAT"
	JoinGroupChat     Permission = "JOIN_GROUP_CHAT"
	CreatePrivateChat Permission = "CREATE_PRIVATE_CHAT"
	CreateCommunity   Permission = "CREATE_COMMUNITY"
	JoinCommunity     Permission = "JOIN_COMMUNITY"
	BanUser           Permission = "BAN_USER"
)

// AllPermissions lists the permissions in the order of the schema.
var AllPermissions = []Permission{
	ReadMessages, WriteMessages, CreateGroupChat, JoinGroupChat, CreatePrivateChat, CreateCommunity, JoinCommunity, BanUser,
}

// Permissions returns the permissions of the role, which users have unless they are
// restricted.
func (r Role) Permissions() []Permission {
	if r == Moderator || r == Admin {
		return slices.Clone(AllPermissions)
	}
	return slices.DeleteFunc(slices.Clone(AllPermissions), func(p Permission) bool { return p == BanUser })
}

// Narrowed returns restricted permissions of the role in the order of the schema, or an
// error if the role does not have one of them.
func (r Role) Narrowed(to []Permission) ([]Permission, error) {
	all := r.Permissions()
	for _, p := range to {
		if !slices.Contains(all, p) {
			return nil, badInput("PERMISSION_BEYOND_ROLE", "The role %s does not have the permission %s", r, p)
		}
	}
	return slices.DeleteFunc(all, func(p Permission) bool { return !slices.Contains(to, p) }), nil
}

// User is a registered user.
type User struct {
	ID           UserID    `dynamo:"Id"`
	Username     string    `dynamo:"Username"`
	Name         string    `dynamo:"Name"`
	PasswordHash string    `dynamo:"PasswordHash"`
	Email        string    `dynamo:"Email"`
	Bio          *string   `dynamo:"Bio"`
	Location     Location  `dynamo:"Location"`
	CreatedAt    time.Time `dynamo:"CreatedAt"`
	// LastSeenAt may lag behind by up to a minute.
	LastSeenAt    time.Time    `dynamo:"LastSeenAt"`
	AvatarURL     *string      `dynamo:"AvatarURL"`
	CoverPhotoURL *string      `dynamo:"CoverPhotoURL"`
	Role          Role         `dynamo:"Role"`
	Permissions   []Permission `dynamo:"Permissions,set"`
	Banned        bool         `dynamo:"Banned,zero"`
	// TokenVersion is the lowest version of valid tokens.
	TokenVersion int `dynamo:"TokenVersion,zero"`
	// FoundedCount is the number of communities whose founder is the user.
	FoundedCount int `dynamo:"FoundedCount,zero"`
	Version      int `dynamo:"Version"`
	// Deleted users are kept without their data, so that their tokens remain revoked.
	Deleted bool `dynamo:"Deleted,zero"`
}

// Lives reports whether the user exists.
func (u *User) Lives() bool { return u != nil && !u.Deleted }

// May refuses a banned user, and one without the permission.
func (u *User) May(p Permission) error {
	switch {
	case u.Banned:
		return ErrBanned
	case !slices.Contains(u.Permissions, p):
		return ErrPermission
	}
	return nil
}

// onlineFor is how long after their last activity a user counts as online.
const onlineFor = 2 * time.Minute

// SeenEvery is the minimum interval at which a user's activity is stored.
const SeenEvery = time.Minute

// Viewer is the user who makes a request, as stored at present. Only Facts returns viewers.
type Viewer struct{ *User }

// IsAdmin reports whether the viewer is an administrator.
func (v Viewer) IsAdmin() bool { return v.Role == Admin }

// Moderates reports whether the viewer may delete any message of a chat, even without being
// a member.
func (v Viewer) Moderates(c ChatRef) bool { return c.Type == Group && v.Role != Regular }

// SeenUser is a user as a viewer sees them. The address and permissions are visible to the
// user and to administrators only, bans to administrators only.
type SeenUser struct {
	user        *User
	self, admin bool
	now         time.Time
}

// SeenBy returns u as a viewer sees them at the given time.
func (u *User) SeenBy(v Viewer, now time.Time) *SeenUser {
	return &SeenUser{u, v.ID == u.ID, v.IsAdmin(), now}
}

// is panics if s is another user than something of theirs says.
func (s *SeenUser) is(id UserID) {
	if s.user.ID != id {
		panic(fmt.Sprintf("communities: what is of %s is not of %s", id, s.user.ID))
	}
}

func (s *SeenUser) ID() UserID             { return s.user.ID }
func (s *SeenUser) Username() string       { return s.user.Username }
func (s *SeenUser) Name() string           { return s.user.Name }
func (s *SeenUser) Bio() *string           { return s.user.Bio }
func (s *SeenUser) Location() *Location    { return &s.user.Location }
func (s *SeenUser) JoinedAt() time.Time    { return s.user.CreatedAt }
func (s *SeenUser) AvatarURL() *string     { return s.user.AvatarURL }
func (s *SeenUser) CoverPhotoURL() *string { return s.user.CoverPhotoURL }
func (s *SeenUser) Role() Role             { return s.user.Role }
func (s *SeenUser) IsAdmin() bool          { return s.user.Role == Admin }
func (s *SeenUser) Banned() bool           { return s.admin && s.user.Banned }
func (s *SeenUser) Version() int           { return s.user.Version }

func (s *SeenUser) LastSeenAt() *time.Time { return optional.IfSet(s.user.LastSeenAt) }

func (s *SeenUser) Online() bool {
	return !s.user.LastSeenAt.IsZero() && s.now.Sub(s.user.LastSeenAt) <= onlineFor
}

func (s *SeenUser) Email() *string {
	if !s.self && !s.admin {
		return nil
	}
	return &s.user.Email
}

func (s *SeenUser) Permissions() []Permission {
	if !s.self && !s.admin {
		return nil
	}
	if s.user.Permissions == nil || s.user.Banned { // a banned user has none (communities 5.2#5)
		return []Permission{}
	}
	return s.user.Permissions
}

// SignedIn is the result of a sign-in.
type SignedIn struct {
	AccessToken  string
	RefreshToken string
	ExpiresAt    time.Time
	User         *SeenUser
}

// Session is the result of a sign-in without the user.
type Session struct {
	UserID       UserID
	AccessToken  string
	RefreshToken string
	ExpiresAt    time.Time
}

// Of returns the session with its user at the given time.
func (s Session) Of(u *User, now time.Time) *SignedIn {
	self := u.SeenBy(Viewer{u}, now)
	self.is(s.UserID)
	return &SignedIn{s.AccessToken, s.RefreshToken, s.ExpiresAt, self}
}
