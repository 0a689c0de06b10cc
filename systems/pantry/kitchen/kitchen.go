// Package kitchen decides what is done to containers and the foods in them.
//
// All members of a group may do everything with its containers. That somebody is a member
// is decided by the transaction that makes a change, together with the change; it is read
// beforehand only where the change has already been refused for another reason, so that
// others than members learn nothing.
package kitchen

import (
	"context"
	"errors"
	"time"

	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
)

// Store keeps containers. Changes fail with ErrNoGroup and ErrNotMember for a user who is
// not in the container's group, and with ErrChanged when something is not as read.
type Store interface {
	Facts(ctx context.Context, w pantry.Wanted) (*pantry.Facts, error)
	// IDs lists the containers of a group by their ids.
	IDs(ctx context.Context, group pantry.GroupID, q page.Query) (page.Page[pantry.ContainerID], error)

	// Create fails with ErrTooManyContainers.
	Create(ctx context.Context, c *pantry.Container, by pantry.UserID, events ...outbox.Record) error
	Rename(ctx context.Context, c *pantry.Container, name string, by pantry.UserID, at time.Time, events ...outbox.Record) error
	// Move fails with ErrTooManyContainers.
	Move(ctx context.Context, c *pantry.Container, to pantry.GroupID, by pantry.UserID, at time.Time, events ...outbox.Record) error
	Delete(ctx context.Context, c *pantry.Container, by pantry.UserID, events ...outbox.Record) error

	// Changes of foods that fail with ErrChanged return the container as it is now, where
	// that is still in the group.
	Add(ctx context.Context, c *pantry.Container, foods []pantry.Food, by pantry.UserID, at time.Time, events ...outbox.Record) (*pantry.Container, error)
	// Edit changes a food that is as read, or with exact false one that is there.
	Edit(ctx context.Context, c *pantry.Container, f pantry.Food, edit pantry.FoodEdit, exact bool, by pantry.UserID, at time.Time, events ...outbox.Record) (*pantry.Container, error)
	Remove(ctx context.Context, c *pantry.Container, foods []pantry.Food, by pantry.UserID, at time.Time, events ...outbox.Record) (*pantry.Container, error)
	// MoveFood fails with ErrContainerFull.
	MoveFood(ctx context.Context, from, to *pantry.Container, f, moved pantry.Food, by pantry.UserID, at time.Time, events ...outbox.Record) error
}

// Users knows in which groups users are.
type Users interface {
	Self(ctx context.Context, id pantry.UserID) (pantry.Self, error)
}

// Categories keeps the list of categories.
type Categories interface {
	// Set fails with ErrChanged when the list is not as read.
	Set(ctx context.Context, from, to pantry.Categories) error
}

// Service is the area. Its fields are set once.
type Service struct {
	Store      Store
	Users      Users
	Categories Categories
	Operators  pantry.Operators
	Bus        outbox.Bus
	// Events also has the clock and makes ids.
	Events outbox.Sender
}

// now is the present to the precision that is stored.
func (s *Service) now() time.Time { return s.Events.Now().Truncate(time.Millisecond) }

// opened reads a container for a change by the viewer, who must be a user, with the list
// of categories where that matters.
func (s *Service) opened(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, categories bool) (*pantry.Container, pantry.Categories, error) {
	facts, err := s.Store.Facts(ctx, pantry.Wanted{
		Users: []pantry.UserID{v.UserID}, Containers: []pantry.ContainerID{id}, Categories: categories,
	})
	if err != nil {
		return nil, pantry.Categories{}, err
	}
	if err := facts.Registered(v.UserID); err != nil {
		return nil, pantry.Categories{}, err
	}
	c := facts.Containers[id]
	if c == nil {
		return nil, pantry.Categories{}, pantry.ErrNoContainer
	}
	return c, facts.Categories, nil
}

// refused returns why a change of a container is refused: to others than members for that
// they are none, whatever else there is to it.
func (s *Service) refused(ctx context.Context, v viewer.Viewer, id pantry.GroupID, why error) error {
	_, err := s.group(ctx, v, id)
	if err != nil {
		return err
	}
	return why
}

