// Package dating decides who dates and who matches whom.
//
// A profile says what a user looks for. What matching knows of them, a social.Dater,
// follows from the profile, and the matches follow from the daters, each by the event of
// the change. Two users match if and only if both of their daters say so and neither blocks
// the other; what they make of their match is lost when they do not any more.
package dating

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps who dates, and who matches whom.
type Store interface {
	// SetStatus stores the dating status of a user, and e. It fails with Conflict when the
	// profile is gone, has another status by now, or lacks something that dating needs.
	SetStatus(ctx context.Context, from, to *social.User, e ...outbox.Record) error
	// Renew stores the day on which the dating of a user goes off. It fails with Conflict
	// when their dating is off.
	Renew(ctx context.Context, user social.UserID, day string) error
	// Ending returns the users whose dating goes off by a day; all whose dating is on when
	// day is empty.
	Ending(ctx context.Context, day string, q page.Query) (page.Page[social.UserID], error)

	// Standing returns a user's profile and what matching knows of them, each nil when there
	// is none.
	Standing(ctx context.Context, user social.UserID) (*social.User, *social.Dater, error)
	// SetDater stores what matching knows of a user; before is nil for a new one. It fails
	// with Conflict when that changed meanwhile.
	SetDater(ctx context.Context, before, after *social.Dater) error
	// Settled records that the matches of a user follow from what matching knows of them,
	// and removes that of one who has left. It does nothing when it has changed meanwhile.
	Settled(ctx context.Context, d *social.Dater) error
	// Daters returns what matching knows of users, for those of whom it knows anything.
	Daters(ctx context.Context, users []social.UserID) (map[social.UserID]*social.Dater, error)
	// Near returns the daters of a gender in a strip, Far those who are far.
	Near(ctx context.Context, gender social.UserGender, in social.Strip, q page.Query) (page.Page[*social.Dater], error)
	Far(ctx context.Context, gender social.UserGender, q page.Query) (page.Page[*social.Dater], error)

	// Between returns all that decides about two users: what matching knows of each, nil
	// for nothing, how they stand to each other, and whether one blocks the other.
	Between(ctx context.Context, a, b social.UserID) (of, to *social.Dater, pair social.MatchPair, blocked bool, err error)
	// Pairs returns how a user and others stand to each other, in the order of the others.
	Pairs(ctx context.Context, user social.UserID, others []social.UserID) ([]social.MatchPair, error)
	// Of returns the matches of a user in the order of the others' ids.
	Of(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Match], error)
	// WithStatus returns the matches of a user with a status: potential ones of whom most
	// have approved first, others latest first.
	WithStatus(ctx context.Context, user social.UserID, status social.MatchStatus, q page.Query) (page.Page[*social.Match], error)
	// Approvals returns the matches by which others approve of a user, latest first.
	Approvals(ctx context.Context, of social.UserID, q page.Query) (page.Page[*social.Match], error)
	// Match stores the match of two users as they are known, of whom neither blocks the
	// other. It fails with Conflict when one of them is not as known any more, or they match
	// already.
	Match(ctx context.Context, a, b *social.Dater, pair social.MatchPair) error
	// Unmatch removes the match of two users. It fails with Conflict when there is none.
	Unmatch(ctx context.Context, user, other social.UserID) error
	// Judge stores what a user makes of their match, and e; approves says that it counts for
	// the other. It fails with Conflict when the match is not as it was.
	Judge(ctx context.Context, before, after social.MatchPair, approves bool, e ...outbox.Record) error
	// Place puts a potential match where the other's approvals put it. It does nothing when
	// the match is not as it was.
	Place(ctx context.Context, before *social.Match, approvals int) error
}

// Cards asks users to look at things.
type Cards interface {
	// NewMatches asks a user to look at their potential matches.
	NewMatches(ctx context.Context, user social.UserID) error
}

// Service decides about dating. All fields must be set.
type Service struct {
	Store  Store
	Cards  Cards
	Events outbox.Sender
	// Earth is in the unit of distances.
	Earth social.Earth
}

// SetStatus turns the caller's dating on or off.
func (s *Service) SetStatus(ctx context.Context, c social.Caller, status social.DatingStatus) (*social.SeenUser, error) {
	from := c.User
	return retry.OnConflict(func() (*social.SeenUser, error) {
		u := from
		from = nil
		if u == nil {
			var err error
			if u, _, err = s.Store.Standing(ctx, c.UserID); err != nil {
				return nil, err
			}
			if u == nil {
				return nil, refusal.NotFoundf("User `%s` does not exist", c.UserID)
			}
		}
		to, err := u.SwitchDating(status, s.Events.Now())
		if err != nil {
			return nil, err
		}
		if to != u {
			if err := s.move(ctx, u, to); err != nil {
				return nil, err
			}
		}
		return social.Caller{Viewer: c.Viewer, User: to}.See(), nil
	})
}

// move stores another dating status of a user, and tells of it.
func (s *Service) move(ctx context.Context, from, to *social.User) error {
	e := s.Events.New(ctx, social.UserChanged{UserID: from.UserID})
	if err := s.Store.SetStatus(ctx, from, to, e...); err != nil {
		return err
	}
	s.Events.Committed(ctx, e...)
	return nil
}

// Renew notes that the caller does something: their dating stays on for longer.
func (s *Service) Renew(ctx context.Context, c social.Caller) error {
	day := social.DatingEnd(s.Events.Now())
	if !c.User.RenewDating(day) {
		return nil
	}
	err := s.Store.Renew(ctx, c.UserID, day)
	if refusal.KindOf(err) == refusal.Conflict {
		return nil // it has gone off meanwhile
	}
	return err
}

// EndIdle turns the dating of those off who did nothing for long.
func (s *Service) EndIdle(ctx context.Context, now time.Time) error {
	today := social.DatingDay(now)
	return s.eachDater(ctx, today, func(id social.UserID) error {
		return s.end(ctx, id, func(u *social.User) *social.User { return u.Idle(today, s.Events.Now()) })
	})
}

// end turns the dating of a user off if a rule, which returns nil if not, says so.
func (s *Service) end(ctx context.Context, id social.UserID, rule func(*social.User) *social.User) error {
	_, err := retry.OnConflict(func() (struct{}, error) {
		none := struct{}{}
		u, _, err := s.Store.Standing(ctx, id)
		if u == nil || err != nil {
			return none, err
		}
		to := rule(u)
		if to == nil {
			return none, nil
		}
		return none, s.move(ctx, u, to)
	})
	return err
}

// Remind asks those to look at their potential matches who have some.
func (s *Service) Remind(ctx context.Context, _ time.Time) error {
	return s.eachDater(ctx, "", func(id social.UserID) error {
		some, err := s.Store.WithStatus(ctx, id, social.PotentialMatch, page.Query{First: 1})
		if len(some.Items) == 0 || err != nil {
			return err
		}
		return s.Cards.NewMatches(ctx, id)
	})
}

// eachDater does something with those whose dating goes off by a day, or all whose dating
// is on.
func (s *Service) eachDater(ctx context.Context, day string, do func(social.UserID) error) error {
	for q := (page.Query{First: page.Max}); ; {
		users, err := s.Store.Ending(ctx, day, q)
		if err != nil {
			return err
		}
		for _, id := range users.Items {
			if err := do(id); err != nil {
				return err
			}
		}
		if q.After = users.Next; q.After == "" {
			return nil
		}
	}
}
