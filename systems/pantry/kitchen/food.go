package kitchen

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
)

// Add adds a food to a container.
func (s *Service) Add(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, food pantry.NewFood) (*pantry.Found, error) {
	c, added, err := s.add(ctx, v, id, []pantry.NewFood{food})
	if err != nil {
		return nil, err
	}
	return &pantry.Found{Container: c, Food: c.Food(added[0].ID)}, nil
}

// AddAll adds foods to a container, all or none.
func (s *Service) AddAll(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, foods []pantry.NewFood) (*pantry.SeenContainer, error) {
	c, _, err := s.add(ctx, v, id, foods)
	return c, err
}

func (s *Service) add(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, foods []pantry.NewFood) (*pantry.SeenContainer, []pantry.Food, error) {
	needsList := slices.ContainsFunc(foods, func(f pantry.NewFood) bool { return f.Category != nil })
	c, list, err := s.opened(ctx, v, id, needsList)
	if err != nil {
		return nil, nil, err
	}
	at := s.now()
	added, err := s.newFoods(foods, list, v.UserID, at)
	if err != nil {
		return nil, nil, s.refused(ctx, v, c.GroupID, err)
	}
	var ids []pantry.FoodID
	for _, f := range added {
		ids = append(ids, f.ID)
	}
	seen, err := s.decide(ctx, v, c, func(c *pantry.Container) (*pantry.Container, error) {
		if len(c.Foods)+len(added) > pantry.MaxFoods {
			return nil, s.refused(ctx, v, c.GroupID, pantry.ErrContainerFull)
		}
		records := s.New(ctx, pantry.FoodsChanged(pantry.FoodAdded, c, ids...))
		now, err := s.Store.Add(ctx, c, added, v.UserID, at, records...)
		if err != nil {
			return now, err
		}
		s.Committed(ctx, records...)
		for _, f := range added {
			c.Foods[f.ID] = f
		}
		c.UpdatedAt, c.Version = at, c.Version+1
		return nil, nil
	})
	return seen, added, err
}

func (s *Service) newFoods(foods []pantry.NewFood, list pantry.Categories, by pantry.UserID, at time.Time) ([]pantry.Food, error) {
	if err := pantry.CheckAdded(len(foods)); err != nil {
		return nil, err
	}
	added := make([]pantry.Food, len(foods))
	for i, f := range foods {
		f, err := f.Checked()
		if err != nil {
			return nil, err
		}
		if err := list.Check(f.Category); err != nil {
			return nil, err
		}
		added[i] = pantry.Food{
			ID: pantry.FoodID(s.NewID()), Name: f.Name, Unit: f.Unit, Quantity: f.Quantity, Category: f.Category, Expiry: f.Expiry,
			CreatedAt: at, UpdatedAt: at, Version: 1, AddedBy: by,
		}
	}
	return added, nil
}

// decide changes the content of a container and decides again after a conflict. act is
// called with the present container and either changes it or returns ErrChanged with its
// newer state. Changes of other foods do not conflict.
func (s *Service) decide(ctx context.Context, v viewer.Viewer, c *pantry.Container, act func(c *pantry.Container) (now *pantry.Container, err error)) (*pantry.SeenContainer, error) {
	id := c.ID
	return retry.OnConflict(func() (*pantry.SeenContainer, error) {
		if c == nil { // it was moved to another group
			var err error
			if c, _, err = s.opened(ctx, v, id, false); err != nil {
				return nil, err
			}
		}
		now, err := act(c)
		if err == nil {
			return c.ChangedBy(v.UserID, s.now()), nil
		}
		c = now
		return nil, ofContainer(err)
	})
}

// Change changes a food.
func (s *Service) Change(ctx context.Context, v viewer.Viewer, in pantry.ContainerID, id pantry.FoodID, change pantry.FoodChange) (*pantry.Found, error) {
	wrong := change.Check()
	c, list, err := s.opened(ctx, v, in, wrong == nil && change.NeedsCategories())
	if err != nil {
		return nil, err
	}
	if wrong != nil {
		return nil, s.refused(ctx, v, c.GroupID, wrong)
	}
	// The first attempt requires the food as it was read, so that the result is known.
	// Later ones do not, and read the result.
	exact := true
	seen, err := s.decide(ctx, v, c, func(c *pantry.Container) (*pantry.Container, error) {
		f, ok := c.Foods[id]
		if !ok {
			return nil, s.refused(ctx, v, c.GroupID, pantry.ErrNoFood)
		}
		edit, err := change.Apply(f, list)
		if err != nil {
			return nil, s.refused(ctx, v, c.GroupID, err)
		}
		if edit.IsEmpty() {
			return nil, s.refused(ctx, v, c.GroupID, nil)
		}
		at, sure := s.now(), exact || change.Expects()
		exact = false
		records := s.New(ctx, pantry.FoodsChanged(pantry.FoodUpdated, c, id))
		now, err := s.Store.Edit(ctx, c, f, edit, sure, v.UserID, at, records...)
		if err != nil {
			return now, err
		}
		s.Committed(ctx, records...)
		if sure {
			c.Foods[id], c.UpdatedAt = edit.After(f, at), at
			return nil, nil
		}
		return nil, s.reread(ctx, c)
	})
	if err != nil {
		return nil, err
	}
	food := seen.Food(id)
	if food == nil { // removed concurrently
		return nil, pantry.ErrNoFood
	}
	return &pantry.Found{Container: seen, Food: food}, nil
}

