package communities

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"stoa/internal/kit/stamp"
	"stoa/internal/kit/viewer"
)

// UserID identifies a user of this system. Like all ids that are not derived, it is a
// version 4 UUID in lower case.
type UserID = viewer.UserID

// CommunityID and ChatID are version 4 UUIDs, except for those of private chats; see
// PrivateChatOf.
type (
	CommunityID string
	ChatID      string
)

// Moment identifies a message, a notification or a request, ordered by time. Clients get it
// as opaque text.
type Moment struct {
	At time.Time `dynamo:"CreatedAt"`
	ID string    `dynamo:"Id"`
}

// String returns the text that keys end in: <time>#<id>.
func (m Moment) String() string { return stamp.MilliOf(m.At) + "#" + m.ID }

// IsZero reports whether m is the zero Moment.
func (m Moment) IsZero() bool { return m.ID == "" }

// Opaque returns m in the form sent to clients.
func (m Moment) Opaque() string { return seal(m.String()) }

// ParseMoment parses the result of Opaque. It returns false for other texts.
func ParseMoment(opaque string) (Moment, bool) {
	text, ok := unseal(opaque)
	if !ok {
		return Moment{}, false
	}
	return MomentOf(text)
}

// MomentOf parses the result of String. It returns false for other texts.
func MomentOf(text string) (Moment, bool) {
	formatted, id, _ := strings.Cut(text, "#")
	at, err := time.Parse(stamp.Milli, formatted)
	if err != nil || !isUUID(id) {
		return Moment{}, false
	}
	return Moment{at, id}, true
}

// isUUID reports whether s has the form of a UUID: 36 digits and hyphens in their places.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case (c < '0' || c > '9') && (c < 'a' || c > 'f'):
			return false
		}
	}
	return true
}

func seal(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

func unseal(opaque string) (string, bool) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(opaque)
	return string(text), err == nil
}

// RequestRef identifies a request, which is stored both with its chat and with its user.
type RequestRef struct {
	ChatID ChatID
	UserID UserID
	Moment
}

// Opaque returns r in the form sent to clients.
func (r RequestRef) Opaque() string {
	return seal(string(r.ChatID) + "#" + string(r.UserID) + "#" + r.Moment.String())
}

// ParseRequestRef parses the result of Opaque. It returns false for other texts.
func ParseRequestRef(opaque string) (RequestRef, bool) {
	text, ok := unseal(opaque)
	if !ok {
		return RequestRef{}, false
	}
	parts := strings.SplitN(text, "#", 3)
	if len(parts) != 3 || !isUUID(parts[0]) || !isUUID(parts[1]) {
		return RequestRef{}, false
	}
	m, ok := MomentOf(parts[2])
	return RequestRef{ChatID(parts[0]), UserID(parts[1]), m}, ok
}

// PrivateChatOf returns the id of the private chat of two users, in either order.
func PrivateChatOf(a, b UserID) ChatID {
	return ChatID(derivedID("private chat", string(min(a, b)), string(max(a, b))))
}

// NotificationID returns the id of the notification of a user about an event. It is the
// same each time.
func NotificationID(event string, to UserID) string {
	return derivedID("notification", event, string(to))
}

// derivedID returns an id in the form of a UUID, derived from texts.
func derivedID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// PendingID returns the id by which a pending request is listed: a ULID, which sorts by
// time. Its random part is derived from the request's id.
func PendingID(m Moment) string {
	sum := sha256.Sum256([]byte(m.ID))
	text := make([]byte, 26)
	ms := uint64(m.At.UnixMilli())
	for i := 9; i >= 0; i-- {
		text[i] = crockford[ms&31]
		ms >>= 5
	}
	for i := range 16 {
		text[10+i] = crockford[sum[i]&31]
	}
	return string(text)
}
