package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// MatchStatus is how a user stands to another whom dating has shown them.
type MatchStatus string

const (
	// NoMatch is only ever derived, for users between whom there is no match.
	NoMatch MatchStatus = "NOT_MATCHED"
	// PotentialMatch users have not judged each other yet.
	PotentialMatch MatchStatus = "POTENTIAL"
	RejectedMatch  MatchStatus = "REJECTED"
	ApprovedMatch  MatchStatus = "APPROVED"
	// ConfirmedMatch users have approved of each other.
	ConfirmedMatch MatchStatus = "CONFIRMED"
)

// matchLock is for how long the users of a new match may not write to each other unless
// they confirm it.
const matchLock = 30 * 24 * time.Hour

// Match is how a user stands to another. There are always two of them, one for each way.
type Match struct {
	UserID, MatchUserID UserID
	Status              MatchStatus
	CreatedAt           time.Time
	// MovedAt is when the match got its status, which is not known of POTENTIAL ones.
	// ApprovalCount of those is how often MatchUserID has been approved of; others have none.
	MovedAt       time.Time
	ApprovalCount int
	// BlockChatExpiredAt is until when the two may not write to each other.
	BlockChatExpiredAt time.Time
}

// MatchPair are both ways between two users, nil where there is none.
type MatchPair struct{ Mine, Theirs *Match }

// MatchTie is how the viewer and a user stand to each other in dating.
var MatchTie = Details.New("MATCH_TIE")

// NewMatch are both ways between two users who are what each other looks for.
func NewMatch(a, b *Dater, now time.Time) MatchPair {
	return MatchPair{potential(a, b, now), potential(b, a, now)}
}

func potential(of, to *Dater, now time.Time) *Match {
	return &Match{
		UserID: of.UserID, MatchUserID: to.UserID, Status: PotentialMatch, CreatedAt: now,
		ApprovalCount: to.ApprovalCount, BlockChatExpiredAt: now.Add(matchLock),
	}
}

// Approve returns the pair after Mine is approved. If Theirs was already, both are
// confirmed.
func (p MatchPair) Approve(now time.Time) (MatchPair, error) {
	next, err := p.judged(ApprovedMatch, now)
	if err == nil && p.Theirs != nil && p.Theirs.Status == ApprovedMatch {
		next.Mine.Status = ConfirmedMatch
		next.Theirs = p.Theirs.moved(ConfirmedMatch, now)
	}
	return next, err
}

// Reject returns the pair after Mine is rejected.
func (p MatchPair) Reject(now time.Time) (MatchPair, error) { return p.judged(RejectedMatch, now) }

func (p MatchPair) judged(status MatchStatus, now time.Time) (MatchPair, error) {
	switch {
	case p.Mine == nil:
		return p, refusal.NotFoundf("Match does not exist")
	case p.Mine.Status != PotentialMatch:
		return p, refusal.Invalidf("Invalid match transition")
	default:
		return MatchPair{p.Mine.moved(status, now), p.Theirs}, nil
	}
}

func (m Match) moved(to MatchStatus, now time.Time) *Match {
	m.Status, m.MovedAt, m.ApprovalCount = to, now, 0
	return &m
}

// Before reports whether the two matched before a time.
func (p MatchPair) Before(at time.Time) bool {
	return p.Mine != nil && p.Mine.CreatedAt.Before(at) || p.Theirs != nil && p.Theirs.CreatedAt.Before(at)
}

// Confirmed reports whether both have approved of each other.
func (p MatchPair) Confirmed() bool {
	return p.Mine != nil && p.Mine.Status == ConfirmedMatch && p.Theirs != nil && p.Theirs.Status == ConfirmedMatch
}

// locks reports whether the match keeps the two from writing to each other.
func (p MatchPair) locks(now time.Time) bool {
	return p.Mine != nil && !p.Confirmed() && p.Mine.BlockChatExpiredAt.After(now)
}

func (p MatchPair) reversed() MatchPair { return MatchPair{p.Theirs, p.Mine} }

// MatchConfirmedText is what the system says in the chat of a confirmed match.
const MatchConfirmedText = "You have a new match!"
