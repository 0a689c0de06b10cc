// Package invite decides who may join a group by a link, and what becomes of the links.
//
// A group has one live link at most, which any member prolongs by asking for one. Whether
// a link has expired is told by its time alone, never by whether it is still stored.
package invite

import (
	"context"
	"io"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
)

// Store keeps join links. Changes fail with ErrNoGroup and ErrNotMember for a user who is
// not in the group, and with ErrChanged when something is not as read.
type Store interface {
	Facts(ctx context.Context, w pantry.Wanted) (*pantry.Facts, error)
	// OfGroup lists links that expire at a time or later, by their expiry.
	OfGroup(ctx context.Context, id pantry.GroupID, from time.Time, q page.Query) (page.Page[*pantry.JoinLink], error)
	// Expired lists links that expired before a time, the oldest expiry first.
	Expired(ctx context.Context, before time.Time, q page.Query) (page.Page[*pantry.JoinLink], error)
	// Replace makes l the link of a group, in place of an old one that may be nil.
	Replace(ctx context.Context, g *pantry.Group, old, l *pantry.JoinLink) error
	// Prolong gives a link that is live a later expiry.
	Prolong(ctx context.Context, from, to *pantry.JoinLink, by pantry.UserID, now time.Time) error
	Revoke(ctx context.Context, l *pantry.JoinLink, by pantry.UserID) error
	// Purge removes a link unless it was prolonged, and reports whether it was there.
	Purge(ctx context.Context, l *pantry.JoinLink) (bool, error)
	// Join makes a user a member. It fails with ErrLinkUnknown, ErrLinkExpired,
	// ErrGroupFull and ErrTooManyGroups; joined is false for a member.
	Join(ctx context.Context, l *pantry.JoinLink, by pantry.UserID, now time.Time) (joined bool, err error)
}

// Service is the area. Its fields are set once.
type Service struct {
	Store     Store
	Operators pantry.Operators
	Now       func() time.Time
	Random    io.Reader
}

// now is the present to the precision that is stored.
func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

// invited is a group with its link, nil where there is none.
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
	if err != nil {
		return nil, err
	}
	return facts.Links[ref], nil
}

// admitted reads a group for one of its members.
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

