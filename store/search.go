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
	return []SearchIndex{
		{"users", s.Users.words, profilesSource(s.DB)},
		{"posts", s.Posts.words, postsSource(s.DB)},
	}
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

// rowSource are the documents of the items of a row.
type rowSource[T any] struct {
	db  *keyspec.DB
	row *keyspec.Entity[T]
	key func(id string) keyspec.Key
	// of makes the document of an item, nil for one that is not searched.
	of func(*T) *search.Document
}

func profilesSource(db *keyspec.DB) search.Source {
	return rowSource[profileItem]{db, profiles, func(id string) keyspec.Key { return profileKey(social.UserID(id)) }, func(i *profileItem) *search.Document { return personDocument(i.user()) }}
}

func postsSource(db *keyspec.DB) search.Source {
	return rowSource[postItem]{db, posts, func(id string) keyspec.Key { return postKey(social.PostID(id)) }, keywordsOf}
}

// All walks the table that the row is in.
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

// peopleWords are by which users are found: their names.
var peopleWords = wordRows.Index(search.Kind{Name: "user", Fields: []search.Field{
	{Name: "username", Weight: 2},
	{Name: "fullName", Weight: 1, Pairs: true},
}})

// personDocument is what of a user is searched.
func personDocument(u *social.User) *search.Document {
	return &search.Document{ID: string(u.UserID), Fields: [][]string{{u.Username}, {u.FullName}}}
}

// Search returns the users whose names match a text, from an offset on, the best first,
// and whether there are more.
func (s *Users) Search(ctx context.Context, text string, offset, limit int) ([]social.UserID, bool, error) {
	return found[social.UserID](s.words.Find(ctx, search.Query{Text: text, Offset: offset, Limit: limit}))
}

// postWords are by which posts are found, whatever their status: their keywords.
var postWords = wordRows.Index(search.Kind{Name: "post", Fields: []search.Field{{Name: "keywords", Weight: 1, Values: true}}})

// keywordsOf is what of a post is searched, nil for one without keywords.
func keywordsOf(i *postItem) *search.Document {
	if len(i.Keywords) == 0 {
		return nil
	}
	return &search.Document{ID: string(i.PostID), Fields: [][]string{i.Keywords}}
}

// Search returns the posts whose keywords match a text, from an offset on, the best first,
// and whether there are more.
func (s *Posts) Search(ctx context.Context, text string, offset, limit int) ([]social.PostID, bool, error) {
	return found[social.PostID](s.words.Find(ctx, search.Query{Text: text, Offset: offset, Limit: limit}))
}

// Keywords returns different keywords of posts that match a text.
func (s *Posts) Keywords(ctx context.Context, text string, limit int) ([]string, error) {
	return s.words.Suggest(ctx, text, limit)
}

// Scores returns the trending scores of those posts among ids that are trending.
func (s *Posts) Scores(ctx context.Context, ids []social.PostID) (map[social.PostID]float64, error) {
	b := s.db.NewBatch()
	read := postTrending.FetchEach(b, len(ids), func(i int) keyspec.Key { return postTrending.Key(string(ids[i])) })
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	scores := map[social.PostID]float64{}
	for i, id := range ids {
		if item := read.At(i); item != nil {
			scores[id] = item.Score
		}
	}
	return scores, nil
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
