package store

import (
	"context"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// ChangeAccount stores the difference between two states of a profile, the contacts it is
// found by, the change of the account, and the events. It fails with Conflict if the
// profile no longer exists, has another status or contact, or the account has changed.
func (s *Users) ChangeAccount(ctx context.Context, from, to *social.User, account identity.Change, e ...outbox.Record) error {
	tx := s.db.NewTx()
	demandAccount(profiles.Change(tx, profileOf(from), profileOf(to)), from)
	foundBy(tx, from, to)
	ops.ChangeIdentity(tx, account)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// Disable stores a user as disabled, removes their devices for push notifications, adds a
// ban unless it is nil, and stores the events. An existing ban is kept. It fails with
// Conflict if the profile no longer exists or its status has changed.
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
			bans.Create(tx, *ban)
		}
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// Enable stores a user as no longer disabled, without their ban, and the events. It fails with
// Conflict if the profile no longer exists or its status has changed.
func (s *Users) Enable(ctx context.Context, from, to *social.User, e ...outbox.Record) error {
	tx := s.db.NewTx()
	demandAccount(profiles.Change(tx, profileOf(from), profileOf(to)), from)
	bans.Delete(tx, bans.Key(string(from.UserID)))
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// Ban adds a ban, unless the user has one.
func (s *Users) Ban(ctx context.Context, ban *social.Ban) error {
	tx := s.db.NewTx()
	bans.Create(tx, *ban)
	return refusal.IgnoreConflict(stored.Outcome(tx.Run(ctx)))
}

// Unban removes the ban of a user, if there is one for a reason; "" stands for any.
func (s *Users) Unban(ctx context.Context, id social.UserID, only social.BanReason) error {
	tx := s.db.NewTx()
	if ban := bans.Delete(tx, bans.Key(string(id))); only != "" {
		ban.If("forcedBy = ?", only)
	}
	return refusal.IgnoreConflict(stored.Outcome(tx.Run(ctx)))
}

// Banned returns which of a device and contacts are banned. Those that are empty are not.
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
	byHash, err := s.bannedByHash(ctx, device, email, phone)
	if err != nil {
		return social.Banned{}, err
	}
	b.Device, b.Email, b.Phone = b.Device || byHash[0], b.Email || byHash[1], b.Phone || byHash[2]
	return b, nil
}

// Remove removes a profile with the name and contacts it is found by, leaves a tombstone,
// and stores the change of the account and the events. It fails with Conflict if the
// profile or the account has changed.
func (s *Users) Remove(ctx context.Context, u *social.User, at time.Time, account identity.Change, e ...outbox.Record) error {
	tx := s.db.NewTx()
	profile := profiles.Delete(tx, profileKey(u.UserID)).If("username = ?", u.Username)
	demandAccount(profile, u)
	demand(profile, "fullName", u.FullName) // the search index covers both names
	profile.If("attribute_not_exists(lastPostedAt) OR lastPostedAt < ?", at)
	usernames.Delete(tx, usernameKey(u.Username)).If("attribute_not_exists(userId) OR userId = ?", u.UserID)
	peopleWords.Change(tx, personDocument(u), nil)
	foundBy(tx, u, &social.User{})
	userTrending.Delete(tx, userTrending.Key(string(u.UserID)))
	devices.Delete(tx, devices.Key(string(u.UserID)))
	if u.Dates() {
		daters.Delete(tx, daterKey(u.UserID)) // from now on, nobody finds the former profile as a match
	}
	tombstones.Put(tx, tombstoneItem{UserID: u.UserID, DeletedAt: at})
	ops.ChangeIdentity(tx, account)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// conditional is a write that accepts conditions.
type conditional[W any] interface {
	If(condition string, values ...any) W
}

// sameProfile distinguishes a profile from a later one of the same user. hadProfile is true
// of the profile that the user had at a time, and lacksProfile if that profile is gone; all
// data of a profile is at least as recent as the profile.
const (
	sameProfile  = "signedUpAt = ?"
	hadProfile   = "signedUpAt <= ?"
	lacksProfile = "attribute_not_exists(signedUpAt) OR signedUpAt > ?"
)

// demandAccount makes a write of a profile conditional on the attributes that account
// changes depend on.
func demandAccount[W conditional[W]](write W, u *social.User) {
	write.If(sameProfile, u.SignedUpAt)
	demand(write, "userStatus", string(u.Status))
	demand(write, "email", u.Email)
	demand(write, "phoneNumber", u.PhoneNumber)
}

// demand adds the condition that a text attribute has the value; "" means it is absent.
func demand[W conditional[W]](write W, attribute, text string) {
	if text == "" {
		write.If("attribute_not_exists(" + attribute + ")")
		return
	}
	write.If(attribute+" = ?", text)
}

// foundBy makes the contacts that a user has after a change findable, and removes those
// that they had only before.
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

// Prospect returns what is known about an id before it has a profile, and about names.
func (s *Users) Prospect(ctx context.Context, id social.UserID, names ...string) (social.Prospect, error) {
	b := s.db.NewBatch()
	held := usernames.FetchEach(b, len(names), func(i int) keyspec.Key { return usernameKey(names[i]) })
	former := tombstones.Fetch(b, tombstones.Key(string(id)))
	if err := b.Run(ctx); err != nil {
		return social.Prospect{}, err
	}
	p := social.Prospect{Holders: holdersIn(held, names)}
	if left := former.At(0); left != nil {
		p.RemovedAt = left.DeletedAt
	}
	return p, nil
}

func holdersIn(found keyspec.Fetched[usernameItem], names []string) map[string]social.UsernameHolder {
	holders := make(map[string]social.UsernameHolder, len(names))
	for i, name := range names {
		if item := found.At(i); item != nil {
			holders[social.FoldUsername(name)] = item.UsernameHolder
		}
	}
	return holders
}
