// Package people manages users and their levels.
//
// An identity that has signed in elsewhere has no user until signIn. Levels are read with
// every operation, so that a revoked level is ineffective at once.
package people

import (
	"context"
	"errors"
	"slices"
	"sync"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
)

// Store stores users.
type Store interface {
	archive.FactReader
	archive.Numberer
	// ID returns the user of an identity, or 0 if there is none.
	ID(ctx context.Context, identity string) (archive.ID, error)
	All(ctx context.Context, q page.Query) (page.Page[*archive.User], error)
	// Create fails with refusal.ErrTaken if the identity has a user.
	Create(ctx context.Context, u *archive.User) error
	// Change fails with refusal.Conflict if the user has changed since it was read, or
	// beside is not an enabled administrator.
	Change(ctx context.Context, before, after *archive.User, beside archive.ID) error
}

// Identities reads the identities of the service.
type Identities interface {
	Identity(ctx context.Context, id archive.UserID) (archive.Identity, error)
	IsOperator(ctx context.Context, id archive.UserID) (bool, error)
	IsWorker(ctx context.Context, id archive.UserID) (bool, error)
}

// Service implements the area of users. Its fields are set once.
type Service struct {
	decision.Frame
	Store      Store
	Identities Identities
	// Issuer is the issuer of all identities.
	Issuer string
	// Level is the level of new users.
	Level archive.AuthLevel

	// ids caches the users of identities, which never change.
	ids sync.Map
}

var _ archive.Gate = (*Service)(nil)

// Admit returns the viewer's user, or an error if they do not have the needed level.
func (s *Service) Admit(ctx context.Context, v viewer.Viewer, needed archive.AuthLevel) (*archive.User, error) {
	u, err := s.viewer(ctx, v)
	if err != nil {
		return nil, err
	}
	return u, u.Admit(needed)
}

// AdmitWith is like Admit, and reads other things in the same call.
func (s *Service) AdmitWith(ctx context.Context, v viewer.Viewer, needed archive.AuthLevel, w archive.Wanted) (*archive.User, *archive.Facts, error) {
	if v.UserID == "" {
		return nil, nil, archive.ErrUnauthenticated
	}
	var facts *archive.Facts
	u, err := archive.MemoFrom(ctx).User(func() (*archive.User, error) {
		id, err := s.id(ctx, v.UserID)
		if id == 0 || err != nil {
			return nil, err
		}
		w := w
		w.Users = append(slices.Clone(w.Users), id)
		if facts, err = s.Store.Facts(ctx, w); err != nil {
			return nil, err
		}
		return facts.Users[id], nil
	})
	if err == nil {
		err = u.Admit(needed)
	}
	if err == nil && facts == nil { // the user was known
		facts, err = s.Store.Facts(ctx, w)
	}
	return u, facts, err
}

// viewer returns the viewer's user, or nil if the identity has none.
func (s *Service) viewer(ctx context.Context, v viewer.Viewer) (*archive.User, error) {
	if v.UserID == "" {
		return nil, archive.ErrUnauthenticated
	}
	return archive.MemoFrom(ctx).User(func() (*archive.User, error) { return s.read(ctx, v.UserID) })
}

func (s *Service) read(ctx context.Context, subject archive.UserID) (*archive.User, error) {
	id, err := s.id(ctx, subject)
	if id == 0 || err != nil {
		return nil, err
	}
	return s.user(ctx, id)
}

// id returns the user of an identity, or 0 if there is none.
func (s *Service) id(ctx context.Context, subject archive.UserID) (archive.ID, error) {
	if id, known := s.ids.Load(subject); known {
		return id.(archive.ID), nil
	}
	id, err := s.Store.ID(ctx, archive.IdentityKey(s.Issuer, subject))
	if id != 0 && err == nil {
		s.ids.Store(subject, id)
	}
	return id, err
}

func (s *Service) user(ctx context.Context, id archive.ID) (*archive.User, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Users: []archive.ID{id}})
	return facts.Users[id], err
}

// Me returns the viewer's user, or nil before signIn.
func (s *Service) Me(ctx context.Context, v viewer.Viewer) (*archive.User, error) {
	u, err := s.viewer(ctx, v)
	if u == nil || err != nil {
		return nil, err
	}
	return u, u.Admit(archive.Guest)
}

