package store

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// AccountStore keeps accounts. Changes fail with ErrChanged for a user who is not as read.
type AccountStore struct{ Reader }

// Create makes an account with its secret, which may be nil, its tags and the two
// subscriptions to topics of its own. It fails with ErrLoginTaken and TagsTaken.
func (s *AccountStore) Create(ctx context.Context, u *messaging.User, secret *messaging.Secret, hidden []*messaging.Subscription) error {
	tx := s.db.NewTx()
	users.Create(tx, userItemOf(u))
	var login keyspec.Action
	if secret != nil {
		login = secrets.Create(tx, secretItemOf(secret))
	}
	named := tagged(tx, u.ID, u.Tags)
	for _, own := range hidden {
		subscriptions.Create(tx, subscriptionItemOf(own))
	}
	return taken(tx.Run(ctx), login, named)
}

// named are writes of tags.
type named map[string]keyspec.Write

func tagged(tx *keyspec.Tx, id messaging.UserID, added []string) named {
	writes := named{}
	for _, tag := range added {
		writes[tag] = tags.Create(tx, tagItem{tag, id})
	}
	return writes
}

// taken tells whether the login or tags refused. Login is nil where none is wanted.
func taken(err error, login keyspec.Action, n named) error {
	if login != nil && keyspec.Refused(err, login) {
		return messaging.ErrLoginTaken
	}
	var lost []string
	for tag, write := range n {
		if keyspec.Refused(err, write) {
			if messaging.IsBasic(tag) {
				return messaging.ErrLoginTaken
			}
			lost = append(lost, tag)
		}
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		return messaging.TagsTaken(lost)
	}
	return stored.Outcome(err)
}

// same makes it a condition of a change that a user is as read.
func same(tx *keyspec.Tx, u *messaging.User) keyspec.Update {
	return users.Update(tx, userKey(u.ID)).If("UpdatedAt = ? AND State = ?", keyspec.MilliStampOf(u.UpdatedAt), states[u.State])
}

// Update stores what is known of a user, and the tags by which they are found. It fails
// with TagsTaken.
func (s *AccountStore) Update(ctx context.Context, before, after *messaging.User, events ...outbox.Record) error {
	to := userItemOf(after)
	tx := s.db.NewTx()
	same(tx, before).Set("UpdatedAt", to.UpdatedAt).Set("Access", to.Access).Set("Public", to.Public).Set("Tags", to.Tags)
	n := retag(tx, before, after)
	ops.Record(tx, events...)
	return taken(tx.Run(ctx), nil, n)
}

// retag takes away the tags that a user has no longer, and adds those that are new.
func retag(tx *keyspec.Tx, before, after *messaging.User) named {
	var added []string
	for _, tag := range after.Tags {
		if !slices.Contains(before.Tags, tag) {
			added = append(added, tag)
		}
	}
	for _, tag := range before.Tags {
		if !slices.Contains(after.Tags, tag) {
			tags.Delete(tx, tags.Key(tag)).If("Source = ?", before.ID)
		}
	}
	return tagged(tx, before.ID, added)
}

// Rename gives a user another login, with its secret and its tag. It fails with
// ErrLoginTaken.
func (s *AccountStore) Rename(ctx context.Context, before, after *messaging.User, old, secret *messaging.Secret) error {
	to := userItemOf(after)
	tx := s.db.NewTx()
	same(tx, before).Set("UpdatedAt", to.UpdatedAt).Set("Tags", to.Tags)
	login := secrets.Create(tx, secretItemOf(secret))
	secrets.Delete(tx, secrets.Key(old.Key)).If("secret = ?", old.Hash)
	n := retag(tx, before, after)
	return taken(tx.Run(ctx), login, n)
}

// Revoke gives a user another secret and ends the tokens so far, whose version was read.
func (s *AccountStore) Revoke(ctx context.Context, u *messaging.User, old, secret *messaging.Secret, version int) error {
	tx := s.db.NewTx()
	alive(tx, u.ID)
	secrets.Put(tx, secretItemOf(secret)).If("secret = ?", old.Hash)
	end(tx, u.ID, version)
	return stored.Outcome(tx.Run(ctx))
}

// end ends the tokens of a version and below.
func end(tx *keyspec.Tx, id messaging.UserID, version int) {
	next := versions.Put(tx, versionItem{id, version + 1})
	if version == 0 {
		next.Absent()
	} else {
		next.If("version = ?", version)
	}
}

