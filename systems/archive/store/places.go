package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
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

// Copies returns the items of places by their ids, which it reads concurrently. There is one of
// each, unless a place was loaded twice at once under names that begin differently.
func (s *Places) Copies(ctx context.Context, ids []archive.ID) (map[archive.ID][]*archive.Place, error) {
	found, err := several(ctx, ids, func(ctx context.Context, id archive.ID) (*page.Page[*archive.Place], error) {
		p, err := list(ctx, s.db, places.Begins(keyspec.Primary, id.String()), page.Query{First: page.Max}, (*placeItem).place)
		return &p, err
	})
	copies := make(map[archive.ID][]*archive.Place, len(found))
	for id, p := range found {
		copies[id] = p.Items
	}
	return copies, err
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

// Load stores a place instead of its copies, which must be as read and may have other names.
func (s *Places) Load(ctx context.Context, copies []*archive.Place, after *archive.Place) error {
	tx, item := s.db.NewTx(), placeItemOf(after)
	put := places.Put(tx, item)
	there := false
	for _, before := range copies {
		old := placeItemOf(before)
		if from := places.KeyOf(&old); from != places.KeyOf(&item) {
			places.Delete(tx, from).If(asRead, before.LastUpdateTime)
			continue
		}
		put.If(asRead, before.LastUpdateTime)
		there = true
	}
	if !there {
		put.Absent()
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
