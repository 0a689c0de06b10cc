package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Pair returns all facts about two users. Only where a block decides, between two daters, their profiles
// are read to tell whether it is of a former one.
func (s *Dating) Pair(ctx context.Context, a, b social.UserID) (f social.MatchFacts, err error) {
	batch := s.db.NewBatch()
	known := daters.Fetch(batch, daterKey(a), daterKey(b))
	both := fetchMatches(batch, a, []social.UserID{b})
	walls := blocks.Fetch(batch, blockKey(a, b), blockKey(b, a))
	if err := batch.Run(ctx); err != nil {
		return f, err
	}
	f.A, f.B, f.Pair = daterAt(known, 0), daterAt(known, 1), both.at(0)
	if f.Blocked = walls.At(0) != nil || walls.At(1) != nil; !f.Blocked || f.A == nil || f.B == nil {
		return f, nil
	}
	batch = s.db.NewBatch()
	people := profiles.Fetch(batch, profileKey(a), profileKey(b))
	if err := batch.Run(ctx); err != nil {
		return f, err
	}
	for i := range people.Len() {
		if p := people.At(i); p.isThere() && f.Since.Before(p.SignedUpAt) {
			f.Since = p.SignedUpAt
		}
	}
	stands := func(wall *social.Block) bool { return wall != nil && !wall.BlockedAt.Before(f.Since) }
	f.Blocked = stands(walls.At(0)) || stands(walls.At(1))
	return f, nil
}

// Between returns the match between two users, none if one of them no longer has the profile that
// it is of.
func (s *Dating) Between(ctx context.Context, user, other social.UserID) (social.MatchPair, error) {
	b := s.db.NewBatch()
	both := fetchMatches(b, user, []social.UserID{other})
	people := profiles.Fetch(b, profileKey(user), profileKey(other))
	if err := b.Run(ctx); err != nil {
		return social.MatchPair{}, err
	}
	pair := both.at(0)
	for i := range people.Len() {
		if p := people.At(i); !p.isThere() || pair.Before(p.SignedUpAt) {
			return social.MatchPair{}, nil
		}
	}
	return pair, nil
}

// Pairs returns the matches between a user and others, in the order of the others.
func (s *Dating) Pairs(ctx context.Context, user social.UserID, others []social.UserID) ([]social.MatchPair, error) {
	b := s.db.NewBatch()
	both := fetchMatches(b, user, others)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	pairs := make([]social.MatchPair, len(others))
	for i := range others {
		pairs[i] = both.at(i)
	}
	return pairs, nil
}

// Of returns the matches of a user in the order of the others' ids.
func (s *Dating) Of(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Match], error) {
	return stored.List(ctx, s.db, matches.Begins(keyspec.Primary, string(user)), q, false, (*matchItem).match)
}

// WithStatus returns the matches of a user with a status, from A1: potential ones by
// descending approvals of the other user, others newest first.
func (s *Dating) WithStatus(ctx context.Context, user social.UserID, status social.MatchStatus, q page.Query) (page.Page[*social.Match], error) {
	return stored.List(ctx, s.db, matches.Begins(A1, string(user), string(status)), q, true, (*matchItem).match)
}

// Approvals returns the matches in which others approve of a user, newest first, from A2.
func (s *Dating) Approvals(ctx context.Context, of social.UserID, q page.Query) (page.Page[*social.Match], error) {
	return stored.List(ctx, s.db, matches.Begins(A2, string(of)), q, true, (*matchItem).match)
}

// Match stores the match of two daters, neither of whom may block the other. It fails with
// Conflict if one of them has changed or they already match.
func (s *Dating) Match(ctx context.Context, f social.MatchFacts, pair social.MatchPair) error {
	tx := s.db.NewTx()
	for _, d := range []*social.Dater{f.A, f.B} {
		on := daters.Check(tx, daterKey(d.UserID)).If("version = ?", d.Version)
		if d.ApprovalCount == 0 {
			on.If("attribute_not_exists(approvalCount)")
		} else {
			on.If("approvalCount = ?", d.ApprovalCount)
		}
	}
	for _, wall := range []keyspec.Key{blockKey(f.A.UserID, f.B.UserID), blockKey(f.B.UserID, f.A.UserID)} {
		blocks.Check(tx, wall).If("attribute_not_exists(blockedAt) OR blockedAt < ?", f.Since)
	}
	matches.Create(tx, matchItemOf(pair.Mine))
	matches.Create(tx, matchItemOf(pair.Theirs))
	return stored.Outcome(tx.Run(ctx))
}

// Unmatch removes the match of two users. It fails with Conflict if there is none.
func (s *Dating) Unmatch(ctx context.Context, user, other social.UserID) error {
	tx := s.db.NewTx()
	matches.Delete(tx, matchKey(user, other)).Exists()
	matches.Delete(tx, matchKey(other, user))
	return stored.Outcome(tx.Run(ctx))
}

// Judge stores a user's decision about a match, and e. If approves is set, it also counts
// as an approval of the other user. It fails with Conflict if the match has changed, or one of them
// no longer has the profile.
func (s *Dating) Judge(ctx context.Context, before, after social.MatchPair, approves bool, e ...outbox.Record) error {
	tx := s.db.NewTx()
	moveMatch(tx, before.Mine, after.Mine)
	if before.Theirs != nil {
		moveMatch(tx, before.Theirs, after.Theirs)
	}
	for _, user := range []social.UserID{before.Mine.UserID, before.Mine.MatchUserID} {
		profiles.Check(tx, profileKey(user)).If(hadProfile, before.Mine.CreatedAt)
	}
	if approves {
		daters.Update(tx, daterKey(before.Mine.MatchUserID)).Shift("approvalCount", 1)
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// Place updates the place of a potential match to the other user's number of approvals. It
// does nothing if the match has changed.
func (s *Dating) Place(ctx context.Context, before *social.Match, approvals int) error {
	after := *before
	after.ApprovalCount = approvals
	tx := s.db.NewTx()
	matches.Change(tx, matchItemOf(before), matchItemOf(&after)).If("status = ?", before.Status)
	return refusal.IgnoreConflict(stored.Outcome(tx.Run(ctx)))
}

// moveMatch changes the status of a match, or checks that it is unchanged.
func moveMatch(tx *keyspec.Tx, before, after *social.Match) {
	if before.Status == after.Status {
		matches.Check(tx, matchKey(before.UserID, before.MatchUserID)).If("status = ?", before.Status)
		return
	}
	matches.Change(tx, matchItemOf(before), matchItemOf(after)).If("status = ?", before.Status)
}

func matchKey(user, other social.UserID) keyspec.Key { return matches.Key(string(user), string(other)) }

// fetchedMatches are the matches between a user and others, in both directions.
type fetchedMatches struct{ mine, theirs keyspec.Fetched[matchItem] }

func fetchMatches(b *keyspec.Batch, user social.UserID, others []social.UserID) fetchedMatches {
	return fetchedMatches{
		mine:   matches.FetchEach(b, len(others), func(i int) keyspec.Key { return matchKey(user, others[i]) }),
		theirs: matches.FetchEach(b, len(others), func(i int) keyspec.Key { return matchKey(others[i], user) }),
	}
}

func (f fetchedMatches) at(i int) (pair social.MatchPair) {
	if item := f.mine.At(i); item != nil {
		pair.Mine = item.match()
	}
	if item := f.theirs.At(i); item != nil {
		pair.Theirs = item.match()
	}
	return pair
}
