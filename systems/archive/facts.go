package archive

import "context"

// Wanted lists things to be read together, consistently.
type Wanted struct {
	Users       []ID
	Categories  []ID
	Collections []ID
	Posts       []ID
	Records     []RecordRef
	Households  []HouseholdRef
	// Settings requests the settings.
	Settings bool
}

// Facts contains those wanted things that exist.
type Facts struct {
	Users       map[ID]*User
	Categories  map[ID]*Category
	Collections map[ID]*Collection
	Posts       map[ID]*Post
	Records     map[RecordRef]*Record
	Households  map[HouseholdRef]*Household
	// Settings are the initial settings if they were never saved.
	Settings *Settings
}

// FactReader reads facts.
type FactReader interface {
	Facts(ctx context.Context, w Wanted) (*Facts, error)
}

// Numberer allocates ids.
type Numberer interface {
	// NewID allocates one id, Allocate n consecutive ones.
	NewID(ctx context.Context) (ID, error)
	Allocate(ctx context.Context, n int) (IDRange, error)
}
