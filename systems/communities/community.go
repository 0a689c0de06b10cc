package communities

import (
	"time"

	"stoa/internal/kit/input"
)

// Topic is what a community is about.
type Topic string

const (
	Anxiety    Topic = "ANXIETY"
	Depression Topic = "DEPRESSION"
	Addiction  Topic = "ADDICTION"
	PTSD       Topic = "PTSD"
	OCD        Topic = "OBSESSIVE_COMPULSIVE_DISORDER"
)

// Topics are all of them.
var Topics = []Topic{Anxiety, Depression, Addiction, PTSD, OCD}

// Community is people of a place with a topic.
type Community struct {
	ID            CommunityID
	Name          string
	Description   string
	Topic         Topic
	AvatarURL     *string
	CoverPhotoURL *string
	Location      Location
	CreatedAt     time.Time
	FounderID     UserID
	MemberCount   int
	ChatCount     int
	Version       int
}

// Ruled refuses viewers who are neither the founder nor an administrator.
func (c *Community) Ruled(v Viewer) error {
	if c.FounderID != v.ID && !v.IsAdmin() {
		return ErrPermission
	}
	return nil
}

// CommunityRef names a membership of a community.
type CommunityRef struct {
	CommunityID CommunityID
	UserID      UserID
}

// CommunityMember is somebody in a community.
type CommunityMember struct {
	CommunityRef
	JoinedAt  time.Time
	IsFounder bool
}

// Since returns when something counts as done that a member does at a time: not before
// they joined, even where the clock was turned back. Nil is no member.
func (m *CommunityMember) Since(now time.Time) time.Time {
	if m == nil {
		return now
	}
	return Later(now, m.JoinedAt)
}

// Left reports whether somebody who did something in a community at a time has left it
// since. M is their membership now, nil for none.
func (m *CommunityMember) Left(at time.Time) bool { return m == nil || at.Before(m.JoinedAt) }

// Later is the later one of two times.
func Later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// Founded returns a community's founder as its first member.
func (c *Community) Founded() *CommunityMember {
	return &CommunityMember{CommunityRef{c.ID, c.FounderID}, c.CreatedAt, true}
}

// SeenCommunity is a community as somebody sees it: everybody sees all of it.
type SeenCommunity struct{ *Community }

func (s *SeenCommunity) FoundedAt() time.Time { return s.CreatedAt }

// SeenCommunityMember is a member with the user behind it.
type SeenCommunityMember struct {
	User *SeenUser
	*CommunityMember
}

// Near is where communities are listed: in a country, a state or a city. Without any it is
// everywhere.
type Near struct{ Country, State, City *string }

// Check refuses places that say too little to be found.
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

// Folded is n in the form in which places are compared, "" for what is not given.
func (n Near) Folded() Location {
	fold := func(name *string) string {
		if name == nil {
			return ""
		}
		return Fold(*name)
	}
	return Location{fold(n.City), fold(n.State), fold(n.Country)}
}
