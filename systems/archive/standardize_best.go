package archive

import (
	"cmp"
	"slices"
	"strings"
)

// result returns the place that the text stands for.
func (m *match) result() (*StandardPlace, error) {
	if len(m.found) == 0 {
		return nil, nil
	}
	best, err := m.best(m.found[len(m.found)-1])
	if err != nil {
		return nil, err
	}
	if len(m.rest) == 0 {
		return &StandardPlace{Place: best, Name: best.Name, FullName: best.FullName, LocatedInID: best.LocatedInID, Level: best.Level, Exact: m.exact}, nil
	}
	// Levels are ordered from large to small, and names the other way round.
	slices.Reverse(m.rest)
	return &StandardPlace{
		Name: m.rest[0], FullName: strings.Join(append(m.rest, best.FullName), ", "), LocatedInID: best.ID, Level: best.Level + 1,
	}, nil
}

// best returns the most likely of the places that a level may stand for.
func (m *match) best(l matched) (*Place, error) {
	places := l.places
	if len(places) > 1 && len(l.types) > 0 {
		typed := slices.DeleteFunc(slices.Clone(places), func(p *Place) bool {
			return !slices.ContainsFunc(p.Types, func(t string) bool { return slices.Contains(l.types, token(t)) })
		})
		if len(typed) > 0 {
			places = typed
		}
	}
	if len(places) > 1 {
		inner, err := m.under(places, places)
		if err != nil {
			return nil, err
		}
		if outer := slices.DeleteFunc(slices.Clone(places), func(p *Place) bool { return slices.Contains(inner, p) }); len(outer) > 0 {
			places = outer
		}
	}
	return slices.MaxFunc(places, func(a, b *Place) int {
		return cmp.Or(cmp.Compare(m.score(a, l.token), m.score(b, l.token)), cmp.Compare(a.Count, b.Count), cmp.Compare(b.ID, a.ID))
	}), nil
}

// score returns how likely a place is meant.
func (m *match) score(p *Place, name string) int {
	s := m.Settings
	country := p.CountryID
	if country == 0 && p.Level == 1 {
		country = p.ID
	}
	weights := s.SmallCountryLevelWeights
	switch {
	case slices.Contains(s.LargeCountries, country):
		weights = s.LargeCountryLevelWeights
	case slices.Contains(s.MediumCountries, country):
		weights = s.MediumCountryLevelWeights
	}
	score := 0
	if at := max(1, min(p.Level, countryWeights)); at <= len(weights) {
		score = weights[at-1]
	}
	if strings.Contains(token(p.Name), name) {
		score += s.PrimaryMatchWeight
	}
	return score
}
