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

// AccountStore stores accounts. Changes fail with refusal.Conflict if the user has changed
// since it was read.
type AccountStore struct{ Reader }

// Create stores an account with its secret, which may be nil, its tags and its two
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
		subscriptions.Create(tx, subscriptionItem{Subscription: *own})
	}
	return taken(tx.Run(ctx), nil, login, named)
}

// named are writes of tags, by tag.
type named map[string]keyspec.Write

func tagged(tx *keyspec.Tx, id messaging.UserID, added []string) named {
	writes := named{}
	for _, tag := range added {
		writes[tag] = tags.Create(tx, tagItem{tag, id})
	}
	return writes
}

// taken returns the error if the login or tags caused the failure. login is nil if none was
// requested. If the user, nil for a new one, has changed as well, they may be the user's own.
func taken(err error, user, login keyspec.Action, n named) error {
	if user != nil && keyspec.Refused(err, user) {
		return stored.Concurrent(err)
	}
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
	return stored.Concurrent(err)
}

// same starts an update that requires the user to be as read.
func same(tx *keyspec.Tx, u *messaging.User) keyspec.Update {
	return users.Update(tx, userKey(u.ID)).If("UpdatedAt = ? AND State = ?", u.UpdatedAt, states[u.State])
}

// Update stores a user and the tags by which they are found. It fails with TagsTaken.
func (s *AccountStore) Update(ctx context.Context, before, after *messaging.User, events ...outbox.Record) error {
	to := userItemOf(after)
	tx := s.db.NewTx()
	user := same(tx, before).Set("UpdatedAt", after.UpdatedAt).Set("Access", after.Access).Set("Public", after.Public).Set("Tags", to.Tags)
	n := retag(tx, before, after)
	return taken(ops.Commit(ctx, tx, events...), user, nil, n)
}

// Prove stores the identity that a user has proven to have, and gives them its tags. losers
// are those who had any of these, as read and without them.
func (s *AccountStore) Prove(ctx context.Context, before, after *messaging.User, losers map[*messaging.User]*messaging.User) error {
	tx := s.db.NewTx()
	same(tx, before).Set("UpdatedAt", after.UpdatedAt).Set("Tags", after.Tags).Set("Identity", after.Identity)
	var taken []string
	for loser, without := range losers {
		same(tx, loser).Set("UpdatedAt", without.UpdatedAt).Set("Tags", without.Tags)
		for _, tag := range loser.Tags {
			if !slices.Contains(without.Tags, tag) {
				tags.Put(tx, tagItem{tag, before.ID}).If("Source = ?", loser.ID)
				taken = append(taken, tag)
			}
		}
	}
	for _, tag := range after.Tags {
		if !slices.Contains(before.Tags, tag) && !slices.Contains(taken, tag) {
			tags.Create(tx, tagItem{tag, before.ID})
		}
	}
	return stored.Concurrent(tx.Run(ctx))
}

// retag deletes the tags that a user no longer has, and adds the new ones.
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

// Rename changes a user's login with its secret and its tag. It fails with ErrLoginTaken.
func (s *AccountStore) Rename(ctx context.Context, before, after *messaging.User, old, secret *messaging.Secret) error {
	to := userItemOf(after)
	tx := s.db.NewTx()
	user := same(tx, before).Set("UpdatedAt", after.UpdatedAt).Set("Tags", to.Tags)
	login := secrets.Create(tx, secretItemOf(secret))
	secrets.Delete(tx, secrets.Key(old.Key)).If("secret = ?", old.Hash)
	n := retag(tx, before, after)
	return taken(tx.Run(ctx), user, login, n)
}

// Revoke replaces a user's secret and revokes their tokens of the version read.
func (s *AccountStore) Revoke(ctx context.Context, u *messaging.User, old, secret *messaging.Secret, version int) error {
	tx := s.db.NewTx()
	alive(tx, u.ID)
	secrets.Put(tx, secretItemOf(secret)).If("secret = ?", old.Hash)
	end(tx, u.ID, version)
	return stored.Concurrent(tx.Run(ctx))
}

