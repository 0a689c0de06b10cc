package post_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

const inA1 = `{ album(albumId: "a1") { postCount postsLastUpdatedAt posts { items { postId } } } }`

func TestAddPostToAnAlbum(t *testing.T) {
	given := Users("ana", "ben").Album("ana", "a1").Album("ben", "b1")
	Run(t, []Scenario{
		// posts 24.19: the time is between those of the post and of the query.
		{Name: "at the back, a millisecond after the post", Given: given.Post("ana", "p1", InAlbum("a1")), As: "ana",
			Query: `mutation { addPost(postId: "p2", postType: TEXT_ONLY, text: "x", albumId: "a1") { postedAt album { postCount postsLastUpdatedAt posts { items { postId } } } } }`,
			Want: `{"addPost":{"postedAt":"2026-01-01T12:00:06.000Z","album":{"postCount":2,"postsLastUpdatedAt":"2026-01-01T12:00:06.001Z","posts":{"items":[{"postId":"p1"},` +
				`{"postId":"p2"}]}}}}`,
			Counts: Counts{"a1.postCount": 1, "a1.rankCount": 1, "ana.postCount": 1}},
		{
			Name:  "an empty id is none",
			Given: given,
			As:    "ana",
			Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x", albumId: "") { album { name } } }`,
			Want:  `{"addPost":{"album":null}}`,
		},
		{
			Name:  "an unknown album",
			Given: given,
			As:    "ana",
			Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x", albumId: "a/2") { postId } }`,
			Error: "ClientError: Album `a/2` does not exist",
		},
		{Name: "somebody else's album", Given: given, As: "ana", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x", albumId: "b1") { postId } }`,
			Error: "ClientError: Album `b1` does not belong to caller user `{ana}`"},
		{
			Name:  "the text comes first",
			Given: given,
			As:    "ana",
			Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, albumId: "b1") { postId } }`,
			Error: "ClientError: Cannot add text-only post without text",
		},
		{Name: "the album is deleted meanwhile", Given: given, Meanwhile: Given{}.DeleteAlbum("ana", "a1"), As: "ana",
			Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x", albumId: "a1") { postId } }`, Error: "ClientError: Album `a1` does not exist",
			Counts: Counts{"ana.albumCount": -1}},
	})
}

// posts 24.17 and 24.18: an archived post leaves its album, and goes to the back once it is
// restored.
func TestArchivedPostsLeaveTheirAlbum(t *testing.T) {
	given := Users("ana", "ben").Album("ana", "a1").Post("ana", "p1", InAlbum("a1")).Post("ana", "p2", InAlbum("a1"))
	Run(t, []Scenario{
		{Name: "archived, and restored to the back", Given: given, As: "ana", Query: `mutation { archivePost(postId: "p1") { album { albumId postCount } } }`,
			Want: `{"archivePost":{"album":{"albumId":"a1","postCount":1}}}`, Counts: Counts{"ana.postCount": -1, "a1.postCount": -1, "a1.rankCount": 0},
			Then: []Scenario{
				{As: "ben", Query: inA1, Want: `{"album":{"postCount":1,"postsLastUpdatedAt":"2026-01-01T12:00:06.000Z","posts":{"items":[{"postId":"p2"}]}}}`},
				{
					As:     "ana",
					Query:  `mutation { restoreArchivedPost(postId: "p1") { album { postCount } } }`,
					Want:   `{"restoreArchivedPost":{"album":{"postCount":2}}}`,
					Counts: Counts{"ana.postCount": 1, "a1.postCount": 1, "a1.rankCount": 1},
				},
				{As: "ben", Query: inA1, Want: `{"album":{"postCount":2,"postsLastUpdatedAt":"2026-01-01T12:00:08.000Z","posts":{"items":[{"postId":"p2"},{"postId":"p1"}]}}}`},
			}},
		{Name: "deleted", Given: given, As: "ana", Query: `mutation { deletePost(postId: "p1") { album { postCount } } }`, Want: `{"deletePost":{"album":{"postCount":1}}}`,
			Counts: Counts{
				"ana.postCount": -1,
				"a1.postCount":  -1,
				"a1.rankCount":  0,
			}, Then: []Scenario{{As: "ana", Query: `{ album(albumId: "a1") { posts { items { postId } } } }`, Want: `{"album":{"posts":{"items":[{"postId":"p2"}]}}}`}}},
		{
			Name:   "an archived one is deleted",
			Given:  given.Archive("ana", "p1"),
			As:     "ana",
			Query:  `mutation { deletePost(postId: "p1") { postId } }`,
			Counts: Counts{"a1.postCount": 0, "a1.rankCount": 0},
			Then:   []Scenario{{As: "ana", Query: `{ album(albumId: "a1") { postsLastUpdatedAt } }`, Want: `{"album":{"postsLastUpdatedAt":"2026-01-01T12:00:06.000Z"}}`}},
		},
		{Name: "another enters meanwhile", Given: given, Meanwhile: Given{}.Post("ana", "p3", InAlbum("a1")), As: "ana", Query: `mutation { archivePost(postId: "p1") { postId } }`,
			Counts: Counts{"a1.postCount": 0, "a1.rankCount": 1}},
	})
}

