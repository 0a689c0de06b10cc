package kitchen

import (
	"context"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/slice"
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
	at := s.Now()
	added, err := s.newFoods(foods, list, v.UserID, at)
	if err != nil {
		return nil, nil, s.refused(ctx, v, c.GroupID, err)
	}
	ids := slice.Map(added, func(f pantry.Food) pantry.FoodID { return f.ID })
	seen, err := s.update(ctx, v, c, func(a *decision.Attempt, c *pantry.Container) (*pantry.Container, error) {
		if len(c.Foods)+len(added) > pantry.MaxFoods {
			return nil, s.refused(ctx, v, c.GroupID, pantry.ErrContainerFull)
		}
		if now, err := s.Store.Add(ctx, c, added, v.UserID, at, a.Emit(pantry.FoodsChanged(pantry.FoodAdded, c, ids...))...); err != nil {
			return now, err
		}
		for _, f := range added {
			c.Foods[f.ID] = f
		}
		c.UpdatedAt, c.Version = at, c.Version+1
		return c, nil
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

// update changes the content of a container. change is called with the present container and
// returns it as changed, or its newer state with a conflict. Changes of other foods do not
// conflict.
func (s *Service) update(
	ctx context.Context, v viewer.Viewer, c *pantry.Container, change func(a *decision.Attempt, c *pantry.Container) (now *pantry.Container, err error),
) (*pantry.SeenContainer, error) {
	id := c.ID
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (_ *pantry.SeenContainer, err error) {
		if c == nil { // it was moved to another group
			if c, _, err = s.opened(ctx, v, id, false); err != nil {
				return nil, err
			}
		}
		if c, err = change(a, c); err != nil {
			return nil, ofContainer(err)
		}
		return c.ChangedBy(v.UserID, s.Now()), nil
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
	seen, err := s.update(ctx, v, c, func(a *decision.Attempt, c *pantry.Container) (*pantry.Container, error) {
		f, ok := c.Foods[id]
		if !ok {
			return nil, s.refused(ctx, v, c.GroupID, pantry.ErrNoFood)
		}
		edit, err := change.Apply(f, list)
		if err != nil {
			return nil, s.refused(ctx, v, c.GroupID, err)
		}
		if edit.IsEmpty() {
			return c, s.refused(ctx, v, c.GroupID, nil)
		}
		at, sure := s.Now(), exact || change.Expects()
		exact = false
		if now, err := s.Store.Edit(ctx, c, f, edit, sure, v.UserID, at, a.Emit(pantry.FoodsChanged(pantry.FoodUpdated, c, id))...); err != nil {
			return now, err
		}
		if sure {
			c.Foods[id], c.UpdatedAt = edit.After(f, at), at
			return c, nil
		}
		return s.reread(ctx, c.ID)
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

// reread returns the present state of a container.
func (s *Service) reread(ctx context.Context, id pantry.ContainerID) (*pantry.Container, error) {
	facts, err := s.Store.Facts(ctx, pantry.Wanted{Containers: []pantry.ContainerID{id}})
	if err != nil {
		return nil, err
	}
	if facts.Containers[id] == nil {
		return nil, pantry.ErrNoContainer
	}
	return facts.Containers[id], nil
}

// Remove removes a food from a container.
func (s *Service) Remove(ctx context.Context, v viewer.Viewer, in pantry.ContainerID, id pantry.FoodID) (*pantry.SeenContainer, error) {
	c, _, err := s.opened(ctx, v, in, false)
	if err != nil {
		return nil, err
	}
	return s.update(ctx, v, c, func(a *decision.Attempt, c *pantry.Container) (*pantry.Container, error) {
		f, ok := c.Foods[id]
		if !ok {
			return nil, s.refused(ctx, v, c.GroupID, pantry.ErrNoFood)
		}
		return s.remove(ctx, v, a, c, []pantry.Food{f})
	})
}

func (s *Service) remove(ctx context.Context, v viewer.Viewer, a *decision.Attempt, c *pantry.Container, foods []pantry.Food) (*pantry.Container, error) {
	ids := slice.Map(foods, func(f pantry.Food) pantry.FoodID { return f.ID })
	at := s.Now()
	if now, err := s.Store.Remove(ctx, c, foods, v.UserID, at, a.Emit(pantry.FoodsChanged(pantry.FoodRemoved, c, ids...))...); err != nil {
		return now, err
	}
	for _, id := range ids {
		delete(c.Foods, id)
	}
	c.UpdatedAt = at
	return c, nil
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
	now := s.Now()
	for {
		n := 0
		_, err := s.update(ctx, v, c, func(a *decision.Attempt, current *pantry.Container) (*pantry.Container, error) {
			c = current
			var expired []pantry.Food
			for _, f := range c.Foods {
				if len(expired) < removedTogether && f.Expired(now) {
					expired = append(expired, f)
				}
			}
			n = len(expired)
			if n == 0 {
				return c, s.refused(ctx, v, c.GroupID, nil)
			}
			return s.remove(ctx, v, a, c, expired)
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
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*pantry.Found, error) {
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
		at := s.Now()
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
		events := a.Emit(pantry.FoodsChanged(pantry.FoodRemoved, source, id), pantry.FoodsChanged(pantry.FoodAdded, target, id))
		if err := s.Store.MoveFood(ctx, source, target, f, moved, v.UserID, at, events...); err != nil {
			return nil, ofContainer(err)
		}
		target.Foods[id] = moved
		target.UpdatedAt, target.Version = at, target.Version+1
		return &pantry.Found{Container: seen, Food: seen.Food(id)}, nil
	})
}
