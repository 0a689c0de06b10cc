package store

import (
	"context"
	"errors"
	"iter"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/search"
	"stoa/internal/ops"
	"stoa/social"
)

// wordRows are the words of everything that can be searched, see package search.
var wordRows = search.Define(ops.Table)

// SearchIndex is what one search looks into.
type SearchIndex struct {
	// Name says what is found.
	Name   string
	finder *search.Finder
	source search.Source
}

// SearchIndexes are all there are.
func (s *Store) SearchIndexes() []SearchIndex {
	return []SearchIndex{{"users", s.Users.words, people{s.DB}}}
}

// Adopt takes an index into use if there is nothing to find yet. It fails with a
// *search.IncompleteError when the index has to be rebuilt, and until then nothing is
// found in it.
func (s *Store) Adopt(ctx context.Context, x SearchIndex) error {
	return x.finder.Adopt(ctx, func(ctx context.Context) (bool, error) { return s.DB.IsEmpty(ctx, Main) })
}

// Rebuild makes an index of what is stored, while it is in use. It may be repeated after
// it was cut off. Progress is told how many things were indexed so far.
func (s *Store) Rebuild(ctx context.Context, x SearchIndex, progress func(done int)) (search.Rebuilt, error) {
	return x.finder.Rebuild(ctx, x.source, func(r search.Rebuilt) { progress(r.Documents) })
}

// documents are those of all items of a row, by walking the table that the row is in.
func documents[T any](ctx context.Context, db *keyspec.DB, row *keyspec.Entity[T], of func(*T) *search.Document) iter.Seq2[search.Document, error] {
	return func(yield func(search.Document, error) bool) {
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		stopped := errors.New("stopped")
		err := db.Walk(ctx, row.Each(func(item T) {
			if d := of(&item); d != nil && context.Cause(ctx) == nil && !yield(*d, nil) {
				stop(stopped)
			}
		}))
		if err != nil && !errors.Is(context.Cause(ctx), stopped) {
			yield(search.Document{}, err)
		}
	}
}

// found are the ids of hits.
func found[ID ~string](hits search.Hits, err error) (ids []ID, more bool, _ error) {
	if err != nil {
		return nil, false, err
	}
	for _, id := range hits.IDs {
		ids = append(ids, ID(id))
	}
	return ids, hits.More, nil
}

// peopleWords are by which users are found: their names.
var peopleWords = wordRows.Index(search.Kind{Name: "user", Fields: []search.Field{
	{Name: "username", Weight: 2},
	{Name: "fullName", Weight: 1, Pairs: true},
}})

// Search returns the users whose names match a text, from an offset on, the best first,
// and whether there are more.
func (s *Users) Search(ctx context.Context, text string, offset, limit int) ([]social.UserID, bool, error) {
	return found[social.UserID](s.words.Find(ctx, search.Query{Text: text, Offset: offset, Limit: limit}))
}

// personDocument is what of a user is searched.
func personDocument(u *social.User) *search.Document {
	return &search.Document{ID: string(u.UserID), Fields: [][]string{{u.Username}, {u.FullName}}}
}

// people are all users, for rebuilding.
type people struct{ db *keyspec.DB }

func (p people) All(ctx context.Context) iter.Seq2[search.Document, error] {
	return documents(ctx, p.db, profiles, func(i *profileItem) *search.Document { return personDocument(i.user()) })
}

func (p people) Load(ctx context.Context, ids []string) (map[string]search.Document, error) {
	b := p.db.NewBatch()
	read := profiles.FetchEach(b, len(ids), func(i int) keyspec.Key { return profileKey(social.UserID(ids[i])) })
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	loaded := make(map[string]search.Document, len(ids))
	for i, id := range ids {
		if item := read.At(i); item != nil {
			loaded[id] = *personDocument(item.user())
		}
	}
	return loaded, nil
}
