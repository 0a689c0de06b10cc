// Package household manages users, groups and memberships.
//
// There are no roles: every member may rename and delete a group and remove any member.
// What belongs to a deleted group is removed when the event is received, piece by piece. It
// is inaccessible at once, because everything in a group requires the group.
package household

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
)

// Users stores users.
type Users interface {
	pantry.Reader
	pantry.SelfReader
	// Create stores a user with a first group and a container. It fails with ErrRegistered
	// or ErrEmailTaken.
	Create(ctx context.Context, u *pantry.User, g *pantry.Group, c *pantry.Container) error
	// Rename and Delete fail with Conflict if the user has changed since it was read.
	Rename(ctx context.Context, u *pantry.User, name string, at time.Time) error
	Delete(ctx context.Context, u *pantry.User, events ...outbox.Record) error
	// EraseTraces removes a former user from a page of what others have.
	EraseTraces(ctx context.Context, id pantry.UserID, cursor string) (next string, rows int, err error)
}

// Groups stores groups. Changes fail with Conflict if the group has changed since it was
// read.
type Groups interface {
	// UserIDs returns the members ordered by id.
	UserIDs(ctx context.Context, id pantry.GroupID, q page.Query) (page.Page[pantry.UserID], error)
	// Create fails with ErrTooManyGroups.
	Create(ctx context.Context, g *pantry.Group) error
	// Rename fails with ErrNotMember.
	Rename(ctx context.Context, g *pantry.Group, name string, by pantry.UserID, at time.Time) error
	// Delete deletes a group with its join link, nil if it has none.
	// If gone is not "", it requires that this user is still deleted.
	Delete(ctx context.Context, g *pantry.Group, l *pantry.JoinLink, gone pantry.UserID, events ...outbox.Record) error
	// Leave removes a member for a member, perhaps the same. It fails with ErrNoGroup,
	// ErrNotMember, ErrNotAMember or ErrLastMember. If gone is set, it requires that the user is
	// still deleted.
	Leave(ctx context.Context, id pantry.GroupID, leaving, by pantry.UserID, gone bool, events ...outbox.Record) error
	// Forget deletes memberships of a deleted group.
	Forget(ctx context.Context, id pantry.GroupID, members []pantry.UserID) error
}

// Containers stores containers.
type Containers interface {
	pantry.ContainerLister
	// Forget deletes containers of a deleted group.
	Forget(ctx context.Context, group pantry.GroupID, ids []pantry.ContainerID) error
}

// Accounts reads the identities of users.
type Accounts interface {
	// Account returns the verified contacts of an account, empty if it has none.
	Account(ctx context.Context, id pantry.UserID) (email, phone string, found bool, err error)
}

// Service implements the household area. Its fields are set once.
type Service struct {
	decision.Frame
	Users      Users
	Groups     Groups
	Containers Containers
	Accounts   Accounts
	// Name is the name of users who give none.
	Name string
}

// Me returns the viewer, or nil if they are not a user.
func (s *Service) Me(ctx context.Context, v viewer.Viewer) (*pantry.SeenUser, error) {
	if v.UserID == "" {
		return nil, pantry.ErrUnauthenticated
	}
	self, err := s.Users.Self(ctx, v.UserID)
	if err != nil || self.User == nil {
		return nil, err
	}
	return self.Seen(), nil
}

// User returns the viewer, or a user who shares a group with them, or nil for others.
func (s *Service) User(ctx context.Context, v viewer.Viewer, id pantry.UserID) (*pantry.SeenUser, error) {
	self, err := pantry.SelfOf(ctx, s.Users, v.UserID)
	if err != nil {
		return nil, err
	}
	if id == v.UserID {
		return self.Seen(), nil
	}
	facts, err := s.Users.Facts(ctx, pantry.Wanted{Users: []pantry.UserID{id}, Groups: self.GroupIDs})
	if err != nil || facts.Users[id] == nil {
		return nil, err
	}
	for _, g := range facts.Groups {
		if in := g.SeenBy(v.UserID); in != nil {
			if met, ok := in.Met(id); ok {
				return facts.Users[id].SeenBy(met), nil
			}
		}
	}
	return nil, nil
}

// Met returns those users who exist, to the viewers who have met them.
func (s *Service) Met(ctx context.Context, met []pantry.Met) (map[pantry.Met]*pantry.SeenUser, error) {
	ids := slice.Map(met, pantry.Met.ID)
	facts, err := s.Users.Facts(ctx, pantry.Wanted{Users: ids})
	if err != nil {
		return nil, err
	}
	seen := make(map[pantry.Met]*pantry.SeenUser, len(facts.Users))
	for _, m := range met {
		if u := facts.Users[m.ID()]; u != nil {
			seen[m] = u.SeenBy(m)
		}
	}
	return seen, nil
}