// Govern stores whether an account is suspended. Tokens so far end.
func (s *AccountStore) Govern(ctx context.Context, before, after *messaging.User, version int, events ...outbox.Record) error {
	to := userItemOf(after)
	tx := s.db.NewTx()
	same(tx, before).Set("UpdatedAt", to.UpdatedAt).Set("State", to.State)
	end(tx, before.ID, version)
	ops.Record(tx, events...)
	return stored.Outcome(tx.Run(ctx))
}

// Delete ends an account: how it is signed in to and found goes. The rest is to follow.
func (s *AccountStore) Delete(ctx context.Context, u *messaging.User, version int, at time.Time, events ...outbox.Record) error {
	own, err := s.secrets(ctx, u.ID)
	if err != nil {
		return err
	}
	tx := s.db.NewTx()
	same(tx, u).Set("UpdatedAt", keyspec.MilliStampOf(at)).Set("DeletedAt", whenOrNull(at)).Set("State", stateDeleted).
		Set("Tags", []string{}).Set("Devices", map[string]deviceItem{})
	for _, secret := range own {
		secrets.Delete(tx, secrets.Key(secret.Unique)).If("userid = ?", u.ID)
	}
	for _, tag := range u.Tags {
		tags.Delete(tx, tags.Key(tag)).If("Source = ?", u.ID)
	}
	for _, d := range u.Devices {
		deviceOwners.Delete(tx, deviceOwners.Key(d.Key()))
	}
	end(tx, u.ID, version)
	ops.Record(tx, events...)
	return stored.Outcome(tx.Run(ctx))
}

// secrets are those of a user. Index reads may be late by what was just made, but the
// secret of a login is found by its tag.
func (s *AccountStore) secrets(ctx context.Context, id messaging.UserID) ([]secretItem, error) {
	items, _, err := secrets.Begins(SecretsByUser, string(id)).Page(ctx, s.db, keyspec.Page{Limit: 10})
	return items, err
}

// Forget removes the row of a user who was deleted.
func (s *AccountStore) Forget(ctx context.Context, id messaging.UserID) error {
	tx := s.db.NewTx()
	row := users.Delete(tx, userKey(id)).If("State = ?", stateDeleted)
	err := tx.Run(ctx)
	if keyspec.Refused(err, row) {
		return nil // gone already
	}
	return err
}

// Register gives a user a device, which is taken from whoever has it, and takes away those
// that make room.
func (s *AccountStore) Register(ctx context.Context, u *messaging.User, d messaging.Device, from messaging.UserID, dropped []messaging.Device) error {
	tx := s.db.NewTx()
	user := users.Update(tx, userKey(u.ID)).SetIn(inDevices(d.Key()), deviceItemOf(d)).If("State = ?", stateOK)
	owner := deviceOwners.Put(tx, deviceOwnerItem{d.Key(), u.ID})
	switch from {
	case "":
		owner.Absent()
	case u.ID:
		owner.If("userId = ?", from)
	default:
		owner.If("userId = ?", from)
		users.Update(tx, userKey(from)).RemoveIn(inDevices(d.Key()))
	}
	for _, old := range dropped {
		user.RemoveIn(inDevices(old.Key()))
		deviceOwners.Delete(tx, deviceOwners.Key(old.Key())).If("userId = ?", u.ID)
	}
	return stored.Outcome(tx.Run(ctx))
}

// inDevices is the place of a device in Devices.
func inDevices(key string) keyspec.Path { return keyspec.In("Devices", key) }

// DeviceOwner is whose a device is, "" for nobody's.
func (s *AccountStore) DeviceOwner(ctx context.Context, id string) (messaging.UserID, error) {
	item, err := deviceOwners.Get(ctx, s.db, deviceOwners.Key(messaging.DeviceKey(id)))
	if item == nil || err != nil {
		return "", err
	}
	return item.UserID, nil
}

// Unregister takes a device from a user. False is that they do not have it.
func (s *AccountStore) Unregister(ctx context.Context, id messaging.UserID, device string) (bool, error) {
	key := messaging.DeviceKey(device)
	tx := s.db.NewTx()
	user := users.Update(tx, userKey(id)).RemoveIn(inDevices(key)).If("attribute_exists(Devices.@)", key)
	owner := deviceOwners.Delete(tx, deviceOwners.Key(key)).If("userId = ?", id)
	err := tx.Run(ctx)
	if keyspec.Refused(err, user) || keyspec.Refused(err, owner) {
		return false, nil
	}
	return err == nil, err
}
