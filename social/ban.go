package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// Ban records a user who was disabled by force and the contacts and device by which to
// recognize them. It outlives their account.
type Ban struct {
	UserID   UserID    `dynamo:"userId"`
	Username string    `dynamo:"username"`
	BannedAt time.Time `dynamo:"bannedAt"`
	// ForcedBy is the reason.
	ForcedBy BanReason `dynamo:"forcedBy"`
	// Email, PhoneNumber and DeviceID are empty if unknown.
	Email       string `dynamo:"email,keyonly"`
	PhoneNumber string `dynamo:"phoneNumber,keyonly"`
	DeviceID    string `dynamo:"device_id,keyonly"`
}

// BanReason is why a user was disabled by force: the kind of content of which too much was
// removed, or one of the constants below.
type BanReason string

// Further reasons.
const (
	BannedAtSignUp BanReason = "signUp"
	BannedByReal   BanReason = "blocked by REAL user"
	BannedByTeam   BanReason = "suspended"
)

// BanFor returns a ban of the user.
func (u *User) BanFor(reason BanReason, at time.Time) *Ban {
	return &Ban{
		UserID: u.UserID, Username: u.Username, BannedAt: at, ForcedBy: reason,
		Email: u.Email, PhoneNumber: u.PhoneNumber, DeviceID: u.LastClient["uid"],
	}
}

// Disabled returns the user as disabled at the given time, or u itself if they already are.
func (u *User) Disabled(at time.Time) *User {
	if !u.HasStatus([]UserStatus{UserActive, UserAnonymous}) {
		return u
	}
	to := u.as(UserDisabled)
	to.LastDisabledAt = at
	return to
}

// Enabled returns a disabled user with the status they had before, or u itself if they are not
// disabled. Former is "" if it is unknown.
func (u *User) Enabled(former UserStatus) *User {
	if u.Stands() != UserDisabled {
		return u
	}
	switch {
	case former == UserActive || former == UserAnonymous:
		return u.as(former)
	case u.Email == "" && u.PhoneNumber == "":
		return u.as(UserAnonymous)
	default:
		return u.as(UserActive)
	}
}

// Banned tells which of a user's device and new contacts belong to a banned user.
type Banned struct{ Device, Email, Phone bool }

// Refuse returns an error if the user's device or new contact is banned, and the ban to
// record, if any. The user is then to be disabled.
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

// ForcedOut reports whether the user is to be disabled because more than a tenth of more
// than five of their items of this kind were removed by force.
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
