package social

import (
	"cmp"
	"context"
	"time"

	"stoa/internal/kit/optional"
	"stoa/internal/kit/refusal"
)

// SeenUser is a user as a viewer sees them. Each method is a field of the API's User; it
// returns nil for what the viewer may not know.
//
// There are three gates. Some fields are visible to everybody except viewers whom the user
// blocks; some, which the user publishes, also require a follow if the user is private; the
// rest is visible to the user alone.
type SeenUser struct {
	user   *User
	viewer UserID
	rel    Relation
	match  MatchPair
	read   Detail
	// followedByAll is set for the user whom everybody follows.
	followedByAll bool
	// since is when the younger of the profiles of user and viewer began, zero if unknown.
	since time.Time
}

// left reports whether something that the viewer did to what is the user's is older than one of their
// profiles. The zero time is not.
func (s *SeenUser) left(at time.Time) bool { return !at.IsZero() && at.Before(s.since) }

// Blocking reports whether the user blocks the viewer. Lists leave such users out.
func (s *SeenUser) Blocking() bool { return s.rel.BlockedBy }

// FollowersOnly reports whether the viewer must follow the user to see what they publish.
func (s *SeenUser) FollowersOnly() bool { return !s.rel.self && s.user.Privacy == Private }

// IsSelf reports whether the user is the viewer.
func (s *SeenUser) IsSelf() bool { return s.rel.self }

// Published reports whether the viewer sees what the user publishes: bio, posts and counts.
func (s *SeenUser) Published() bool { return s.rel.CanSee(s.user.Privacy) }

// FollowsShown reports whether the viewer sees the user's followers, whom they follow, and
// how many.
func (s *SeenUser) FollowsShown() bool {
	return s.rel.self || s.Published() && !On(s.user.FollowCountsHidden)
}

// LikesShown reports whether the user lets likes of their posts be counted.
func (s *SeenUser) LikesShown() bool { return !On(s.user.LikesDisabled) }

// Former reports whether something made at a time is left of a profile that the user had before.
func (s *SeenUser) Former(at time.Time) bool { return s.user.Former(at) }

// NotBefore returns a time, normally now, for what is written about the user: no earlier
// than their profile, which may have been created by a process whose clock is ahead.
func (s *SeenUser) NotBefore(now time.Time) time.Time { return s.user.NotBefore(now) }

// LargeAccounts returns the large accounts that a user follows; none to other viewers.
func (s *SeenUser) LargeAccounts(ctx context.Context, of LargeAccounts) ([]UserID, error) {
	if !s.rel.self {
		return nil, nil
	}
	return of.Of(ctx, s.user)
}

// InLargeChats reports whether the user may be a member of large groups. It is false for
// other viewers.
func (s *SeenUser) InLargeChats() bool { return s.rel.self && s.user.InLargeChats }

// LargeAccounts knows the large accounts that users follow.
type LargeAccounts interface {
	// Of returns the large accounts that a user follows according to their profile.
	Of(ctx context.Context, u *User) ([]UserID, error)
}

func (s *SeenUser) UserID() UserID   { return s.user.UserID }
func (s *SeenUser) Username() string { return s.user.Username }

func (s *SeenUser) FollowedStatus() FollowStatus { return s.followStatus(s.rel.Follows) }
func (s *SeenUser) FollowerStatus() FollowStatus {
	s.read.need(FollowerTie, "user")
	return s.followStatus(s.rel.FollowedBy)
}
func (s *SeenUser) BlockedStatus() BlockStatus {
	s.read.need(BlockedTie, "user")
	return s.blockStatus(s.rel.Blocks)
}
func (s *SeenUser) BlockerStatus() BlockStatus { return s.blockStatus(s.rel.BlockedBy) }

func (s *SeenUser) followStatus(f FollowStatus) FollowStatus {
	switch {
	case s.rel.self:
		return FollowSelf
	case f == "":
		return NotFollowing
	default:
		return f
	}
}

func (s *SeenUser) blockStatus(blocks bool) BlockStatus {
	switch {
	case s.rel.self:
		return BlockSelf
	case blocks:
		return Blocking
	default:
		return NotBlocking
	}
}

func (s *SeenUser) UserStatus() *UserStatus {
	return shownIf(!s.rel.BlockedBy, cmp.Or(s.user.Status, UserActive))
}
func (s *SeenUser) PrivacyStatus() *PrivacyStatus {
	return shownIf(!s.rel.BlockedBy, s.user.Privacy)
}
func (s *SeenUser) SubscriptionLevel() *SubscriptionLevel {
	return shownIf(!s.rel.BlockedBy, cmp.Or(s.user.Subscription, SubscriptionBasic))
}

