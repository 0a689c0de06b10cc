package messaging

import (
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"stoa/internal/kit/input"
)

// AccountState says whether an account is in use.
type AccountState string

const (
	InUse      AccountState = "OK"
	Suspended  AccountState = "SUSPENDED"
	Terminated AccountState = "DELETED"
)

// Level is how somebody has signed in.
type Level string

const (
	Anon Level = "ANON"
	Auth Level = "AUTH"
	Root Level = "ROOT"
)

// Number is the level as it is stored and stands in tokens.
func (l Level) Number() int {
	switch l {
	case Anon:
		return 10
	case Root:
		return 30
	}
	return 20
}

// User is somebody with an account.
type User struct {
	ID        UserID
	CreatedAt time.Time
	UpdatedAt time.Time
	DeletedAt time.Time
	Access    Access
	Public    JSON
	State     AccountState
	// LastSeen is zero for who has never gone offline.
	LastSeen  time.Time
	UserAgent string
	Tags      []string
	Devices   []Device // in the order of their registration
}

// Lives reports whether there is such a user.
func (u *User) Lives() bool { return u != nil && u.State != Terminated }

// Active reports whether the user may do anything and be found.
func (u *User) Active() bool { return u != nil && u.State == InUse }

// Login is what a user signs in by, "" for anonymous ones.
func (u *User) Login() string {
	i := slices.IndexFunc(u.Tags, IsBasic)
	if i < 0 {
		return ""
	}
	return u.Tags[i][len(basicScheme):]
}

// Level is how the user signs in.
func (u *User) Level() Level {
	if u.Login() == "" {
		return Anon
	}
	return Auth
}

// Platform is what a device runs.
type Platform string

const (
	IOS     Platform = "IOS"
	Android Platform = "ANDROID"
	Web     Platform = "WEB"
)

// Device is something that is pushed to.
type Device struct {
	ID       string
	Platform Platform
	Lang     *string
	LastSeen time.Time
}

// Key is under what the device is stored.
func (d Device) Key() string { return DeviceKey(d.ID) }

// DeviceKey is under what a device is stored.
func DeviceKey(id string) string {
	h := fnv.New64a()
	h.Write([]byte(id))
	return strconv.FormatUint(h.Sum64(), 16)
}

// Device returns a device of the user, nil when there is no such.
func (u *User) Device(id string) *Device {
	for i := range u.Devices {
		if u.Devices[i].ID == id {
			return &u.Devices[i]
		}
	}
	return nil
}

// Secret is what somebody proves to be a user by.
type Secret struct {
	// Key is the scheme and what is unique in it: basic:kestrel.
	Key     string
	User    UserID
	Hash    []byte
	Level   Level
	Expires time.Time // zero is never
}

// Good reports whether the secret can be used at a time.
func (s *Secret) Good(now time.Time) bool {
	return s != nil && (s.Expires.IsZero() || now.Before(s.Expires))
}

// Registration is who somebody says they are.
type Registration struct {
	Anonymous       bool
	Login, Password string
	Public, Private JSON
	Tags            []string
	Access          *AccessPlan
}

// AccountChange is what of an account is to change.
type AccountChange struct {
	Public input.Edit[JSON]
	Access *AccessPlan
	Tags   input.Edit[[]string]
}

// Viewer is the user who asks, as stored now.
type Viewer struct{ *User }

// SeenUser is a user as a viewer sees them. Devices, tags and the default access are for
// the user.
type SeenUser struct {
	user   *User
	self   bool
	online bool
}

// SeenBy returns u as a viewer sees them, who may be nobody with an account.
func (u *User) SeenBy(v UserID, online bool) *SeenUser { return &SeenUser{u, u.ID == v, online} }

// Gone is what is known of somebody of whom nothing is left.
func Gone(id UserID) *SeenUser { return &SeenUser{user: &User{ID: id, State: Terminated}} }

func (s *SeenUser) UserID() UserID       { return s.user.ID }
func (s *SeenUser) ID() string           { return PublicID(s.user.ID) }
func (s *SeenUser) CreatedAt() time.Time { return s.user.CreatedAt }
func (s *SeenUser) UpdatedAt() time.Time { return s.user.UpdatedAt }
func (s *SeenUser) Public() JSON         { return s.user.Public }
func (s *SeenUser) Online() bool         { return s.online }
func (s *SeenUser) LastSeen() *time.Time { return orNil(s.user.LastSeen) }
func (s *SeenUser) UserAgent() *string   { return textOrNil(s.user.UserAgent) }
func (s *SeenUser) State() AccountState  { return s.user.State }
func (s *SeenUser) DefaultAccess() *SeenDefault {
	if !s.self {
		return nil
	}
	return &SeenDefault{s.user.Access}
}

func (s *SeenUser) Tags() []string {
	if !s.self {
		return nil
	}
	return append([]string{}, s.user.Tags...)
}

func (s *SeenUser) Devices() []*Device {
	if !s.self {
		return nil
	}
	devices := []*Device{}
	for i := range s.user.Devices {
		devices = append(devices, &s.user.Devices[i])
	}
	return devices
}

func orNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// SignedIn is what a sign-in yields.
type SignedIn struct {
	User      *SeenUser
	Token     string
	ExpiresAt time.Time
	Level     Level
}

// TagStatus says whether a tag is free.
type TagStatus struct {
	Tag        string
	Normalized *string
	Available  bool
}

// FoundContact is somebody who was found.
type FoundContact struct {
	User        *SeenUser
	MatchedTags []string
}
