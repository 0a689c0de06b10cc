package account

import (
	"context"
	"strings"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// Me returns the viewer, even if they are banned.
func (s *Service) Me(ctx context.Context, v viewer.Viewer) (*communities.SeenUser, error) {
	self, err := communities.Admit(ctx, s.Store, v.UserID)
	if err != nil && err != communities.ErrBanned {
		return nil, err
	}
	return self.SeenBy(self, s.Now()), nil
}

// Named returns those users who exist.
func (s *Service) Named(ctx context.Context, v viewer.Viewer, ids []communities.UserID) (map[communities.UserID]*communities.SeenUser, error) {
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Users: ids})
	if err != nil {
		return nil, err
	}
	seen := make(map[communities.UserID]*communities.SeenUser, len(ids))
	for _, id := range ids {
		if u := facts.Users[id]; u.Lives() {
			seen[id] = u.SeenBy(self, s.Now())
		}
	}
	return seen, nil
}

// User returns a user, or nil if they do not exist.
func (s *Service) User(ctx context.Context, v viewer.Viewer, id communities.UserID) (*communities.SeenUser, error) {
	seen, err := s.Named(ctx, v, []communities.UserID{id})
	return seen[id], err
}

// ByUsername returns the user with a username, or nil.
func (s *Service) ByUsername(ctx context.Context, v viewer.Viewer, name string) (*communities.SeenUser, error) {
	folded := communities.Sought(name)
	facts, _, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Usernames: []string{folded}})
	if err != nil {
		return nil, err
	}
	id, found := facts.Usernames[folded]
	if !found {
		return nil, nil
	}
	return s.User(ctx, v, id)
}

// ByEmail returns the user with an address, to the user themselves and to administrators.
func (s *Service) ByEmail(ctx context.Context, v viewer.Viewer, address string) (*communities.SeenUser, error) {
	folded := communities.Sought(address)
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Emails: []string{folded}})
	if err != nil {
		return nil, err
	}
	id, found := facts.Emails[folded]
	if !found || id != self.ID && !self.IsAdmin() {
		return nil, nil
	}
	return s.User(ctx, v, id)
}

// All returns all users, to administrators.
func (s *Service) All(ctx context.Context, v viewer.Viewer, args page.Args) (page.Page[*communities.SeenUser], error) {
	none := page.Page[*communities.SeenUser]{}
	self, err := communities.Admit(ctx, s.Store, v.UserID)
	switch {
	case err != nil:
		return none, err
	case !self.IsAdmin():
		return none, communities.ErrPermission
	}
	list, err := page.ListOf(args, "communities.users", v.UserID)
	if err != nil {
		return none, err
	}
	p, err := s.Store.All(ctx, list.Query)
	return page.Seal(list, page.Map(p, func(u *communities.User) *communities.SeenUser { return u.SeenBy(self, s.Now()) }), err)
}

// Update changes the viewer's profile.
func (s *Service) Update(ctx context.Context, v viewer.Viewer, p communities.ProfileChange) (*communities.SeenUser, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*communities.SeenUser, error) {
		self, err := communities.Admit(ctx, s.Store, v.UserID)
		if err != nil {
			return nil, err
		}
		u := *self.User
		if err := p.On(&u); err != nil {
			return nil, err
		}
		if err := input.CheckVersion(p.Expected, self.Version); err != nil {
			return nil, err
		}
		if err := s.free(ctx, u.ID, u.Username, u.Email); err != nil {
			return nil, err
		}
		u.Version++
		return u.SeenBy(self, s.Now()), s.Store.Update(ctx, self.User, &u)
	})
}

func trim(text string) string { return strings.TrimSpace(text) }

// govern changes the role, permissions or ban of a user.
func (s *Service) govern(
	ctx context.Context, v viewer.Viewer, id communities.UserID, allowed func(communities.Viewer) error,
	change func(self communities.Viewer, u *communities.User) error,
) (*communities.SeenUser, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*communities.SeenUser, error) {
		facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Users: []communities.UserID{id}})
		if err != nil {
			return nil, err
		}
		if err := allowed(self); err != nil {
			return nil, err
		}
		before := facts.Users[id]
		if !before.Lives() {
			return nil, communities.ErrNoUser
		}
		after := *before
		if err := change(self, &after); err != nil {
			return nil, err
		}
		now, err := s.Store.Govern(ctx, before, &after, self.User)
		if err != nil {
			return nil, err
		}
		return now.SeenBy(self, s.Now()), nil
	})
}

func admin(v communities.Viewer) error {
	if !v.IsAdmin() {
		return communities.ErrPermission
	}
	return nil
}

// SetPermissions restricts a user's permissions.
func (s *Service) SetPermissions(ctx context.Context, v viewer.Viewer, id communities.UserID, to []communities.Permission) (*communities.SeenUser, error) {
	return s.govern(ctx, v, id, admin, func(_ communities.Viewer, u *communities.User) (err error) {
		if u.Banned {
			return communities.ErrUserBanned
		}
		u.Permissions, err = u.Role.Narrowed(to)
		return err
	})
}

// SetRole changes a user's role, and resets their permissions to those of the role.
func (s *Service) SetRole(ctx context.Context, v viewer.Viewer, id communities.UserID, role communities.Role) (*communities.SeenUser, error) {
	return s.govern(ctx, v, id, admin, func(_ communities.Viewer, u *communities.User) error {
		u.Role, u.Permissions = role, role.Permissions()
		return nil
	})
}

func mayBan(v communities.Viewer) error { return v.May(communities.BanUser) }

// Ban bans a user. A banned user may only read their own profile.
func (s *Service) Ban(ctx context.Context, v viewer.Viewer, id communities.UserID) (*communities.SeenUser, error) {
	return s.govern(ctx, v, id, mayBan, func(self communities.Viewer, u *communities.User) error {
		switch {
		case u.ID == self.ID, u.Role == communities.Admin:
			return communities.ErrCannotBan
		case u.Banned:
			return communities.ErrAlreadyBanned
		}
		u.Banned = true
		return nil
	})
}

// Unban lifts a ban.
func (s *Service) Unban(ctx context.Context, v viewer.Viewer, id communities.UserID) (*communities.SeenUser, error) {
	return s.govern(ctx, v, id, mayBan, func(_ communities.Viewer, u *communities.User) error {
		if !u.Banned {
			return communities.ErrNotBanned
		}
		u.Banned = false
		return nil
	})
}
