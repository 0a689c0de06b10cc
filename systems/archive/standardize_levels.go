package archive

import (
	"context"
	"slices"
	"strings"
	"unicode"
)

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
