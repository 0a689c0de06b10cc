package archive

import "context"

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

func wordSet(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[token(w)] = true
	}
	return set
}
