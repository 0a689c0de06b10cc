package app

import (
	"context"
	"slices"

	"stoa/internal/operator"
	"stoa/social"
	"stoa/store"
)

// people shows the users of the system to those who run the service.
type people struct{ users *store.Users }

// Profiles returns the profiles of those who have one.
func (p people) Profiles(ctx context.Context, ids []operator.UserID) (map[operator.UserID]*operator.Profile, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	facts, err := p.users.Facts(ctx, "", ids, 0)
	if err != nil {
		return nil, err
	}
	found := map[operator.UserID]*operator.Profile{}
	for id, f := range facts {
		found[id] = profileOf(f.User)
	}
	return found, nil
}

func profileOf(u *social.User) *operator.Profile {
	return &operator.Profile{
		UserID: u.UserID, Username: u.Username, FullName: u.FullName, Status: string(u.Stands()), CreatedAt: u.SignedUpAt,
	}
}
