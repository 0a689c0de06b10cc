package archive

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"stoa/internal/kit/input"
)

// Place is a place of the gazetteer.
type Place struct {
	ID               ID       `dynamo:"-"`
	Name             string   `dynamo:"name"`
	FullName         string   `dynamo:"full_name"`
	AltNames         []string `dynamo:"alt_names"`
	Types            []string `dynamo:"types"`
	LocatedInID      ID       `dynamo:"located_in_id"`
	AlsoLocatedInIDs []ID     `dynamo:"also_located_in_ids"`
	// Level is the depth in the hierarchy of places; countries are 1.
	Level     int      `dynamo:"level"`
	CountryID ID       `dynamo:"country_id"`
	Latitude  *float64 `dynamo:"latitude"`
	Longitude *float64 `dynamo:"longitude"`
	// Count is the frequency of the place.
	Count int `dynamo:"count,zero"`
	Stamps
}

// maxLevel is the level of the smallest places.
const maxLevel = 20

// Check refuses an invalid place.
func (p *Place) Check() error {
	if p.ID > MaxPlaceID {
		return badInput("INVALID_ID", "Places have ids from 1 to %d, not %s", MaxPlaceID, p.ID)
	}
	if err := input.First(
		checkName("place", p.Name, maxPlace), checkName("place", p.FullName, maxPlace), checkTexts("altNames", p.AltNames), checkTexts("types", p.Types),
	); err != nil {
		return err
	}
	switch {
	case p.Level < 1 || p.Level > maxLevel:
		return badInput("INVALID_LEVEL", "The level of a place is 1 to %d, not %d", maxLevel, p.Level)
	case p.Count < 0:
		return badInput("INVALID_COUNT", "The count of a place is not below zero")
	case p.Latitude != nil && !(*p.Latitude >= -90 && *p.Latitude <= 90), p.Longitude != nil && !(*p.Longitude >= -180 && *p.Longitude <= 180):
		return badInput("INVALID_POSITION", "The position of place %s is not on the globe", p.ID)
	}
	return checkFits("A place", sizeOf(p.AltNames...)+sizeOf(p.Types...)+idSize*len(p.AlsoLocatedInIDs))
}

func checkTexts(what string, texts []string) error {
	if len(texts) > 1000 {
		return limit("TOO_MANY_ENTRIES", "%s has at most 1000 entries, not %d", what, len(texts))
	}
	for _, t := range texts {
		if err := checkText(what, t, maxPlace); err != nil {
			return err
		}
	}
	return nil
}

// Lower returns the full name in the form used in keys.
func (p *Place) Lower() string { return lower(p.FullName) }

// keyLetters is the number of characters of a full name that determine its partition.
const keyLetters = 2

// PlacePartition returns the key prefix of the partition of places whose full name starts
// with a text in lower case.
func PlacePartition(lower string) string {
	end := 0
	for range keyLetters {
		_, size := utf8.DecodeRuneInString(lower[end:])
		end += size
	}
	return lower[:end]
}

// PlacePrefix is the typed beginning of a place's name.
type PlacePrefix struct {
	// First is the beginning of the full name, in lower case.
	First string
	// further are the beginnings of later parts, in order.
	further []string
}

// ParsePlacePrefix parses a typed prefix. It returns false if it is too short to search
// for.
func ParsePlacePrefix(text string) (PlacePrefix, bool) {
	if utf8.RuneCountInString(strings.TrimSpace(text)) < keyLetters || !utf8.ValidString(text) || len(text) > 4*maxPlace {
		return PlacePrefix{}, false
	}
	parts := strings.Split(lower(text), ",")
	p := PlacePrefix{First: strings.TrimSpace(parts[0])}
	for _, part := range parts[1:] {
		if part = strings.TrimSpace(part); part != "" {
			p.further = append(p.further, part)
		}
	}
	return p, utf8.RuneCountInString(p.First) >= keyLetters
}

// Matches reports whether a full name in lower case, which starts with First, has parts
// that start with the further parts, each in a part of its own and in order.
func (p PlacePrefix) Matches(lower string) bool {
	rest := lower
	for _, want := range p.further {
		for found := false; !found; {
			_, after, more := strings.Cut(rest, ",")
			if !more {
				return false
			}
			rest = strings.TrimLeft(after, " ")
			found = strings.HasPrefix(rest, want)
		}
	}
	return true
}

// PlaceName is the full name of a place as it stands in keys, with what ranks it.
type PlaceName struct {
	ID    ID
	Count int
	Lower string
	// Place is nil if it has not been read.
	Place *Place
}

