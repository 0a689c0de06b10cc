package social

import (
	"cmp"
	"time"

	"stoa/internal/kit/refusal"
)

// FollowStep is a decided change of a follow and what the decision depends on. A store
// applies it only while all of that still holds.
type FollowStep struct {
	// Follow is the record after the step. Status NotFollowing removes it.
	Follow Follow
	// From is the status before the step.
	From FollowStatus
	// Privacy is the followed user's required privacy status; empty if it does not matter.
	Privacy PrivacyStatus
	// Asking is set if, in addition, the followed user must be ACTIVE and neither may block
	// the other.
	Asking bool
	// Blocks is the BlocksVersion of an asking follower, read before the blocks between the two.
	Blocks int
	// Postless is set if, in addition, the followed user must have no completed posts, and Delivery
	// must not have changed. Such a step changes no feed and no story, and needs no event.
	Postless bool
	Delivery Delivery
}

// Shift returns the changes to counters: following applies to the follower's FollowedCount
// and the followed user's FollowerCount, requests to the latter's FollowersRequestedCount.
func (s FollowStep) Shift() (following, requests int) {
	count := func(status FollowStatus) int {
		return one(s.Follow.Status == status) - one(s.From == status)
	}
	return count(Following), count(FollowRequested)
}

// StatusChanged returns the event for the step.
func (s FollowStep) StatusChanged() FollowStatusChanged {
	return FollowStatusChanged{
		FollowerUserID: s.Follow.FollowerUserID, FollowedUserID: s.Follow.FollowedUserID,
		From: s.From, To: s.Follow.Status,
	}
}

// WithoutEvent returns the step, Postless if it may be: somebody begins to follow a user, as they
// are after the step, who has no posts and is no large account. With limit followers, they are to
// become one, which takes an event.
func (s FollowStep) WithoutEvent(followed *User, limit int) FollowStep {
	s.Postless = s.From == NotFollowing && s.Follow.Status == Following &&
		followed.PostCount == 0 && !followed.Delivery.Lists() && !followed.Crosses(limit)
	s.Delivery = followed.Delivery
	return s
}

// Ask returns the step by which the viewer, whose profile was read before the facts, follows
// the user or asks to, or an error if they cannot.
func (f UserFacts) Ask(follower *User, now time.Time) (FollowStep, error) {
	viewer, followed, r := f.Viewer, f.User.UserID, f.Relation
	f.Read.need(BothWays, "user")
	from := cmp.Or(r.Follows, NotFollowing)
	switch status := cmp.Or(f.User.Status, UserActive); {
	case viewer == followed:
		return FollowStep{}, ErrFollowSelf
	case status != UserActive:
		return FollowStep{}, refusal.Invalidf("Cannot follow user with status `%s`", status)
	case from != NotFollowing:
		return FollowStep{}, refusal.Invalidf("User `%s` already is or has requested to follow user `%s`", viewer, followed)
	case r.BlockedBy:
		return FollowStep{}, refusal.Forbiddenf("User has been blocked by user `%s`", followed)
	case r.Blocks:
		return FollowStep{}, refusal.Forbiddenf("User has blocked user `%s`", followed)
	}
	action := AskPublic
	if f.User.Privacy == Private {
		action = AskPrivate
	}
	next, _ := from.Next(action)
	followedAt := latest(now, f.Since, f.User.SignedUpAt)
	return FollowStep{
		Follow:  Follow{FollowerUserID: viewer, FollowedUserID: followed, Status: next, FollowedAt: followedAt},
		From:    from,
		Privacy: f.User.Privacy,
		Asking:  true,
		Blocks:  follower.BlocksVersion,
	}, nil
}

// ErrFollowSelf is returned to users who try to follow themselves.
var ErrFollowSelf = refusal.Invalidf("User cannot follow themselves")

// Leave returns the step by which the viewer unfollows the user or withdraws a request, or
// an error if they cannot.
func (f UserFacts) Leave() (FollowStep, error) {
	follow := Follow{FollowerUserID: f.Viewer, FollowedUserID: f.User.UserID, Status: f.Relation.Follows, FollowedAt: f.FollowsAt}
	return follow.next(Leave, "User `%s` is not following `%s`")
}

// Answer returns the step by which the viewer accepts or denies the user as a follower, or
// an error if they cannot.
func (f UserFacts) Answer(action FollowAction) (FollowStep, error) {
	f.Read.need(FollowerTie, "user")
	follow := Follow{FollowerUserID: f.User.UserID, FollowedUserID: f.Viewer, Status: f.Relation.FollowedBy, FollowedAt: f.FollowedByAt}
	return follow.next(action, "User `%s` has not requested to follow user `%s`")
}

// next returns the step that action takes from the status of a follow. If there is no
// follow, the error is formatted from missing and the ids of both users.
func (f Follow) next(action FollowAction, missing string) (FollowStep, error) {
	from := cmp.Or(f.Status, NotFollowing)
	if from == NotFollowing {
		return FollowStep{}, refusal.Invalidf(missing, f.FollowerUserID, f.FollowedUserID)
	}
	next, ok := from.Next(action)
	if !ok {
		return FollowStep{}, followsAlready(f.FollowerUserID, f.FollowedUserID, from)
	}
	f.Status = next
	return FollowStep{Follow: f, From: from}, nil
}

// AskedMeanwhile returns the error for a viewer who lost a race against another request of
// their own, or nil if there was none.
func (f UserFacts) AskedMeanwhile() error {
	if f.Relation.Follows == "" {
		return nil
	}
	return followsAlready(f.Viewer, f.User.UserID, f.Relation.Follows)
}

func followsAlready(follower, followed UserID, status FollowStatus) error {
	return refusal.Invalidf("User `%s` already follows user `%s` with status `%s`", follower, followed, status)
}

// After returns the facts after the step, which is a step of the viewer's follow of the
// user or of the user's follow of the viewer.
func (f UserFacts) After(step FollowStep) UserFacts {
	u := *f.User
	following, requests := step.Shift()
	if step.Follow.FollowedUserID == u.UserID {
		f.Relation.Follows = step.Follow.Status
		u.FollowerCount = max(0, u.FollowerCount+following)
		u.FollowersRequestedCount = max(0, u.FollowersRequestedCount+requests)
	} else {
		f.Relation.FollowedBy = step.Follow.Status
		u.FollowedCount = max(0, u.FollowedCount+following)
	}
	f.User = &u
	return f
}
