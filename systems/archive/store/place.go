package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/archive"
)

// A place of the gazetteer. Listed by full name within a partition of names that start
// alike.
var places = keyspec.Define[placeItem](Archive, keyspec.Row{
	Key: keyspec.K("{ID}", "place#{beginning}"),
	On:  keyspec.Indexes{BySort: keyspec.K("place#{beginning}", "{lowerName}")},
})

type placeItem struct {
	ID            string       `dynamo:"ID,keyonly"`
	Beginning     string       `dynamo:"beginning,keyonly"`
	LowerName     string       `dynamo:"lowerName,keyonly"`
	Name          string       `dynamo:"name"`
	FullName      string       `dynamo:"full_name"`
	AltNames      []string     `dynamo:"alt_names"`
	Types         []string     `dynamo:"types"`
	LocatedIn     archive.ID   `dynamo:"located_in_id"`
	AlsoLocatedIn []archive.ID `dynamo:"also_located_in_ids"`
	Level         int          `dynamo:"level"`
	CountryID     archive.ID   `dynamo:"country_id"`
	Latitude      *float64     `dynamo:"latitude"`
	Longitude     *float64     `dynamo:"longitude"`
	Count         int          `dynamo:"count,zero"`
	stamps
}

// The places that a word names.
var placeWords = keyspec.Define[placeWordItem](Archive, keyspec.Row{Key: keyspec.K("placeWord#{Word}", "placeWord")})

type placeWordItem struct {
	Word string       `dynamo:"Word,keyonly"`
	IDs  []archive.ID `dynamo:"ids"`
	stamps
}

// The settings for standardizing places.
var placeSettings = keyspec.Define[placeSettingsItem](Archive, keyspec.Row{Key: keyspec.K("placeSettings", "placeSettings")})

type placeSettingsItem struct {
	Abbreviations   map[string]string `dynamo:"abbreviations"`
	TypeWords       []string          `dynamo:"type_words"`
	NoiseWords      []string          `dynamo:"noise_words"`
	LargeCountries  []archive.ID      `dynamo:"large_countries"`
	MediumCountries []archive.ID      `dynamo:"medium_countries"`
	LargeWeights    []int             `dynamo:"large_country_level_weights"`
	MediumWeights   []int             `dynamo:"medium_country_level_weights"`
	SmallWeights    []int             `dynamo:"small_country_level_weights"`
	PrimaryWeight   int               `dynamo:"primary_match_weight,zero"`
	USCountryID     *archive.ID       `dynamo:"us_country_id"`
	stamps
}

func placeItemOf(p *archive.Place) placeItem {
	return placeItem{
		ID: p.ID.String(), Beginning: archive.PlacePartition(p.Lower()), LowerName: p.Lower(), Name: p.Name, FullName: p.FullName,
		AltNames: p.AltNames, Types: p.Types, LocatedIn: p.LocatedInID, AlsoLocatedIn: p.AlsoLocatedInIDs, Level: p.Level,
		CountryID: p.CountryID, Latitude: p.Latitude, Longitude: p.Longitude, Count: p.Count, stamps: stampsOf(p.Stamps),
	}
}

func (i *placeItem) place() *archive.Place {
	return &archive.Place{
		ID: idOf(i.ID), Name: i.Name, FullName: i.FullName, AltNames: i.AltNames, Types: i.Types, LocatedInID: i.LocatedIn,
		AlsoLocatedInIDs: i.AlsoLocatedIn, Level: i.Level, CountryID: i.CountryID, Latitude: i.Latitude, Longitude: i.Longitude,
		Count: i.Count, Stamps: i.stamps.stamps(),
	}
}

func placeSettingsItemOf(s *archive.PlaceSettings) placeSettingsItem {
	abbreviations := s.Abbreviations
	if abbreviations == nil {
		abbreviations = map[string]string{}
	}
	return placeSettingsItem{
		Abbreviations: abbreviations, TypeWords: s.TypeWords, NoiseWords: s.NoiseWords, LargeCountries: s.LargeCountries,
		MediumCountries: s.MediumCountries, LargeWeights: s.LargeCountryLevelWeights, MediumWeights: s.MediumCountryLevelWeights,
		SmallWeights: s.SmallCountryLevelWeights, PrimaryWeight: s.PrimaryMatchWeight, USCountryID: s.USCountryID, stamps: stampsOf(s.Stamps),
	}
}

func (i *placeSettingsItem) settings() *archive.PlaceSettings {
	return &archive.PlaceSettings{
		Abbreviations: i.Abbreviations, TypeWords: i.TypeWords, NoiseWords: i.NoiseWords, LargeCountries: i.LargeCountries,
		MediumCountries: i.MediumCountries, LargeCountryLevelWeights: i.LargeWeights, MediumCountryLevelWeights: i.MediumWeights,
		SmallCountryLevelWeights: i.SmallWeights, PrimaryMatchWeight: i.PrimaryWeight, USCountryID: i.USCountryID, Stamps: i.stamps.stamps(),
	}
}
