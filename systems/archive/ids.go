package archive

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"stoa/internal/kit/viewer"
)

// ID names a thing of any kind: all but places take theirs from one sequence.
type ID int32

// Bounds of ids. Places have the numbers of their gazetteer, up to MaxPlaceID.
const (
	MaxPlaceID ID = 999_999
	FirstID    ID = MaxPlaceID + 1
	MaxID      ID = 1<<31 - 1
)

// MaxAllocated is the most ids that one call takes.
const MaxAllocated = 10_000

// String returns the id as it stands in keys and answers.
func (id ID) String() string { return strconv.Itoa(int(id)) }

// Padded returns the id in a form that sorts as numbers do.
func (id ID) Padded() string { return fmt.Sprintf("%010d", int(id)) }

// ParseID reads an id from its decimal text.
func ParseID(text string) (ID, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 || strings.HasPrefix(text, "+") || strings.HasPrefix(text, "0") {
		return 0, badInput("INVALID_ID", "%.40q is no id: ids are numbers from 1 to %d", text, MaxID)
	}
	return ID(n), nil
}

// UserID names an identity, with or without a user.
type UserID = viewer.UserID

// timeLayout has exactly nine decimals, so that times sort and compare as texts.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

// FormatTime returns the text of a time as it is stored and shown.
func FormatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

// ParseTime reads what FormatTime wrote. Any other text is the zero time.
func ParseTime(text string) time.Time {
	t, _ := time.Parse(timeLayout, text)
	return t
}

// Stamps are when something was made and last changed.
type Stamps struct{ InsertTime, LastUpdateTime time.Time }

// StampsAt are those of something new.
func StampsAt(now time.Time) Stamps { return Stamps{now.UTC(), now.UTC()} }

// Touch sets the time of a change, which is always a later one.
func (s *Stamps) Touch(now time.Time) {
	now = now.UTC()
	if !now.After(s.LastUpdateTime) {
		now = s.LastUpdateTime.Add(time.Nanosecond)
	}
	s.LastUpdateTime = now
}

// CheckTime refuses a change of something that is not as its editor read it.
func (s *Stamps) CheckTime(given time.Time) error {
	if s.LastUpdateTime.Equal(given) {
		return nil
	}
	return Outdated(s.LastUpdateTime, &given)
}
