// Package invite manages join links, by which users join groups.
//
// A group has at most one live link, which members extend by requesting one. Only its time
// decides whether a link has expired, never whether it is still stored.
package invite

import (
	"context"
	"io"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
)

// Store stores join links. Changes fail with ErrNoGroup and ErrNotMember if the user is not
// in the group, and with Conflict if something has changed since it was read.
type Store interface {
	pantry.Reader
	// OfGroup returns links that expire at or after from, ordered by expiry.
	OfGroup(ctx context.Context, id pantry.GroupID, from time.Time, q page.Query) (page.Page[*pantry.JoinLink], error)
	// Expired returns links that expired before the given time, oldest expiry first.
	Expired(ctx context.Context, before time.Time, q page.Query) (page.Page[*pantry.JoinLink], error)
	// Replace makes l the link of a group, and of g, replacing old, which may be nil.
	Replace(ctx context.Context, g *pantry.Group, old, l *pantry.JoinLink) error
	// Prolong extends a live link.
	Prolong(ctx context.Context, from, to *pantry.JoinLink, by pantry.UserID, now time.Time) error
	Revoke(ctx context.Context, l *pantry.JoinLink, by pantry.UserID) error
	// Purge deletes a link unless it was extended, and reports whether it existed.
	Purge(ctx context.Context, l *pantry.JoinLink) (bool, error)
	// Join makes a user a member. It fails with ErrLinkUnknown, ErrLinkExpired,
	// ErrGroupFull or ErrTooManyGroups. joined is false if they are a member already.
	Join(ctx context.Context, l *pantry.JoinLink, by pantry.UserID, now time.Time) (joined bool, err error)
}

// Service implements the invite area. Its fields are set once.
type Service struct {
	decision.Frame
	Store     Store
	Operators pantry.Operators
	Random    io.Reader
}

// invited is a group with its link, nil if it has none.
type invited struct {
	group *pantry.Group
	link  *pantry.JoinLink
}

// linkOf reads the link of a group.
func (s *Service) linkOf(ctx context.Context, g *pantry.Group) (*pantry.JoinLink, error) {
	if g.CurrentLink == "" {
		return nil, nil
	}
	ref := pantry.LinkRef{GroupID: g.ID, Key: g.CurrentLink}
	facts, err := s.Store.Facts(ctx, pantry.Wanted{Links: []pantry.LinkRef{ref}})
	return facts.Links[ref], err
}

func (s *Service) invited(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (i invited, err error) {
	if i.group, err = pantry.Admit(ctx, s.Store, v.UserID, id); err != nil {
		return i, err
	}
	i.link, err = s.linkOf(ctx, i.group)
	return i, err
}

// Live returns the live link of a group that the viewer sees, or nil if there is none.
func (s *Service) Live(ctx context.Context, of *pantry.SeenGroup) (*pantry.SeenLink, error) {
	g, err := of.Inside()
	if err != nil {
		return nil, err
	}
	l, err := s.linkOf(ctx, g)
	if now := s.Now(); err == nil && l != nil && !l.Expired(now) {
		return l.SeenIn(of, now), nil
	}
	return nil, err
}

// Generate extends the live link of a group, or creates a new one.
func (s *Service) Generate(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (*pantry.SeenLink, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*pantry.SeenLink, error) {
		i, err := s.invited(ctx, v, id)
		if err != nil {
			return nil, err
		}
		now := s.Now()
		if i.link != nil && !i.link.Expired(now) {
			to := i.link.Prolonged(now)
			return to.SeenIn(i.group.SeenBy(v.UserID), now), s.Store.Prolong(ctx, i.link, &to, v.UserID, now)
		}
		code, err := pantry.NewCode(s.Random)
		if err != nil {
			return nil, err
		}
		l := pantry.JoinLink{GroupID: id, Code: code, CreatedBy: v.UserID, CreatedAt: now}.Prolonged(now)
		if err := s.Store.Replace(ctx, i.group, i.link, &l); err != nil {
			return nil, err
		}
		return l.SeenIn(i.group.SeenBy(v.UserID), now), nil
	})
}

// Revoke deletes the link of a group, and reports whether one was live.
func (s *Service) Revoke(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (bool, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (bool, error) {
		i, err := s.invited(ctx, v, id)
		if err != nil || i.link == nil {
			return false, err
		}
		return !i.link.Expired(s.Now()), s.Store.Revoke(ctx, i.link, v.UserID)
	})
}

// found is the group and the link of a code.
type found struct {
	link  *pantry.JoinLink
	group *pantry.Group
}

// follow returns the group and link of a code for a viewer, who must be a user. Either is
// nil if the code is invalid.
func (s *Service) follow(ctx context.Context, v viewer.Viewer, code string) (f found, err error) {
	w := pantry.Wanted{Users: []pantry.UserID{v.UserID}}
	if pantry.ValidCode(code) {
		w.Codes = []string{code}
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return f, err
	}
	if err := facts.Registered(v.UserID); err != nil {
		return f, err
	}
	ref, ok := facts.Codes[code]
	if !ok {
		return f, nil
	}
	facts, err = s.Store.Facts(ctx, pantry.Wanted{Groups: []pantry.GroupID{ref.GroupID}, Links: []pantry.LinkRef{ref}})
	if err != nil {
		return f, err
	}
	return found{facts.Links[ref], facts.Groups[ref.GroupID]}, nil
}

