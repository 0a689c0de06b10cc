package communities

import (
	"time"

	"stoa/internal/kit/input"
)

// Topic is the topic of a community.
type Topic string

const (
	Anxiety    Topic = "ANXIETY"
	Depression Topic = "DEPRESSION"
	Addiction  Topic = "ADDICTION"
	PTSD       Topic = "PTSD"
	OCD        Topic = "OBSESSIVE_COMPULSIVE_DISORDER"
)

// Topics lists all topics.
var Topics = []Topic{Anxiety, Depression, Addiction, PTSD, OCD}

// Community is a community of people with a location and a topic.
type Community struct {
	ID            CommunityID `dynamo:"Id"`
	Name          string      `dynamo:"Name"`
	Description   string      `dynamo:"Description"`
	Topic         Topic       `dynamo:"Topic"`
	AvatarURL     *string     `dynamo:"AvatarURL"`
	CoverPhotoURL *string     `dynamo:"CoverPhotoURL"`
	Location      Location    `dynamo:"Location"`
	CreatedAt     time.Time   `dynamo:"CreatedAt"`
	FounderID     UserID      `dynamo:"Founder"`
	MemberCount   int         `dynamo:"MemberCount,zero"`
	ChatCount     int         `dynamo:"ChatCount,zero"`
	Version       int         `dynamo:"Version"`
}

// Ruled refuses viewers who are neither the founder nor an administrator.
func (c *Community) Ruled(v Viewer) error {
	if c.FounderID != v.ID && !v.IsAdmin() {
		return ErrPermission
	}
	return nil
}

// CommunityRef identifies a membership of a community.
type CommunityRef struct {
	CommunityID CommunityID `dynamo:"CommunityId"`
	UserID      UserID      `dynamo:"UserId"`
}

// CommunityMember is a membership of a community.
type CommunityMember struct {
	CommunityRef
	JoinedAt  time.Time `dynamo:"JoinedAt"`
	IsFounder bool      `dynamo:"IsFounder,zero"`
}

// Since returns the effective time of a member's action, which is not before they joined,
// even if the clock was set back. m may be nil.
func (m *CommunityMember) Since(now time.Time) time.Time {
	if m == nil {
		return now
	}
	return Later(now, m.JoinedAt)
}

// Left reports whether a user who was a member at the given time has left the community
// since. m is their present membership, or nil.
func (m *CommunityMember) Left(at time.Time) bool { return m == nil || at.Before(m.JoinedAt) }

// Later returns the later of two times.
func Later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// Founded returns the membership of the community's founder.
func (c *Community) Founded() *CommunityMember {
	return &CommunityMember{CommunityRef{c.ID, c.FounderID}, c.CreatedAt, true}
}

// SeenCommunity is a community as a viewer sees it. Every viewer sees all of it.
type SeenCommunity struct{ community *Community }

// SeenBy returns c as a viewer sees it.
func (c *Community) SeenBy(Viewer) *SeenCommunity { return &SeenCommunity{c} }

// FounderID returns the founder.
func (s *SeenCommunity) FounderID() UserID { return s.community.FounderID }

func (s *SeenCommunity) ID() CommunityID        { return s.community.ID }
func (s *SeenCommunity) Name() string           { return s.community.Name }
func (s *SeenCommunity) Description() string    { return s.community.Description }
func (s *SeenCommunity) Topic() Topic           { return s.community.Topic }
func (s *SeenCommunity) AvatarURL() *string     { return s.community.AvatarURL }
func (s *SeenCommunity) CoverPhotoURL() *string { return s.community.CoverPhotoURL }
func (s *SeenCommunity) Location() *Location    { return &s.community.Location }
func (s *SeenCommunity) FoundedAt() time.Time   { return s.community.CreatedAt }
func (s *SeenCommunity) MemberCount() int       { return s.community.MemberCount }
func (s *SeenCommunity) ChatCount() int         { return s.community.ChatCount }
func (s *SeenCommunity) Version() int           { return s.community.Version }

// SeenCommunityMember is a membership with its user, as a viewer sees them.
type SeenCommunityMember struct {
	member *CommunityMember
	user   *SeenUser
}

// SeenWith returns the membership with its user.
func (m *CommunityMember) SeenWith(u *SeenUser) *SeenCommunityMember {
	u.is(m.UserID)
	return &SeenCommunityMember{m, u}
}

func (s *SeenCommunityMember) User() *SeenUser     { return s.user }
func (s *SeenCommunityMember) JoinedAt() time.Time { return s.member.JoinedAt }
func (s *SeenCommunityMember) IsFounder() bool     { return s.member.IsFounder }

// Near selects communities by country, state or city; none of them selects all places.
type Near struct{ Country, State, City *string }

// Check refuses a selection that is too wide to search.
func (n Near) Check(topic *Topic) error {
	if n.City != nil && n.State == nil || n.State != nil && n.Country == nil || n.Country == nil && topic == nil {
		return ErrPlaceIncomplete
	}
	return input.First(checkPlace("country", n.Country, maxCountry), checkPlace("state", n.State, maxState), checkPlace("city", n.City, maxCity))
}

func checkPlace(what string, name *string, most int) error {
	if name == nil {
		return nil
	}
	return checkKeyName(what, *name, most)
}

// Folded returns n in the form used for comparisons, with "" for unset fields.
func (n Near) Folded() Location {
	fold := func(name *string) string {
		if name == nil {
			return ""
		}
		return Fold(*name)
	}
	return Location{fold(n.City), fold(n.State), fold(n.Country)}
}
