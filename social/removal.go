package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// Reset returns the user as shown after their profile has been reset, or an error if it
// cannot be.
func (u *User) Reset() (*User, error) {
	if !u.HasStatus([]UserStatus{UserActive, UserDisabled}) {
		return nil, refusal.Invalidf("Cannot reset user with status `%s`", u.Stands())
	}
	return u.as(UserResetting), nil
}

// Deleted returns the user as shown after their account has been deleted.
func (u *User) Deleted() *User { return u.as(UserDeleting) }

func (u *User) as(status UserStatus) *User {
	to := *u
	to.Status = status
	return &to
}

// Former reports whether something created at a time belongs to a former profile of the
// user. It counts as gone, even if its removal is still under way.
func (u *User) Former(at time.Time) bool { return at.Before(u.SignedUpAt) }

// NotBefore returns a creation time that belongs to this profile and no former one,
// normally now. It is later if the profile was created by a process whose clock is ahead.
func (u *User) NotBefore(now time.Time) time.Time { return latest(now, u.SignedUpAt) }

// Severance is the end of a follow whose follower or followed user was removed.
type Severance struct {
	Step FollowStep
	// Left is the other user.
	Left UserID
	// LeftSince is when the other user's profile was created, if it counts the follow; zero
	// if not.
	LeftSince time.Time
}

// RemovedSince returns the user whose profile was removed after the follow was made.
func (f UserFacts) RemovedSince(left Follow) UserID {
	if f.User.Former(left.FollowedAt) {
		return f.User.UserID
	}
	return f.Viewer
}

// Sever returns the end of a follow of a removed user. left is the other user, or nil if
// they have no profile.
func (f Follow) Sever(removed UserID, left *User) Severance {
	s := Severance{Step: FollowStep{Follow: f, From: f.Status}, Left: f.Other(removed)}
	s.Step.Follow.Status, _ = f.Status.Next(Sever)
	if left != nil && !left.Former(f.FollowedAt) {
		s.LeftSince = left.SignedUpAt
	}
	return s
}

// Other returns the other of the two users.
func (f Follow) Other(than UserID) UserID {
	if f.FollowerUserID == than {
		return f.FollowedUserID
	}
	return f.FollowerUserID
}
