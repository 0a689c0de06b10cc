package store

import (
	"context"
	"errors"
	"iter"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/search"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/social"
)

// wordRows are the index entries of all searches; see package search.
var wordRows = search.Define(ops.Table)

// SearchIndex is the index of one kind of search.
type SearchIndex struct {
	// Name is what the index finds, such as users.
	Name   string
	finder *search.Finder
	source search.Source
}

// SearchIndexes returns all search indexes.
func (s *Store) SearchIndexes() []SearchIndex {
	return []SearchIndex{
		{"users", s.Users.words, profilesSource(s.DB)},
		{"posts", s.Posts.words, postsSource(s.DB)},
	}
}

// Adopt enables an index if there is no data to index yet. It fails with a
// *search.IncompleteError if the index must be rebuilt; until then, searches find nothing.
func (s *Store) Adopt(ctx context.Context, x SearchIndex) error {
	return x.finder.Adopt(ctx, func(ctx context.Context) (bool, error) { return s.DB.IsEmpty(ctx, Main) })
}

// Rebuild builds an index from the stored items while it is in use. It can be repeated
// after an interruption. It reports the number of items indexed so far to progress.
func (s *Store) Rebuild(ctx context.Context, x SearchIndex, progress func(done int)) (search.Rebuilt, error) {
	return x.finder.Rebuild(ctx, x.source, func(r search.Rebuilt) { progress(r.Documents) })
}

// rowSource supplies the documents of one row's items.
type rowSource[T any] struct {
	db  *keyspec.DB
	row *keyspec.Entity[T]
	key func(id string) keyspec.Key
	// of returns the document of an item, or nil if the item is not searchable.
	of func(*T) *search.Document
}

func profilesSource(db *keyspec.DB) search.Source {
	return rowSource[profileItem]{
		db,
		profiles,
		func(id string) keyspec.Key { return profileKey(social.UserID(id)) },
		func(i *profileItem) *search.Document { return personDocument(i.user()) },
	}
}

func postsSource(db *keyspec.DB) search.Source {
	return rowSource[social.Post]{db, posts, func(id string) keyspec.Key { return postKey(social.PostID(id)) }, keywordsOf}
}

// All scans the table of the row.
func (s rowSource[T]) All(ctx context.Context) iter.Seq2[search.Document, error] {
	return func(yield func(search.Document, error) bool) {
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		stopped := errors.New("stopped")
		err := s.db.Walk(ctx, s.row.Each(func(item T) {
			if d := s.of(&item); d != nil && context.Cause(ctx) == nil && !yield(*d, nil) {
				stop(stopped)
			}
		}))
		if err != nil && !errors.Is(context.Cause(ctx), stopped) {
			yield(search.Document{}, err)
		}
	}
}

func (s rowSource[T]) Load(ctx context.Context, ids []string) (map[string]search.Document, error) {
	b := s.db.NewBatch()
	read := s.row.FetchEach(b, len(ids), func(i int) keyspec.Key { return s.key(ids[i]) })
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	loaded := make(map[string]search.Document, len(ids))
	for i, id := range ids {
		if item := read.At(i); item != nil {
			if d := s.of(item); d != nil {
				loaded[id] = *d
			}
		}
	}
	return loaded, nil
}

// peopleWords is the index of users by their names.
var peopleWords = wordRows.Index(search.Kind{Name: "user", Fields: []search.Field{
	{Name: "username", Weight: 2},
	{Name: "fullName", Weight: 1, Pairs: true},
}})

// personDocument returns the searchable text of a user.
func personDocument(u *social.User) *search.Document {
	return &search.Document{ID: string(u.UserID), Fields: [][]string{{u.Username}, {u.FullName}}}
}

// Search returns the users whose names match a text, best match first, starting at offset.
// It also reports whether there are more.
func (s *Users) Search(ctx context.Context, text string, offset, limit int) ([]social.UserID, bool, error) {
	return found[social.UserID](s.words.Find(ctx, search.Query{Text: text, Offset: offset, Limit: limit}))
}

// postWords is the index of posts by their keywords, whatever their status.
var postWords = wordRows.Index(search.Kind{Name: "post", Fields: []search.Field{{Name: "keywords", Weight: 1, Values: true}}})

// keywordsOf returns the searchable text of a post, or nil if it has no keywords.
func keywordsOf(i *social.Post) *search.Document {
	if len(i.Keywords) == 0 {
		return nil
	}
	return &search.Document{ID: string(i.PostID), Fields: [][]string{i.Keywords}}
}

// Search returns the posts whose keywords match a text, best match first, starting at
// offset. It also reports whether there are more.
func (s *Posts) Search(ctx context.Context, text string, offset, limit int) ([]social.PostID, bool, error) {
	return found[social.PostID](s.words.Find(ctx, search.Query{Text: text, Offset: offset, Limit: limit}))
}

// Keywords returns distinct keywords of posts that match a text.
func (s *Posts) Keywords(ctx context.Context, text string, limit int) ([]string, error) {
	return s.words.Suggest(ctx, text, limit)
}

// Scores returns the trending scores of those posts that are trending.
func (s *Posts) Scores(ctx context.Context, ids []social.PostID) (map[social.PostID]float64, error) {
	return stored.Load(ctx, s.db, postTrending, ids, postTrendKey, func(i *postTrendingItem) float64 { return i.Score })
}

// found returns the ids of hits.
func found[ID ~string](hits search.Hits, err error) (ids []ID, more bool, _ error) {
	if err != nil {
		return nil, false, err
	}
	for _, id := range hits.IDs {
		ids = append(ids, ID(id))
	}
	return ids, hits.More, nil
}
