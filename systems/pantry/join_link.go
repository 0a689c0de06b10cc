package pantry

import (
	"encoding/base64"
	"fmt"
	"io"
	"time"
)

const (
	// LinkLife is how long a join link lets people in after it was asked for.
	LinkLife = 24 * time.Hour
	// LinkRest is how long an expired link is kept for operators to see.
	LinkRest = 24 * time.Hour
	// LinkEnd is how long after its expiry the table itself may drop what nobody purged.
	LinkEnd = 7 * 24 * time.Hour
	// PurgePage is how many expired links are purged together.
	PurgePage = 25
)

// JoinLink lets whoever has its code into a group while it is live.
type JoinLink struct {
	GroupID   GroupID
	Code      string
	CreatedBy UserID
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Expired reports whether the link's time is over.
func (l *JoinLink) Expired(now time.Time) bool { return l.ExpiresAt.Before(now) }

// Prolonged is the link as asking for one at a moment leaves it.
func (l JoinLink) Prolonged(now time.Time) JoinLink {
	l.ExpiresAt = now.Add(LinkLife)
	return l
}

// NewCode makes the code of a link of 128 random bits.
func NewCode(random io.Reader) (string, error) {
	var bits [16]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		return "", fmt.Errorf("no randomness for a join link: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(bits[:]), nil
}

// ValidCode reports whether a code can be a link's.
func ValidCode(code string) bool {
	bits, err := base64.RawURLEncoding.Strict().DecodeString(code)
	return err == nil && len(bits) == 16
}

// SeenLink is a join link as it is seen at a moment.
type SeenLink struct {
	link  *JoinLink
	Group *SeenGroup
	now   time.Time
}

// Seen returns l as it is seen at a moment.
func (l *JoinLink) Seen(group *SeenGroup, now time.Time) *SeenLink { return &SeenLink{l, group, now} }

func (s *SeenLink) Code() string         { return s.link.Code }
func (s *SeenLink) ExpiresAt() time.Time { return s.link.ExpiresAt }
func (s *SeenLink) Expired() bool        { return s.link.Expired(s.now) }

// CreatedByID is who made the link, who may be gone.
func (s *SeenLink) CreatedByID() UserID { return s.link.CreatedBy }

// LinkPreview is what somebody with a code may know before joining.
type LinkPreview struct {
	GroupName     string
	MemberCount   int
	ExpiresAt     time.Time
	AlreadyMember bool
}
