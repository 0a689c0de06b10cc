package app

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/operator"
	"stoa/systems/archive"
	"stoa/systems/archive/store"
)

// persons shows the users of the system to those who run the service.
type persons struct {
	store  *store.Store
	files  *files
	issuer string
	frame  decision.Frame
}

var _ interface {
	operator.People
	operator.Eraser
	operator.Exporter
} = persons{}

func (p persons) user(ctx context.Context, id operator.UserID) (*archive.User, error) {
	user, err := p.store.Users.ID(ctx, archive.IdentityKey(p.issuer, id))
	if user == 0 || err != nil {
		return nil, err
	}
	facts, err := p.store.Users.Facts(ctx, archive.Wanted{Users: []archive.ID{user}})
	return facts.Users[user], err
}

// Erase deletes a user. What they have published belongs to the archive, and does not name
// them.
func (p persons) Erase(ctx context.Context, id operator.UserID) error {
	return decision.Do(ctx, p.frame, func(*decision.Attempt) error {
		u, err := p.user(ctx, id)
		if u == nil || err != nil {
			return err
		}
		return p.store.Users.Erase(ctx, u)
	})
}

// Profiles returns the profiles of those who have signed in.
func (p persons) Profiles(ctx context.Context, ids []operator.UserID) (map[operator.UserID]*operator.Profile, error) {
	users := map[archive.ID]operator.UserID{}
	var wanted []archive.ID
	for _, id := range ids {
		user, err := p.store.Users.ID(ctx, archive.IdentityKey(p.issuer, id))
		if err != nil {
			return nil, err
		}
		if user != 0 && users[user] == "" {
			users[user] = id
			wanted = append(wanted, user)
		}
	}
	facts, err := p.store.Users.Facts(ctx, archive.Wanted{Users: wanted})
	if err != nil {
		return nil, err
	}
	found := map[operator.UserID]*operator.Profile{}
	for user, u := range facts.Users {
		id := users[user]
		found[id] = &operator.Profile{UserID: id, FullName: u.Name, CreatedAt: u.InsertTime, Email: u.Email}
	}
	return found, nil
}