// posts 24.17, 24.18 and 24.19: a post that is moved goes to the back, and both albums are
// updated.
func TestEditPostAlbum(t *testing.T) {
	const move = `mutation { editPostAlbum(postId: "p1", albumId: "a2") { album { albumId postCount } } }`
	given := Users("ana", "ben").Album("ana", "a1").Album("ana", "a2").Album("ben", "b1").Post("ana", "p1", InAlbum("a1")).Post("ana", "p2", InAlbum("a2"))
	Run(t, []Scenario{
		{Name: "to the back of the other album", Given: given, As: "ana", Query: move, Want: `{"editPostAlbum":{"album":{"albumId":"a2","postCount":2}}}`,
			Counts: Counts{"a1.postCount": -1, "a1.rankCount": 0, "a2.postCount": 1, "a2.rankCount": 1},
			Then: []Scenario{
				{
					As:    "ben",
					Query: `{ a: album(albumId: "a1") { postsLastUpdatedAt posts { items { postId } } } b: album(albumId: "a2") { postsLastUpdatedAt posts { items { postId } } } }`,
					Want: `{"a":{"postsLastUpdatedAt":"2026-01-01T12:00:08.000Z","posts":{"items":[]}},` +
						`"b":{"postsLastUpdatedAt":"2026-01-01T12:00:08.000Z","posts":{"items":[{"postId":"p2"},{"postId":"p1"}]}}}`,
				},
			}},
		{
			Name:   "out",
			Given:  given,
			As:     "ana",
			Query:  `mutation { editPostAlbum(postId: "p1") { album { albumId } } }`,
			Want:   `{"editPostAlbum":{"album":null}}`,
			Counts: Counts{"a1.postCount": -1, "a1.rankCount": 0},
		},
		{
			Name:  "out by an empty id",
			Given: given,
			As:    "ana",
			Query: `mutation { editPostAlbum(postId: "p1", albumId: "") { album { albumId } } }`,
			Want:  `{"editPostAlbum":{"album":null}}`,
		},
		{
			Name:  "the same album",
			Given: given,
			As:    "ana",
			Query: `mutation { editPostAlbum(postId: "p1", albumId: "a1") { album { albumId } } }`,
			Want:  `{"editPostAlbum":{"album":{"albumId":"a1"}}}`,
			Counts: Counts{
				"a1.rankCount": 0,
			},
			Then: []Scenario{{As: "ana", Query: `{ album(albumId: "a1") { postsLastUpdatedAt } }`, Want: `{"album":{"postsLastUpdatedAt":"2026-01-01T12:00:06.001Z"}}`}},
		},
		{
			Name:  "none while it is in none",
			Given: given.Post("ana", "p3"),
			As:    "ana",
			Query: `mutation { editPostAlbum(postId: "p3") { album { albumId } } }`,
			Want:  `{"editPostAlbum":{"album":null}}`,
		},
		{Name: "an archived post changes nothing", Given: given.Archive("ana", "p1"), As: "ana", Query: move, Want: `{"editPostAlbum":{"album":{"albumId":"a2","postCount":1}}}`,
			Counts: Counts{"a1.postCount": 0, "a2.postCount": 0, "a2.rankCount": 0},
			Then: []Scenario{
				{
					As:    "ana",
					Query: `{ album(albumId: "a2") { postsLastUpdatedAt posts { items { postId } } } }`,
					Want:  `{"album":{"postsLastUpdatedAt":"2026-01-01T12:00:07.001Z","posts":{"items":[{"postId":"p2"}]}}}`,
				},
			}},
		{
			Name:  "an unknown post",
			Given: given,
			As:    "ana",
			Query: `mutation { editPostAlbum(postId: "p/9", albumId: "a2") { postId } }`,
			Error: "ClientError: Post `p/9` does not exist",
		},
		{Name: "somebody else's post", Given: given, As: "ben", Query: move, Error: "ClientError: Cannot edit another user's post"},
		{
			Name:  "an unknown album",
			Given: given,
			As:    "ana",
			Query: `mutation { editPostAlbum(postId: "p1", albumId: "a9") { postId } }`,
			Error: "ClientError: Album `a9` does not exist",
		},
		{
			Name:  "somebody else's album",
			Given: given,
			As:    "ana",
			Query: `mutation { editPostAlbum(postId: "p1", albumId: "b1") { postId } }`,
			Error: "ClientError: Album `b1` and post `p1` belong to different users",
		},
		{
			Name:      "the album is deleted meanwhile",
			Given:     given,
			Meanwhile: Given{}.DeleteAlbum("ana", "a2"),
			As:        "ana",
			Query:     move,
			Error:     "ClientError: Album `a2` does not exist",
			Counts:    Counts{"ana.albumCount": -1},
		},
		{
			Name:      "the post is archived meanwhile",
			Given:     given,
			Meanwhile: Given{}.Archive("ana", "p1"),
			As:        "ana",
			Query:     move,
			Counts:    Counts{"ana.postCount": -1, "a1.postCount": -1, "a2.postCount": 0},
		},
	})
}

