package messaging

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"stoa/internal/kit/input"
	"stoa/internal/kit/optional"
)

// AccountState is the state of an account.
type AccountState string

const (
	InUse      AccountState = "OK"
	Suspended  AccountState = "SUSPENDED"
	Terminated AccountState = "DELETED"
)

// Level is how a user has signed in.
type Level string

const (
	Anon Level = "ANON"
	Auth Level = "AUTH"
	Root Level = "ROOT"
)

// Number returns the level in the form used in the store and in tokens.
func (l Level) Number() int {
	switch l {
	case Anon:
		return 10
	case Root:
		return 30
	}
	return 20
}

// User is a user with an account.
type User struct {
	ID        UserID       `dynamo:"Id"`
	CreatedAt time.Time    `dynamo:"CreatedAt"`
	UpdatedAt time.Time    `dynamo:"UpdatedAt"`
	DeletedAt time.Time    `dynamo:"DeletedAt,null"`
	Access    Access       `dynamo:"Access,zero"`
	Public    JSON         `dynamo:"Public,json,null"`
	State     AccountState `dynamo:"-"`
	// LastSeen is when the user last went offline; zero if never.
	LastSeen  time.Time `dynamo:"LastSeen"`
	UserAgent string    `dynamo:"UserAgent"`
	Tags      []string  `dynamo:"Tags"`
	Devices   []Device  `dynamo:"-"` // in the order of their registration
	// Identity is the account of the service's identity that the user has proven to have,
	// or "". What it has verified is verified of the user.
	Identity UserID `dynamo:"Identity"`
}

// Exists reports whether the user exists.
func (u *User) Exists() bool { return u != nil && u.State != Terminated }

// Active reports whether the user may act and be found.
func (u *User) Active() bool { return u != nil && u.State == InUse }

// Login returns the user's login, or "" for anonymous users.
func (u *User) Login() string {
	i := slices.IndexFunc(u.Tags, IsBasic)
	if i < 0 {
		return ""
	}
	return u.Tags[i][len(basicScheme):]
}

// Level returns how the user signs in.
func (u *User) Level() Level {
	if u.Login() == "" {
		return Anon
	}
	return Auth
}

// Platform is the platform of a device.
type Platform string

const (
	IOS     Platform = "IOS"
	Android Platform = "ANDROID"
	Web     Platform = "WEB"
)

// Device is a device that receives pushes.
type Device struct {
	ID       string    `dynamo:"DeviceId"`
	Platform Platform  `dynamo:"Platform"`
	Lang     *string   `dynamo:"Lang"`
	LastSeen time.Time `dynamo:"LastSeen"`
}

// Key returns the key under which the device is stored.
func (d Device) Key() string { return DeviceKey(d.ID) }

// DeviceKey returns the key under which a device is stored.
func DeviceKey(id string) string {
	h := fnv.New64a()
	h.Write([]byte(id))
	return strconv.FormatUint(h.Sum64(), 16)
}

// Device returns a device of the user, or nil if they do not have it.
func (u *User) Device(id string) *Device {
	for i := range u.Devices {
		if u.Devices[i].ID == id {
			return &u.Devices[i]
		}
	}
	return nil
}

// Secret is the secret with which a user authenticates.
type Secret struct {
	// Key consists of the scheme and an id unique within it: basic:kestrel.
	Key     string
	User    UserID
	Hash    []byte
	Level   Level
	Expires time.Time // zero if never
}

// Good reports whether the secret is valid at the given time.
func (s *Secret) Good(now time.Time) bool {
	return s != nil && (s.Expires.IsZero() || now.Before(s.Expires))
}

// Registration contains the details of a new account.
type Registration struct {
	Anonymous       bool
	Login, Password string
	Public, Private JSON
	Tags            []string
	Access          *AccessPlan
}

// AccountChange is a change of an account.
type AccountChange struct {
	Public input.Edit[JSON]
	Access *AccessPlan
	Tags   input.Edit[[]string]
}

// Viewer is the user who makes a request, as stored at present.
type Viewer struct{ *User }

// SeenUser is a user as a viewer sees them. Devices, tags and the default access are
// visible to the user only.
type SeenUser struct {
	user   *User
	self   bool
	online bool
}

// SeenBy returns u as a viewer, who need not have an account, sees them.
func (u *User) SeenBy(v UserID, online bool) *SeenUser { return &SeenUser{u, u.ID == v, online} }

// Gone returns a user of whom nothing is stored.
func Gone(id UserID) *SeenUser { return &SeenUser{user: &User{ID: id, State: Terminated}} }

// is panics if s is another user than something of theirs says.
func (s *SeenUser) is(id UserID) {
	if s.user.ID != id {
		panic(fmt.Sprintf("messaging: what is of %s is not of %s", id, s.user.ID))
	}
}

func (s *SeenUser) UserID() UserID       { return s.user.ID }
func (s *SeenUser) ID() string           { return PublicID(s.user.ID) }
func (s *SeenUser) CreatedAt() time.Time { return s.user.CreatedAt }
func (s *SeenUser) UpdatedAt() time.Time { return s.user.UpdatedAt }
func (s *SeenUser) Public() JSON         { return s.user.Public }
func (s *SeenUser) Online() bool         { return s.online && s.user.Active() }
func (s *SeenUser) LastSeen() *time.Time { return optional.IfSet(s.user.LastSeen) }
func (s *SeenUser) UserAgent() *string   { return optional.IfSet(s.user.UserAgent) }
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

// SignedIn is the result of a sign-in.
type SignedIn struct {
	User      *SeenUser
	Token     string
	ExpiresAt time.Time
	Level     Level
}

// TagStatus reports whether a tag is free.
type TagStatus struct {
	Tag        string
	Normalized *string
	Available  bool
}

// FoundContact is a user who was found.
type FoundContact struct {
	User        *SeenUser
	MatchedTags []string
	// VerifiedTags are those of an address or a number that the user has verified.
	VerifiedTags []string
}
