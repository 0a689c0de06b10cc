package store

import (
	"context"
	"reflect"
	"time"

	"stoa/internal/desk"
	"stoa/internal/identity"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Create stores a new profile with its name and contacts, the first follow unless it is
// nil, the change of the account, and the events. The follow is counted in addition to u's
// counts. It fails with ErrHasProfile, with ErrTaken if another user has the name, and with
// Conflict if the first follow or the account has changed, or if a profile of the user was
// removed after this one's creation time.
func (s *Users) Create(ctx context.Context, u *social.User, first *social.FollowStep, account identity.Change, e ...outbox.Record) error {
	tx := s.db.NewTx()
	profile := profiles.Create(tx, profileOf(u))
	name := claim(tx, u)
	foundBy(tx, &social.User{}, u)
	tombstones.Delete(tx, tombstones.Key(string(u.UserID))).
		If("attribute_not_exists(deletedAt) OR deletedAt <= ?", u.SignedUpAt)
	peopleWords.Change(tx, nil, personDocument(u))
	if first != nil {
		takeStep(tx, *first)
	}
	ops.ChangeIdentity(tx, account)
	return stored.Outcome(ops.Commit(ctx, tx, e...), stored.On(refusal.ErrTaken, name), stored.On(social.ErrHasProfile, profile))
}

// Change stores the difference between two states of a profile, and the events. It fails
// with ErrTaken if another user has the new name, and with Conflict if the profile no
// longer exists or has been replaced, or if its names, privacy, date of birth or dating
// status differ from those of from.
func (s *Users) Change(ctx context.Context, from, to *social.User, e ...outbox.Record) error {
	tx := s.db.NewTx()
	profile := profiles.Change(tx, profileOf(from), profileOf(to)).If(sameProfile, from.SignedUpAt)
	if from.Privacy != to.Privacy {
		profile.If("privacyStatus = ?", from.Privacy)
	}
	if from.Username != to.Username || from.FullName != to.FullName {
		// The index covers both names, so neither may have changed.
		profile.If("username = ?", from.Username)
		demand(profile, "fullName", from.FullName)
		peopleWords.Change(tx, personDocument(from), personDocument(to))
	}
	if from.DateOfBirth != to.DateOfBirth || !reflect.DeepEqual(from.Age, to.Age) {
		demand(profile, "dateOfBirth", from.DateOfBirth) // the age depends on it
	}
	if from.DatingStatus != to.DatingStatus {
		unchanged(profile, "datingStatus", from.DatingStatus)
	}
	var name keyspec.Action
	if from.Username != to.Username {
		name = claim(tx, to)
		if social.FoldUsername(from.Username) != social.FoldUsername(to.Username) {
			usernames.Delete(tx, usernameKey(from.Username)).If("attribute_not_exists(userId) OR userId = ?", from.UserID)
		}
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...), stored.On(refusal.ErrChanged, profile), stored.On(refusal.ErrTaken, name))
}

// FoundContacts records when a user looked up contacts, and the events. It fails with
// Conflict if the profile no longer exists.
func (s *Users) FoundContacts(ctx context.Context, id social.UserID, at time.Time, e ...outbox.Record) error {
	tx := s.db.NewTx()
	profiles.Update(tx, profileKey(id)).Set("lastFoundContactsAt", at)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// HoldersOfContacts returns the users with the verified e-mail addresses and phone numbers
// of contacts.
func (s *Users) HoldersOfContacts(ctx context.Context, contacts social.Contacts) (byEmail, byPhone map[string]social.UserID, err error) {
	emails, phones := contacts.Addresses()
	b := stored.NewBatch(s.db)
	email := func(address string) keyspec.Key { return userEmails.Key(address) }
	phone := func(number string) keyspec.Key { return userPhones.Key(number) }
	stored.Into(b, &byEmail, userEmails, emails, email, func(i *userEmailItem) social.UserID { return i.UserID })
	stored.Into(b, &byPhone, userPhones, phones, phone, func(i *userPhoneItem) social.UserID { return i.UserID })
	err = b.Run(ctx)
	return byEmail, byPhone, err
}

// BornOn returns the users whose birthday is on a day, in the form MM-DD, from K2.
func (s *Users) BornOn(ctx context.Context, day string, q page.Query) (page.Page[social.UserID], error) {
	return stored.List(ctx, s.db, profiles.Begins(K2, day), q, false, func(i *profileItem) social.UserID { return i.UserID })
}

// SetLastClient records the client that a user last used. It fails with Conflict if the
// profile no longer exists.
func (s *Users) SetLastClient(ctx context.Context, id social.UserID, client map[string]string) error {
	tx := s.db.NewTx()
	profiles.Update(tx, profileKey(id)).Set("lastClient", client)
	return stored.Outcome(tx.Run(ctx))
}

// claim reserves a user's name in all its spellings, unless another user has it.
func claim(tx *keyspec.Tx, u *social.User) keyspec.Write {
	holder := social.UsernameHolder{UserID: u.UserID, Username: u.Username}
	return usernames.Put(tx, usernameItem{social.FoldUsername(u.Username), holder}).If("attribute_not_exists(userId) OR userId = ?", u.UserID)
}

func usernameKey(name string) keyspec.Key { return usernames.Key(social.FoldUsername(name)) }

// Holders returns the users who have the names in any spelling, by folded name.
func (s *Users) Holders(ctx context.Context, names []string) (map[string]social.UsernameHolder, error) {
	b := s.db.NewBatch()
	found := usernames.FetchEach(b, len(names), func(i int) keyspec.Key { return usernameKey(names[i]) })
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	return holdersIn(found, names), nil
}

// Report stores a report of a user with its case. It fails with Conflict if either profile no
// longer exists, or the user has been reported by the same user since.
func (s *Users) Report(ctx context.Context, of social.UserID, r desk.Reporting, e ...outbox.Record) error {
	tx := s.db.NewTx()
	for _, id := range []social.UserID{of, r.Report.By} {
		profiles.Check(tx, profileKey(id)).If(hadProfile, r.Report.When)
	}
	ops.AddReport(tx, r)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}
