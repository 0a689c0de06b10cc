package store

import (
	"context"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// ChangeAccount stores what differs between two states of a profile with the contacts that it
// is found by, the change of the account, and the events. It fails with Conflict when the
// profile is gone or has another status or contact, and when the account is not as it was.
func (s *Users) ChangeAccount(ctx context.Context, from, to *social.User, account identity.Change, e ...outbox.Record) error {
	tx := s.db.NewTx()
	demandAccount(profiles.Change(tx, profileOf(from), profileOf(to)), from)
	foundBy(tx, from, to)
	ops.ChangeIdentity(tx, account)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// Disable stores a user as disabled, who is pushed to no more, with a ban unless it is nil,
// and the events. A ban that is there stays as it is. It fails with Conflict when the profile
// is gone or has another status.
func (s *Users) Disable(ctx context.Context, from, to *social.User, ban *social.Ban, e ...outbox.Record) error {
	tx := s.db.NewTx()
	demandAccount(profiles.Change(tx, profileOf(from), profileOf(to)), from)
	devices.Delete(tx, devices.Key(string(from.UserID)))
	if ban != nil {
		known, err := bans.Get(ctx, s.db, bans.Key(string(ban.UserID)))
		if err != nil {
			return err
		}
		if known == nil {
			bans.Create(tx, banItem{
				UserID: ban.UserID, Username: ban.Username, BannedAt: keyspec.StampOf(ban.BannedAt), ForcedBy: string(ban.ForcedBy),
				Email: ban.Email, PhoneNumber: ban.PhoneNumber, DeviceID: ban.DeviceID,
			})
		}
	}
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// Banned returns which of a device and contacts somebody was banned with; empty ones were
// not.
func (s *Users) Banned(ctx context.Context, device, email, phone string) (b social.Banned, err error) {
	for _, known := range []struct {
		index *keyspec.Index
		by    string
		is    *bool
	}{{A3, device, &b.Device}, {A1, email, &b.Email}, {A2, phone, &b.Phone}} {
		if known.by == "" {
			continue
		}
		found, _, err := bans.Begins(known.index, known.by).Page(ctx, s.db, keyspec.Page{Limit: 1})
		if err != nil {
			return social.Banned{}, err
		}
		*known.is = len(found) > 0
	}
	return b, nil
}

// Remove removes a profile with the name and contacts that it is found by, leaves a
// tombstone, and stores the change of the account and the events. It fails with Conflict when
// the profile or the account are not as they were.
func (s *Users) Remove(ctx context.Context, u *social.User, at time.Time, account identity.Change, e ...outbox.Record) error {
	tx := s.db.NewTx()
	profile := profiles.Delete(tx, profileKey(u.UserID)).If("username = ?", u.Username)
	demandAccount(profile, u)
	demand(profile, "fullName", u.FullName) // search words are those of both names
	profile.If("attribute_not_exists(lastPostedAt) OR lastPostedAt < ?", keyspec.StampOf(at))
	usernames.Delete(tx, usernameKey(u.Username)).If("attribute_not_exists(userId) OR userId = ?", u.UserID)
	peopleWords.Change(tx, personDocument(u), nil)
	foundBy(tx, u, &social.User{})
	userTrending.Delete(tx, userTrending.Key(string(u.UserID)))
	devices.Delete(tx, devices.Key(string(u.UserID)))
	tombstones.Put(tx, tombstoneItem{UserID: u.UserID, DeletedAt: keyspec.StampOf(at)})
	ops.ChangeIdentity(tx, account)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// conditional is a write that a condition can be added to.
type conditional[W any] interface {
	If(condition string, values ...any) W
}

// sameProfile tells a profile from another that its user has had since. hadProfile holds for
// the one that they had at a time, of which all that was made for it is no older.
const (
	sameProfile = "signedUpAt = ?"
	hadProfile  = "signedUpAt <= ?"
)

// demandAccount makes a write of a profile depend on what accounts are changed by.
func demandAccount[W conditional[W]](write W, u *social.User) {
	write.If(sameProfile, keyspec.StampOf(u.SignedUpAt))
	demand(write, "userStatus", string(u.Status))
	demand(write, "email", u.Email)
	demand(write, "phoneNumber", u.PhoneNumber)
}

// demand makes it a condition that a text is as given, "" being none.
func demand[W conditional[W]](write W, attribute, text string) {
	if text == "" {
		write.If("attribute_not_exists(" + attribute + ")")
		return
	}
	write.If(attribute+" = ?", text)
}

// foundBy makes a user be found by the contacts they have after a change, and by none that
// only the user of before had.
func foundBy(tx *keyspec.Tx, from, to *social.User) {
	if from.Email != to.Email {
		if from.Email != "" {
			userEmails.Delete(tx, userEmails.Key(from.Email)).If("attribute_not_exists(userId) OR userId = ?", from.UserID)
		}
		if to.Email != "" {
			userEmails.Put(tx, userEmailItem{Email: to.Email, UserID: to.UserID})
		}
	}
	if from.PhoneNumber != to.PhoneNumber {
		if from.PhoneNumber != "" {
			userPhones.Delete(tx, userPhones.Key(from.PhoneNumber)).If("attribute_not_exists(userId) OR userId = ?", from.UserID)
		}
		if to.PhoneNumber != "" {
			userPhones.Put(tx, userPhoneItem{PhoneNumber: to.PhoneNumber, UserID: to.UserID})
		}
	}
}

// Prospect returns what is known of an id before it gets a profile, and of names.
func (s *Users) Prospect(ctx context.Context, id social.UserID, names ...string) (social.Prospect, error) {
	b := s.db.NewBatch()
	held := usernames.FetchEach(b, len(names), func(i int) keyspec.Key { return usernameKey(names[i]) })
	former := tombstones.Fetch(b, tombstones.Key(string(id)))
	if err := b.Run(ctx); err != nil {
		return social.Prospect{}, err
	}
	p := social.Prospect{Holders: holdersIn(held, names)}
	if left := former.At(0); left != nil {
		p.RemovedAt = left.DeletedAt.Time()
	}
	return p, nil
}

func holdersIn(found keyspec.Fetched[usernameItem], names []string) map[string]social.UsernameHolder {
	holders := make(map[string]social.UsernameHolder, len(names))
	for i, name := range names {
		if item := found.At(i); item != nil {
			holders[social.FoldUsername(name)] = social.UsernameHolder{UserID: item.UserID, Username: item.Username}
		}
	}
	return holders
}
