package social

import (
	"testing"
	"time"
)

// albumsOf returns facts about albums, by id.
func albumsOf(albums ...*Album) map[AlbumID]AlbumFacts {
	facts := map[AlbumID]AlbumFacts{}
	for _, a := range albums {
		facts[a.AlbumID] = AlbumFacts{Album: a}
	}
	return facts
}

// lying returns a post in an album.
func lying(status PostStatus, id AlbumID, rank float64) *Post {
	return &Post{PostID: "p", PostedByUserID: "ana", Status: status, PostedAt: noon, AlbumID: id, AlbumRank: rank}
}

// posts 24.17 and 24.18: the counts of an album and the ranks of its posts.
func TestPostStep(t *testing.T) {
	later := noon.Add(time.Hour)
	album := func(id AlbumID) *Album {
		return &Album{AlbumID: id, OwnedByUserID: "ana", PostCount: 3, RankCount: 3, PostsLastUpdatedAt: noon}
	}
	type changed struct{ posts, ranks int }
	for _, c := range []struct {
		name          string
		before, after *Post
		rank          float64
		a, b          *changed // how counts change; nil for no change
	}{
		{"a completed post enters at the back", nil, lying(PostCompleted, "a", 0), 3.0 / 5, &changed{1, 1}, nil},
		{"a pending one changes nothing", nil, lying(PostPending, "a", 0), Unranked, nil, nil},
		{"completed in its album", lying(PostPending, "a", Unranked), lying(PostCompleted, "a", Unranked), 3.0 / 5, &changed{1, 1}, nil},
		{"failed in its album", lying(PostPending, "a", Unranked), lying(PostError, "a", Unranked), Unranked, nil, nil},
		{"archived", lying(PostCompleted, "a", 0.5), lying(PostArchived, "a", 0.5), Unranked, &changed{-1, 0}, nil},
		{"restored to the back", lying(PostArchived, "a", Unranked), lying(PostCompleted, "a", Unranked), 3.0 / 5, &changed{1, 1}, nil},
		{"restored without its album", lying(PostArchived, "gone", Unranked), lying(PostCompleted, "gone", Unranked), 0, nil, nil},
		{"moved to another album", lying(PostCompleted, "a", 0.5), lying(PostCompleted, "b", Unranked), 3.0 / 5, &changed{-1, 0}, &changed{1, 1}},
		{"moved while archived", lying(PostArchived, "a", Unranked), lying(PostArchived, "b", Unranked), Unranked, nil, nil},
		{"taken out", lying(PostCompleted, "a", 0), lying(PostCompleted, "", 0), 0, &changed{-1, 0}, nil},
		{"another place", lying(PostCompleted, "a", 0), lying(PostCompleted, "a", -0.5), -0.5, &changed{0, 1}, nil},
		{"deleted", lying(PostCompleted, "a", 0.5), lying(PostCompleted, "a", 0.5).Gone(), Unranked, &changed{-1, 0}, nil},
		{"deleted while archived", lying(PostArchived, "a", Unranked), lying(PostArchived, "a", Unranked).Gone(), Unranked, nil, nil},
		{"without an album", nil, lying(PostCompleted, "", 0), 0, nil, nil},
	} {
		a, b := album("a"), album("b")
		s := NewPostStep(c.before, c.after, albumsOf(a, b), later)
		if s.After.AlbumRank != c.rank {
			t.Errorf("%s: rank %v, want %v", c.name, s.After.AlbumRank, c.rank)
		}
		for id, want := range map[AlbumID]*changed{"a": c.a, "b": c.b} {
			var got *changed
			for _, step := range s.Albums {
				if step.Changed() && step.After.AlbumID == id {
					got = &changed{step.After.PostCount - 3, step.After.RankCount - 3}
					if step.After.PostsLastUpdatedAt != later {
						t.Errorf("%s: updated at %v", c.name, step.After.PostsLastUpdatedAt)
					}
				}
			}
			if (got == nil) != (want == nil) || got != nil && *got != *want {
				t.Errorf("%s: album %s changes by %v, want %v", c.name, id, got, want)
			}
		}
		if *a != *album("a") || *b != *album("b") {
			t.Errorf("%s: the album before was changed in place", c.name)
		}
	}
}

// posts 24.20: ranks at the end, at the front and in between.
func TestRanks(t *testing.T) {
	p := lying(PostCompleted, "a", 0.9)
	for n, want := range []struct{ back, front float64 }{{0, 0}, {1.0 / 3, -1.0 / 3}, {0.5, -0.5}, {0.6, -0.6}} {
		a := &Album{RankCount: n}
		const close = 1e-15
		if got := p.Behind(0.1, nil, a).AlbumRank; got-want.back > close || want.back-got > close {
			t.Errorf("rank %d at the back is %v, want %v", n+1, got, want.back)
		}
		if got := p.Behind(Unranked, &PostPlace{"q", 0}, a).AlbumRank; got-want.front > close || want.front-got > close {
			t.Errorf("rank %d at the front is %v, want %v", n+1, got, want.front)
		}
	}
	if got := p.Behind(0, &PostPlace{"q", 0.5}, &Album{}).AlbumRank; got != 0.25 {
		t.Errorf("rank between 0 and 0.5 is %v", got)
	}
	here := &PostPlace{"p", 0.9}
	if p.Behind(0, here, &Album{}) != p || p.Behind(Unranked, here, &Album{}) != p {
		t.Error("a post that stands there already is moved")
	}
}

// posts 24.19: times that clients can distinguish, and the deadline of an empty album.
func TestAlbumChanges(t *testing.T) {
	empty := NewAlbum("ana", "a", "", "", noon)
	if want := noon.Add(24 * time.Hour); empty.DeleteAt != want {
		t.Errorf("a new album is deleted at %v, want %v", empty.DeleteAt, want)
	}
	p := lying(PostCompleted, "a", 0)
	one := NewPostStep(nil, p, albumsOf(empty), noon)
	full := one.Albums[0].After
	if !full.DeleteAt.IsZero() || full.PostsLastUpdatedAt != noon.Add(time.Millisecond) || one.Until() != full.PostsLastUpdatedAt {
		t.Errorf("with a post of the same moment: %+v", full)
	}
	out := NewPostStep(one.After, one.After.Gone(), albumsOf(full), noon)
	if a := out.Albums[0].After; a.PostCount != 0 || a.PostsLastUpdatedAt != noon.Add(2*time.Millisecond) || a.DeleteAt != a.PostsLastUpdatedAt.Add(24*time.Hour) {
		t.Errorf("empty again: %+v", a)
	}
}

func TestAlbumEdit(t *testing.T) {
	for _, c := range []struct {
		name string
		edit AlbumEdit
		want string
	}{
		{"a name", AlbumEdit{Name: new("x")}, ""},
		{"no description", AlbumEdit{Description: new("")}, ""},
		{"no name", AlbumEdit{Name: new("")}, "All albums must have names"},
		{"too much", AlbumEdit{Description: new(string(make([]byte, MaxText+1)))}, "text is 262145 bytes long: shorten it to at most 262144"},
	} {
		wantRefusal(t, c.name, c.edit.Check(), c.want)
		wantRefusal(t, c.name, c.edit.Given(), "")
	}
	wantRefusal(t, "nothing", AlbumEdit{}.Given(), "Called without any arguments... probably not what you intended?")
}
