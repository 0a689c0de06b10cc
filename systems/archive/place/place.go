// Package place manages the gazetteer: loading it, completing names while they are typed,
// and standardizing names of places.
//
// Places change rarely and are read constantly, so each process caches them for a while.
// Its own changes are visible to it at once.
package place

import (
	"context"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
)

// Store stores the gazetteer. Changes fail with refusal.Conflict if something has changed
// since it was read.
type Store interface {
	// Place and Places read places by id.
	Place(ctx context.Context, id archive.ID) (*archive.Place, error)
	Places(ctx context.Context, ids []archive.ID) (map[archive.ID]*archive.Place, error)
	// Beginning calls each with the places whose full name starts with a text in lower case,
	// ordered by their full name in lower case.
	Beginning(ctx context.Context, prefix string, each func(*archive.Place)) error
	// InPartition reads places of a partition by id, in one call.
	InPartition(ctx context.Context, partition string, ids []archive.ID) (map[archive.ID]*archive.Place, error)
	Words(ctx context.Context, words []string) (map[string][]archive.ID, error)
	// Copies reads the items of places by id: more than one of a place that was loaded twice at
	// once. Load stores a place instead of them.
	Copies(ctx context.Context, ids []archive.ID) (map[archive.ID][]*archive.Place, error)
	Load(ctx context.Context, copies []*archive.Place, after *archive.Place) error
	LoadNew(ctx context.Context, all []*archive.Place) error
	LoadWords(ctx context.Context, words []archive.PlaceWord, now time.Time) error
	Settings(ctx context.Context) (*archive.PlaceSettings, error)
	SaveSettings(ctx context.Context, before, after *archive.PlaceSettings) error
}

// Service implements the place area. Its fields are set once.
type Service struct {
	decision.Frame
	Store Store
	Gate  archive.Gate

	memory memory
}

// Place returns a place, or nil if it does not exist.
func (s *Service) Place(ctx context.Context, id archive.ID) (*archive.Place, error) {
	return s.Store.Place(ctx, id)
}

// Several returns places in the order of ids, omitting those that do not exist.
func (s *Service) Several(ctx context.Context, ids []archive.ID) ([]*archive.Place, error) {
	if err := archive.CheckAsked("places", len(ids)); err != nil {
		return nil, err
	}
	found, err := s.Store.Places(ctx, ids)
	return archive.Ordered(ids, found), err
}

// Around returns the places that contain others.
func (s *Service) Around(ctx context.Context, ids []archive.ID) (map[archive.ID]*archive.Place, error) {
	return s.Store.Places(ctx, ids)
}

// Suggest returns the most frequent places whose full name starts with a typed text. A
// count that is out of range means the default.
func (s *Service) Suggest(ctx context.Context, typed string, count int) ([]*archive.Place, error) {
	prefix, ok := archive.ParsePlacePrefix(typed)
	if !ok {
		return []*archive.Place{}, nil
	}
	if count < 1 || count > archive.MaxPlaces {
		count = archive.DefaultPlaces
	}
	return s.memory.suggest(ctx, prefix, count, s.Now(), s.Store)
}

// Words returns words in the given order, omitting unknown ones.
func (s *Service) Words(ctx context.Context, v viewer.Viewer, words []string) ([]*archive.PlaceWord, error) {
	if err := archive.CheckAsked("words", len(words)); err != nil {
		return nil, err
	}
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	found, err := s.Store.Words(ctx, words)
	if err != nil {
		return nil, err
	}
	shown := []*archive.PlaceWord{}
	for _, w := range words {
		if ids := found[w]; ids != nil {
			shown = append(shown, &archive.PlaceWord{Word: w, PlaceIDs: ids})
		}
	}
	return shown, nil
}

// Load stores places, replacing those with the same ids. If an id is given twice, the last
// row is stored.
func (s *Service) Load(ctx context.Context, v viewer.Viewer, rows []*archive.Place) (int, error) {
	if err := s.loads(ctx, v, len(rows)); err != nil {
		return 0, err
	}
	byID := map[archive.ID]*archive.Place{}
	var ids []archive.ID
	for _, p := range rows {
		if err := p.Check(); err != nil {
			return 0, err
		}
		if byID[p.ID] == nil {
			ids = append(ids, p.ID)
		}
		byID[p.ID] = p
	}
	defer s.memory.forget()
	all := slice.Map(ids, func(id archive.ID) *archive.Place { return byID[id] })
	before, err := s.Store.Copies(ctx, ids)
	if err != nil {
		return 0, err
	}
	if _, err = s.replace(ctx, before, all); err != nil {
		return 0, err
	}
	return len(ids), s.unify(ctx, slices.DeleteFunc(ids, func(id archive.ID) bool { return len(before[id]) > 0 }))
}

func (s *Service) loads(ctx context.Context, v viewer.Viewer, n int) error {
	if _, err := s.Gate.Admit(ctx, v, archive.Admin); err != nil {
		return err
	}
	return archive.CheckLoaded(n)
}

// LoadWords stores words, replacing existing ones.
func (s *Service) LoadWords(ctx context.Context, v viewer.Viewer, words []archive.PlaceWord) (int, error) {
	if err := s.loads(ctx, v, len(words)); err != nil {
		return 0, err
	}
	distinct := map[string]bool{}
	for _, w := range words {
		if err := w.Check(); err != nil {
			return 0, err
		}
		distinct[w.Word] = true
	}
	defer s.memory.forget()
	return len(distinct), s.Store.LoadWords(ctx, words, s.Now())
}

// Settings returns the settings for standardizing places, or nil if they were never saved.
func (s *Service) Settings(ctx context.Context, v viewer.Viewer) (*archive.PlaceSettings, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	return s.Store.Settings(ctx)
}

// SaveSettings replaces the settings for standardizing places.
func (s *Service) SaveSettings(ctx context.Context, v viewer.Viewer, settings archive.PlaceSettings, given *time.Time) (*archive.PlaceSettings, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Admin); err != nil {
		return nil, err
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	defer s.memory.forget()
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*archive.PlaceSettings, error) {
		before, err := s.Store.Settings(ctx)
		if err != nil {
			return nil, err
		}
		after := settings
		if err := after.Replacing(before, given, s.Now()); err != nil {
			return nil, err
		}
		return &after, s.Store.SaveSettings(ctx, before, &after)
	})
}

// Standardize returns the place that a text stands for, or nil.
func (s *Service) Standardize(ctx context.Context, v viewer.Viewer, text, within string) (*archive.StandardPlace, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	return s.Standard(ctx, text, within)
}

// Standard is like Standardize, for use by the system itself.
func (s *Service) Standard(ctx context.Context, text, within string) (*archive.StandardPlace, error) {
	if len(text) > longestText || len(within) > longestText {
		return nil, archive.BadInput("INVALID_TEXT", "A name of a place has at most %d bytes", longestText)
	}
	return s.memory.standard(ctx, s.Store, text, within, s.Now())
}

// longestText is the maximum length of a text that may name a place.
const longestText = 1000

// StandardName returns the full name of the place that a text stands for, or "".
func (s *Service) StandardName(ctx context.Context, text string) (string, error) {
	if text == "" || len(text) > longestText {
		return "", nil
	}
	p, err := s.Standard(ctx, text, "")
	if p == nil || err != nil {
		return "", err
	}
	return p.FullName, nil
}
