package social

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/reads"
)

// UserFacts are a user and the viewer's relation to them, read together. Only a store
// creates them; methods here return the facts after a change.
type UserFacts struct {
	// Viewer is the viewer they were read for, Read the details that were read.
	Viewer UserID
	Read   Detail

	User     *User
	Relation Relation
	// FollowsAt is when the follow behind Relation.Follows was recorded, FollowedByAt the
	// one behind FollowedBy; zero without one.
	FollowsAt, FollowedByAt time.Time
	// Since is when the younger of the two profiles began, zero for a viewer without one.
	// Nothing between the two is older: what former profiles have left does not count.
	Since time.Time
	// Former are follows left between the two by former profiles, which have yet to be
	// removed.
	Former []Follow
	// Match is the dating status between the viewer and the user.
	Match MatchPair
}

// UserReader reads users.
type UserReader interface {
	// Facts returns those users that exist, with the viewer's relation to each and the
	// details in d. The ids must be distinct.
	Facts(ctx context.Context, viewer UserID, ids []UserID, d Detail) (map[UserID]UserFacts, error)
}

// ProfileReader reads profiles.
type ProfileReader interface {
	// Profile returns a profile, or nil if it does not exist.
	Profile(ctx context.Context, id UserID) (*User, error)
}

// People returns users as a viewer sees them.
type People interface {
	// Visible returns the users with these ids as the viewer sees them, nil for those that
	// do not exist. Ids may repeat.
	Visible(ctx context.Context, v Viewer, ids []UserID, d Detail) (SeenUsers, error)
	// VisibleTo is Visible for a caller, whose profile is not read again.
	VisibleTo(ctx context.Context, c Caller, ids []UserID, d Detail) (SeenUsers, error)
}

// Tagger resolves usernames.
type Tagger interface {
	// Tags returns the mentions in text that currently resolve to a user.
	Tags(ctx context.Context, text string) ([]TextTag, error)
}

// OwnFacts returns the facts of the viewer's own profile, which need no reads. It panics if
// u is somebody else.
func OwnFacts(v Viewer, u *User) UserFacts {
	mine(v, u.UserID)
	return UserFacts{Viewer: v.UserID, User: u}
}

// mine panics if the viewer is not the owner.
func mine(v Viewer, owner UserID) {
	if owner != v.UserID {
		panic(fmt.Sprintf("social: what is of %s is not of %s", owner, v.UserID))
	}
}

// NobodyFacts returns the facts for an id without a profile.
func NobodyFacts(v Viewer, id UserID) UserFacts {
	return UserFacts{Viewer: v.UserID, Read: BothWays | MatchTie, User: &User{UserID: id}}
}

// See returns the user as the viewer sees them.
func (f UserFacts) See() *SeenUser {
	s := &SeenUser{user: f.User, viewer: f.Viewer, rel: f.Relation, match: f.Match, read: f.Read, since: f.Since}
	if f.Viewer == f.User.UserID {
		s.rel, s.read = Relation{self: true}, s.read|BothWays|MatchTie
	}
	return s
}

// See is UserFacts.See, and marks the user whom everybody follows.
func (f FollowedByAll) See(facts UserFacts) *SeenUser {
	s := facts.See()
	s.followedByAll = f.Is(facts.User)
	return s
}

// See returns the caller's own profile.
func (c Caller) See() *SeenUser { return OwnFacts(c.Viewer, c.User).See() }

// With returns the users with the given ids, read with the details d, and the caller, whose
// profile is known and not read again.
func (c Caller) With(ctx context.Context, people People, ids []UserID, d Detail) (SeenUsers, error) {
	var unknown []UserID
	for _, id := range ids {
		if id != c.UserID {
			unknown = append(unknown, id)
		}
	}
	users := SeenUsers{}
	if len(unknown) > 0 {
		var err error
		if users, err = people.VisibleTo(ctx, c, unknown, d); err != nil {
			return nil, err
		}
	}
	users[c.UserID] = c.See()
	return users, nil
}

// Entry is a user in a list, and since when. A user who has a newer profile by now is not the
// one that was listed; the zero time stands for whatever profile there is.
type Entry struct {
	UserID UserID
	At     time.Time
	// Followed is set if the list has only users whom the viewer follows.
	Followed bool
}

// Meant returns the entry's user among those given, nil for one who is gone, or is not followed
// where they have to be.
func (e Entry) Meant(users SeenUsers) *SeenUser {
	u := users.met(e.UserID)
	if u == nil || !e.At.IsZero() && u.user.Former(e.At) || e.Followed && u.rel.Follows != Following {
		return nil
	}
	return u
}

// Entries returns the entries of a page of rows in a list of a user, without those left by a
// former profile of theirs.
func Entries[T any](rows page.Page[T], of *SeenUser, entry func(T) Entry) page.Page[Entry] {
	p := page.Page[Entry]{Items: make([]Entry, 0, len(rows.Items)), Next: rows.Next}
	for _, row := range rows.Items {
		if e := entry(row); !of.Former(e.At) {
			p.Items = append(p.Items, e)
		}
	}
	return p
}

// SeenUsers are users as a viewer sees them, nil for those that do not exist.
type SeenUsers map[UserID]*SeenUser

// met returns a user that a noun shows. It panics if they were not read, as they would
// otherwise look deleted.
func (u SeenUsers) met(id UserID) *SeenUser {
	user, asked := u[id]
	if !asked {
		panic(reads.Unread{Noun: "noun", Detail: "user " + string(id)})
	}
	return user
}

// owner returns the owner of a noun read for the viewer. It panics if the users were read
// for another viewer.
func (u SeenUsers) owner(id, viewer UserID) *SeenUser {
	owner := u.met(id)
	if owner != nil && owner.viewer != viewer {
		panic(fmt.Sprintf("social: facts for %s do not go with users for %s", viewer, owner.viewer))
	}
	return owner
}

// maker returns the owner of something created at a given time, or nil if a former profile
// of the user created it.
func (u SeenUsers) maker(id, viewer UserID, at time.Time) *SeenUser {
	maker := u.owner(id, viewer)
	if maker != nil && maker.user.Former(at) {
		return nil
	}
	return maker
}