// reread updates c to its present state.
func (s *Service) reread(ctx context.Context, c *pantry.Container) error {
	facts, err := s.Store.Facts(ctx, pantry.Wanted{Containers: []pantry.ContainerID{c.ID}})
	if err != nil {
		return err
	}
	now := facts.Containers[c.ID]
	if now == nil {
		return pantry.ErrNoContainer
	}
	*c = *now
	return nil
}

// Remove removes a food from a container.
func (s *Service) Remove(ctx context.Context, v viewer.Viewer, in pantry.ContainerID, id pantry.FoodID) (*pantry.SeenContainer, error) {
	c, _, err := s.opened(ctx, v, in, false)
	if err != nil {
		return nil, err
	}
	return s.decide(ctx, v, c, func(c *pantry.Container) (*pantry.Container, error) {
		f, ok := c.Foods[id]
		if !ok {
			return nil, s.refused(ctx, v, c.GroupID, pantry.ErrNoFood)
		}
		return s.remove(ctx, v, c, []pantry.Food{f})
	})
}

func (s *Service) remove(ctx context.Context, v viewer.Viewer, c *pantry.Container, foods []pantry.Food) (*pantry.Container, error) {
	var ids []pantry.FoodID
	for _, f := range foods {
		ids = append(ids, f.ID)
	}
	at := s.now()
	records := s.New(ctx, pantry.FoodsChanged(pantry.FoodRemoved, c, ids...))
	now, err := s.Store.Remove(ctx, c, foods, v.UserID, at, records...)
	if err != nil {
		return now, err
	}
	s.Committed(ctx, records...)
	for _, id := range ids {
		delete(c.Foods, id)
	}
	c.UpdatedAt = at
	return nil, nil
}

// removedTogether is the maximum number of foods removed in one transaction. The condition
// for more would exceed the store's limit.
const removedTogether = 50

// RemoveExpired removes all expired foods from a container, and returns their number.
func (s *Service) RemoveExpired(ctx context.Context, v viewer.Viewer, in pantry.ContainerID) (removed int, err error) {
	c, _, err := s.opened(ctx, v, in, false)
	if err != nil {
		return 0, err
	}
	now := s.now()
	for {
		n := 0
		_, err := s.decide(ctx, v, c, func(current *pantry.Container) (*pantry.Container, error) {
			c = current
			var expired []pantry.Food
			for _, f := range c.Foods {
				if len(expired) < removedTogether && f.Expired(now) {
					expired = append(expired, f)
				}
			}
			n = len(expired)
			if n == 0 {
				return nil, s.refused(ctx, v, c.GroupID, nil)
			}
			return s.remove(ctx, v, c, expired)
		})
		if err != nil {
			return removed, err
		}
		if removed += n; n < removedTogether {
			return removed, nil
		}
	}
}

// MoveFood moves a food to another container of the viewer.
func (s *Service) MoveFood(ctx context.Context, v viewer.Viewer, from pantry.ContainerID, id pantry.FoodID, to pantry.ContainerID) (*pantry.Found, error) {
	return retry.OnConflict(func() (*pantry.Found, error) {
		facts, err := s.Store.Facts(ctx, pantry.Wanted{Users: []pantry.UserID{v.UserID}, Containers: []pantry.ContainerID{from, to}})
		if err != nil {
			return nil, err
		}
		if err := facts.Registered(v.UserID); err != nil {
			return nil, err
		}
		source, target := facts.Containers[from], facts.Containers[to]
		if source == nil || target == nil {
			return nil, pantry.ErrNoContainer
		}
		groups, err := s.Store.Facts(ctx, pantry.Wanted{Groups: []pantry.GroupID{source.GroupID, target.GroupID}})
		if err != nil {
			return nil, err
		}
		for _, c := range []*pantry.Container{source, target} {
			if err := ofContainer(groups.Groups[c.GroupID].Admit(v.UserID)); err != nil {
				return nil, err
			}
		}
		f, ok := source.Foods[id]
		at := s.now()
		seen := target.SeenIn(groups.Groups[target.GroupID].SeenBy(v.UserID), at)
		switch {
		case !ok:
			return nil, pantry.ErrNoFood
		case from == to:
			return &pantry.Found{Container: seen, Food: seen.Food(id)}, nil
		case len(target.Foods) >= pantry.MaxFoods:
			return nil, pantry.ErrContainerFull
		}
		moved := f
		moved.Version, moved.UpdatedAt = f.Version+1, at
		records := s.New(ctx, pantry.FoodsChanged(pantry.FoodRemoved, source, id), pantry.FoodsChanged(pantry.FoodAdded, target, id))
		if err := s.Store.MoveFood(ctx, source, target, f, moved, v.UserID, at, records...); err != nil {
			return nil, ofContainer(err)
		}
		s.Committed(ctx, records...)
		target.Foods[id] = moved
		target.UpdatedAt, target.Version = at, target.Version+1
		return &pantry.Found{Container: seen, Food: seen.Food(id)}, nil
	})
}
