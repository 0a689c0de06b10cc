package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
	"stoa/internal/operator/takeout"
	"stoa/systems/messaging"
	"stoa/systems/messaging/account"
	"stoa/systems/messaging/store"
)

// persons shows the users of the system, who have accounts of their own, to those who run the
// service.
type persons struct {
	all      *store.Store
	accounts *account.Service
	store    *store.AccountStore
	// service are the accounts of the service's identity, which users can prove to have.
	service host.Accounts
}

func newPersons(s *store.Store, accounts *account.Service, service host.Accounts) persons {
	return persons{s, accounts, s.Accounts, service}
}

var _ interface {
	operator.People
	operator.Finder
	operator.Owner
	operator.Linker
	operator.Eraser
	operator.Exporter
	operator.SignerOut
} = persons{}

func (p persons) users(ctx context.Context, ids ...operator.UserID) (map[operator.UserID]*messaging.User, error) {
	mine := slices.DeleteFunc(slices.Clone(ids), func(id operator.UserID) bool { return !messaging.HasAccount(id) })
	if len(mine) == 0 {
		return nil, nil
	}
	facts, err := p.store.Facts(ctx, messaging.Wanted{Users: slices.Compact(slices.Sorted(slices.Values(mine)))})
	return facts.Users, err
}

// Profiles returns the profiles of users.
func (p persons) Profiles(ctx context.Context, ids []operator.UserID) (map[operator.UserID]*operator.Profile, error) {
	users, err := p.users(ctx, ids...)
	if err != nil {
		return nil, err
	}
	found := map[operator.UserID]*operator.Profile{}
	for id, u := range users {
		if u.Exists() {
			found[id] = profileOf(u)
		}
	}
	return found, nil
}

func profileOf(u *messaging.User) *operator.Profile {
	profile := &operator.Profile{UserID: u.ID, Username: u.Login(), Status: string(u.State), CreatedAt: u.CreatedAt, LastSeenAt: u.LastSeen}
	for _, tag := range u.Tags {
		if messaging.IsBasic(tag) {
			continue
		}
		if email, ok := strings.CutPrefix(tag, "email:"); ok && profile.Email == "" {
			profile.Email = email
		}
		if phone, ok := strings.CutPrefix(tag, "tel:"); ok && profile.Phone == "" {
			profile.Phone = phone
		}
	}
	for _, d := range u.Devices {
		if d.LastSeen.After(profile.LastSeenAt) {
			profile.LastSeenAt = d.LastSeen
		}
	}
	return profile
}

// Find returns the user with a login or a tag.
func (p persons) Find(ctx context.Context, text string, _ page.Query) (page.Page[operator.UserID], error) {
	tags := []string{messaging.LoginKey(text)}
	if tag, err := messaging.NormalTag(text); err == nil && tag != "" {
		tags = append(tags, tag)
	}
	ids, err := p.tagged(ctx, tags...)
	return page.Page[operator.UserID]{Items: ids}, err
}

