package operator

import (
	"context"
	"time"

	"stoa/internal/kit/optional"
	"stoa/internal/kit/refusal"
)

// People are the people of a system.
type People interface {
	// Profiles returns the profiles of those who have one.
	Profiles(ctx context.Context, ids []UserID) (map[UserID]*Profile, error)
}

// Profile is somebody in a system.
type Profile struct {
	UserID             UserID
	Username, FullName string
	Status             string
	CreatedAt          time.Time
}

// Person is somebody with an account or a profile.
type Person struct {
	ID      UserID
	Systems []string
	Role    *Role
	// profile is that of the first system that has one, or nil.
	profile *Profile
}

// Username returns the name in the system that the profile is of, or nil.
func (p *Person) Username() *string { return optional.IfSet(p.known().Username) }

// FullName returns the name that the person gives, or nil.
func (p *Person) FullName() *string { return optional.IfSet(p.known().FullName) }

// Status returns the status in the system that the profile is of, or nil.
func (p *Person) Status() *string { return optional.IfSet(p.known().Status) }

// CreatedAt returns when the profile was created, or nil.
func (p *Person) CreatedAt() *time.Time { return optional.IfSet(p.known().CreatedAt) }

func (p *Person) known() *Profile {
	if p.profile == nil {
		return &Profile{}
	}
	return p.profile
}

// person returns somebody, or nil if nobody has the id.
func (s *Service) person(ctx context.Context, id UserID) (*Person, error) {
	if !id.Possible() {
		return nil, nil
	}
	p := &Person{ID: id, Systems: []string{}}
	for _, system := range s.Systems {
		if system.People == nil {
			continue
		}
		profiles, err := system.People.Profiles(ctx, []UserID{id})
		if err != nil {
			return nil, err
		}
		if profile := profiles[id]; profile != nil {
			p.Systems = append(p.Systems, system.Name)
			if p.profile == nil {
				p.profile = profile
			}
		}
	}
	if len(p.Systems) == 0 {
		if _, _, found, err := s.Accounts.Account(ctx, id); !found || err != nil {
			return nil, err
		}
	}
	role, err := s.Roles.RoleOf(ctx, id)
	p.Role = optional.IfSet(role)
	return p, err
}

// GrantRole makes a person a moderator.
func (s *Service) GrantRole(ctx context.Context, id UserID, role Role) (*Person, error) {
	a, p, err := s.forRole(ctx, id, role)
	if err != nil {
		return nil, err
	}
	if p.Role != nil { // by the setting, or granted before
		return p, nil
	}
	err = s.Store.Grant(ctx, Grant{UserID: id, Role: role, GrantedBy: a.UserID, GrantedAt: s.Now()},
		s.line(a, act{action: "grantRole", subject: string(id), after: fields{"role": role}}))
	if refusal.IgnoreConflict(err) != nil {
		return nil, err
	}
	s.Roles.Forget()
	p.Role = &role
	return p, nil
}

// RevokeRole takes back what GrantRole gave.
func (s *Service) RevokeRole(ctx context.Context, id UserID, role Role) (*Person, error) {
	a, p, err := s.forRole(ctx, id, role)
	if err != nil {
		return nil, err
	}
	if id == a.UserID {
		return nil, forbidden("Nobody takes a role from themselves")
	}
	granted, err := s.Store.Granted(ctx, id)
	if err != nil {
		return nil, err
	}
	if granted == nil {
		if p.Role != nil {
			return nil, forbidden("Person `%s` has the role %s by the settings, and only there can it end", id, *p.Role)
		}
		return p, nil
	}
	err = s.Store.Revoke(ctx, id, s.line(a, act{action: "revokeRole", subject: string(id), before: fields{"role": role}}))
	if refusal.IgnoreConflict(err) != nil {
		return nil, err
	}
	s.Roles.Forget()
	return s.person(ctx, id)
}

// forRole checks a change of somebody's role.
func (s *Service) forRole(ctx context.Context, id UserID, role Role) (Actor, *Person, error) {
	a, err := s.operator(ctx)
	if err != nil {
		return a, nil, err
	}
	if role == Operator {
		return a, nil, forbidden("The role %s comes from the setting operators alone", Operator)
	}
	p, err := s.person(ctx, id)
	if err == nil && p == nil {
		err = noPerson(id)
	}
	return a, p, err
}
