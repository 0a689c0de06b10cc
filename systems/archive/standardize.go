package archive

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
)

// Gazetteer reads places and the words of their names.
type Gazetteer interface {
	// Words returns the places that words name.
	Words(ctx context.Context, words []string) (map[string][]ID, error)
	// Places returns those places that exist.
	Places(ctx context.Context, ids []ID) (map[ID]*Place, error)
}

// StandardPlace is the place that a text stands for.
type StandardPlace struct {
	// Place is nil if part of the text is unknown.
	Place *Place
	// Name and FullName are those of the place, preceded by the unknown part.
	Name, FullName string
	LocatedInID    ID
	Level          int
	// Exact is set if all parts of the text are known.
	Exact bool
}

// maxAncestors is the maximum number of ancestors of a place that are searched for another.
const maxAncestors = 7

// Standardizer finds the places that texts stand for.
type Standardizer struct {
	Gazetteer Gazetteer
	Settings  *PlaceSettings

	typeWords, noiseWords map[string]bool
}

// NewStandardizer returns a Standardizer.
func NewStandardizer(g Gazetteer, s *PlaceSettings) *Standardizer {
	return &Standardizer{g, s, wordSet(s.TypeWords), wordSet(s.NoiseWords)}
}

func wordSet(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[token(w)] = true
	}
	return set
}

// Standardize returns the place that a text stands for, or nil if no part is known. An
// ambiguous text most likely stands for a place within the one that within stands for.
func (s *Standardizer) Standardize(ctx context.Context, text, within string) (*StandardPlace, error) {
	var around *Place
	if within != "" {
		found, err := s.Standardize(ctx, within, "")
		if err != nil {
			return nil, err
		}
		if found != nil {
			around = found.Place
		}
	}
	m := match{Standardizer: s, ctx: ctx, within: around, places: map[ID]*Place{}, exact: true}
	levels := splitLevels(text)
	for i := len(levels) - 1; i >= 0; i-- {
		if err := m.level(levels[i]); err != nil {
			return nil, err
		}
	}
	return m.result()
}

// placeLevel is a part of a text between commas.
type placeLevel struct {
	// words are in lower case without marks. shown is the part as written.
	words []string
	shown string
}

