package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// MatchStatus is a user's dating status with regard to another.
type MatchStatus string

const (
	// NoMatch is the status of users who do not match. It is never stored.
	NoMatch MatchStatus = "NOT_MATCHED"
	// PotentialMatch means that neither has judged the other yet.
	PotentialMatch MatchStatus = "POTENTIAL"
	RejectedMatch  MatchStatus = "REJECTED"
	ApprovedMatch  MatchStatus = "APPROVED"
	// ConfirmedMatch means that both have approved of each other.
	ConfirmedMatch MatchStatus = "CONFIRMED"
)

// matchLock is how long users of a new match cannot write to each other unless they confirm
// it.
const matchLock = 30 * 24 * time.Hour

// Match is one direction of a match between two users. There is always another one for the
// opposite direction.
type Match struct {
	UserID      UserID      `dynamo:"userId"`
	MatchUserID UserID      `dynamo:"matchUserId"`
	Status      MatchStatus `dynamo:"status"`
	CreatedAt   time.Time   `dynamo:"createdAt"`
	// MovedAt is when the match got its status; unknown for POTENTIAL ones. ApprovalCount,
	// which only those have, is the number of approvals that MatchUserID has received.
	MovedAt       time.Time `dynamo:"-"`
	ApprovalCount int       `dynamo:"-"`
	// BlockChatExpiredAt is until when the two cannot write to each other.
	BlockChatExpiredAt time.Time `dynamo:"blockChatExpiredAt"`
}

// MatchPair has both directions of a match, nil if there is none.
type MatchPair struct{ Mine, Theirs *Match }

// MatchFacts are everything that decides whether two users match, read together.
type MatchFacts struct {
	// A and B are the daters of the two, nil if they have none.
	A, B *Dater
	// Pair is their present match, as A sees it.
	Pair MatchPair
	// Blocked is set if one blocks the other. Blocks older than Since are of a former profile of one of
	// them, and may still be stored.
	Blocked bool
	Since   time.Time
}

// Should reports whether the two should match.
func (f MatchFacts) Should(earth Earth) bool { return !f.Blocked && f.A.Matches(f.B, earth) }

// MatchTie is the dating status between the viewer and a user.
var MatchTie = Details.New("MATCH_TIE")

// NewMatch returns both directions of a match between two users who meet each other's
// criteria.
func NewMatch(a, b *Dater, now time.Time) MatchPair {
	return MatchPair{potential(a, b, now), potential(b, a, now)}
}

func potential(of, to *Dater, now time.Time) *Match {
	return &Match{
		UserID: of.UserID, MatchUserID: to.UserID, Status: PotentialMatch, CreatedAt: now,
		ApprovalCount: to.ApprovalCount, BlockChatExpiredAt: now.Add(matchLock),
	}
}

// Approve returns the pair after Mine has been approved, which confirms both if Theirs was
// already.
func (p MatchPair) Approve(now time.Time) (MatchPair, error) {
	next, err := p.judged(ApprovedMatch, now)
	if err == nil && p.Theirs != nil && p.Theirs.Status == ApprovedMatch {
		next.Mine.Status = ConfirmedMatch
		next.Theirs = p.Theirs.moved(ConfirmedMatch, now)
	}
	return next, err
}

// Reject returns the pair after Mine has been rejected.
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

// locks reports whether the match prevents the two from writing to each other.
func (p MatchPair) locks(now time.Time) bool {
	return p.Mine != nil && !p.Confirmed() && p.Mine.BlockChatExpiredAt.After(now)
}

func (p MatchPair) reversed() MatchPair { return MatchPair{p.Theirs, p.Mine} }

// MatchConfirmedText is the system message in the chat of a confirmed match.
const MatchConfirmedText = "You have a new match!"
