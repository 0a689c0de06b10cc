package social

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/reads"
)

// UserFacts are a user and how a viewer stands to them, read together. Only a store
// makes them; what a change makes of them is a method here.
type UserFacts struct {
	// Viewer is for whom they were read, Read what was read besides the profile.
	Viewer UserID
	Read   Detail

	User     *User
	Relation Relation
	// FollowsAt is when the record behind Relation.Follows was made, FollowedByAt that
	// behind FollowedBy; zero without one.
	FollowsAt, FollowedByAt time.Time
	// Since is when the younger of the two profiles began, zero for a viewer without one.
	// Nothing between the two is older: what former profiles have left does not count.
	Since time.Time
	// Former are follows that former profiles have left between the two, for a clean-up that
	// has yet to come.
	Former []Follow
	// Match is how the viewer and the user stand to each other in dating.
	Match MatchPair
}

// UserReader reads users.
type UserReader interface {
	// Facts returns the users among ids that exist, with how the viewer stands to each
	// and the details that d asks for. The ids must differ.
	Facts(ctx context.Context, viewer UserID, ids []UserID, d Detail) (map[UserID]UserFacts, error)
}

// People shows users to a viewer.
type People interface {
	// Visible returns the users with these ids as the viewer sees them, nil for those
	// that do not exist. An id may come up more than once.
	Visible(ctx context.Context, v Viewer, ids []UserID, d Detail) (SeenUsers, error)
}

// Tagger knows usernames.
type Tagger interface {
	// Tags returns the mentions of text that name somebody now.
	Tags(ctx context.Context, text string) ([]TextTag, error)
}

// OwnFacts are the facts about a profile for its own user: how they stand to themselves
// needs no reading. It panics for anybody else.
func OwnFacts(v Viewer, u *User) UserFacts {
	mine(v, u.UserID)
	return UserFacts{Viewer: v.UserID, User: u}
}

// mine panics when what is taken for the viewer's own is somebody else's.
func mine(v Viewer, owner UserID) {
	if owner != v.UserID {
		panic(fmt.Sprintf("social: what is of %s is not of %s", owner, v.UserID))
	}
}

// NobodyFacts are the facts about an id that nobody has: a stranger without a profile.
func NobodyFacts(v Viewer, id UserID) UserFacts {
	return UserFacts{Viewer: v.UserID, Read: BothWays | MatchTie, User: &User{UserID: id}}
}

// See shows the user to the viewer for whom the facts were read.
func (f UserFacts) See() *SeenUser {
	s := &SeenUser{user: f.User, viewer: f.Viewer, rel: f.Relation, match: f.Match, read: f.Read}
	if f.Viewer == f.User.UserID {
		s.rel, s.read = Relation{self: true}, s.read|BothWays|MatchTie
	}
	return s
}

// See shows callers their own profile.
func (c Caller) See() *SeenUser { return OwnFacts(c.Viewer, c.User).See() }

// Entry is a user in a list, and since when. A user who has a newer profile by now is not the
// one that was listed; the zero time stands for whatever profile there is.
type Entry struct {
	UserID UserID
	At     time.Time
}

// Meant returns the entry's user among those given, nil for one who is gone.
func (e Entry) Meant(users SeenUsers) *SeenUser {
	u := users.met(e.UserID)
	if u != nil && !e.At.IsZero() && u.user.Former(e.At) {
		return nil
	}
	return u
}

// Entries are those that a page of rows makes in a list of a user, without what is left of a
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

// SeenUsers are users as one viewer sees them, nil for those that do not exist.
type SeenUsers map[UserID]*SeenUser

// met returns a user whom a noun shows. It panics when that user was not asked for: they
// would look as if they were gone.
func (u SeenUsers) met(id UserID) *SeenUser {
	user, asked := u[id]
	if !asked {
		panic(reads.Unread{Noun: "noun", Detail: "user " + string(id)})
	}
	return user
}

// owner returns the user who owns a noun that was read for viewer. It panics when the
// users were read for somebody else.
func (u SeenUsers) owner(id, viewer UserID) *SeenUser {
	owner := u.met(id)
	if owner != nil && owner.viewer != viewer {
		panic(fmt.Sprintf("social: facts for %s do not go with users for %s", viewer, owner.viewer))
	}
	return owner
}

// maker is owner for what was made at a time: nil when that was made by a profile that the
// user had before the present one, whatever of it is still stored.
func (u SeenUsers) maker(id, viewer UserID, at time.Time) *SeenUser {
	maker := u.owner(id, viewer)
	if maker != nil && maker.user.Former(at) {
		return nil
	}
	return maker
}