// posts Q2 and 24.20: albums list their posts in their owner's order.
func TestEditPostAlbumOrder(t *testing.T) {
	order := func(arguments string) string {
		return `mutation { editPostAlbumOrder(` + arguments + `) { album { posts { items { postId } } } } }`
	}
	shows := func(ids ...string) string {
		items := ""
		for i, id := range ids {
			if i > 0 {
				items += ","
			}
			items += `{"postId":"` + id + `"}`
		}
		return `{"editPostAlbumOrder":{"album":{"posts":{"items":[` + items + `]}}}}`
	}
	given := Users("ana", "ben").Album("ana", "a1").Album("ana", "a2").
		Post("ana", "p1", InAlbum("a1")).
		Post("ana", "p2", InAlbum("a1")).Post("ana", "p3", InAlbum("a1")).Post("ana", "loose").Post("ana", "other", InAlbum("a2")).Post("ben", "bens")
	moved, stays := Counts{"a1.rankCount": 1, "a1.postCount": 0}, Counts{"a1.rankCount": 0, "a1.postCount": 0}
	unmoved := []Scenario{{As: "ana", Query: `{ album(albumId: "a1") { postsLastUpdatedAt } }`, Want: `{"album":{"postsLastUpdatedAt":"2026-01-01T12:00:07.001Z"}}`}}
	Run(t, []Scenario{
		{Name: "to the front", Given: given, As: "ana", Query: order(`postId: "p3"`), Want: shows("p3", "p1", "p2"), Counts: moved,
			Then: []Scenario{{As: "ana", Query: order(`postId: "p1", precedingPostId: "p2"`), Want: shows("p3", "p2", "p1"), Counts: moved}}},
		{Name: "to the front by an empty id", Given: given, As: "ana", Query: order(`postId: "p2", precedingPostId: ""`), Want: shows("p2", "p1", "p3"), Counts: moved},
		{Name: "between", Given: given, As: "ana", Query: order(`postId: "p3", precedingPostId: "p1"`), Want: shows("p1", "p3", "p2"), Counts: moved},
		{Name: "to the back", Given: given, As: "ana", Query: order(`postId: "p1", precedingPostId: "p3"`), Want: shows("p2", "p3", "p1"), Counts: moved},
		{Name: "where it is", Given: given, As: "ana", Query: order(`postId: "p2", precedingPostId: "p1"`), Want: shows("p1", "p2", "p3"), Counts: stays, Then: unmoved},
		{Name: "first already", Given: given, As: "ana", Query: order(`postId: "p1"`), Want: shows("p1", "p2", "p3"), Counts: stays, Then: unmoved},
		{Name: "behind itself", Given: given, As: "ana", Query: order(`postId: "p1", precedingPostId: "p1"`), Want: shows("p1", "p2", "p3"), Counts: stays, Then: unmoved},
		{Name: "an archived post stays (posts Q8)",
			Given: given.Archive("ana", "p1"), As: "ana", Query: order(`postId: "p1", precedingPostId: "p3"`), Want: shows("p2", "p3"), Counts: stays},
		{Name: "behind an archived post is the front (posts Q8)",
			Given: given.Archive("ana", "p1"), As: "ana", Query: order(`postId: "p3", precedingPostId: "p1"`), Want: shows("p3", "p2"), Counts: moved},
		{
			Name:   "first although an archived post is there (posts Q8)",
			Given:  given.Archive("ana", "p1"),
			As:     "ana",
			Query:  order(`postId: "p2"`),
			Want:   shows("p2", "p3"),
			Counts: stays,
		},
		{Name: "an unknown post", Given: given, As: "ana", Query: order(`postId: "p9"`), Error: "ClientError: Post `p9` does not exist"},
		{Name: "somebody else's post", Given: given, As: "ben", Query: order(`postId: "p1"`), Error: "ClientError: Cannot edit another user's post"},
		{Name: "in no album", Given: given, As: "ana", Query: order(`postId: "loose", precedingPostId: "p9"`), Error: "ClientError: Post `loose` is not in an album"},
		{Name: "behind an unknown post", Given: given, As: "ana", Query: order(`postId: "p1", precedingPostId: "p9"`), Error: "ClientError: Preceding post `p9` does not exist"},
		{
			Name:  "behind somebody else's",
			Given: given,
			As:    "ana",
			Query: order(`postId: "p1", precedingPostId: "bens"`),
			Error: "ClientError: Preceding post `bens` does not belong to caller",
		},
		{
			Name:  "behind one of another album",
			Given: given,
			As:    "ana",
			Query: order(`postId: "p1", precedingPostId: "other"`),
			Error: "ClientError: Preceding post `other` is not in album post is in",
		},
		{
			Name:      "the neighbour moves meanwhile",
			Given:     given,
			Meanwhile: Given{}.Does("ana", "%s", order(`postId: "p2"`)),
			As:        "ana",
			Query:     order(`postId: "p3", precedingPostId: "p1"`),
			Want:      shows("p2", "p1", "p3"),
			Counts:    Counts{"a1.rankCount": 1},
		},
	})
}