// SubscriptionExpiresAt is visible to the user alone. It may be in the past, because a job
// ends expired levels.
func (s *SeenUser) SubscriptionExpiresAt() *time.Time {
	return shownIfSet(s.rel.self, s.user.SubscriptionExpiresAt)
}
func (s *SeenUser) FullName() *string { return shownIfSet(!s.rel.BlockedBy, s.user.FullName) }
func (s *SeenUser) DisplayName() *string {
	return shownIfSet(!s.rel.BlockedBy, s.user.DisplayName)
}
func (s *SeenUser) ThemeCode() *string {
	return shownIf(!s.rel.BlockedBy, cmp.Or(s.user.ThemeCode, DefaultThemeCode))
}
func (s *SeenUser) SignedUpAt() *time.Time { return shownIf(!s.rel.BlockedBy, s.user.SignedUpAt) }
func (s *SeenUser) LastFoundContactsAt() *time.Time {
	return shownIfSet(s.rel.self, s.user.LastFoundContactsAt)
}
func (s *SeenUser) PostCount() *int { return shownIf(!s.rel.BlockedBy, s.user.PostCount) }

func (s *SeenUser) DateOfBirth() *string { return shownIfSet(!s.rel.BlockedBy, s.user.DateOfBirth) }
func (s *SeenUser) Gender() *UserGender {
	return shownIfSet(!s.rel.BlockedBy, s.user.Gender)
}
func (s *SeenUser) Height() *int {
	if s.rel.BlockedBy {
		return nil
	}
	return s.user.Height
}

func (s *SeenUser) Location() *Location      { return own(s, s.user.Location) }
func (s *SeenUser) MatchAgeRange() *Range    { return own(s, s.user.MatchAgeRange) }
func (s *SeenUser) MatchHeightRange() *Range { return own(s, s.user.MatchHeightRange) }
func (s *SeenUser) MatchLocationRadius() *int {
	return shownIfSet(s.rel.self, s.user.MatchLocationRadius)
}
func (s *SeenUser) MatchGenders() []UserGender {
	if !s.rel.self {
		return nil
	}
	return s.user.MatchGenders
}

// own returns a value that is visible to the user alone.
func own[T any](s *SeenUser, v *T) *T {
	if !s.rel.self {
		return nil
	}
	return v
}

func (s *SeenUser) CardCount() *int { return shownIf(s.rel.self, s.user.CardCount) }
func (s *SeenUser) ChatCount() *int { return shownIf(s.rel.self, s.user.ChatCount) }
func (s *SeenUser) ChatsWithUnviewedMessagesCount() *int {
	return shownIf(s.rel.self, s.user.ChatsWithUnviewedMessagesCount)
}

func (s *SeenUser) AlbumCount() *int { return shownIf(s.Published(), s.user.AlbumCount) }

func (s *SeenUser) Bio() *string { return shownIfSet(s.Published(), s.user.Bio) }

func (s *SeenUser) Email() *string       { return shownIfSet(s.rel.self, s.user.Email) }
func (s *SeenUser) PhoneNumber() *string { return shownIfSet(s.rel.self, s.user.PhoneNumber) }
func (s *SeenUser) AcceptedEULAVersion() *string {
	return shownIfSet(s.rel.self, s.user.AcceptedEULAVersion)
}
func (s *SeenUser) LanguageCode() *string {
	return shownIf(s.rel.self, cmp.Or(s.user.LanguageCode, DefaultLanguageCode))
}
func (s *SeenUser) FollowCountsHidden() *bool {
	return shownIf(s.rel.self, On(s.user.FollowCountsHidden))
}
func (s *SeenUser) ViewCountsHidden() *bool {
	return shownIf(s.rel.self, On(s.user.ViewCountsHidden))
}
func (s *SeenUser) CommentsDisabled() *bool {
	return shownIf(s.rel.self, On(s.user.CommentsDisabled))
}
func (s *SeenUser) LikesDisabled() *bool { return shownIf(s.rel.self, On(s.user.LikesDisabled)) }
func (s *SeenUser) SharingDisabled() *bool {
	return shownIf(s.rel.self, On(s.user.SharingDisabled))
}
func (s *SeenUser) VerificationHidden() *bool {
	return shownIf(s.rel.self, On(s.user.VerificationHidden))
}

func (s *SeenUser) FollowedCount() *int  { return shownIf(s.FollowsShown(), s.user.FollowedCount) }
func (s *SeenUser) FollowedsCount() *int { return s.FollowedCount() }
func (s *SeenUser) FollowerCount() *int  { return shownIf(s.FollowsShown(), s.user.FollowerCount) }

// FollowersCount counts followers by status, by default FOLLOWING. The number of requests
// is visible to the user alone, and other statuses are not counted.
func (s *SeenUser) FollowersCount(followStatus *FollowStatus) (*int, error) {
	switch status := optional.Or(followStatus, Following); {
	case status == Following:
		return s.FollowerCount(), nil
	case !s.rel.self:
		return nil, nil
	case status == FollowRequested:
		return &s.user.FollowersRequestedCount, nil
	default:
		return nil, refusal.Invalidf("Cannot request followStatus of %s", status)
	}
}

func (s *SeenUser) DatingStatus() *DatingStatus {
	return shownIf(s.rel.self, cmp.Or(s.user.DatingStatus, DatingDisabled))
}
func (s *SeenUser) UserDisableDatingDate() *time.Time {
	return shownIfSet(!s.rel.BlockedBy, s.user.UserDisableDatingDate)
}

// MatchStatus is the viewer's dating status with regard to the user.
func (s *SeenUser) MatchStatus() MatchStatus {
	s.read.need(MatchTie, "user")
	if s.match.Mine == nil {
		return NoMatch
	}
	return s.match.Mine.Status
}
