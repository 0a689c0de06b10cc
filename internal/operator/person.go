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
	// Email and Phone are empty if the system has none, LastSeenAt zero if it does not know.
	Email, Phone string
	LastSeenAt   time.Time
	// DisabledAt is when the person was last disabled, in systems that tell.
	DisabledAt time.Time
}

// Person is somebody with an account or a profile.
type Person struct {
	ID      UserID
	Systems []string
	// profiles are those of Systems.
	profiles []*Profile
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
	if len(p.profiles) == 0 {
		return &Profile{}
	}
	return p.profiles[0]
}

// person returns somebody, or nil if nobody has the id.
func (s *Service) person(ctx context.Context, id UserID) (*Person, error) {
	if !id.Possible() {
		return nil, nil
	}
	known, err := s.Persons(ctx, []UserID{id})
	return known[id], err
}

// RoleOf returns the role of somebody, or nil.
func (s *Service) RoleOf(ctx context.Context, p *Person) (*Role, error) {
	role, err := s.Roles.RoleOf(ctx, p.ID)
	return optional.IfSet(role), err
}

// Persons returns those who have a profile or an account, by id. It is for batches.
func (s *Service) Persons(ctx context.Context, ids []UserID) (map[UserID]*Person, error) {
	found := map[UserID]*Person{}
	for _, system := range s.Systems {
		if system.People == nil {
			continue
		}
		profiles, err := system.People.Profiles(ctx, ids)
		if err != nil {
			return nil, err
		}
		for id, profile := range profiles {
			if found[id] == nil {
				found[id] = &Person{ID: id, Systems: []string{}}
			}
			found[id].Systems, found[id].profiles = append(found[id].Systems, system.Name), append(found[id].profiles, profile)
		}
	}
	for _, id := range ids {
		if found[id] != nil {
			continue
		}
		_, has, err := s.Identities.Contacts(ctx, id)
		if err != nil {
			return nil, err
		}
		if has {
			found[id] = &Person{ID: id, Systems: []string{}}
		}
	}
	return found, nil
}

// GrantRole makes a person a moderator.
func (s *Service) GrantRole(ctx context.Context, id UserID, role Role) (*Person, error) {
	a, p, err := s.forRole(ctx, id, role)
	if err != nil {
		return nil, err
	}
	if held, err := s.RoleOf(ctx, p); held != nil || err != nil { // by the setting, or granted before
		return p, err
	}
	err = s.Store.Grant(ctx, Grant{UserID: id, Role: role, GrantedBy: a.UserID, GrantedAt: s.Now()},
		s.line(a, act{action: "grantRole", person: id, after: fields{"role": role}}))
	if refusal.IgnoreConflict(err) != nil {
		return nil, err
	}
	s.Roles.Forget()
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
		held, err := s.RoleOf(ctx, p)
		if held != nil {
			return nil, forbidden("Person `%s` has the role %s by the settings, and only there can it end", id, *held)
		}
		return p, err
	}
	err = s.Store.Revoke(ctx, id, s.line(a, act{action: "revokeRole", person: id, before: fields{"role": role}}))
	if refusal.IgnoreConflict(err) != nil {
		return nil, err
	}
	s.Roles.Forget()
	return p, nil
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
	p, err := s.mustFind(ctx, id)
	return a, p, err
}
