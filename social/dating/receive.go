package dating

import (
	"context"
	"strings"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserBlocked deletes the match of the two users, if there is one.
func (s *Service) UserBlocked(ctx context.Context, e social.UserBlocked, tell outbox.Tell) error {
	return s.match(ctx, e.BlockerUserID, e.BlockedUserID, tell)
}

// UserUnblocked creates a match of the two users if they should match.
func (s *Service) UserUnblocked(ctx context.Context, e social.UserUnblocked, tell outbox.Tell) error {
	return s.match(ctx, e.BlockerUserID, e.BlockedUserID, tell)
}

// MatchConfirmed notifies both users.
func (s *Service) MatchConfirmed(_ context.Context, e social.MatchConfirmed, tell outbox.Tell) error {
	tellBoth(e.UserID, e.MatchUserID, tell)
	return nil
}

// MatchApproved updates the position of the approved user in the lists of all their
// matches, a page at a time.
func (s *Service) MatchApproved(ctx context.Context, e social.MatchApproved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	approved := e.MatchUserID
	known, err := s.Store.Daters(ctx, []social.UserID{approved})
	d := known[approved]
	if d == nil || err != nil {
		return "", 0, err
	}
	present, err := s.Store.Of(ctx, approved, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	others := page.Map(present, func(m *social.Match) social.UserID { return m.MatchUserID }).Items
	pairs, err := s.Store.Pairs(ctx, approved, others)
	if err != nil {
		return "", 0, err
	}
	for _, pair := range pairs {
		if m := pair.Theirs; m != nil && m.Status == social.PotentialMatch && m.ApprovalCount != d.ApprovalCount {
			if err := s.Store.Place(ctx, m, d.ApprovalCount); err != nil {
				return "", rows, err
			}
			rows++
		}
	}
	return present.Next, rows, nil
}

// UserRemoved deletes the matches of a removed profile, a page at a time, and then updates
// those of a new one.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	const former = "former"
	phase, after, _ := strings.Cut(cursor, " ")
	if cursor != "" && phase != former {
		return s.updateMatches(ctx, e.UserID, cursor, tell)
	}
	present, err := s.Store.Of(ctx, e.UserID, page.Query{First: page.Max, After: after})
	if err != nil {
		return "", 0, err
	}
	left, err := social.Left(ctx, e, s.Profiles, present.Items, func(m *social.Match) time.Time { return m.CreatedAt })
	if err != nil {
		return "", 0, err
	}
	for _, m := range left {
		if err := s.forget(ctx, m, tell); err != nil {
			return "", rows, err
		}
		rows += 2
	}
	if present.Next != "" {
		return former + " " + present.Next, rows, nil
	}
	next, more, err := s.updateMatches(ctx, e.UserID, "", tell)
	return next, rows + more, err
}
