package search_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
	"stoa/systems/archive/search"
)

// shelf is a category of collections with empty posts, of which every 97th has one record, in
// household 1.
type shelf struct {
	collections, posts int
	level              archive.AuthLevel
	// reads and listed count reads, and the posts and households they returned.
	reads, listed int
}

const (
	firstCollection archive.ID = 1_000_000
	firstPost       archive.ID = 2_000_000
)

func (s *shelf) post(id archive.ID) *archive.Post {
	return &archive.Post{ID: id, CollectionID: firstCollection + (id-firstPost)%archive.ID(s.collections), Status: archive.Draft}
}

func (s *shelf) record(post archive.ID) *archive.Record {
	return archive.NewRecord(post+1_000_000, post, map[string]string{"Name": post.String()}, archive.Stamps{}.InsertTime)
}

func held(post archive.ID) bool { return post%97 == 0 }

func (s *shelf) Facts(_ context.Context, w archive.Wanted) (*archive.Facts, error) {
	f := &archive.Facts{Posts: map[archive.ID]*archive.Post{}, Collections: map[archive.ID]*archive.Collection{}, Records: map[archive.RecordRef]*archive.Record{}}
	if s.reads++; len(w.Collections) > 1_000 {
		return nil, fmt.Errorf("%d collections are read at once", len(w.Collections))
	}
	for _, id := range w.Posts {
		f.Posts[id] = s.post(id)
	}
	for _, id := range w.Collections {
		f.Collections[id] = &archive.Collection{ID: id, CollectionPlan: archive.CollectionPlan{CategoryIDs: []archive.ID{1}}}
	}
	for _, r := range w.Records {
		f.Records[r] = s.record(r.PostID)
	}
	return f, nil
}

func (s *shelf) From(_ context.Context, post, id archive.ID, _ int) ([]*archive.Record, error) {
	if s.reads++; held(post) && id <= s.record(post).ID {
		return []*archive.Record{s.record(post)}, nil
	}
	return nil, nil
}

func (s *shelf) HouseholdsFrom(_ context.Context, number string, post archive.ID, n int) (all []*archive.Household, more bool, err error) {
	s.reads++
	for id := max(post, firstPost); id < firstPost+archive.ID(s.posts); id++ {
		switch {
		case !held(id):
		case len(all) == n:
			return all, true, nil
		default:
			s.listed++
			all = append(all, &archive.Household{PostID: id, Number: number, RecordIDs: []archive.ID{s.record(id).ID}})
		}
	}
	return all, false, nil
}

// part returns a page of ids, from, from + step and so on.
func (s *shelf) part(q page.Query, from archive.ID, step, n int) (p page.Page[archive.ID], err error) {
	s.reads++
	at := 0
	if q.After != "" {
		if at, err = strconv.Atoi(q.After); err != nil {
			return p, err
		}
	}
	for ; at < n && len(p.Items) < q.First; at++ {
		p.Items = append(p.Items, from+archive.ID(at*step))
	}
	if at < n {
		p.Next = strconv.Itoa(at)
	}
	return p, nil
}

func (s *shelf) CollectionIDs(_ context.Context, _ archive.ID, q page.Query) (page.Page[archive.ID], error) {
	return s.part(q, firstCollection, 1, s.collections)
}

func (s *shelf) OfCollection(_ context.Context, id archive.ID, q page.Query) (page.Page[*archive.Post], error) {
	p, err := s.part(q, firstPost+id-firstCollection, s.collections, s.posts/s.collections)
	s.listed += len(p.Items)
	return page.Map(p, s.post), err
}

func (s *shelf) All(context.Context, page.Query) (page.Page[*archive.Post], error) {
	panic("all posts are read")
}

func (s *shelf) Admit(context.Context, viewer.Viewer, archive.AuthLevel) (*archive.User, error) {
	return &archive.User{Level: s.level, Enabled: true}, nil
}

func (s *shelf) AdmitWith(context.Context, viewer.Viewer, archive.AuthLevel, archive.Wanted) (*archive.User, *archive.Facts, error) {
	panic("not called")
}

// archive 5.8#1 and 5.8#4: whatever the scope contains, a page reads a limited part of it.
// The pages together contain each hit once. They are in the order of posts if a block
// contains all of them.
func TestPagesAreLimited(t *testing.T) {
	one, first := archive.ID(1), firstCollection
	number := "1"
	for _, s := range []shelf{{collections: 1, posts: 950}, {collections: 3, posts: 900}, {collections: 1, posts: 12_000}, {collections: 3, posts: 12_000},
		{collections: 400, posts: 12_000}} {
		for name, q := range map[string]archive.RecordSearch{"category": {CategoryID: &one}, "collection": {CollectionID: &first}, "household": {Household: &number}} {
			for _, level := range []archive.AuthLevel{archive.Guest, archive.Contributor} {
				s.level = level
				service := &search.Service{Store: &s, Posts: &s, Categories: &s, Gate: &s}
				var got, want []archive.ID
				for id := firstPost; id < firstPost+archive.ID(s.posts); id++ {
					if held(id) && level == archive.Contributor && (name != "collection" || s.post(id).CollectionID == first) {
						want = append(want, s.record(id).ID)
					}
				}
				pages := 0
				for token := (*string)(nil); pages < 1_000; pages++ {
					s.reads, s.listed = 0, 0
					p, err := service.Find(t.Context(), viewer.Viewer{UserID: "ana"}, q, page.Args{Limit: new(5), NextToken: token})
					if err != nil {
						t.Fatal(err)
					}
					if s.reads > 210 || s.listed > 1_099 {
						t.Fatalf("%+v, %s: a page takes %d reads of %d posts", s, name, s.reads, s.listed)
					}
					for _, hit := range p.Items {
						got = append(got, hit.Record.ID())
					}
					if token = p.NextToken(); token == nil {
						break
					}
				}
				if s.posts > 1_000 && name == "category" {
					slices.Sort(got)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%d collections, %d posts: %s finds %d hits in a %s on %d pages, want %d", s.collections, s.posts, level, len(got), name, pages+1, len(want))
				}
			}
		}
	}
}

// Tokens of a list that this service does not seal are refused.
func TestOddTokens(t *testing.T) {
	s := &shelf{collections: 1, posts: 10, level: archive.Reader}
	service := &search.Service{Store: s, Posts: s, Categories: s, Gate: s}
	one := archive.ID(1)
	q := archive.RecordSearch{CategoryID: &one}
	for _, text := range []string{"x", "1", "1.x", "1.2.x", "1.2.a b", "1.2.a b c", "99999999999.1"} {
		token := page.ScopeOf("archive.searchRecords", "ana", q.Arguments()...).Seal(text)
		if _, err := service.Find(t.Context(), viewer.Viewer{UserID: "ana"}, q, page.Args{NextToken: &token}); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
