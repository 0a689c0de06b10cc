package app

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/media/blob"
	"stoa/internal/operator"
	"stoa/social"
	"stoa/social/user"
	"stoa/store"
)

// people shows the users of the system to those who run the service, and does what they
// decide.
type people struct {
	users *user.Service
	store *store.Store
	files blob.Store
}

var _ interface {
	operator.People
	operator.Finder
	operator.Counter
	operator.Owner
	operator.Eraser
	operator.Suspender
} = people{}

// Profiles returns the profiles of those who have one.
func (p people) Profiles(ctx context.Context, ids []operator.UserID) (map[operator.UserID]*operator.Profile, error) {
	facts, err := p.facts(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := map[operator.UserID]*operator.Profile{}
	for id, f := range facts {
		found[id] = profileOf(f.User)
	}
	return found, nil
}

func (p people) facts(ctx context.Context, ids []operator.UserID) (map[operator.UserID]social.UserFacts, error) {
	return p.store.Users.Facts(ctx, "", slices.Compact(slices.Sorted(slices.Values(ids))), 0)
}

func profileOf(u *social.User) *operator.Profile {
	return &operator.Profile{
		UserID: u.UserID, Username: u.Username, FullName: u.FullName, Status: string(u.Stands()), CreatedAt: u.SignedUpAt, Email: u.Email, Phone: u.PhoneNumber,
		DisabledAt: u.LastDisabledAt,
	}
}

// Find returns users by the words of their names, the last of which may be a beginning.
func (p people) Find(ctx context.Context, text string, q page.Query) (page.Page[operator.UserID], error) {
	offset, err := strconv.Atoi(q.After)
	if err != nil && q.After != "" {
		return page.Page[operator.UserID]{}, page.ErrToken
	}
	ids, more, err := p.store.Users.Search(ctx, text, offset, q.First)
	if err != nil {
		return page.Page[operator.UserID]{}, err
	}
	found := page.Page[operator.UserID]{Items: ids}
	if more {
		found.Next = strconv.Itoa(offset + len(ids))
	}
	return found, nil
}

// Holders returns the users with a contact.
func (p people) Holders(ctx context.Context, contact string) ([]operator.UserID, error) {
	of := social.Contacts{{ContactID: contact, Phones: []string{contact}}}
	if strings.Contains(contact, "@") {
		of = social.Contacts{{ContactID: contact, Emails: []string{strings.ToLower(contact)}}}
	}
	byEmail, byPhone, err := p.store.Users.HoldersOfContacts(ctx, of)
	if err != nil {
		return nil, err
	}
	var ids []operator.UserID
	for _, found := range []map[string]social.UserID{byEmail, byPhone} {
		for _, id := range found {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// maxFlags is the number of flags of each kind that are counted of a user.
const maxFlags = 1000

// Counts returns how much a user has contributed and reported.
func (p people) Counts(ctx context.Context, id operator.UserID) (operator.PersonCounts, error) {
	u, err := p.store.Users.Profile(ctx, id)
	if u == nil || err != nil {
		return operator.PersonCounts{}, err
	}
	n := operator.PersonCounts{
		Content:  u.PostCount + u.PostArchivedCount + u.CommentCount + u.ChatMessagesCreationCount,
		Removals: u.PostForcedArchivingCount + u.CommentForcedDeletionCount + u.ChatMessagesForcedDeletionCount,
	}
	for _, kind := range social.FlagKinds {
		list := func(q page.Query) (page.Page[social.Flag], error) { return p.store.Flags.ByUser(ctx, kind, id, q) }
		of := 0
		for _, err := range page.All(list) {
			if err != nil {
				return n, err
			}
			if of++; of == maxFlags {
				break
			}
		}
		n.ReportsBy += of
	}
	return n, nil
}

// Devices returns the device that a user receives push notifications on.
func (p people) Devices(ctx context.Context, id operator.UserID) ([]*operator.Device, error) {
	token, err := p.store.Devices.APNSToken(ctx, id)
	if token == "" || err != nil {
		return nil, err
	}
	return []*operator.Device{{ID: "apns", Kind: "IOS"}}, nil // the token is a secret of the device
}

// Erase removes everything about a user.
func (p people) Erase(ctx context.Context, id operator.UserID) error { return p.users.Erase(ctx, id) }

// Suspended disables a suspended user.
func (p people) Suspended(ctx context.Context, s *desk.Suspension) error {
	return p.users.Suspend(ctx, s.UserID, s.BanContacts)
}

// Reinstated gives a user their former status.
func (p people) Reinstated(ctx context.Context, e desk.PersonReinstated) error {
	return p.users.Reinstate(ctx, e.UserID, e.At, social.UserStatus(e.Former[Name]), e.ByHand)
}