// group reads a group for one of its members. A container of a group that is gone is gone
// as well.
func (s *Service) group(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (*pantry.SeenGroup, error) {
	facts, err := s.Store.Facts(ctx, pantry.Wanted{Groups: []pantry.GroupID{id}})
	if err != nil {
		return nil, err
	}
	g := facts.Groups[id]
	if g == nil {
		return nil, pantry.ErrNoContainer
	}
	return g.SeenBy(v.UserID), g.Admit(v.UserID)
}

// GroupOf shows the group of a container that was shown.
func (s *Service) GroupOf(ctx context.Context, v viewer.Viewer, c *pantry.SeenContainer) (*pantry.SeenGroup, error) {
	if c.Group != nil {
		return c.Group, nil
	}
	return s.group(ctx, v, c.GroupID())
}

// Container shows a container to a member of its group; nil to anybody else.
func (s *Service) Container(ctx context.Context, v viewer.Viewer, id pantry.ContainerID) (*pantry.SeenContainer, error) {
	facts, err := s.Store.Facts(ctx, pantry.Wanted{Users: []pantry.UserID{v.UserID}, Containers: []pantry.ContainerID{id}})
	if err != nil {
		return nil, err
	}
	if err := facts.Registered(v.UserID); err != nil {
		return nil, err
	}
	c := facts.Containers[id]
	if c == nil {
		return nil, nil
	}
	groups, err := s.Store.Facts(ctx, pantry.Wanted{Groups: []pantry.GroupID{c.GroupID}})
	if err != nil {
		return nil, err
	}
	g := groups.Groups[c.GroupID]
	if g.Admit(v.UserID) != nil {
		return nil, nil
	}
	return c.Seen(g.SeenBy(v.UserID), s.now()), nil
}

// Food shows a food in a container; nil where Container shows none.
func (s *Service) Food(ctx context.Context, v viewer.Viewer, in pantry.ContainerID, id pantry.FoodID) (*pantry.SeenFood, error) {
	c, err := s.Container(ctx, v, in)
	if c == nil || err != nil {
		return nil, err
	}
	return c.Food(id), nil
}

// Create makes a container in a group. Nil is no name.
func (s *Service) Create(ctx context.Context, v viewer.Viewer, group pantry.GroupID, name *string) (*pantry.SeenContainer, error) {
	called := pantry.DefaultContainerName
	if name != nil {
		called = *name
	}
	g, err := s.admitted(ctx, v, group)
	if err != nil {
		return nil, err
	}
	if err := pantry.CheckContainerName(called); err != nil {
		return nil, err
	}
	at := s.now()
	c := &pantry.Container{
		ID: pantry.ContainerID(s.Events.NewID()), GroupID: group, Name: called, CreatedAt: at, UpdatedAt: at, Version: 1,
	}
	records := s.Events.New(ctx, pantry.ContainerChanged(pantry.ContainerCreated, group, c.ID))
	if err := s.Store.Create(ctx, c, v.UserID, records...); err != nil {
		return nil, err
	}
	s.Events.Committed(ctx, records...)
	larger := *g
	larger.ContainerCount++
	return c.Seen(larger.SeenBy(v.UserID), at), nil
}

// admitted reads a group for one of its members, who must be a user.
func (s *Service) admitted(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (*pantry.Group, error) {
	facts, err := s.Store.Facts(ctx, pantry.Wanted{Users: []pantry.UserID{v.UserID}, Groups: []pantry.GroupID{id}})
	if err != nil {
		return nil, err
	}
	if err := facts.Registered(v.UserID); err != nil {
		return nil, err
	}
	return facts.Groups[id], facts.Groups[id].Admit(v.UserID)
}

// Rename changes what a container is called. With an expected version it must be of that
// one.
func (s *Service) Rename(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, name string, expected *int) (*pantry.SeenContainer, error) {
	return retry.OnConflict(func() (*pantry.SeenContainer, error) {
		c, _, err := s.opened(ctx, v, id, false)
		if err != nil {
			return nil, err
		}
		if err := pantry.CheckContainerName(name); err != nil {
			return nil, s.refused(ctx, v, c.GroupID, err)
		}
		if err := input.CheckVersion(expected, c.Version); err != nil {
			return nil, s.refused(ctx, v, c.GroupID, err)
		}
		at := s.now()
		records := s.Events.New(ctx, pantry.ContainerChanged(pantry.ContainerRenamed, c.GroupID, id))
		if err := s.Store.Rename(ctx, c, name, v.UserID, at, records...); err != nil {
			return nil, ofContainer(err)
		}
		s.Events.Committed(ctx, records...)
		c.Name, c.UpdatedAt, c.Version = name, at, c.Version+1
		return c.Seen(nil, at), nil
	})
}

// ofContainer words that the group of a container is gone: so is the container.
func ofContainer(err error) error {
	if errors.Is(err, pantry.ErrNoGroup) {
		return pantry.ErrNoContainer
	}
	return err
}

// Move gives a container to another group of the viewer's.
func (s *Service) Move(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, to pantry.GroupID) (*pantry.SeenContainer, error) {
	return retry.OnConflict(func() (*pantry.SeenContainer, error) {
		c, _, err := s.opened(ctx, v, id, false)
		if err != nil {
			return nil, err
		}
		facts, err := s.Store.Facts(ctx, pantry.Wanted{Groups: []pantry.GroupID{c.GroupID, to}})
		if err != nil {
			return nil, err
		}
		if err := ofContainer(facts.Groups[c.GroupID].Admit(v.UserID)); err != nil {
			return nil, err
		}
		target := facts.Groups[to]
		if err := target.Admit(v.UserID); err != nil {
			return nil, err
		}
		at := s.now()
		if to == c.GroupID {
			return c.Seen(target.SeenBy(v.UserID), at), nil
		}
		records := s.Events.New(ctx, pantry.ContainerChanged(pantry.ContainerDeleted, c.GroupID, id), pantry.ContainerChanged(pantry.ContainerCreated, to, id))
		if err := s.Store.Move(ctx, c, to, v.UserID, at, records...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, records...)
		c.GroupID, c.UpdatedAt, c.Version = to, at, c.Version+1
		larger := *target
		larger.ContainerCount++
		return c.Seen(larger.SeenBy(v.UserID), at), nil
	})
}

// Delete removes a container with its foods.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, id pantry.ContainerID) (pantry.ContainerID, error) {
	return retry.OnConflict(func() (pantry.ContainerID, error) {
		c, _, err := s.opened(ctx, v, id, false)
		if err != nil {
			return "", err
		}
		records := s.Events.New(ctx, pantry.ContainerChanged(pantry.ContainerDeleted, c.GroupID, id))
		if err := s.Store.Delete(ctx, c, v.UserID, records...); err != nil {
			return "", ofContainer(err)
		}
		s.Events.Committed(ctx, records...)
		return id, nil
	})
}
