package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stored"
	"stoa/systems/archive"
)

// Places stores the gazetteer.
type Places struct{ Reader }

// Place returns a place by its id, or nil if it does not exist.
func (s *Places) Place(ctx context.Context, id archive.ID) (*archive.Place, error) {
	item, err := one(ctx, s.db, places.Begins(keyspec.Primary, id.String()))
	if item == nil || err != nil {
		return nil, err
	}
	return item.place(), nil
}

// Places returns places by their ids, which it reads concurrently.
func (s *Places) Places(ctx context.Context, ids []archive.ID) (map[archive.ID]*archive.Place, error) {
	return several(ctx, ids, s.Place)
}

// placesPage is the number of places read at a time.
const placesPage = 1000

// Beginning calls each with all places whose full name starts with a text, from
// gsi_sk_altSort and in its order. The text is in lower case and selects a single partition.
// Callers cache what it returns for all requests, so the limit of one does not apply.
func (s *Places) Beginning(ctx context.Context, prefix string, each func(*archive.Place)) error {
	ctx = keyspec.Shared(ctx)
	r := beginning(places.Begins(BySort, archive.PlacePartition(prefix)), prefix)
	for p := (keyspec.Page{Limit: placesPage}); ; {
		items, next, err := r.Page(ctx, s.db, p)
		if err != nil {
			return err
		}
		for i := range items {
			each(items[i].place())
		}
		if next == "" {
			return nil
		}
		p.After = next
	}
}

// InPartition returns places of a partition by their ids.
func (s *Places) InPartition(ctx context.Context, partition string, ids []archive.ID) (map[archive.ID]*archive.Place, error) {
	key := func(id archive.ID) keyspec.Key { return places.Key(id.String(), partition) }
	return stored.Load(ctx, s.db, places, ids, key, (*placeItem).place)
}

// Words reads words in one call.
func (s *Places) Words(ctx context.Context, words []string) (map[string][]archive.ID, error) {
	key := func(w string) keyspec.Key { return placeWords.Key(w) }
	return stored.Load(ctx, s.db, placeWords, words, key, func(i *placeWordItem) []archive.ID { return i.IDs })
}

// Load stores a place. before is the place with its id, which must be as read and may have
// another name, or nil if there was none.
func (s *Places) Load(ctx context.Context, before, after *archive.Place) error {
	tx := s.db.NewTx()
	switch item := placeItemOf(after); {
	case before == nil:
		places.Create(tx, item)
	default:
		old := placeItemOf(before)
		from := places.KeyOf(&old)
		if from == places.KeyOf(&item) {
			places.Put(tx, item).If(asRead, before.LastUpdateTime)
			break
		}
		places.Delete(tx, from).If(asRead, before.LastUpdateTime)
		places.Create(tx, item)
	}
	return stored.Outcome(tx.Run(ctx))
}

// LoadNew stores places that did not exist before.
func (s *Places) LoadNew(ctx context.Context, all []*archive.Place) error {
	b := s.db.NewBulk()
	for _, p := range all {
		places.PutIn(b, placeItemOf(p))
	}
	return b.Run(ctx)
}

// LoadWords stores words, replacing existing ones. Words without places are removed.
func (s *Places) LoadWords(ctx context.Context, words []archive.PlaceWord, now time.Time) error {
	b := s.db.NewBulk()
	at := archive.StampsAt(now)
	for _, w := range words {
		if len(w.PlaceIDs) == 0 {
			placeWords.DeleteIn(b, placeWords.Key(w.Word))
			continue
		}
		placeWords.PutIn(b, placeWordItem{w.Word, w.PlaceIDs, at})
	}
	return b.Run(ctx)
}

// Settings returns the settings for standardizing places, or nil if they were never saved.
func (s *Places) Settings(ctx context.Context) (*archive.PlaceSettings, error) {
	return placeSettings.Get(ctx, s.db, placeSettings.Key())
}

// SaveSettings replaces settings that were read, nil if there were none.
func (s *Places) SaveSettings(ctx context.Context, before, after *archive.PlaceSettings) error {
	item := *after
	if item.Abbreviations == nil {
		item.Abbreviations = map[string]string{} // stored even if it is empty
	}
	tx := s.db.NewTx()
	w := placeSettings.Put(tx, item)
	if before == nil {
		w.Absent()
	} else {
		w.If(asRead, before.LastUpdateTime)
	}
	return stored.Outcome(tx.Run(ctx))
}
