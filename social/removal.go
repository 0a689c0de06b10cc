package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// Reset is the user as they are shown once their profile has been reset, or the reason why
// that cannot be.
func (u *User) Reset() (*User, error) {
	if !u.HasStatus([]UserStatus{UserActive, UserDisabled}) {
		return nil, refusal.Invalidf("Cannot reset user with status `%s`", u.Stands())
	}
	return u.as(UserResetting), nil
}

// Deleted is the user as they are shown once their account has been deleted.
func (u *User) Deleted() *User { return u.as(UserDeleting) }

func (u *User) as(status UserStatus) *User {
	to := *u
	to.Status = status
	return &to
}

// Former reports whether something made at a time was made by, or for, a profile that the
// user had before this one. It counts as gone, whatever clean-up still runs.
func (u *User) Former(at time.Time) bool { return at.Before(u.SignedUpAt) }

// NotBefore is a time at which something is made for this profile and no former one: now, as a
// rule.
func (u *User) NotBefore(now time.Time) time.Time { return latest(now, u.SignedUpAt) }

// Severance is the end of a follow because one of the two was removed.
type Severance struct {
	Step FollowStep
	// Left is the other of the two.
	Left UserID
	// LeftSince is when the profile of the other began that the follow counts for; zero when
	// it counts for none.
	LeftSince time.Time
}

// RemovedSince is the one of the two who was removed since a follow that is left of a former
// profile was made.
func (f UserFacts) RemovedSince(left Follow) UserID {
	if f.User.Former(left.FollowedAt) {
		return f.User.UserID
	}
	return f.Viewer
}

// Sever ends a follow of a user who was removed. Left is the other user, nil without a
// profile.
func (f Follow) Sever(removed UserID, left *User) Severance {
	s := Severance{Step: FollowStep{Follow: f, From: f.Status}, Left: f.Other(removed)}
	s.Step.Follow.Status, _ = f.Status.Next(Sever)
	if left != nil && !left.Former(f.FollowedAt) {
		s.LeftSince = left.SignedUpAt
	}
	return s
}

// Other is the one of the two who is not the user given.
func (f Follow) Other(than UserID) UserID {
	if f.FollowerUserID == than {
		return f.FollowedUserID
	}
	return f.FollowerUserID
}