// Named returns the name of p.
func (p *Place) Named() PlaceName { return PlaceName{p.ID, p.Count, p.Lower(), p} }

// Best returns the most frequent of names, at most n. It reads each name once.
func Best(names iter.Seq[PlaceName], n int) []PlaceName {
	best := make([]PlaceName, 0, n+1)
	for name := range names {
		if len(best) == n && before(name, best[n-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, name, func(a, b PlaceName) int { return before(a, b) })
		best = slices.Insert(best, at, name)
		best = best[:min(n, len(best))]
	}
	return best
}

// before compares names by where they stand among suggestions.
func before(a, b PlaceName) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Lower, b.Lower), cmp.Compare(a.ID, b.ID))
}

// PlaceWord is a word in names of places.
type PlaceWord struct {
	Word     string
	PlaceIDs []ID
}

// Check refuses an invalid word.
func (w *PlaceWord) Check() error {
	switch {
	case w.Word == "" || w.Word != token(w.Word) || utf8.RuneCountInString(w.Word) > maxPlace:
		return badInput("INVALID_WORD", "%.250q is no word: it has lower case letters without marks and digits only", w.Word)
	case len(w.PlaceIDs) == 0 || len(w.PlaceIDs) > maxNamed:
		return badInput("INVALID_WORD", "The word %q is of 1 to %d places", w.Word, maxNamed)
	}
	return nil
}

// PlaceSettings are the settings for standardizing places.
type PlaceSettings struct {
	Abbreviations             map[string]string `dynamo:"abbreviations"`
	TypeWords                 []string          `dynamo:"type_words"`
	NoiseWords                []string          `dynamo:"noise_words"`
	LargeCountries            []ID              `dynamo:"large_countries"`
	MediumCountries           []ID              `dynamo:"medium_countries"`
	LargeCountryLevelWeights  []int             `dynamo:"large_country_level_weights"`
	MediumCountryLevelWeights []int             `dynamo:"medium_country_level_weights"`
	SmallCountryLevelWeights  []int             `dynamo:"small_country_level_weights"`
	PrimaryMatchWeight        int               `dynamo:"primary_match_weight,zero"`
	USCountryID               *ID               `dynamo:"us_country_id"`
	Stamps
}

// countryWeights is the number of levels that have a weight of their own.
const countryWeights = 4

// Check refuses invalid settings.
func (s *PlaceSettings) Check() error {
	for name, weights := range map[string][]int{
		"largeCountryLevelWeights": s.LargeCountryLevelWeights, "mediumCountryLevelWeights": s.MediumCountryLevelWeights,
		"smallCountryLevelWeights": s.SmallCountryLevelWeights,
	} {
		if len(weights) != countryWeights {
			return badInput("INVALID_WEIGHTS", "%s has %d numbers, not %d", name, countryWeights, len(weights))
		}
	}
	if len(s.Abbreviations) > 1000 || len(s.LargeCountries) > 1000 || len(s.MediumCountries) > 1000 {
		return limit("TOO_MANY_ENTRIES", "Place settings have at most 1000 entries of a kind")
	}
	size := sizeOf(s.TypeWords...) + sizeOf(s.NoiseWords...) + idSize*(len(s.LargeCountries)+len(s.MediumCountries))
	for short, long := range s.Abbreviations {
		if err := checkTexts("abbreviations", []string{short, long}); err != nil {
			return err
		}
		size += sizeOf(short, long)
	}
	return input.First(checkTexts("typeWords", s.TypeWords), checkTexts("noiseWords", s.NoiseWords), checkFits("The place settings", size))
}

// ParseAbbreviations parses an object of texts.
func ParseAbbreviations(object map[string]any) (map[string]string, error) {
	return parseTexts(object, "INVALID_ABBREVIATIONS", "abbreviations")
}

// parseTexts returns an object whose values must be texts. Errors have the code and name the
// object as what.
func parseTexts(object map[string]any, code, what string) (map[string]string, error) {
	texts := make(map[string]string, len(object))
	for key, value := range object {
		text, ok := value.(string)
		if !ok {
			return nil, badInput(code, "%s %.250q must be a text", what, key)
		}
		texts[key] = text
	}
	return texts, nil
}

// Replacing sets the times of settings that replace others, nil if there were none.
func (s *PlaceSettings) Replacing(old *PlaceSettings, given *time.Time, now time.Time) error {
	if old != nil {
		s.Stamps = old.Stamps
	}
	return s.save(given, now)
}
