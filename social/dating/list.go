package dating

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Matched returns the users with whom a user has a match of the given status, or nil to
// other viewers.
func (s *Service) Matched(ctx context.Context, of *social.SeenUser, status social.MatchStatus, list page.Args) (*page.Page[social.Entry], error) {
	q, err := list.Query()
	if err != nil {
		return nil, err
	}
	if !of.IsSelf() {
		return nil, nil
	}
	if status == social.NoMatch {
		return nil, refusal.Invalidf("Cannot request using status %s", status)
	}
	found, err := s.Store.WithStatus(ctx, of.UserID(), status, q)
	if err != nil {
		return nil, err
	}
	entries := social.Entries(found, of, func(m *social.Match) social.Entry {
		return social.Entry{UserID: m.MatchUserID, At: m.CreatedAt}
	})
	return &entries, nil
}

// maxApprovals is the maximum number of approvals of a user that Approvers reads.
const maxApprovals = 1000

// Approvers returns the users who approve of the caller and whom the caller has yet to
// judge, latest approval first.
func (s *Service) Approvers(ctx context.Context, c social.Caller) ([]social.Entry, error) {
	if !c.User.IsDiamond() {
		return nil, notDiamond()
	}
	var waiting []social.Entry
	for approvals, err := range page.Pages(maxApprovals/page.Max, page.Of(ctx, s.Store.Approvals, c.UserID)) {
		if err != nil {
			return nil, err
		}
		ids := page.Map(approvals, func(m *social.Match) social.UserID { return m.UserID }).Items
		pairs, err := s.Store.Pairs(ctx, c.UserID, ids)
		if err != nil {
			return nil, err
		}
		for i, pair := range pairs {
			if pair.Mine != nil && pair.Mine.Status == social.PotentialMatch && !c.User.Former(pair.Mine.CreatedAt) {
				waiting = append(waiting, social.Entry{UserID: ids[i], At: pair.Mine.CreatedAt})
			}
		}
	}
	return waiting, nil
}
