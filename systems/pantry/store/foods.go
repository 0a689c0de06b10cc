package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
)

// within starts a change of a container's content by a member of its group. If the
// transaction fails, refused returns the reason; with Conflict it also returns the
// present container, if it still exists in the same group.
func within(tx *keyspec.Tx, c *pantry.Container, by pantry.UserID, at time.Time) (u keyspec.Update, refused func(err error) (*pantry.Container, error)) {
	u = containers.Update(tx, containerKey(c.ID)).Set("UpdatedAt", at).If("OwnerGroup = ?", c.GroupID)
	group := memberOf(tx, c.GroupID, by)
	return u, func(err error) (*pantry.Container, error) {
		if err == nil {
			return nil, nil
		}
		if refused := notMember(group, by)(err); refused != nil {
			return nil, refused
		}
		if !keyspec.Refused(err, u) {
			return nil, stored.Outcome(err)
		}
		item, readErr := containers.Stored(err, u)
		switch {
		case readErr != nil:
			return nil, readErr
		case item == nil:
			return nil, pantry.ErrNoContainer
		case item.GroupID != c.GroupID:
			return nil, stored.Outcome(err)
		}
		now, readErr := item.container()
		if readErr != nil {
			return nil, readErr
		}
		return now, stored.Outcome(err)
	}
}

// change changes the content of a container with a transaction of its own.
func (s *Containers) change(
	ctx context.Context,
	c *pantry.Container,
	by pantry.UserID,
	at time.Time,
	change func(keyspec.Update),
	events []outbox.Record,
) (*pantry.Container, error) {
	tx := s.db.NewTx()
	u, refused := within(tx, c, by, at)
	change(u)
	return refused(ops.Commit(ctx, tx, events...))
}

// put adds foods to a container that has capacity for them.
func put(u keyspec.Update, foods ...pantry.Food) {
	for i := range foods {
		f := &foods[i]
		u.SetIn(inFoods(f.ID), foodItemOf(*f)).If("attribute_not_exists(Foods.@)", string(f.ID))
	}
	u.Shift("FoodCount", len(foods)).Shift("Version", 1).If("FoodCount <= ?", pantry.MaxFoods-len(foods))
}

// take removes foods from a container, which must contain them as they were read.
func take(u keyspec.Update, foods ...pantry.Food) {
	for i := range foods {
		f := &foods[i]
		u.RemoveIn(inFoods(f.ID)).If("Foods.@.Version = ?", string(f.ID), f.Version)
	}
	u.Shift("FoodCount", -len(foods))
}

// Add adds foods to a container, all or none.
func (s *Containers) Add(
	ctx context.Context,
	c *pantry.Container,
	foods []pantry.Food,
	by pantry.UserID,
	at time.Time,
	events ...outbox.Record,
) (*pantry.Container, error) {
	return s.change(ctx, c, by, at, func(u keyspec.Update) { put(u, foods...) }, events)
}

// Edit changes one food. If exact is set it must be as read; otherwise it must only exist,
// and its quantity stay in range.
func (s *Containers) Edit(
	ctx context.Context,
	c *pantry.Container,
	f pantry.Food,
	edit pantry.FoodEdit,
	exact bool,
	by pantry.UserID,
	at time.Time,
	events ...outbox.Record,
) (*pantry.Container, error) {
	return s.change(ctx, c, by, at, func(u keyspec.Update) {
		u.AddIn(inFoods(f.ID, "Version"), "1").SetIn(inFoods(f.ID, "UpdatedDatetime"), at)
		if exact {
			u.If("Foods.@.Version = ?", string(f.ID), f.Version)
		} else {
			u.If("attribute_exists(Foods.@)", string(f.ID))
		}
		if edit.Name != nil {
			u.SetIn(inFoods(f.ID, "Name"), *edit.Name)
		}
		if edit.Unit != nil {
			u.SetIn(inFoods(f.ID, "Unit"), edit.Unit.Value)
		}
		if edit.Category != nil {
			u.SetIn(inFoods(f.ID, "Category"), edit.Category.Value)
		}
		if edit.Expiry != nil {
			u.SetIn(inFoods(f.ID, "Expiry"), edit.Expiry.Value)
		}
		if edit.Quantity != nil {
			u.SetIn(inFoods(f.ID, "Quantity"), numeralOf(edit.Quantity.Value))
		}
		if edit.Unset {
			u.If("attribute_type(Foods.@.Quantity, ?)", string(f.ID), "NULL")
		}
		if edit.Add != nil {
			add(u, f.ID, *edit.Add)
		}
	}, events)
}

// add adds to a quantity within the store, so that no concurrent addition is lost.
func add(u keyspec.Update, id pantry.FoodID, delta pantry.Decimal) {
	u.AddIn(inFoods(id, "Quantity"), keyspec.Numeral(delta.String()))
	if delta.Negative() {
		u.If("Foods.@.Quantity >= ?", string(id), *numeralOf(new(delta.Minus())))
		return
	}
	room, _ := pantry.MaxQuantity.Plus(delta.Minus())
	u.If("Foods.@.Quantity <= ?", string(id), *numeralOf(&room))
}

// Remove removes foods from a container.
func (s *Containers) Remove(
	ctx context.Context,
	c *pantry.Container,
	foods []pantry.Food,
	by pantry.UserID,
	at time.Time,
	events ...outbox.Record,
) (*pantry.Container, error) {
	return s.change(ctx, c, by, at, func(u keyspec.Update) { take(u, foods...) }, events)
}

// MoveFood removes a food, which must be as read, from one container and adds it to another
// as moved.
func (s *Containers) MoveFood(
	ctx context.Context,
	from, to *pantry.Container,
	f, moved pantry.Food,
	by pantry.UserID,
	at time.Time,
	events ...outbox.Record,
) error {
	tx := s.db.NewTx()
	source, refusedThere := within(tx, from, by, at)
	take(source, f)
	target, refusedHere := within(tx, to, by, at)
	put(target, moved)
	err := ops.Commit(ctx, tx, events...)
	if keyspec.Refused(err, source) || err == nil {
		_, err := refusedThere(err)
		return err
	}
	now, err := refusedHere(err)
	if now != nil && len(now.Foods) >= pantry.MaxFoods {
		return pantry.ErrContainerFull
	}
	return err
}
