package archive

import (
	"slices"
	"strings"
	"time"
)

// Household is a household, as a list of records of people who lived together.
type Household struct {
	PostID ID     `dynamo:"-"`
	Number string `dynamo:"Household,keyonly"`
	// RecordIDs are in the order of the source.
	RecordIDs []ID `dynamo:"records"`
	Stamps
}

// HouseholdRef identifies a household.
type HouseholdRef struct {
	PostID ID
	Number string
}

// Ref returns the reference of the household.
func (h *Household) Ref() HouseholdRef { return HouseholdRef{h.PostID, h.Number} }

// Has reports whether a record is listed. h may be nil.
func (h *Household) Has(id ID) bool { return h != nil && slices.Contains(h.RecordIDs, id) }

// CheckHousehold refuses an invalid household.
func CheckHousehold(number string, ids []ID) error {
	if err := CheckHouseholdNumber(number); err != nil {
		return err
	}
	if len(ids) == 0 {
		return ErrEmptyHousehold
	}
	if n := len(ids); n > MaxHousehold {
		return limit("HOUSEHOLD_TOO_LARGE", "A household has at most %d records, not %d", MaxHousehold, n)
	}
	seen := make(map[ID]bool, len(ids))
	for _, id := range ids {
		if seen[id] {
			return badInput("REPEATED_RECORD", "The record %s is given twice", id)
		}
		seen[id] = true
	}
	return nil
}

// CheckHouseholdNumber refuses an invalid household number.
func CheckHouseholdNumber(number string) error {
	if strings.TrimSpace(number) != number {
		return badInput("INVALID_NAME", "The number of a household has no blanks around it")
	}
	return checkName("household", number, MaxHouseholdKey)
}

// HouseholdOf returns the household number of a row of a file, or "" if it has none.
func (c *Collection) HouseholdOf(data map[string]string) string {
	if c.HouseholdNumberHeader == nil {
		return ""
	}
	return strings.TrimSpace(data[*c.HouseholdNumberHeader])
}

// householdAmong returns the index of the household number among the headers of a file, or
// -1 if households have none.
func (c *Collection) householdAmong(headers []string) int {
	if c.HouseholdNumberHeader == nil {
		return -1
	}
	return slices.Index(headers, *c.HouseholdNumberHeader)
}

// Listing returns the household with other records. h is nil for a new one.
func (r HouseholdRef) Listing(h *Household, ids []ID, now time.Time) *Household {
	next := &Household{PostID: r.PostID, Number: r.Number, RecordIDs: ids, Stamps: StampsAt(now)}
	if h != nil {
		next.Stamps = h.Stamps
		next.Touch(now)
	}
	return next
}

// HouseholdEntry is a record to be added to a household. Other is the household that may
// list it at present, as read.
type HouseholdEntry struct {
	Record *Record
	Other  *Household
}

// Less returns the household without a record, or nil if none is left. It returns h itself
// if the record is not listed.
func (h *Household) Less(id ID, now time.Time) *Household {
	if !h.Has(id) {
		return h
	}
	rest := slices.DeleteFunc(slices.Clone(h.RecordIDs), func(other ID) bool { return other == id })
	if len(rest) == 0 {
		return nil
	}
	return h.Ref().Listing(h, rest, now)
}
