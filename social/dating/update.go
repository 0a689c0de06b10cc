package dating

import (
	"context"
	"strconv"
	"strings"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserChanged brings a user's matches in line with their profile, a page at a time: first
// the existing ones, then those missing.
func (s *Service) UserChanged(ctx context.Context, e social.UserChanged, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	return s.updateMatches(ctx, e.UserID, cursor, tell)
}

// step is a position in settling a user's matches. Its String is a cursor.
type step struct {
	// version is the version of the dater. A newer one is handled by the event that caused
	// it.
	version int
	// place is 0 while existing matches are reviewed, then the number of the list of
	// candidates.
	place int
	after string
}

func (t step) String() string {
	return strconv.Itoa(t.version) + " " + strconv.Itoa(t.place) + " " + t.after
}

func stepOf(cursor string) (t step) {
	version, rest, _ := strings.Cut(cursor, " ")
	place, after, _ := strings.Cut(rest, " ")
	t.version, _ = strconv.Atoi(version)
	t.place, _ = strconv.Atoi(place)
	t.after = after
	return t
}

func (s *Service) updateMatches(ctx context.Context, id social.UserID, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if cursor == "" {
		d, err := s.enter(ctx, id)
		if d == nil || d.Version == d.Settled || err != nil {
			return "", 0, err
		}
		return step{version: d.Version}.String(), 1, nil
	}
	at := stepOf(cursor)
	known, err := s.Store.Daters(ctx, []social.UserID{id})
	d := known[id]
	if d == nil || d.Version != at.version || err != nil {
		return "", 0, err
	}
	lists := s.candidates(d)
	q := page.Query{First: page.Max, After: at.after}
	if at.place == 0 {
		at.after, rows, err = s.review(ctx, d, q, tell)
	} else {
		at.after, rows, err = s.search(ctx, d, lists[at.place-1], q, tell)
	}
	if err != nil {
		return "", rows, err
	}
	if at.after == "" {
		at.place++
	}
	if at.place > len(lists) {
		return "", rows, s.Store.Settled(ctx, d)
	}
	return at.String(), rows, nil
}

// enter brings a user's dater in line with their profile, and returns it. It disables
// dating if the profile no longer qualifies.
func (s *Service) enter(ctx context.Context, id social.UserID) (*social.Dater, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.Dater, error) {
		u, before, err := s.Store.Dater(ctx, id)
		if err != nil {
			return nil, err
		}
		var profile *social.Dater
		if u != nil {
			if off := u.Unfit(s.Now()); off != nil {
				if err := s.move(ctx, a, u, off); err != nil {
					return nil, err
				}
				u = off
			}
			profile = u.Dater()
		}
		after := before.Follow(profile)
		if after == before {
			return before, nil
		}
		return after, s.Store.SetDater(ctx, before, after)
	})
}

// review deletes those of a page of a user's matches that match no longer.
func (s *Service) review(ctx context.Context, d *social.Dater, q page.Query, tell outbox.Tell) (next string, rows int, err error) {
	present, err := s.Store.Of(ctx, d.UserID, q)
	if err != nil {
		return "", 0, err
	}
	others := page.Map(present, func(m *social.Match) social.UserID { return m.MatchUserID }).Items
	known, err := s.Store.Daters(ctx, others)
	if err != nil {
		return "", 0, err
	}
	for _, other := range others {
		if !d.Matches(known[other], s.Earth) {
			if err := s.match(ctx, d.UserID, other, tell); err != nil {
				return "", rows, err
			}
			rows += 2
		}
	}
	return present.Next, rows, nil
}

// list reads a list of candidates.
type list func(ctx context.Context, q page.Query) (page.Page[*social.Dater], error)

// candidates returns lists that together contain everybody who may match a user: daters of
// the right genders who are near, and far ones if the user is far, too.
func (s *Service) candidates(d *social.Dater) (lists []list) {
	if d.Left {
		return nil
	}
	strips := s.Earth.Around(d.Location, d.Reach())
	for _, gender := range d.MatchGenders {
		for _, strip := range strips {
			lists = append(lists, func(ctx context.Context, q page.Query) (page.Page[*social.Dater], error) {
				return s.Store.Near(ctx, gender, strip, q)
			})
		}
		if d.IsFar() {
			lists = append(lists, func(ctx context.Context, q page.Query) (page.Page[*social.Dater], error) {
				return s.Store.Far(ctx, gender, q)
			})
		}
	}
	return lists
}

// search creates the user's missing matches in a page of candidates.
func (s *Service) search(ctx context.Context, d *social.Dater, candidates list, q page.Query, tell outbox.Tell) (next string, rows int, err error) {
	found, err := candidates(ctx, q)
	if err != nil {
		return "", 0, err
	}
	var fit []social.UserID
	for _, o := range found.Items {
		if d.Matches(o, s.Earth) {
			fit = append(fit, o.UserID)
		}
	}
	pairs, err := s.Store.Pairs(ctx, d.UserID, fit)
	if err != nil {
		return "", 0, err
	}
	for i, other := range fit {
		if pairs[i].Mine == nil {
			if err := s.match(ctx, d.UserID, other, tell); err != nil {
				return "", rows, err
			}
			rows += 2
		}
	}
	return found.Next, rows, nil
}

// match creates or deletes the match of two users, as they should match or not, and
// notifies both of a change.
func (s *Service) match(ctx context.Context, user, other social.UserID, tell outbox.Tell) error {
	changed, err := decision.Run(ctx, s.Frame, func(*decision.Attempt) (bool, error) {
		f, err := s.Store.Pair(ctx, user, other)
		if err != nil {
			return false, err
		}
		switch should := f.Should(s.Earth); {
		case should == (f.Pair.Mine != nil):
			return false, nil
		case should:
			return true, s.Store.Match(ctx, f, social.NewMatch(f.A, f.B, s.Now()))
		default:
			return true, s.Store.Unmatch(ctx, user, other)
		}
	})
	if changed && err == nil {
		tellBoth(user, other, tell)
	}
	return err
}

// tellBoth notifies two users that their match has changed.
func tellBoth(user, other social.UserID, tell outbox.Tell) {
	tell(
		social.Notification{UserID: user, Type: social.NotifyDatingMatchChanged, MatchUserID: &other},
		social.Notification{UserID: other, Type: social.NotifyDatingMatchChanged, MatchUserID: &user},
	)
}

// forget deletes a match unconditionally and notifies both users.
func (s *Service) forget(ctx context.Context, m *social.Match, tell outbox.Tell) error {
	err := s.Store.Unmatch(ctx, m.UserID, m.MatchUserID)
	if refusal.KindOf(err) == refusal.Conflict {
		return nil // already deleted
	}
	if err != nil {
		return err
	}
	tellBoth(m.UserID, m.MatchUserID, tell)
	return nil
}
