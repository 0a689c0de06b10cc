package app

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
	"stoa/internal/operator/takeout"
	"stoa/systems/communities"
	"stoa/systems/communities/account"
	"stoa/systems/communities/store"
)

// persons shows the users of the system, who have accounts of their own, to those who run the
// service.
type persons struct {
	areas
	accounts *account.Service
	store    *store.PeopleStore
	all      *store.Store
}

func newPersons(a areas, s *store.Store) persons {
	return persons{a, a.Accounts, s.People, s}
}

var _ interface {
	operator.People
	operator.Finder
	operator.Eraser
	operator.Exporter
	operator.SignerOut
} = persons{}

// Profiles returns the profiles of users.
func (p persons) Profiles(ctx context.Context, ids []operator.UserID) (map[operator.UserID]*operator.Profile, error) {
	facts, err := p.store.Facts(ctx, communities.Wanted{Users: slices.Compact(slices.Sorted(slices.Values(ids)))})
	if err != nil {
		return nil, err
	}
	found := map[operator.UserID]*operator.Profile{}
	for id, u := range facts.Users {
		if !u.Lives() {
			continue
		}
		found[id] = &operator.Profile{UserID: id, Username: u.Username, FullName: u.Name, CreatedAt: u.CreatedAt, Email: u.Email, LastSeenAt: u.LastSeenAt}
		if u.Banned {
			found[id].Status = "BANNED"
		}
	}
	return found, nil
}

// Find returns the user with a username: there is no index of parts of names.
func (p persons) Find(ctx context.Context, text string, _ page.Query) (page.Page[operator.UserID], error) {
	name := communities.Sought(text)
	facts, err := p.store.Facts(ctx, communities.Wanted{Usernames: []string{name}})
	if err != nil {
		return page.Page[operator.UserID]{}, err
	}
	if id := facts.Usernames[name]; id != "" {
		return page.Page[operator.UserID]{Items: []operator.UserID{id}}, nil
	}
	return page.Page[operator.UserID]{}, nil
}

// Holders returns the user with an e-mail address.
func (p persons) Holders(ctx context.Context, contact string) ([]operator.UserID, error) {
	address := communities.Sought(contact)
	facts, err := p.store.Facts(ctx, communities.Wanted{Emails: []string{address}})
	if err != nil || facts.Emails[address] == "" {
		return nil, err
	}
	return []operator.UserID{facts.Emails[address]}, nil
}

// TokenVersion returns the lowest version of a user's valid tokens.
func (p persons) TokenVersion(ctx context.Context, id operator.UserID) (int, error) {
	facts, err := p.store.Facts(ctx, communities.Wanted{Users: []communities.UserID{id}})
	if err != nil || !facts.Users[id].Lives() {
		return 0, err
	}
	return facts.Users[id].TokenVersion, nil
}

// SignOut revokes the tokens of a user of lower versions than least.
func (p persons) SignOut(ctx context.Context, id operator.UserID, least int) error {
	return decision.Do(ctx, p.accounts.Frame, func(*decision.Attempt) error {
		facts, err := p.store.Facts(ctx, communities.Wanted{Users: []communities.UserID{id}})
		if err != nil || !facts.Users[id].Lives() || facts.Users[id].TokenVersion >= least {
			return err
		}
		return p.store.Revoke(ctx, facts.Users[id], "")
	})
}

// Erase deletes a user, and hands their communities over.
func (p persons) Erase(ctx context.Context, id operator.UserID) error {
	abandon := func(ctx context.Context, in communities.CommunityID) error { return p.Chats.Abandon(ctx, in, id) }
	if err := p.Communities.HandOver(ctx, id, abandon); err != nil {
		return err
	}
	return p.accounts.Erase(ctx, id)
}

// Export adds a user and the messages of their chats, with the names of others.
func (p persons) Export(ctx context.Context, id operator.UserID, to *takeout.Writer) error {
	facts, err := p.store.Facts(ctx, communities.Wanted{Users: []communities.UserID{id}})
	if err != nil || !facts.Users[id].Lives() {
		return err
	}
	u := facts.Users[id]
	err = to.Item("user", "Communities", takeout.Fields{
		{Name: "id", Value: string(u.ID)}, {Name: "username", Value: u.Username}, {Name: "name", Value: u.Name}, {Name: "email", Value: u.Email},
		{Name: "bio", Value: u.Bio}, {Name: "location", Value: u.Location}, {Name: "joinedAt", Value: u.CreatedAt}, {Name: "lastSeenAt", Value: u.LastSeenAt},
		{Name: "role", Value: string(u.Role)},
	})
	if err != nil {
		return err
	}
	return to.List("messages", "Messages", func(add func(takeout.Fields) error) error {
		for _, kind := range []communities.ChatType{communities.Group, communities.Private} {
			mine := func(q page.Query) (page.Page[*communities.Member], error) { return p.all.Chats.Of(ctx, kind, id, q) }
			for m, err := range page.All(mine) {
				if err != nil {
					return err
				}
				if err := p.exportMessages(ctx, m, add); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// exportMessages adds the messages of a chat that a member can see.
func (p persons) exportMessages(ctx context.Context, of *communities.Member, add func(takeout.Fields) error) error {
	list := func(q page.Query) (page.Page[*communities.Message], error) {
		return p.all.Messages.List(ctx, of.Chat, of.Shows(), q, false)
	}
	names := map[communities.UserID]string{}
	for m, err := range page.All(list) {
		if err != nil {
			return err
		}
		if m.Deleted || m.HiddenFrom(of.UserID) {
			continue
		}
		name, known := names[m.AuthorID]
		if !known {
			facts, err := p.store.Facts(ctx, communities.Wanted{Users: []communities.UserID{m.AuthorID}})
			if err != nil {
				return err
			}
			if u := facts.Users[m.AuthorID]; u.Lives() {
				name = u.Username
			}
			names[m.AuthorID] = name
		}
		err := add(takeout.Fields{
			{Name: "chatId", Value: string(of.Chat.ID)}, {Name: "author", Value: name}, {Name: "sentAt", Value: m.At}, {Name: "content", Value: m.Content},
		})
		if err != nil {
			return err
		}
	}
	return nil
}
