package store

import (
	"context"

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
	same(profiles.Change(tx, profileOf(from), profileOf(to)), from)
	foundBy(tx, from, to)
	ops.ChangeIdentity(tx, account)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// same makes a write of a profile depend on what accounts are changed by.
func same[W interface {
	If(condition string, values ...any) W
}](write W, u *social.User) {
	write.If("signedUpAt = ?", keyspec.StampOf(u.SignedUpAt))
	for attribute, value := range map[string]string{"userStatus": string(u.Status), "email": u.Email, "phoneNumber": u.PhoneNumber} {
		if value == "" {
			write.If("attribute_not_exists(" + attribute + ")")
		} else {
			write.If(attribute+" = ?", value)
		}
	}
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