// tagged returns the users with tags.
func (p persons) tagged(ctx context.Context, tags ...string) (ids []operator.UserID, err error) {
	if len(tags) == 0 {
		return nil, nil
	}
	facts, err := p.store.Facts(ctx, messaging.Wanted{Tags: tags})
	if err != nil {
		return nil, err
	}
	for _, tag := range tags {
		if id := facts.Tags[tag]; id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Holders returns the users who are found by a contact.
func (p persons) Holders(ctx context.Context, contact string) ([]operator.UserID, error) {
	if strings.Contains(contact, "@") {
		return p.tagged(ctx, messaging.ReachTags(contact, "")...)
	}
	return p.tagged(ctx, messaging.ReachTags("", contact)...)
}

// Devices returns the devices of a user, with the keys under which they are stored: the ids of
// devices are secrets.
func (p persons) Devices(ctx context.Context, id operator.UserID) ([]*operator.Device, error) {
	users, err := p.users(ctx, id)
	if err != nil || users[id] == nil {
		return nil, err
	}
	var all []*operator.Device
	for _, d := range users[id].Devices {
		all = append(all, &operator.Device{ID: d.Key(), Kind: string(d.Platform), LastSeenAt: optional.IfSet(d.LastSeen)})
	}
	return all, nil
}

// Linked returns the account of the service's identity that a user has proven to have, and the
// user who has proven to have an account.
func (p persons) Linked(ctx context.Context, id operator.UserID) ([]operator.UserID, error) {
	if messaging.HasAccount(id) {
		users, err := p.users(ctx, id)
		if err != nil || users[id] == nil || users[id].Identity == "" {
			return nil, err
		}
		return []operator.UserID{users[id].Identity}, nil
	}
	email, phone, found, err := p.service.Account(ctx, id)
	if !found || err != nil {
		return nil, err
	}
	candidates, err := p.tagged(ctx, messaging.ReachTags(email, phone)...)
	if err != nil {
		return nil, err
	}
	users, err := p.users(ctx, candidates...)
	if err != nil {
		return nil, err
	}
	var linked []operator.UserID
	for _, c := range candidates {
		if u := users[c]; u != nil && u.Identity == id {
			linked = append(linked, c)
		}
	}
	return linked, nil
}

// TokenVersion returns the lowest version of a user's valid tokens.
func (p persons) TokenVersion(ctx context.Context, id operator.UserID) (int, error) {
	if !messaging.HasAccount(id) {
		return 0, nil
	}
	facts, err := p.store.Facts(ctx, messaging.Wanted{Versions: []messaging.UserID{id}})
	if err != nil {
		return 0, err
	}
	return facts.Versions[id], nil
}

// SignOut revokes the tokens of a user of lower versions than least.
func (p persons) SignOut(ctx context.Context, id operator.UserID, least int) error {
	if !messaging.HasAccount(id) {
		return nil
	}
	return decision.Do(ctx, p.accounts.Frame, func(*decision.Attempt) error {
		facts, err := p.store.Facts(ctx, messaging.Wanted{Users: []messaging.UserID{id}, Versions: []messaging.UserID{id}})
		if err != nil || !facts.Users[id].Exists() || facts.Versions[id] >= least {
			return err
		}
		return p.store.End(ctx, id, facts.Versions[id])
	})
}

// Erase deletes the account of a user.
func (p persons) Erase(ctx context.Context, id operator.UserID) error {
	if !messaging.HasAccount(id) {
		return nil
	}
	return p.accounts.Erase(ctx, id)
}

// Export adds a user, their subscriptions, and the messages of these.
func (p persons) Export(ctx context.Context, id operator.UserID, to *takeout.Writer) error {
	users, err := p.users(ctx, id)
	if err != nil || users[id] == nil {
		return err
	}
	u := users[id]
	err = to.Item("account", "Messaging", takeout.Fields{
		{Name: "id", Value: messaging.PublicID(id)}, {Name: "createdAt", Value: u.CreatedAt}, {Name: "public", Value: u.Public}, {Name: "tags", Value: u.Tags},
		{Name: "lastSeen", Value: u.LastSeen}, {Name: "userAgent", Value: u.UserAgent},
	})
	if err != nil {
		return err
	}
	mine := func(q page.Query) (page.Page[*messaging.Subscription], error) {
		return p.all.Subscriptions.By(ctx, id, time.Time{}, q, false)
	}
	err = takeout.Rows(to, "subscriptions", "Topics", page.All(mine), func(sub *messaging.Subscription) (takeout.Fields, error) {
		return takeout.Fields{
			{Name: "topic", Value: string(sub.Topic)}, {Name: "createdAt", Value: sub.CreatedAt}, {Name: "private", Value: sub.Private},
		}, nil
	})
	if err != nil {
		return err
	}
	return to.List("messages", "Messages", func(add func(takeout.Fields) error) error {
		for sub, err := range page.All(mine) {
			if err != nil {
				return err
			}
			if err := p.exportMessages(ctx, sub, add); err != nil {
				return err
			}
		}
		return nil
	})
}

// exportMessages adds the messages of a topic that a subscriber can see.
func (p persons) exportMessages(ctx context.Context, sub *messaging.Subscription, add func(takeout.Fields) error) error {
	list := func(q page.Query) (page.Page[*messaging.Message], error) {
		return p.all.Messages.List(ctx, sub.Topic, messaging.Span{Since: sub.ClearID + 1}, q, false)
	}
	for m, err := range page.All(list) {
		if err != nil {
			return err
		}
		if !m.DeletedAt.IsZero() || slices.Contains(m.DeletedFor, sub.User) || !sub.Active() {
			continue
		}
		if err := add(exported(m)); err != nil {
			return err
		}
	}
	return p.exportHeld(ctx, sub, add)
}

// exportHeld adds the messages of a subscriber that are held.
func (p persons) exportHeld(ctx context.Context, sub *messaging.Subscription, add func(takeout.Fields) error) error {
	refs := sub.HeldRefs()
	if len(refs) == 0 {
		return nil
	}
	facts, err := p.all.Messages.Facts(ctx, messaging.Wanted{Messages: refs})
	if err != nil {
		return err
	}
	for _, ref := range refs {
		if m := facts.Messages[ref]; m != nil && m.PublishedAs == 0 && m.DeletedAt.IsZero() {
			if err := add(exported(m)); err != nil {
				return err
			}
		}
	}
	return nil
}

func exported(m *messaging.Message) takeout.Fields {
	return takeout.Fields{
		{Name: "topic", Value: string(m.Topic)}, {Name: "from", Value: messaging.PublicID(m.From)}, {Name: "createdAt", Value: m.CreatedAt},
		{Name: "content", Value: m.Content},
	}
}
