package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// Ban is a user who was disabled by force, with what they would be known by if they came
// back. It outlives their account.
type Ban struct {
	UserID   UserID
	Username string
	BannedAt time.Time
	// ForcedBy is the reason.
	ForcedBy BanReason
	// Email, PhoneNumber and DeviceID are empty when they were not known.
	Email, PhoneNumber, DeviceID string
}

// BanReason is why somebody was disabled by force: the kind of content that too much was
// removed of, or one of these.
type BanReason string

// Further reasons of bans.
const (
	BannedAtSignUp BanReason = "signUp"
	BannedByReal   BanReason = "blocked by REAL user"
)

// BanFor is the ban of the user as they are known.
func (u *User) BanFor(reason BanReason, at time.Time) *Ban {
	return &Ban{
		UserID: u.UserID, Username: u.Username, BannedAt: at, ForcedBy: reason,
		Email: u.Email, PhoneNumber: u.PhoneNumber, DeviceID: u.LastClient["uid"],
	}
}

// Disabled is the user as disabled at a time, or the same user when they are already.
func (u *User) Disabled(at time.Time) *User {
	if !u.HasStatus([]UserStatus{UserActive, UserAnonymous}) {
		return u
	}
	to := u.as(UserDisabled)
	to.LastDisabledAt = at
	return to
}

// Banned are which of a device and new contacts somebody was banned with.
type Banned struct{ Device, Email, Phone bool }

// Refuse returns the refusal for somebody whose device or new contacts are banned, and the
// ban to be made of them, if any. They are to be disabled.
func (b Banned) Refuse(u *User, via Channel, contact string, at time.Time) (*Ban, error) {
	switch {
	case b.Device:
		ban := &Ban{UserID: u.UserID, Username: u.Username, BannedAt: at, ForcedBy: BannedAtSignUp}
		if via == ViaEmail {
			ban.Email = contact
		} else {
			ban.PhoneNumber = contact
		}
		return ban, refusal.Forbiddenf("User device is already banned")
	case b.Email:
		return nil, refusal.Forbiddenf("User email is already banned and disabled")
	case b.Phone:
		return nil, refusal.Forbiddenf("User phone is already banned and disabled")
	default:
		return nil, nil
	}
}

// ForcedOut reports whether so much of a kind was removed by force that the user is to be
// disabled: more than a tenth of more than five.
func (u *User) ForcedOut(kind ContentKind) bool {
	var all, forced int
	switch kind {
	case ForcedPosts:
		all, forced = u.PostCount+u.PostArchivedCount, u.PostForcedArchivingCount
	case ForcedComments:
		all, forced = u.CommentCount+u.CommentDeletedCount, u.CommentForcedDeletionCount
	case ForcedChatMessages:
		all, forced = u.ChatMessagesCreationCount, u.ChatMessagesForcedDeletionCount
	}
	return all > 5 && forced*10 > all
}