func (s *Service) invited(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (i invited, err error) {
	if i.group, err = s.admitted(ctx, v, id); err != nil {
		return i, err
	}
	i.link, err = s.linkOf(ctx, i.group)
	return i, err
}

// Live shows the link of a group that was shown; nil when none is live.
func (s *Service) Live(ctx context.Context, of *pantry.SeenGroup) (*pantry.SeenLink, error) {
	g, err := of.Inside()
	if err != nil {
		return nil, err
	}
	l, err := s.linkOf(ctx, g)
	if now := s.now(); err == nil && l != nil && !l.Expired(now) {
		return l.Seen(of, now), nil
	}
	return nil, err
}

// Generate prolongs the live link of a group, or makes a new one.
func (s *Service) Generate(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (*pantry.SeenLink, error) {
	return retry.OnConflict(func() (*pantry.SeenLink, error) {
		i, err := s.invited(ctx, v, id)
		if err != nil {
			return nil, err
		}
		now := s.now()
		if i.link != nil && !i.link.Expired(now) {
			to := i.link.Prolonged(now)
			if err := s.Store.Prolong(ctx, i.link, &to, v.UserID, now); err != nil {
				return nil, err
			}
			return to.Seen(i.group.SeenBy(v.UserID), now), nil
		}
		code, err := pantry.NewCode(s.Random)
		if err != nil {
			return nil, err
		}
		l := pantry.JoinLink{GroupID: id, Code: code, CreatedBy: v.UserID, CreatedAt: now}.Prolonged(now)
		if err := s.Store.Replace(ctx, i.group, i.link, &l); err != nil {
			return nil, err
		}
		return l.Seen(i.group.SeenBy(v.UserID), now), nil
	})
}

// Revoke ends the link of a group, and reports whether one was live.
func (s *Service) Revoke(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (bool, error) {
	return retry.OnConflict(func() (bool, error) {
		i, err := s.invited(ctx, v, id)
		if err != nil || i.link == nil {
			return false, err
		}
		live := !i.link.Expired(s.now())
		if err := s.Store.Revoke(ctx, i.link, v.UserID); err != nil {
			return false, err
		}
		return live, nil
	})
}

// found is where a code leads.
type found struct {
	link  *pantry.JoinLink
	group *pantry.Group
}

// follow finds what a code leads to, for a viewer who must be a user. It leads nowhere
// when either is nil.
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

// Join makes the viewer a member of the group that a link leads to. For a member nothing
// changes.
func (s *Service) Join(ctx context.Context, v viewer.Viewer, code string) (*pantry.SeenGroup, error) {
	return retry.OnConflict(func() (*pantry.SeenGroup, error) {
		f, err := s.follow(ctx, v, code)
		now := s.now()
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
		case !joined: // by another call of the viewer's
			return nil, refusal.ErrChanged
		}
		return f.group.With(v.UserID).SeenBy(v.UserID), nil
	})
}

// Preview tells what a link leads to; nil when it leads nowhere.
func (s *Service) Preview(ctx context.Context, v viewer.Viewer, code string) (*pantry.LinkPreview, error) {
	f, err := s.follow(ctx, v, code)
	if err != nil || f.link == nil || f.group == nil || f.link.Expired(s.now()) {
		return nil, err
	}
	return &pantry.LinkPreview{
		GroupName: f.group.Name, MemberCount: len(f.group.UserIDs), ExpiresAt: f.link.ExpiresAt, AlreadyMember: f.group.Has(v.UserID),
	}, nil
}

// List lists the links of a group, the live one or also one that has expired.
func (s *Service) List(ctx context.Context, v viewer.Viewer, id pantry.GroupID, includeExpired bool, list page.Args) (p page.Page[*pantry.SeenLink], err error) {
	g, err := s.admitted(ctx, v, id)
	if err != nil {
		return p, err
	}
	now, kind := s.now(), "live"
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
		p.Items = append(p.Items, l.Seen(g.SeenBy(v.UserID), now))
	}
	p.Next = l.Seal(links.Next)
	return p, nil
}

// Expired lists the expired links of all groups for an operator, the oldest expiry first.
func (s *Service) Expired(ctx context.Context, v viewer.Viewer, list page.Args) (p page.Page[*pantry.SeenLink], err error) {
	if err := pantry.CheckOperator(ctx, s.Operators, v.UserID); err != nil {
		return p, err
	}
	l, err := page.ListOf(list, "pantry.expiredJoinLinks", v.UserID)
	if err != nil {
		return p, err
	}
	q := l.Query
	now := s.now()
	for {
		links, err := s.Store.Expired(ctx, now, page.Query{First: q.First - len(p.Items), After: q.After})
		if err != nil {
			return p, err
		}
		var w pantry.Wanted
		for _, l := range links.Items {
			w.Groups = append(w.Groups, l.GroupID)
		}
		facts, err := s.Store.Facts(ctx, w)
		if err != nil {
			return p, err
		}
		for _, l := range links.Items {
			if g := facts.Groups[l.GroupID]; g != nil { // others are gone, and the index is behind
				p.Items = append(p.Items, l.Seen(g.SeenBy(v.UserID), now))
			}
		}
		p.Next, q.After = l.Seal(links.Next), links.Next
		if links.Next == "" || len(p.Items) == q.First {
			return p, nil
		}
	}
}

// Purge removes the links that expired a while ago for an operator, and returns how many.
func (s *Service) Purge(ctx context.Context, v viewer.Viewer) (int, error) {
	if err := pantry.CheckOperator(ctx, s.Operators, v.UserID); err != nil {
		return 0, err
	}
	return s.Sweep(ctx)
}

// Sweep removes the links that expired a while ago, and returns how many. It may run
// beside itself.
func (s *Service) Sweep(ctx context.Context) (removed int, err error) {
	before := s.now().Add(-pantry.LinkRest)
	for q := (page.Query{First: pantry.PurgePage}); ; {
		links, err := s.Store.Expired(ctx, before, q)
		if err != nil {
			return removed, err
		}
		for _, l := range links.Items {
			gone, err := s.Store.Purge(ctx, l)
			if err != nil {
				return removed, err
			}
			if gone {
				removed++
			}
		}
		if links.Next == "" {
			return removed, nil
		}
		q.After = links.Next
	}
}
