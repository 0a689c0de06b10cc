package archive

// Wanted names things to read together, as they are now.
type Wanted struct {
	Users       []ID
	Categories  []ID
	Collections []ID
	Posts       []ID
	Records     []RecordRef
	Households  []HouseholdRef
	// Settings asks for them.
	Settings bool
}

// Facts are those of the wanted things that are there.
type Facts struct {
	Users       map[ID]*User
	Categories  map[ID]*Category
	Collections map[ID]*Collection
	Posts       map[ID]*Post
	Records     map[RecordRef]*Record
	Households  map[HouseholdRef]*Household
	// Settings are those that were never saved where there are none.
	Settings *Settings
}
