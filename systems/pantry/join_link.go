package pantry

import (
	"encoding/base64"
	"fmt"
	"io"
	"time"
)

const (
	// LinkLife is the lifetime of a join link after it was requested.
	LinkLife = 24 * time.Hour
	// LinkRest is how long an expired link is kept for operators.
	LinkRest = 24 * time.Hour
	// LinkEnd is how long after it expires a link that was not purged is deleted by the
	// table's TTL.
	LinkEnd = 7 * 24 * time.Hour
	// PurgePage is the number of expired links purged at a time.
	PurgePage = 25
)

// JoinLink admits users who have its code to a group while it is live.
type JoinLink struct {
	GroupID   GroupID   `dynamo:"GroupID"`
	Code      string    `dynamo:"LinkCode"`
	CreatedBy UserID    `dynamo:"CreatedBy"`
	CreatedAt time.Time `dynamo:"CreatedDatetime,keyonly"`
	ExpiresAt time.Time `dynamo:"LinkExpiredDatetime"`
}

// Expired reports whether the link has expired.
func (l *JoinLink) Expired(now time.Time) bool { return l.ExpiresAt.Before(now) }

// Prolonged returns the link after it was requested again.
func (l JoinLink) Prolonged(now time.Time) JoinLink {
	l.ExpiresAt = now.Add(LinkLife)
	return l
}

// NewCode returns a new code of 128 random bits.
func NewCode(random io.Reader) (string, error) {
	var bits [16]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		return "", fmt.Errorf("no randomness for a join link: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(bits[:]), nil
}

// ValidCode reports whether a code is well-formed.
func ValidCode(code string) bool {
	bits, err := base64.RawURLEncoding.Strict().DecodeString(code)
	return err == nil && len(bits) == 16
}

// SeenLink is a join link as a viewer of its group sees it at a given time.
type SeenLink struct {
	link  *JoinLink
	group *SeenGroup
	now   time.Time
}

// SeenIn returns l as a viewer of its group sees it, and nil for others.
func (l *JoinLink) SeenIn(group *SeenGroup, now time.Time) *SeenLink {
	if group == nil {
		return nil
	}
	group.is(l.GroupID)
	return &SeenLink{l, group, now}
}

func (s *SeenLink) Group() *SeenGroup    { return s.group }
func (s *SeenLink) Code() string         { return s.link.Code }
func (s *SeenLink) ExpiresAt() time.Time { return s.link.ExpiresAt }
func (s *SeenLink) Expired() bool        { return s.link.Expired(s.now) }

// Creator returns the user who created the link.
func (s *SeenLink) Creator() Met { return Met{s.link.CreatedBy, s.group.viewer} }

// LinkPreview is shown to users with a code before they join.
type LinkPreview struct {
	GroupName     string
	MemberCount   int
	ExpiresAt     time.Time
	AlreadyMember bool
}
