package archive

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"stoa/internal/kit/stamp"
	"stoa/internal/kit/viewer"
)

// ID identifies a thing of any kind. All ids but those of places are taken from one
// sequence.
type ID int32

// Bounds of ids. Places have the numbers of their gazetteer, up to MaxPlaceID.
const (
	MaxPlaceID ID = 999_999
	FirstID    ID = MaxPlaceID + 1
	MaxID      ID = 1<<31 - 1
)

// MaxAllocated is the maximum number of ids allocated by one call.
const MaxAllocated = 10_000

// String returns the id in the form used in keys and responses.
func (id ID) String() string { return strconv.Itoa(int(id)) }

// Padded returns the id in a form that sorts numerically.
func (id ID) Padded() string { return fmt.Sprintf("%010d", int(id)) }

// ParseID parses an id from decimal text.
func ParseID(text string) (ID, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 || strings.HasPrefix(text, "+") || strings.HasPrefix(text, "0") {
		return 0, badInput("INVALID_ID", "%.40q is no id: ids are numbers from 1 to %d", text, MaxID)
	}
	return ID(n), nil
}

// UserID identifies an identity, which may have a user.
type UserID = viewer.UserID

// FormatTime returns a time in the form in which it is stored and shown.
func FormatTime(t time.Time) string { return stamp.NanoOf(t) }

// Stamps are the times of creation and of the last change.
type Stamps struct {
	InsertTime     time.Time `dynamo:"insert_time"`
	LastUpdateTime time.Time `dynamo:"last_update_time"`
}

// StampsAt returns the stamps of something new.
func StampsAt(now time.Time) Stamps { return Stamps{now.UTC(), now.UTC()} }

// Touch sets the time of the last change, which strictly increases.
func (s *Stamps) Touch(now time.Time) {
	now = now.UTC()
	if !now.After(s.LastUpdateTime) {
		now = s.LastUpdateTime.Add(time.Nanosecond)
	}
	s.LastUpdateTime = now
}

// CheckTime refuses an edit of something that has changed since the client read it.
func (s *Stamps) CheckTime(given time.Time) error {
	if s.LastUpdateTime.Equal(given) {
		return nil
	}
	return Outdated(s.LastUpdateTime, &given)
}
