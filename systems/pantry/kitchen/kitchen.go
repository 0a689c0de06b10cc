// Package kitchen manages containers and the foods in them.
//
// All members of a group may do everything with its containers. Membership is checked in
// the transaction of a change. It is read beforehand only if the change has already been
// refused for another reason, so that non-members learn nothing.
package kitchen

import (
	"context"
	"errors"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
)

// Store stores containers. Changes fail with ErrNoGroup and ErrNotMember if the user is not
// in the container's group, and with Conflict if something has changed since it was read.
type Store interface {
	pantry.Reader
	pantry.ContainerLister

	// Create fails with ErrTooManyContainers.
	Create(ctx context.Context, c *pantry.Container, by pantry.UserID, events ...outbox.Record) error
	Rename(ctx context.Context, c *pantry.Container, name string, by pantry.UserID, at time.Time, events ...outbox.Record) error
	// Move fails with ErrTooManyContainers.
	Move(ctx context.Context, c *pantry.Container, to pantry.GroupID, by pantry.UserID, at time.Time, events ...outbox.Record) error
	Delete(ctx context.Context, c *pantry.Container, by pantry.UserID, events ...outbox.Record) error

	// If changes of foods fail with Conflict, they return the present container if it is
	// still in the group.
	Add(ctx context.Context, c *pantry.Container, foods []pantry.Food, by pantry.UserID, at time.Time, events ...outbox.Record) (*pantry.Container, error)
	// Edit changes a food. If exact is set it must be as read; otherwise it must only
	// exist.
	Edit(
		ctx context.Context,
		c *pantry.Container,
		f pantry.Food,
		edit pantry.FoodEdit,
		exact bool,
		by pantry.UserID,
		at time.Time,
		events ...outbox.Record,
	) (*pantry.Container, error)
	Remove(ctx context.Context, c *pantry.Container, foods []pantry.Food, by pantry.UserID, at time.Time, events ...outbox.Record) (*pantry.Container, error)
	// MoveFood fails with ErrContainerFull.
	MoveFood(ctx context.Context, from, to *pantry.Container, f, moved pantry.Food, by pantry.UserID, at time.Time, events ...outbox.Record) error
}

// Categories stores the list of categories.
type Categories interface {
	// Set fails with Conflict if the list has changed since it was read.
	Set(ctx context.Context, from, to pantry.Categories) error
}

// Service implements the kitchen area. Its fields are set once.
type Service struct {
	decision.Frame
	Store      Store
	Users      pantry.SelfReader
	Categories Categories
	Operators  pantry.Operators
	Bus        outbox.Bus
}

// opened reads a container for a change by the viewer, who must be a user, and the list of
// categories if requested.
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

// refused returns the error for a refused change of a container. Non-members get the error
// for non-members, whatever the other reason.
func (s *Service) refused(ctx context.Context, v viewer.Viewer, id pantry.GroupID, why error) error {
	_, err := s.group(ctx, v, id)
	if err != nil {
		return err
	}
	return why
}

// group reads a group for a member. A container of a deleted group does not exist either.
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

// GroupOf returns the group of a container that the viewer sees.
func (s *Service) GroupOf(ctx context.Context, v viewer.Viewer, c *pantry.SeenContainer) (*pantry.SeenGroup, error) {
	if known := c.KnownGroup(); known != nil {
		return known, nil
	}
	return s.group(ctx, v, c.GroupID())
}

// Container returns a container to a member of its group, or nil to others.
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
	return c.SeenIn(groups.Groups[c.GroupID].SeenBy(v.UserID), s.Now()), nil
}

// Food returns a food in a container, or nil to viewers who may not see the container.
func (s *Service) Food(ctx context.Context, v viewer.Viewer, in pantry.ContainerID, id pantry.FoodID) (*pantry.SeenFood, error) {
	c, err := s.Container(ctx, v, in)
	if c == nil || err != nil {
		return nil, err
	}
	return c.Food(id), nil
}

// Create creates a container in a group. A nil name means the default.
func (s *Service) Create(ctx context.Context, v viewer.Viewer, group pantry.GroupID, name *string) (*pantry.SeenContainer, error) {
	called := optional.Or(name, pantry.DefaultContainerName)
	g, err := pantry.Admit(ctx, s.Store, v.UserID, group)
	if err != nil {
		return nil, err
	}
	if err := pantry.CheckContainerName(called); err != nil {
		return nil, err
	}
	at := s.Now()
	c := &pantry.Container{
		ID: pantry.ContainerID(s.NewID()), GroupID: group, Name: called, CreatedAt: at, UpdatedAt: at, Version: 1,
	}
	larger := *g
	larger.ContainerCount++
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (*pantry.SeenContainer, error) {
		return c.SeenIn(larger.SeenBy(v.UserID), at), s.Store.Create(ctx, c, v.UserID, a.Emit(pantry.ContainerChanged(pantry.ContainerCreated, group, c.ID))...)
	})
}

// Rename changes a container's name. If expected is not nil, the container must have that
// version.
func (s *Service) Rename(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, name string, expected *int) (*pantry.SeenContainer, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*pantry.SeenContainer, error) {
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
		at := s.Now()
		renamed := a.Emit(pantry.ContainerChanged(pantry.ContainerRenamed, c.GroupID, id))
		if err := s.Store.Rename(ctx, c, name, v.UserID, at, renamed...); err != nil {
			return nil, ofContainer(err)
		}
		c.Name, c.UpdatedAt, c.Version = name, at, c.Version+1
		return c.ChangedBy(v.UserID, at), nil
	})
}

// ofContainer replaces the error for a missing group by that for a missing container.
func ofContainer(err error) error {
	if errors.Is(err, pantry.ErrNoGroup) {
		return pantry.ErrNoContainer
	}
	return err
}

// Move moves a container to another group of the viewer.
func (s *Service) Move(ctx context.Context, v viewer.Viewer, id pantry.ContainerID, to pantry.GroupID) (*pantry.SeenContainer, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*pantry.SeenContainer, error) {
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
		at := s.Now()
		if to == c.GroupID {
			return c.SeenIn(target.SeenBy(v.UserID), at), nil
		}
		moved := a.Emit(pantry.ContainerChanged(pantry.ContainerDeleted, c.GroupID, id), pantry.ContainerChanged(pantry.ContainerCreated, to, id))
		if err := s.Store.Move(ctx, c, to, v.UserID, at, moved...); err != nil {
			return nil, err
		}
		c.GroupID, c.UpdatedAt, c.Version = to, at, c.Version+1
		larger := *target
		larger.ContainerCount++
		return c.SeenIn(larger.SeenBy(v.UserID), at), nil
	})
}

// Delete deletes a container with its foods.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, id pantry.ContainerID) (pantry.ContainerID, error) {
	return id, decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		c, _, err := s.opened(ctx, v, id, false)
		if err != nil {
			return err
		}
		return ofContainer(s.Store.Delete(ctx, c, v.UserID, a.Emit(pantry.ContainerChanged(pantry.ContainerDeleted, c.GroupID, id))...))
	})
}
