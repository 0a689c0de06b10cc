// Package dating manages who dates and who matches whom.
//
// A profile states what a user looks for. The social.Dater used for matching is derived
// from the profile, and the matches from the daters, each when the event of a change is
// received. Two users match if and only if both of their daters agree and neither user
// blocks the other. When they no longer match, their approvals and rejections are lost.
package dating

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores daters and matches.
type Store interface {
	// SetStatus stores the dating status of a user, and e. It fails with Conflict if the
	// profile is gone, its status has changed, or it lacks something that dating requires.
	SetStatus(ctx context.Context, from, to *social.User, e ...outbox.Record) error
	// Renew stores the day on which a user's dating ends. It fails with Conflict if their
	// dating is disabled.
	Renew(ctx context.Context, user social.UserID, day string) error
	// Ending returns the users whose dating ends by a day, or all whose dating is enabled
	// if day is empty.
	Ending(ctx context.Context, day string, q page.Query) (page.Page[social.UserID], error)

	// Dater returns a user's profile and dater, each nil if it does not exist.
	Dater(ctx context.Context, user social.UserID) (*social.User, *social.Dater, error)
	// SetDater stores a user's dater; before is nil for a new one. It fails with Conflict
	// if it has changed.
	SetDater(ctx context.Context, before, after *social.Dater) error
	// Settled records that a user's matches are in line with their dater, and deletes the
	// dater of a user who has left. It does nothing if the dater has changed.
	Settled(ctx context.Context, d *social.Dater) error
	// Daters returns the daters of those users who have one.
	Daters(ctx context.Context, users []social.UserID) (map[social.UserID]*social.Dater, error)
	// Near returns the daters of a gender in a strip, Far those marked as far.
	Near(ctx context.Context, gender social.UserGender, in social.Strip, q page.Query) (page.Page[*social.Dater], error)
	Far(ctx context.Context, gender social.UserGender, q page.Query) (page.Page[*social.Dater], error)

	// Pair returns everything that decides whether two users match.
	Pair(ctx context.Context, a, b social.UserID) (social.MatchFacts, error)
	// Between returns the match pair of two users, empty if it is of a former profile.
	Between(ctx context.Context, user, other social.UserID) (social.MatchPair, error)
	// Pairs returns the match pairs of a user with others, in the order of others.
	Pairs(ctx context.Context, user social.UserID, others []social.UserID) ([]social.MatchPair, error)
	// Of returns the matches of a user, ordered by the other users' ids.
	Of(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Match], error)
	// WithStatus returns the matches of a user with a status: potential ones with the most
	// approvals first, others latest first.
	WithStatus(ctx context.Context, user social.UserID, status social.MatchStatus, q page.Query) (page.Page[*social.Match], error)
	// Approvals returns the matches in which others approve of a user, latest first.
	Approvals(ctx context.Context, of social.UserID, q page.Query) (page.Page[*social.Match], error)
	// Match stores the match of two users, neither of whom blocks the other. It fails with
	// Conflict if one of their daters has changed, one blocks the other, or they match already.
	Match(ctx context.Context, f social.MatchFacts, pair social.MatchPair) error
	// Unmatch deletes the match of two users. It fails with Conflict if there is none.
	Unmatch(ctx context.Context, user, other social.UserID) error
	// Judge stores a user's decision about a match, and e. approves is set if it counts as
	// an approval of the other user. It fails with Conflict if the match has changed, or one
	// of them no longer has the profile.
	Judge(ctx context.Context, before, after social.MatchPair, approves bool, e ...outbox.Record) error
	// Place stores the other user's number of approvals, which orders potential matches. It
	// does nothing if the match has changed.
	Place(ctx context.Context, before *social.Match, approvals int) error
}

// Cards puts cards.
type Cards interface {
	// NewMatches puts the card that asks a user to look at their potential matches.
	NewMatches(ctx context.Context, user social.UserID) error
}

// Service implements the dating area. All fields are required.
type Service struct {
	decision.Frame
	Store    Store
	Profiles social.ProfileReader
	Cards    Cards
	// Earth uses the unit of distances.
	Earth social.Earth
}

// SetStatus enables or disables the caller's dating.
func (s *Service) SetStatus(ctx context.Context, c social.Caller, status social.DatingStatus) (*social.SeenUser, error) {
	from := c.User
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenUser, error) {
		u := from
		from = nil
		if u == nil {
			var err error
			if u, _, err = s.Store.Dater(ctx, c.UserID); err != nil {
				return nil, err
			}
			if u == nil {
				return nil, refusal.NotFoundf("User `%s` does not exist", c.UserID)
			}
		}
		to, err := u.SwitchDating(status, s.Now())
		if err != nil {
			return nil, err
		}
		if to != u {
			err = s.move(ctx, a, u, to)
		}
		return social.Caller{Viewer: c.Viewer, User: to}.See(), err
	})
}

// move stores a user's new dating status with its event.
func (s *Service) move(ctx context.Context, a *decision.Attempt, from, to *social.User) error {
	return s.Store.SetStatus(ctx, from, to, a.Emit(social.UserChanged{UserID: from.UserID})...)
}

// Renew extends the caller's dating, as they are active.
func (s *Service) Renew(ctx context.Context, c social.Caller) error {
	if !c.User.Dates() {
		return nil
	}
	day := social.DatingEnd(s.Now())
	if !c.User.RenewDating(day) {
		return nil
	}
	return refusal.IgnoreConflict(s.Store.Renew(ctx, c.UserID, day)) // dating may have been disabled meanwhile
}

// EndIdle disables the dating of users who have been inactive for long.
func (s *Service) EndIdle(ctx context.Context, now time.Time) error {
	today := social.DatingDay(now)
	return s.eachDater(ctx, today, func(id social.UserID) error {
		return s.end(ctx, id, func(u *social.User) *social.User { return u.Idle(today, s.Now()) })
	})
}

// end disables a user's dating if rule returns the user after that, not nil.
func (s *Service) end(ctx context.Context, id social.UserID, rule func(*social.User) *social.User) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		u, _, err := s.Store.Dater(ctx, id)
		if u == nil || err != nil {
			return err
		}
		to := rule(u)
		if to == nil {
			return nil
		}
		return s.move(ctx, a, u, to)
	})
}

// Remind puts a card for each user with potential matches.
func (s *Service) Remind(ctx context.Context, _ time.Time) error {
	return s.eachDater(ctx, "", func(id social.UserID) error {
		some, err := s.Store.WithStatus(ctx, id, social.PotentialMatch, page.Query{First: 1})
		if len(some.Items) == 0 || err != nil {
			return err
		}
		return s.Cards.NewMatches(ctx, id)
	})
}

// eachDater calls do for the users whose dating ends by a day, or for all whose dating is
// enabled if day is empty.
func (s *Service) eachDater(ctx context.Context, day string, do func(social.UserID) error) error {
	for id, err := range page.All(page.Of(ctx, s.Store.Ending, day)) {
		if err != nil {
			return err
		}
		if err := do(id); err != nil {
			return err
		}
	}
	return nil
}