// All returns all users, to administrators.
func (s *Service) All(ctx context.Context, v viewer.Viewer, args page.Args) (page.Page[*archive.User], error) {
	if _, err := s.Admit(ctx, v, archive.Admin); err != nil {
		return page.Page[*archive.User]{}, err
	}
	l, err := page.ListOf(args, "archive.users", v.UserID)
	if err != nil {
		return page.Page[*archive.User]{}, err
	}
	p, err := s.Store.All(ctx, l.Query)
	return page.Seal(l, p, err)
}

// SignIn returns the viewer's user, creating one if there is none.
func (s *Service) SignIn(ctx context.Context, v viewer.Viewer) (*archive.User, error) {
	defer archive.MemoFrom(ctx).Forget()
	u, err := s.Me(ctx, v)
	if u != nil || err != nil {
		return u, err
	}
	identity, err := s.Identities.Identity(ctx, v.UserID)
	if err != nil {
		return nil, err
	}
	identity.Issuer, identity.Subject = s.Issuer, v.UserID
	level := s.Level
	operates, err := s.Identities.IsOperator(ctx, v.UserID)
	if err != nil {
		return nil, err
	}
	if operates {
		level = archive.Admin
	}
	if _, err := identity.Register(1, level, s.Now()); err != nil {
		return nil, err // before an id is wasted
	}
	id, err := s.Store.NewID(ctx)
	if err != nil {
		return nil, err
	}
	u, err = identity.Register(id, level, s.Now())
	if err != nil {
		return nil, err
	}
	if err := s.Store.Create(ctx, u); !errors.Is(err, refusal.ErrTaken) {
		return u, err
	}
	return s.read(ctx, v.UserID)
}

// SetLevel changes a user's level.
func (s *Service) SetLevel(ctx context.Context, v viewer.Viewer, id archive.ID, level archive.AuthLevel) (*archive.User, error) {
	return s.change(ctx, v, id, func(u *archive.User) { u.Level = level })
}

// SetEnabled disables or enables a user.
func (s *Service) SetEnabled(ctx context.Context, v viewer.Viewer, id archive.ID, enabled bool) (*archive.User, error) {
	return s.change(ctx, v, id, func(u *archive.User) { u.Enabled = enabled })
}

func (s *Service) change(ctx context.Context, v viewer.Viewer, id archive.ID, change func(*archive.User)) (*archive.User, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*archive.User, error) {
		defer archive.MemoFrom(ctx).Forget()
		self, err := s.Admit(ctx, v, archive.Admin)
		if err != nil {
			return nil, err
		}
		before, err := s.user(ctx, id)
		if err != nil {
			return nil, err
		}
		if before == nil {
			return nil, archive.ErrNoUser
		}
		after := *before
		change(&after)
		if after == *before {
			return before, nil
		}
		var beside archive.ID
		switch {
		case !before.IsActiveAdmin() || after.IsActiveAdmin():
		case id != self.ID: // two administrators do not take their levels from each other
			beside = self.ID
		default:
			if beside, err = s.otherAdmin(ctx, id); err != nil {
				return nil, err
			}
		}
		after.Touch(s.Now())
		return &after, s.Store.Change(ctx, before, &after, beside)
	})
}

// otherAdmin returns an enabled administrator other than one.
func (s *Service) otherAdmin(ctx context.Context, not archive.ID) (archive.ID, error) {
	for u, err := range page.All(page.In(ctx, s.Store.All)) {
		if err != nil {
			return 0, err
		}
		if u.ID != not && u.IsActiveAdmin() {
			return u.ID, nil
		}
	}
	return 0, archive.ErrLastAdmin
}

// AdmitWorker refuses viewers who may not report on work. Workers need not be users.
func (s *Service) AdmitWorker(ctx context.Context, v viewer.Viewer) error {
	u, err := s.viewer(ctx, v)
	if err != nil {
		return err
	}
	if u != nil && !u.Enabled {
		return archive.ErrDisabled
	}
	is, err := s.Identities.IsWorker(ctx, v.UserID)
	if err == nil && !is {
		err = archive.ErrNotWorker
	}
	return err
}
