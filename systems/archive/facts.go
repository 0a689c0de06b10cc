package archive

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
