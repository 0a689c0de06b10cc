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
	archive.Place
	Key       string `dynamo:"ID,keyonly"`
	Beginning string `dynamo:"beginning,keyonly"`
	LowerName string `dynamo:"lowerName,keyonly"`
}

// The places that a word names.
var placeWords = keyspec.Define[placeWordItem](Archive, keyspec.Row{Key: keyspec.K("placeWord#{Word}", "placeWord")})

type placeWordItem struct {
	Word string       `dynamo:"Word,keyonly"`
	IDs  []archive.ID `dynamo:"ids"`
	archive.Stamps
}

// The settings for standardizing places.
var placeSettings = keyspec.Define[archive.PlaceSettings](Archive, keyspec.Row{Key: keyspec.K("placeSettings", "placeSettings")})

func placeItemOf(p *archive.Place) placeItem {
	return placeItem{*p, p.ID.String(), archive.PlacePartition(p.Lower()), p.Lower()}
}

func (i *placeItem) place() *archive.Place {
	i.ID = idOf(i.Key)
	return &i.Place
}
