package app

import (
	"context"
	"maps"
	"slices"

	"stoa/internal/kit/page"
	"stoa/internal/operator"
	"stoa/internal/operator/takeout"
	"stoa/systems/pantry"
	"stoa/systems/pantry/household"
	"stoa/systems/pantry/store"
)

// persons shows the users of the system to those who run the service.
type persons struct {
	store     *store.Store
	household *household.Service
}

var _ interface {
	operator.People
	operator.Finder
	operator.Eraser
	operator.Exporter
} = persons{}

// Profiles returns the profiles of those who are users.
func (p persons) Profiles(ctx context.Context, ids []operator.UserID) (map[operator.UserID]*operator.Profile, error) {
	facts, err := p.store.Users.Facts(ctx, pantry.Wanted{Users: slices.Compact(slices.Sorted(slices.Values(ids)))})
	if err != nil {
		return nil, err
	}
	found := map[operator.UserID]*operator.Profile{}
	for id, u := range facts.Users {
		found[id] = &operator.Profile{UserID: id, FullName: u.Name, CreatedAt: u.CreatedAt, Email: u.Email}
	}
	return found, nil
}

// Find finds nobody: there is no index of names.
func (p persons) Find(context.Context, string, page.Query) (page.Page[operator.UserID], error) {
	return page.Page[operator.UserID]{}, nil
}

// Holders returns the user with an e-mail address.
func (p persons) Holders(ctx context.Context, contact string) ([]operator.UserID, error) {
	id, err := p.store.Users.Holder(ctx, contact)
	if id == "" || err != nil {
		return nil, err
	}
	return []operator.UserID{id}, nil
}

// Erase deletes a user, and the groups without other members.
func (p persons) Erase(ctx context.Context, id operator.UserID) error {
	return p.household.Erase(ctx, id)
}

// Export adds a user and what they share with others.
func (p persons) Export(ctx context.Context, id operator.UserID, to *takeout.Writer) error {
	self, err := p.store.Users.Self(ctx, id)
	if self.User == nil || err != nil {
		return err
	}
	u := self.User
	err = to.Item("user", "Pantry", takeout.Fields{
		{Name: "id", Value: string(u.ID)}, {Name: "name", Value: u.Name}, {Name: "emailAddress", Value: u.Email}, {Name: "createdAt", Value: u.CreatedAt},
	})
	if err != nil {
		return err
	}
	facts, err := p.store.Users.Facts(ctx, pantry.Wanted{Groups: self.GroupIDs})
	if err != nil {
		return err
	}
	err = to.List("groups", "Groups", func(add func(takeout.Fields) error) error {
		for _, id := range self.GroupIDs {
			g := facts.Groups[id]
			if g == nil {
				continue
			}
			err := add(takeout.Fields{
				{Name: "id", Value: string(g.ID)}, {Name: "name", Value: g.Name}, {Name: "createdAt", Value: g.CreatedAt}, {Name: "members", Value: len(g.UserIDs)},
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return to.List("foods", "Foods", func(add func(takeout.Fields) error) error {
		for _, group := range self.GroupIDs {
			if err := p.exportFoods(ctx, id, group, add); err != nil {
				return err
			}
		}
		return nil
	})
}

// exportFoods adds the foods of a group, which its members share. Who else has added one is not
// said.
func (p persons) exportFoods(ctx context.Context, id operator.UserID, group pantry.GroupID, add func(takeout.Fields) error) error {
	for of, err := range page.All(page.Of(ctx, p.store.Containers.IDs, group)) {
		if err != nil {
			return err
		}
		facts, err := p.store.Users.Facts(ctx, pantry.Wanted{Containers: []pantry.ContainerID{of}})
		if err != nil {
			return err
		}
		c := facts.Containers[of]
		if c == nil || c.GroupID != group { // deleted or moved meanwhile
			continue
		}
		foods := slices.SortedFunc(maps.Values(c.Foods), func(a, b pantry.Food) int { return a.CreatedAt.Compare(b.CreatedAt) })
		for _, f := range foods {
			quantity := ""
			if f.Quantity != nil {
				quantity = f.Quantity.String()
			}
			err := add(takeout.Fields{
				{Name: "id", Value: string(f.ID)}, {Name: "container", Value: c.Name}, {Name: "name", Value: f.Name}, {Name: "unit", Value: f.Unit},
				{Name: "quantity", Value: quantity}, {Name: "category", Value: f.Category}, {Name: "expiry", Value: f.Expiry},
				{Name: "createdAt", Value: f.CreatedAt}, {Name: "addedByMe", Value: f.AddedBy == id},
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
