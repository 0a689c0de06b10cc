package store

import (
	"cmp"
	"slices"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/messaging"
)

// A user with an account. The row of a deleted one is kept, unless the deletion was hard.
var users = keyspec.Define[userItem](Users, keyspec.Row{Key: keyspec.K("{Id}", "")})

type userItem struct {
	ID        messaging.UserID      `dynamo:"Id"`
	CreatedAt keyspec.MilliStamp    `dynamo:"CreatedAt"`
	UpdatedAt keyspec.MilliStamp    `dynamo:"UpdatedAt"`
	DeletedAt *keyspec.MilliStamp   `dynamo:"DeletedAt,null"`
	Access    accessItem            `dynamo:"Access,zero"`
	Public    keyspec.JSON          `dynamo:"Public,null"`
	State     int                   `dynamo:"State,zero"`
	LastSeen  keyspec.MilliStamp    `dynamo:"LastSeen"`
	UserAgent string                `dynamo:"UserAgent"`
	SeqID     int                   `dynamo:"SeqId,zero"`
	ClearID   int                   `dynamo:"ClearId,zero"`
	Tags      []string              `dynamo:"Tags"`
	Devices   map[string]deviceItem `dynamo:"Devices"`
	// Identity is not in the design. It is absent until the user has proven to have one.
	Identity messaging.UserID `dynamo:"Identity"`
}

// accessItem contains default permissions, as bits.
type accessItem struct {
	Auth messaging.Mode `dynamo:"Auth"`
	Anon messaging.Mode `dynamo:"Anon"`
}

// deviceItem is an entry of Devices, by the hash of its id.
type deviceItem struct {
	DeviceID string             `dynamo:"DeviceId"`
	Platform messaging.Platform `dynamo:"Platform"`
	LastSeen keyspec.MilliStamp `dynamo:"LastSeen"`
	Lang     *string            `dynamo:"Lang"`
}

// States of accounts and topics in their stored form.
const (
	stateOK        = 0
	stateSuspended = 10
	stateDeleted   = 20
)

var states = map[messaging.AccountState]int{messaging.InUse: stateOK, messaging.Suspended: stateSuspended, messaging.Terminated: stateDeleted}

func stateOf(number int) messaging.AccountState {
	for state, n := range states {
		if n == number {
			return state
		}
	}
	return messaging.Terminated
}

// isNull is the type of an attribute stored as NULL, like times of deletion of what has not
// been deleted.
const isNull = "NULL"

// whenOrNull returns a time that is stored as NULL if it is zero.
func whenOrNull(t time.Time) *keyspec.MilliStamp {
	if t.IsZero() {
		return nil
	}
	return new(keyspec.MilliStampOf(t))
}

func timeOf(s *keyspec.MilliStamp) time.Time {
	if s == nil {
		return time.Time{}
	}
	return s.Time()
}

func accessItemOf(a messaging.Access) accessItem { return accessItem{a.Auth, a.Anon} }
func (a accessItem) access() messaging.Access    { return messaging.Access{Auth: a.Auth, Anon: a.Anon} }

func deviceItemOf(d messaging.Device) deviceItem {
	return deviceItem{d.ID, d.Platform, keyspec.MilliStampOf(d.LastSeen), d.Lang}
}

func userKey(id messaging.UserID) keyspec.Key { return users.Key(string(id)) }

func userItemOf(u *messaging.User) userItem {
	i := userItem{
		ID: u.ID, CreatedAt: keyspec.MilliStampOf(u.CreatedAt), UpdatedAt: keyspec.MilliStampOf(u.UpdatedAt), DeletedAt: whenOrNull(u.DeletedAt),
		Access: accessItemOf(u.Access), Public: keyspec.JSON(u.Public), State: states[u.State], LastSeen: keyspec.MilliStampOf(u.LastSeen),
		UserAgent: u.UserAgent, Tags: append([]string{}, u.Tags...), Devices: map[string]deviceItem{}, Identity: u.Identity,
	}
	for _, d := range u.Devices {
		i.Devices[d.Key()] = deviceItemOf(d)
	}
	return i
}

func (i *userItem) user() *messaging.User {
	u := &messaging.User{
		ID: i.ID, CreatedAt: i.CreatedAt.Time(), UpdatedAt: i.UpdatedAt.Time(), DeletedAt: timeOf(i.DeletedAt), Access: i.Access.access(),
		Public: messaging.JSON(i.Public), State: stateOf(i.State), LastSeen: i.LastSeen.Time(), UserAgent: i.UserAgent, Tags: i.Tags, Identity: i.Identity,
	}
	for _, d := range i.Devices {
		u.Devices = append(u.Devices, messaging.Device{ID: d.DeviceID, Platform: d.Platform, Lang: d.Lang, LastSeen: d.LastSeen.Time()})
	}
	slices.SortFunc(u.Devices, func(a, b messaging.Device) int {
		return cmp.Or(a.LastSeen.Compare(b.LastSeen), cmp.Compare(a.ID, b.ID))
	})
	return u
}

// The secret with which a user authenticates.
var secrets = keyspec.Define[secretItem](Auth, keyspec.Row{
	Key: keyspec.K("{unique}", ""), On: keyspec.Indexes{SecretsByUser: keyspec.K("{userid}", "")},
})

type secretItem struct {
	Unique  string           `dynamo:"unique"`
	UserID  messaging.UserID `dynamo:"userid"`
	Secret  []byte           `dynamo:"secret"`
	AuthLvl int              `dynamo:"authLvl"`
	Expires string           `dynamo:"expires"`
}

// never is the expiry of secrets that do not expire.
const never = "0001-01-01T00:00:00Z"

func secretItemOf(s *messaging.Secret) secretItem {
	return secretItem{s.Key, s.User, s.Hash, s.Level.Number(), s.Expires.UTC().Format(time.RFC3339)}
}

func (i *secretItem) secret() *messaging.Secret {
	s := &messaging.Secret{Key: i.Unique, User: i.UserID, Hash: i.Secret, Level: messaging.Auth}
	if expires, err := time.Parse(time.RFC3339, i.Expires); err == nil && i.Expires != never {
		s.Expires = expires
	}
	return s
}

// Reserves a tag for one user, who is found by it.
var tags = keyspec.Define[tagItem](TagUnique, keyspec.Row{
	Key: keyspec.K("{Id}", ""), On: keyspec.Indexes{TagsBySource: keyspec.K("{Source}", "")},
})

type tagItem struct {
	ID     string           `dynamo:"Id"`
	Source messaging.UserID `dynamo:"Source"`
}
