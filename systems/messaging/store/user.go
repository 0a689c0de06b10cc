package store

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/messaging"
)

// A user with an account. The row of a deleted one is kept, unless the deletion was hard.
var users = keyspec.Define[userItem](Users, keyspec.Row{Key: keyspec.K("{Id}", "")})

type userItem struct {
	messaging.User
	State   int                         `dynamo:"State,zero"`
	SeqID   int                         `dynamo:"SeqId,zero"`
	ClearID int                         `dynamo:"ClearId,zero"`
	Devices map[string]messaging.Device `dynamo:"Devices"` // by the hash of their ids
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

func userKey(id messaging.UserID) keyspec.Key { return users.Key(string(id)) }

func userItemOf(u *messaging.User) userItem {
	i := userItem{User: *u, State: states[u.State], Devices: map[string]messaging.Device{}}
	i.Tags = append([]string{}, u.Tags...)
	for _, d := range u.Devices {
		i.Devices[d.Key()] = d
	}
	return i
}

func (i *userItem) user() *messaging.User {
	u := i.User
	u.State = stateOf(i.State)
	u.Devices = slices.AppendSeq(u.Devices, maps.Values(i.Devices))
	slices.SortFunc(u.Devices, func(a, b messaging.Device) int {
		return cmp.Or(a.LastSeen.Compare(b.LastSeen), cmp.Compare(a.ID, b.ID))
	})
	return &u
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