// splitLevels splits a text from the smallest to the largest place. Characters after the
// last letter are ignored.
func splitLevels(text string) (levels []placeLevel) {
	end := strings.LastIndexFunc(text, unicode.IsLetter)
	if end < 0 {
		return nil
	}
	tail := []rune(text[end:])
	text = text[:end] + string(tail[0])
	for part := range strings.SplitSeq(text, ",") {
		words := strings.FieldsFunc(strings.ReplaceAll(Fold(part), "'", ""), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if len(words) > 0 {
			levels = append(levels, placeLevel{words, strings.Join(strings.Fields(part), " ")})
		}
	}
	return levels
}

// match is the state of interpreting a text.
type match struct {
	*Standardizer
	ctx    context.Context
	within *Place
	// found are the known levels, from large to small.
	found []matched
	// rest are the unknown levels since the last known one.
	rest  []string
	exact bool
	// places are the places that were read.
	places map[ID]*Place
}

// matched is a level with the places that it may stand for.
type matched struct {
	places []*Place
	token  string
	// types are the words for kinds of place after the name.
	types []string
}

// level interprets the next smaller level.
func (m *match) level(l placeLevel) error {
	words, types := m.named(l.words)
	if len(words) == 0 {
		return nil
	}
	known, err := m.knownFrom(words)
	if err != nil {
		return err
	}
	if known < 0 {
		m.miss(l.shown)
		return nil
	}
	token := strings.Join(words[known:], "")
	places, err := m.candidates(token)
	if err != nil {
		return err
	}
	if places, err = m.inside(places); err != nil {
		return err
	}
	if len(places) == 0 {
		m.miss(l.shown)
		return nil
	}
	if len(m.rest) > 0 {
		m.rest, m.exact = nil, false
	}
	m.found = append(m.found, matched{places, token, types})
	smaller := slices.DeleteFunc(slices.Clone(words[:known]), func(w string) bool { return m.noiseWords[w] || m.typeWords[w] })
	if len(smaller) == 0 {
		return nil
	}
	return m.level(placeLevel{smaller, titled(smaller)})
}

func (m *match) miss(shown string) { m.rest, m.exact = append(m.rest, shown), false }

// titled returns words capitalized as in a name.
func titled(words []string) string {
	shown := make([]string, len(words))
	for i, w := range words {
		r := []rune(w)
		shown[i] = strings.ToUpper(string(r[:1])) + string(r[1:])
	}
	return strings.Join(shown, " ")
}

// named splits the words of a level into those of a name and those for kinds of place after
// it. Only what follows "or" or "now" counts.
func (m *match) named(words []string) (name, types []string) {
	for i := len(words) - 2; i >= 0; i-- {
		if words[i] == "or" || words[i] == "now" {
			words = words[i+1:]
			break
		}
	}
	name = slices.Clone(words)
	if len(name) > 1 {
		for i, w := range name {
			if long := m.Settings.Abbreviations[w]; long != "" {
				name[i] = token(long)
			}
		}
	}
	for len(name) > 1 && m.typeWords[name[len(name)-1]] {
		types = append(types, name[len(name)-1])
		name = name[:len(name)-1]
	}
	return name, types
}

// maxNameWords is the maximum number of words of a name, which keeps long texts cheap.
const maxNameWords = 25

// knownFrom returns the index of the word from which a name is known, or -1. All possible
// names are looked up in one call.
func (m *match) knownFrom(words []string) (int, error) {
	from := max(0, len(words)-maxNameWords)
	tokens := make([]string, len(words)-from)
	for i := range tokens {
		tokens[i] = strings.Join(words[from+i:], "")
	}
	known, err := m.Gazetteer.Words(m.ctx, tokens)
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(tokens, func(t string) bool { return len(known[t]) > 0 })
	if at < 0 {
		return -1, nil
	}
	return from + at, nil
}

func (m *match) candidates(token string) ([]*Place, error) {
	ids, err := m.Gazetteer.Words(m.ctx, []string{token})
	if err != nil {
		return nil, err
	}
	return m.read(ids[token])
}

// read returns those places that exist.
func (m *match) read(ids []ID) (places []*Place, err error) {
	var missing []ID
	for _, id := range ids {
		if _, known := m.places[id]; !known {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		read, err := m.Gazetteer.Places(m.ctx, missing)
		if err != nil {
			return nil, err
		}
		for _, id := range missing {
			m.places[id] = read[id]
		}
	}
	for _, id := range ids {
		if p := m.places[id]; p != nil {
			places = append(places, p)
		}
	}
	return places, nil
}

// inside returns those of places that are inside what was found before. If none is, the
// last finding is ignored, unless it is a country or a state.
func (m *match) inside(places []*Place) ([]*Place, error) {
	if len(m.found) == 0 {
		return m.first(places)
	}
	for n := len(m.found); n > 0; n-- {
		inner, err := m.under(places, m.found[n-1].places)
		if err != nil {
			return nil, err
		}
		if len(inner) > 0 {
			m.skip(n)
			return inner, nil
		}
		if slices.ContainsFunc(m.found[n-1].places, m.isLarge) {
			return nil, nil
		}
	}
	m.skip(0)
	return m.first(places)
}

// skip drops all but the first n levels that were found.
func (m *match) skip(n int) {
	if n < len(m.found) {
		m.found, m.exact = m.found[:n], false
	}
}

// first restricts the places of the largest level.
func (m *match) first(places []*Place) ([]*Place, error) {
	if len(places) < 2 {
		return places, nil
	}
	if m.within != nil {
		inner, err := m.under(places, []*Place{m.within})
		if len(inner) > 0 || err != nil {
			return inner, err
		}
	}
	if large := slices.DeleteFunc(slices.Clone(places), func(p *Place) bool { return !m.isLarge(p) }); len(large) > 0 {
		return large, nil
	}
	return places, nil
}

// isLarge reports whether a place is a country or a US state.
func (m *match) isLarge(p *Place) bool {
	us := m.Settings.USCountryID
	return p.Level == 1 || p.Level == 2 && us != nil && p.CountryID == *us
}

// under returns those of places that have one of around as an ancestor.
func (m *match) under(places, around []*Place) (inner []*Place, err error) {
	for _, p := range places {
		in, err := m.lies(p, around)
		if err != nil {
			return nil, err
		}
		if in {
			inner = append(inner, p)
		}
	}
	return inner, nil
}

// lies reports whether a place has one of around as an ancestor and is not one of them.
func (m *match) lies(p *Place, around []*Place) (bool, error) {
	wanted := map[ID]bool{}
	for _, a := range around {
		wanted[a.ID] = true
	}
	seen, step := map[ID]bool{p.ID: true}, []*Place{p}
	for range maxAncestors {
		var ids []ID
		for _, at := range step {
			for _, id := range append([]ID{at.LocatedInID}, at.AlsoLocatedInIDs...) {
				if wanted[id] && id != p.ID {
					return true, nil
				}
				if id != 0 && !seen[id] {
					seen[id] = true
					ids = append(ids, id)
				}
			}
		}
		var err error
		if step, err = m.read(ids); err != nil || len(step) == 0 {
			return false, err
		}
	}
	return false, nil
}

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
