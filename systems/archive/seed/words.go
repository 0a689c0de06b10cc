package seed

import (
	"maps"
	"slices"
	"strings"

	"stoa/systems/archive"
)

// townships are the townships of Marlow County, each a place of the gazetteer.
var townships = []string{"Beaver", "Clear Creek", "Fairfield", "Harmony", "Liberty", "Richland", "Salem", "Union"}

var (
	birthplaces = []string{
		"Marlow Co, Ohio",
		"Marlow Co, Ohio",
		"Ohio",
		"Ohio",
		"Pennsylvania",
		"Pa",
		"Virginia",
		"New York",
		"Ireland",
		"Germany",
		"Scotland",
		"",
	}
	occupations = []string{
		"Farmer", "Farmer", "Farmer", "Laborer", "Blacksmith", "Carpenter", "Miller", "Teacher", "Cooper", "Shoemaker", "Grocer", "Minister", "Physician",
		"Stone mason", "Weaver",
	}
	books = []string{
		"A History of Marlow County", "Plat Book of Marlow County", "Early Settlers of Clear Creek", "The Canal Years", "Cemetery Inscriptions, Harmony Township",
		"Marriage Bonds 1816 to 1840",
		"Church Register of Salem", "Tax Lists 1820 to 1835", "Roll of Volunteers", "Letters from Liberty", "The Mills of Beaver Creek",
		"School Examinations 1854 to 1870",
	}
)

// entries are the metadata fields of posts.
var entries = []archive.PostMetadataField{
	{Name: "film", Type: archive.StringType, Tooltip: new("Number of the microfilm")},
	{Name: "proofread", Type: archive.BooleanType},
}

func fields(headers ...string) (all []archive.CollectionField) {
	for _, h := range headers {
		all = append(all, archive.CollectionField{Header: h})
	}
	return all
}

func headers(p archive.CollectionPlan) (all []string) {
	for _, f := range p.Fields {
		all = append(all, f.Header)
	}
	return all
}

var censusPlan = archive.CollectionPlan{
	Name: "Census of Marlow County, 1880", Type: archive.Records, Location: new("Vault, films 1254000 and following"),
	Fields: fields("Surname", "Given name", "Household", "Relationship", "Gender", "Age", "Birth", "Birthplace", "Occupation", "Residence", "Page"),
	Mappings: []archive.CollectionMapping{
		{
			Header:  "Surname",
			DBField: "surname",
			IxRole:  new("principal"),
			IxField: new("surname"),
		}, {Header: "Given name", DBField: "givenName", IxRole: new("principal"), IxField: new("given")},
		{Header: "Birth", DBField: "birthDate"}, {Header: "Birthplace", DBField: "birthPlace"}, {Header: "Residence", DBField: "residencePlace"},
	},
	CitationTemplate:      new("Census of Marlow County, Ohio, 1880, page {{ Page }}, household {{ Household }}, {{ Given name }} {{ Surname }}"),
	HouseholdNumberHeader: new("Household"), HouseholdRelationshipHeader: new("Relationship"), GenderHeader: new("Gender"),
}

// birthsPlan hides its details from guests.
var birthsPlan = archive.CollectionPlan{
	Name: "Births of Marlow County", Type: archive.Records, Location: new("Shelf 12"), PrivacyLevel: 2,
	Fields: fields("Child", "Born", "Place", "Father", "Mother", "Page"),
	Mappings: []archive.CollectionMapping{
		{
			Header:  "Child",
			DBField: "fullName",
		}, {Header: "Born", DBField: "birthDate"}, {Header: "Place", DBField: "birthPlace"}, {Header: "Father", DBField: "fatherName"},
		{Header: "Mother", DBField: "motherName"},
	},
	CitationTemplate: new("Births of Marlow County, page {{ Page }}, {{ Child }}"),
}

var libraryPlan = archive.CollectionPlan{
	Name: "Library of the Historical Society", Type: archive.Catalog, Location: new("Reading room"), Fields: fields("Title", "Author", "Year", "Call number"),
	Mappings: []archive.CollectionMapping{
		{Header: "Title", DBField: "title"},
		{Header: "Author", DBField: "author"},
		{Header: "Year", DBField: "publicationDate"},
	},
	CitationTemplate: new("{{ Author }}: {{ Title }} ({{ Year }}), {{ Call number }}"),
}

// Ids of the places that contain others.
const (
	unitedStates archive.ID = 1
	ohio         archive.ID = 2
	marlow       archive.ID = 20
)

// gazetteer returns the places of the county and those that people came from.
func gazetteer() []*archive.Place {
	places := []*archive.Place{
		{
			ID:        unitedStates,
			Name:      "United States",
			FullName:  "United States",
			AltNames:  []string{"USA"},
			Types:     []string{"Country"},
			Level:     1,
			CountryID: unitedStates,
			Count:     900,
		},
		{ID: 7, Name: "Ireland", FullName: "Ireland", Types: []string{"Country"}, Level: 1, CountryID: 7, Count: 120},
		{ID: 8, Name: "Germany", FullName: "Germany", Types: []string{"Country"}, Level: 1, CountryID: 8, Count: 140},
		{ID: 9, Name: "Scotland", FullName: "Scotland", Types: []string{"Country"}, Level: 1, CountryID: 9, Count: 60},
	}
	within := func(in *archive.Place, id archive.ID, name, kind string, count int, others ...string) *archive.Place {
		p := &archive.Place{
			ID: id, Name: name, FullName: name + ", " + in.FullName, AltNames: others, Types: []string{kind}, LocatedInID: in.ID, Level: in.Level + 1,
			CountryID: in.CountryID, Count: count,
		}
		places = append(places, p)
		return p
	}
	country := places[0]
	state := within(country, ohio, "Ohio", "State", 700, "O")
	within(country, 3, "Pennsylvania", "State", 300, "Pa")
	within(country, 4, "Virginia", "State", 250, "Va")
	within(country, 5, "New York", "State", 200, "NY")
	county := within(state, marlow, "Marlow", "County", 500)
	for i, name := range townships {
		within(county, marlow+1+archive.ID(i), name, "Township", 80-5*i)
	}
	return places
}

// words returns the words that name places.
func words(places []*archive.Place) []archive.PlaceWord {
	ids := map[string][]archive.ID{}
	for _, p := range places {
		for _, name := range append([]string{p.Name}, p.AltNames...) {
			word := strings.ToLower(strings.ReplaceAll(name, " ", ""))
			ids[word] = append(ids[word], p.ID)
		}
	}
	var all []archive.PlaceWord
	for _, word := range slices.Sorted(maps.Keys(ids)) {
		all = append(all, archive.PlaceWord{Word: word, PlaceIDs: ids[word]})
	}
	return all
}

var settings = archive.PlaceSettings{
	Abbreviations: map[string]string{"co": "county", "twp": "township"}, TypeWords: []string{"county", "township"}, NoiseWords: []string{"near", "of", "the"},
	LargeCountries: []archive.ID{
		unitedStates,
	}, MediumCountries: []archive.ID{8}, LargeCountryLevelWeights: []int{40, 30, 20, 10}, MediumCountryLevelWeights: []int{40, 30, 20, 10},
	SmallCountryLevelWeights: []int{40, 30, 20, 10}, PrimaryMatchWeight: 5, USCountryID: new(unitedStates),
}
