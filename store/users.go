package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/search"
	"stoa/social"
)

// Users stores profiles, and the names and contacts they are found by.
type Users struct {
	db    *keyspec.DB
	words *search.Finder
	// Hash returns a keyed hash, for bans that outlive what identifies a person. Without it,
	// nothing is left of them.
	Hash func(text string) string
}

func profileKey(id social.UserID) keyspec.Key { return profiles.Key(string(id)) }

// Profile returns a profile, or nil if it does not exist.
func (s *Users) Profile(ctx context.Context, id social.UserID) (*social.User, error) {
	item, err := profiles.Get(ctx, s.db, profileKey(id))
	if !item.isThere() {
		return nil, err
	}
	return item.user(), nil
}

// isThere reports whether the profile exists and is not being removed. Rows written by
// other programs may still show a removal in progress.
func (i *profileItem) isThere() bool {
	return i != nil && i.Status != social.UserDeleting && i.Status != social.UserResetting
}

// Facts returns those users that exist, with the viewer's relation to each and the details
// in d. Relations older than either profile are leftovers of a former one and are ignored.
// One call reads up to 33 users, or 19 with BothWays. The ids must be distinct.
func (s *Users) Facts(ctx context.Context, viewer social.UserID, ids []social.UserID, d social.Detail) (map[social.UserID]social.UserFacts, error) {
	return s.facts(ctx, viewer, nil, ids, d)
}

// FactsFor is Facts for a viewer whose profile is known and not read again.
func (s *Users) FactsFor(ctx context.Context, viewer *social.User, ids []social.UserID, d social.Detail) (map[social.UserID]social.UserFacts, error) {
	return s.facts(ctx, viewer.UserID, viewer, ids, d)
}

// facts reads the viewer's profile unless it is given.
func (s *Users) facts(
	ctx context.Context,
	viewer social.UserID,
	mine *social.User,
	ids []social.UserID,
	d social.Detail,
) (map[social.UserID]social.UserFacts, error) {
	b := s.db.NewBatch()
	others := make([]social.UserID, 0, len(ids))
	for _, id := range ids {
		if id != viewer {
			others = append(others, id)
		}
	}
	people := profiles.FetchEach(b, len(ids), func(i int) keyspec.Key { return profileKey(ids[i]) })
	var own keyspec.Fetched[profileItem]
	if mine == nil && len(others) > 0 {
		own = profiles.Fetch(b, profileKey(viewer))
	}
	to := fetchTies(b, viewer, others, d)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	var mySignUp *time.Time
	switch {
	case mine != nil:
		at := mine.SignedUpAt
		mySignUp = &at
	case own.Len() > 0 && own.At(0).isThere():
		mySignUp = &own.At(0).SignedUpAt
	}
	facts := make(map[social.UserID]social.UserFacts, len(ids))
	other := 0
	for i, id := range ids {
		item := people.At(i)
		if !item.isThere() {
			if id != viewer {
				other++
			}
			continue
		}
		f := social.UserFacts{Viewer: viewer, Read: d & (social.BothWays | social.MatchTie), User: item.user()}
		if id != viewer {
			to.put(&f, other, mySignUp)
			other++
		}
		facts[id] = f
	}
	return facts, nil
}

// ties are the follows and blocks between a viewer and others. The reverse directions are
// empty unless requested.
type ties struct {
	follows, followedBy keyspec.Fetched[social.Follow]
	blocks, blockedBy   keyspec.Fetched[social.Block]
	matches             fetchedMatches
}

func fetchTies(b *keyspec.Batch, viewer social.UserID, others []social.UserID, d social.Detail) ties {
	n := len(others)
	t := ties{
		follows:   follows.FetchEach(b, n, func(i int) keyspec.Key { return followKey(viewer, others[i]) }),
		blockedBy: blocks.FetchEach(b, n, func(i int) keyspec.Key { return blockKey(others[i], viewer) }),
	}
	if d.Has(social.FollowerTie) {
		t.followedBy = follows.FetchEach(b, n, func(i int) keyspec.Key { return followKey(others[i], viewer) })
	}
	if d.Has(social.BlockedTie) {
		t.blocks = blocks.FetchEach(b, n, func(i int) keyspec.Key { return blockKey(viewer, others[i]) })
	}
	if d.Has(social.MatchTie) {
		t.matches = fetchMatches(b, viewer, others)
	}
	return t
}

// put adds the ties between the viewer and the user at i to the facts about that user.
// mySignUp is when the viewer signed up, nil if they have no profile.
func (t ties) put(f *social.UserFacts, i int, mySignUp *time.Time) {
	if mySignUp == nil {
		return // all of it belongs to a former profile
	}
	f.Since = f.User.SignedUpAt
	if mySignUp.After(f.Since) {
		f.Since = *mySignUp
	}
	follow := func(found keyspec.Fetched[social.Follow]) (status social.FollowStatus, at time.Time) {
		if found.Len() == 0 || found.At(i) == nil {
			return "", time.Time{}
		}
		item := found.At(i)
		if item.FollowedAt.Before(f.Since) {
			f.Former = append(f.Former, *item)
			return "", time.Time{}
		}
		return item.Status, item.FollowedAt
	}
	block := func(found keyspec.Fetched[social.Block]) bool {
		return found.Len() > 0 && found.At(i) != nil && !found.At(i).BlockedAt.Before(f.Since)
	}
	f.Relation.Follows, f.FollowsAt = follow(t.follows)
	f.Relation.FollowedBy, f.FollowedByAt = follow(t.followedBy)
	f.Relation.Blocks, f.Relation.BlockedBy = block(t.blocks), block(t.blockedBy)
	if t.matches.mine.Len() > 0 {
		if pair := t.matches.at(i); !pair.Before(f.Since) {
			f.Match = pair
		}
	}
}

func (i *profileItem) user() *social.User { return &i.User }

func profileOf(u *social.User) profileItem { return profileItem{User: *u} }