// End revokes a user's tokens of the version read.
func (s *AccountStore) End(ctx context.Context, id messaging.UserID, version int) error {
	tx := s.db.NewTx()
	end(tx, id, version)
	return stored.Concurrent(tx.Run(ctx))
}

// end revokes tokens of a version and below.
func end(tx *keyspec.Tx, id messaging.UserID, version int) {
	next := versions.Put(tx, versionItem{id, version + 1})
	if version == 0 {
		next.Absent()
	} else {
		next.If("version = ?", version)
	}
}

// Govern stores whether an account is suspended, and revokes its tokens.
func (s *AccountStore) Govern(ctx context.Context, before, after *messaging.User, version int, events ...outbox.Record) error {
	tx := s.db.NewTx()
	same(tx, before).Set("UpdatedAt", after.UpdatedAt).Set("State", states[after.State])
	end(tx, before.ID, version)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Delete deletes an account's secrets and tags, and marks it as deleted. The rest is
// removed later.
func (s *AccountStore) Delete(ctx context.Context, u *messaging.User, version int, at time.Time, events ...outbox.Record) error {
	own, err := s.secrets(ctx, u.ID)
	if err != nil {
		return err
	}
	tx := s.db.NewTx()
	same(tx, u).Set("UpdatedAt", at).Set("DeletedAt", at).Set("State", stateDeleted).
		Set("Tags", []string{}).Set("Devices", map[string]messaging.Device{}).Remove("Identity").If(asManyDevices, len(u.Devices))
	for _, secret := range own {
		secrets.Delete(tx, secrets.Key(secret.Unique)).If("userid = ?", u.ID)
	}
	for _, tag := range u.Tags {
		tags.Delete(tx, tags.Key(tag)).If("Source = ?", u.ID)
	}
	for _, d := range u.Devices {
		deviceOwners.Delete(tx, deviceOwners.Key(d.Key())).If("userId = ?", u.ID)
	}
	end(tx, u.ID, version)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// secrets returns a user's secrets. Index reads may miss new ones, but the secret of a
// login is found by its tag.
func (s *AccountStore) secrets(ctx context.Context, id messaging.UserID) ([]secretItem, error) {
	items, _, err := secrets.Begins(SecretsByUser, string(id)).Page(ctx, s.db, keyspec.Page{Limit: 10})
	return items, err
}

// Forget deletes the row of a deleted user.
func (s *AccountStore) Forget(ctx context.Context, id messaging.UserID, events ...outbox.Record) error {
	tx := s.db.NewTx()
	row := users.Delete(tx, userKey(id)).If("State = ?", stateDeleted)
	err := ops.Commit(ctx, tx, events...)
	if keyspec.Refused(err, row) && len(events) == 0 {
		return nil // already gone
	}
	return stored.Concurrent(err)
}

// Register adds a device to a user, removing it from its previous owner, and removes the
// user's dropped devices.
func (s *AccountStore) Register(ctx context.Context, u *messaging.User, d messaging.Device, from messaging.UserID, dropped []messaging.Device) error {
	tx := s.db.NewTx()
	user := users.Update(tx, userKey(u.ID)).SetIn(inDevices(d.Key()), d).If("State = ?", stateOK).If(asManyDevices, len(u.Devices))
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
	return stored.Concurrent(tx.Run(ctx))
}

// asManyDevices is the condition that a user still has the number of devices that was read.
// UpdatedAt does not tell: registering a device leaves it as it is.
const asManyDevices = "size(Devices) = ?"

// inDevices returns the path of a device in Devices.
func inDevices(key string) keyspec.Path { return keyspec.In("Devices", key) }

// DeviceOwner returns the owner of a device, or "" if it has none.
func (s *AccountStore) DeviceOwner(ctx context.Context, id string) (messaging.UserID, error) {
	item, err := deviceOwners.Get(ctx, s.db, deviceOwners.Key(messaging.DeviceKey(id)))
	if item == nil || err != nil {
		return "", err
	}
	return item.UserID, nil
}

// Unregister removes a device from a user. It returns false if they do not have it.
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