// without deletes only the row of an album and leaves its posts unchanged.
func without(album string) apptest.Step {
	return func(w *World) {
		w.T.Helper()
		albums := store.Open(w.DB).Albums
		facts, err := albums.Facts(w.T.Context(), "", []social.AlbumID{social.AlbumID(album)})
		if err == nil {
			err = albums.Delete(w.T.Context(), facts[social.AlbumID(album)].Album)
		}
		if err != nil {
			w.T.Fatal(err)
		}
	}
}

// Each time two posts change places behind a third, their distance from it is halved. After 52
// times there is no number left behind rank 1/3, and after 400 none that stores distinguish
// from rank 0. The posts change places all the same.
func TestPostsChangePlacesManyTimes(t *testing.T) {
	given := Users("ana").Album("ana", "a1")
	behind := func(times int) func(w *World) {
		return func(w *World) {
			for i := range times {
				moved, other := "p3", "p2"
				if i%2 == 1 {
					moved, other = other, moved
				}
				w.Must("ana", fmt.Sprintf(`mutation { editPostAlbumOrder(postId: %q, precedingPostId: "p1") { postId } }`, moved))
				got := string(w.Must("ana", `{ album(albumId: "a1") { posts { items { postId } } } }`).Data)
				if want := fmt.Sprintf(`{"postId":"p1"},{"postId":%q},{"postId":%q}]}}}`, moved, other); !strings.HasSuffix(got, want) {
					w.T.Fatalf("after %d moves the album is %s, want %s", i+1, got, want)
				}
			}
			w.Whole()
		}
	}
	Test(t, given.Post("ana", "p0", InAlbum("a1")).Post("ana", "p1", InAlbum("a1")).Post("ana", "p2", InAlbum("a1")).Post("ana", "p3", InAlbum("a1")), behind(120))
	Test(t, given.Post("ana", "p1", InAlbum("a1")).Post("ana", "p2", InAlbum("a1")).Post("ana", "p3", InAlbum("a1")), behind(450))
}