// Join makes the viewer a member of a link's group. It changes nothing for members.
func (s *Service) Join(ctx context.Context, v viewer.Viewer, code string) (*pantry.SeenGroup, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*pantry.SeenGroup, error) {
		f, err := s.follow(ctx, v, code)
		now := s.Now()
		switch {
		case err != nil:
			return nil, err
		case f.link == nil || f.group == nil:
			return nil, pantry.ErrLinkUnknown
		case f.link.Expired(now):
			return nil, pantry.ErrLinkExpired
		case f.group.Has(v.UserID):
			return f.group.SeenBy(v.UserID), nil
		}
		joined, err := s.Store.Join(ctx, f.link, v.UserID, now)
		switch {
		case err != nil:
			return nil, err
		case !joined: // joined by a concurrent call of the viewer
			return nil, refusal.ErrChanged
		}
		return f.group.With(v.UserID).SeenBy(v.UserID), nil
	})
}

// Preview returns a preview of a link's group, or nil if the code is invalid.
func (s *Service) Preview(ctx context.Context, v viewer.Viewer, code string) (*pantry.LinkPreview, error) {
	f, err := s.follow(ctx, v, code)
	if err != nil || f.link == nil || f.group == nil || f.link.Expired(s.Now()) {
		return nil, err
	}
	return &pantry.LinkPreview{
		GroupName: f.group.Name, MemberCount: len(f.group.UserIDs), ExpiresAt: f.link.ExpiresAt, AlreadyMember: f.group.Has(v.UserID),
	}, nil
}

// List returns the links of a group: the live one, and an expired one if requested.
func (s *Service) List(
	ctx context.Context,
	v viewer.Viewer,
	id pantry.GroupID,
	includeExpired bool,
	list page.Args,
) (p page.Page[*pantry.SeenLink], err error) {
	g, err := pantry.Admit(ctx, s.Store, v.UserID, id)
	if err != nil {
		return p, err
	}
	now, kind := s.Now(), "live"
	from := now
	if includeExpired {
		from, kind = time.Time{}, "all"
	}
	l, err := page.ListOf(list, "pantry.joinLinks", v.UserID, string(id), kind)
	if err != nil {
		return p, err
	}
	q := l.Query
	links, err := s.Store.OfGroup(ctx, id, from, q)
	if err != nil {
		return p, err
	}
	for _, l := range links.Items {
		p.Items = append(p.Items, l.SeenIn(g.SeenBy(v.UserID), now))
	}
	p.Next = l.Seal(links.Next)
	return p, nil
}

// Expired returns the expired links of all groups to an operator, oldest expiry first.
func (s *Service) Expired(ctx context.Context, v viewer.Viewer, list page.Args) (p page.Page[*pantry.SeenLink], err error) {
	o, err := pantry.AsOperator(ctx, s.Operators, v.UserID)
	if err != nil {
		return p, err
	}
	l, err := page.ListOf(list, "pantry.expiredJoinLinks", v.UserID)
	if err != nil {
		return p, err
	}
	now := s.Now()
	return page.Fill(l, page.Of(ctx, s.Store.Expired, now), func(links []*pantry.JoinLink) (shown []*pantry.SeenLink, err error) {
		var w pantry.Wanted
		for _, l := range links {
			w.Groups = append(w.Groups, l.GroupID)
		}
		facts, err := s.Store.Facts(ctx, w)
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			if g := facts.Groups[l.GroupID]; g != nil { // others were deleted, and the index lags behind
				shown = append(shown, l.SeenIn(g.SeenByOperator(o), now))
			}
		}
		return shown, nil
	})
}

// Purge deletes the links that expired some time ago, for an operator, and returns their
// number.
func (s *Service) Purge(ctx context.Context, v viewer.Viewer) (int, error) {
	if _, err := pantry.AsOperator(ctx, s.Operators, v.UserID); err != nil {
		return 0, err
	}
	return s.Sweep(ctx)
}

// Sweep deletes the links that expired some time ago, and returns their number. Concurrent
// sweeps are safe.
func (s *Service) Sweep(ctx context.Context) (removed int, err error) {
	before := s.Now().Add(-pantry.LinkRest)
	list := func(q page.Query) (page.Page[*pantry.JoinLink], error) {
		q.First = pantry.PurgePage
		return s.Store.Expired(ctx, before, q)
	}
	for l, err := range page.All(list) {
		if err != nil {
			return removed, err
		}
		gone, err := s.Store.Purge(ctx, l)
		if err != nil {
			return removed, err
		}
		if gone {
			removed++
		}
	}
	return removed, nil
}