// Create makes the viewer a user, with a first group and a container. A nil name means the
// default.
func (s *Service) Create(ctx context.Context, v viewer.Viewer, name *string) (*pantry.SeenUser, error) {
	called := optional.Or(name, s.Name)
	if v.UserID == "" {
		return nil, pantry.ErrUnauthenticated
	}
	if err := pantry.CheckUserName(called); err != nil {
		return nil, err
	}
	email, _, _, err := s.Accounts.Account(ctx, v.UserID)
	if err != nil {
		return nil, err
	}
	if _, ok := pantry.FoldEmail(email); !ok {
		return nil, pantry.ErrNoEmail
	}
	self, err := s.Users.Self(ctx, v.UserID)
	switch {
	case err != nil:
		return nil, err
	case self.User != nil:
		return nil, pantry.ErrRegistered
	}
	// A former user of this identity may still have groups to leave.
	if err := s.leaveAll(ctx, v.UserID, self.GroupIDs); err != nil {
		return nil, err
	}
	at := s.Now()
	u := &pantry.User{ID: v.UserID, Name: called, Email: email, GroupCount: 1, CreatedAt: at, UpdatedAt: at, Version: 1}
	g := s.newGroup(called+"'s group", v.UserID)
	g.ContainerCount = 1
	c := &pantry.Container{
		ID: pantry.ContainerID(s.NewID()), GroupID: g.ID, Name: called + "'s container", CreatedAt: at, UpdatedAt: at, Version: 1,
	}
	if err := s.Users.Create(ctx, u, g, c); err != nil {
		return nil, err
	}
	return pantry.Self{User: u, GroupIDs: []pantry.GroupID{g.ID}}.Seen(), nil
}

// Rename changes the viewer's name.
func (s *Service) Rename(ctx context.Context, v viewer.Viewer, name string) (*pantry.SeenUser, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*pantry.SeenUser, error) {
		self, err := pantry.SelfOf(ctx, s.Users, v.UserID)
		if err != nil {
			return nil, err
		}
		if err := pantry.CheckUserName(name); err != nil {
			return nil, err
		}
		u := *self.User
		u.Name, u.UpdatedAt, u.Version = name, s.Now(), u.Version+1
		return pantry.Self{User: &u, GroupIDs: self.GroupIDs}.Seen(), s.Users.Rename(ctx, self.User, name, u.UpdatedAt)
	})
}

// Delete deletes the viewer's user: first the record, which frees the address, then the
// memberships and the groups without other members.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer) (pantry.UserID, error) {
	return v.UserID, decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		self, err := pantry.SelfOf(ctx, s.Users, v.UserID)
		if err != nil {
			return err
		}
		return s.Users.Delete(ctx, self.User, a.Emit(pantry.UserDeleted{UserID: v.UserID})...)
	})
}

// Erase deletes a user like their own deletion does. It does nothing for others.
func (s *Service) Erase(ctx context.Context, id pantry.UserID) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		self, err := s.Users.Self(ctx, id)
		if self.User == nil || err != nil {
			return err
		}
		return s.Users.Delete(ctx, self.User, a.Emit(pantry.UserDeleted{UserID: id, Erased: true})...)
	})
}

// EraseTraces removes an erased user from what others have, a page of rows at a time.
func (s *Service) EraseTraces(ctx context.Context, e pantry.UserDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.Users.EraseTraces(ctx, e.UserID, cursor)
}

// UserDeleted makes a deleted user leave their groups. A user who has registered again
// since has already left the former groups.
func (s *Service) UserDeleted(ctx context.Context, e pantry.UserDeleted, _ outbox.Tell) error {
	self, err := s.Users.Self(ctx, e.UserID)
	if err != nil || self.User != nil {
		return err
	}
	return s.leaveAll(ctx, e.UserID, self.GroupIDs)
}

// leaveAll makes a deleted user leave groups, and deletes those without other members. It
// may be repeated.
func (s *Service) leaveAll(ctx context.Context, gone pantry.UserID, ids []pantry.GroupID) error {
	for _, id := range ids {
		err := decision.Do(ctx, s.Frame, func(a *decision.Attempt) error { return s.leaveGone(ctx, a, gone, id) })
		if err != nil {
			return err
		}
	}
	return nil
}

// leaveGone makes a deleted user leave a group. Who has registered again has left it already,
// and may have joined it since.
func (s *Service) leaveGone(ctx context.Context, a *decision.Attempt, gone pantry.UserID, id pantry.GroupID) error {
	facts, err := s.Users.Facts(ctx, pantry.Wanted{Users: []pantry.UserID{gone}, Groups: []pantry.GroupID{id}})
	if err != nil {
		return err
	}
	switch g := facts.Groups[id]; {
	case facts.Users[gone] != nil:
		return nil
	case g == nil:
		return s.Groups.Forget(ctx, id, []pantry.UserID{gone})
	case !g.Has(gone):
		return nil
	case len(g.UserIDs) == 1:
		return s.deleteGroup(ctx, a, g, gone)
	}
	err = s.Groups.Leave(ctx, id, gone, gone, true, a.Emit(pantry.MemberLeft{GroupID: id, UserID: gone})...)
	if refusal.KindOf(err) != 0 { // the group was left or deleted concurrently: check again
		return refusal.ErrChanged
	}
	return err
}