// A move that has only made room for itself when the store fails is carried out by its
// repetition with the same idempotency key.
func TestMovesThatMadeRoomAreRepeated(t *testing.T) {
	given := Users("ana").Album("ana", "a1").Post("ana", "p0", InAlbum("a1")).Post("ana", "p1", InAlbum("a1"))
	Test(t, given.Post("ana", "p2", InAlbum("a1")).Post("ana", "p3", InAlbum("a1")), func(w *World) {
		failed := 0
		for i := range 60 {
			moved, other := "p3", "p2"
			if i%2 == 1 {
				moved, other = other, moved
			}
			move := apptest.Request{Key: fmt.Sprint("move ", i), Query: fmt.Sprintf(`mutation { editPostAlbumOrder(postId: %q, precedingPostId: "p1") { postId } }`, moved)}
			disarm := w.Client.Arm(faultdb.On("TransactWriteItems", 2, faultdb.Internal)) // the first one makes room
			a := w.Send("ana", move)
			disarm()
			if len(a.Errors) > 0 {
				failed++
				a = w.Send("ana", move)
			}
			got := string(w.Must("ana", `{ album(albumId: "a1") { posts { items { postId } } } }`).Data)
			if want := fmt.Sprintf(`{"postId":"p1"},{"postId":%q},{"postId":%q}]}}}`, moved, other); len(a.Errors) > 0 || !strings.HasSuffix(got, want) {
				w.T.Fatalf("after move %d the album is %s, want %s; answered %v", i, got, want, a.Errors)
			}
		}
		if failed == 0 {
			w.T.Error("no move made room")
		}
	})
}

// Posts are removed from a deleted album by any action that concerns their
// place in it.
func TestPostsOfAnAlbumThatIsGone(t *testing.T) {
	const look = `{ p: post(postId: "p1") { postStatus album { albumId } } }`
	given := Users("ana").Album("ana", "a1")
	pending := given.Does("ana", `mutation { addPost(postId: "p1", albumId: "a1") { postId } }`)
	left := func(w *World) {
		w.T.Helper()
		row := w.Get(store.Main.Name, "post/p1", "-")
		for _, name := range []string{"albumId", "gsiK3PartitionKey", "gsiK3SortKey"} {
			if value, found := row[name]; found {
				w.T.Errorf("%s is %v", name, value)
			}
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	}
	Test(t, given.Post("ana", "p1", InAlbum("a1")).And(without("a1")), func(w *World) {
		const order = `mutation { editPostAlbumOrder(postId: "p1") { postId } }`
		if a := w.Ask("ana", order); len(a.Errors) != 1 || a.Errors[0].ErrorType != "ServerError" {
			w.T.Errorf("reordered: %v", a.Errors)
		}
		left(w)
		w.TakeDrifts() // nothing is left to count it
		w.Play(Scenario{As: "ana", Query: order, Error: "ClientError: Post `p1` is not in an album"})
	})
	Test(t, given.Post("ana", "p1", InAlbum("a1")).Archive("ana", "p1").And(without("a1")), func(w *World) {
		w.Play(
			Scenario{
				As:    "ana",
				Query: `mutation { restoreArchivedPost(postId: "p1") { postStatus album { albumId } } }`,
				Want:  `{"restoreArchivedPost":{"postStatus":"COMPLETED","album":null}}`,
			},
		)
		left(w)
	})
	Test(t, pending.And(without("a1")), func(w *World) {
		Upload(w, "ana", "p1", JPEG(30, 20))
		w.Play(Scenario{As: "ana", Query: look, Want: `{"p":{"postStatus":"COMPLETED","album":null}}`})
		left(w)
	})
	// If the album still exists, a completed post is added at its end.
	Test(t, pending.Post("ana", "p2", InAlbum("a1")), func(w *World) {
		before := w.Counters()
		Upload(w, "ana", "p1", JPEG(30, 20))
		after := w.Counters()
		if after["a1.postCount"]-before["a1.postCount"] != 1 || after["a1.rankCount"]-before["a1.rankCount"] != 1 {
			w.T.Errorf("counters %v, before %v", after, before)
		}
		w.Play(Scenario{As: "ana", Query: `{ album(albumId: "a1") { postsLastUpdatedAt posts { items { postId } } } }`,
			Want: `{"album":{"postsLastUpdatedAt":"2026-01-01T12:00:05.000Z","posts":{"items":[{"postId":"p2"},{"postId":"p1"}]}}}`})
	})
}
