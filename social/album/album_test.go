package album_test

import (
	"fmt"
	"testing"

	. "stoa/social/socialtest"
	"stoa/store"
)

const albumFields = `albumId createdAt name description postCount postsLastUpdatedAt ownedBy { username followedStatus } posts { items { postId } }`

// posts 24.16; package media has the default art
func TestAddAlbum(t *testing.T) {
	const add = `mutation { addAlbum(albumId: "a1", name: "first", description: "of all") { ` + albumFields + ` } }`
	Run(t, []Scenario{
		{Name: "is empty, and others see that there is one", Given: Users("ana", "ben"), As: "ana", Query: add, Counts: Counts{"ana.albumCount": 1}, Adds: true,
			Want: `{"addAlbum":{"albumId":"a1","createdAt":"2026-01-01T12:00:03.000Z","name":"first","description":"of ` +
				`all","postCount":0,"postsLastUpdatedAt":null,"ownedBy":{"username":"ana","followedStatus":"SELF"},"posts":{"items":[]}}}`,
			Then: []Scenario{{As: "ben", Query: `{ album(albumId: "a1") { name ownedBy { followedStatus } } user(userId: "{ana}") { albumCount albums { items { albumId } } } }`,
				Want: `{"album":{"name":"first","ownedBy":{"followedStatus":"NOT_FOLLOWING"}},"user":{"albumCount":1,"albums":{"items":[{"albumId":"a1"}]}}}`}}},
		{Name: "an empty name is accepted (posts Q7), an empty description is none", Given: Users("ana"), As: "ana", Adds: true,
			Query: `mutation { addAlbum(albumId: "a1", name: "", description: "") { name description } }`, Want: `{"addAlbum":{"name":"","description":null}}`},
		{Name: "an id in use by anybody", Given: Users("ana", "ben").Album("ben", "a1"), As: "ana", Query: add, Error: "ClientError: Album `a1` already exists"},
		{Name: "an id of no form", Given: Users("ana"), As: "ana", Query: `mutation { addAlbum(albumId: "a/1", name: "x") { albumId } }`,
			Error: "ClientError: albumId must be 1 to 100 letters, digits, dots, underscores, colons or hyphens: choose a version 4 UUID"},
		{Name: "an id taken meanwhile", Given: Users("ana", "ben"), Meanwhile: Given{}.Album("ben", "a1"), As: "ana", Query: add,
			Error: "ClientError: Album `a1` already exists", Counts: Counts{"ben.albumCount": 1}},
	})
}

func TestEditAlbum(t *testing.T) {
	given := Users("ana", "ben").Album("ana", "a1")
	Run(t, []Scenario{
		{Name: "name and description", Given: given, As: "ana", Query: `mutation { editAlbum(albumId: "a1", name: "n", description: "d") { name description } }`,
			Want: `{"editAlbum":{"name":"n","description":"d"}}`,
			Then: []Scenario{
				{As: "ana", Query: `mutation { editAlbum(albumId: "a1", description: "") { name description } }`, Want: `{"editAlbum":{"name":"n","description":null}}`},
				{As: "ben", Query: `{ album(albumId: "a1") { name description } }`, Want: `{"album":{"name":"n","description":null}}`},
			}},
		{Name: "nothing comes before an unknown album", Given: given, As: "ana", Query: `mutation { editAlbum(albumId: "a2") { name } }`,
			Error: "ClientError: Called without any arguments... probably not what you intended?"},
		{
			Name:  "an unknown album comes before a bad name",
			Given: given,
			As:    "ana",
			Query: `mutation { editAlbum(albumId: "a/2", name: "") { name } }`,
			Error: "ClientError: Album `a/2` does not exist",
		},
		{
			Name:  "somebody else's comes before a bad name",
			Given: given,
			As:    "ben",
			Query: `mutation { editAlbum(albumId: "a1", name: "") { name } }`,
			Error: "ClientError: Caller `{ben}` does not own Album `a1`",
		},
		{Name: "no name", Given: given, As: "ana", Query: `mutation { editAlbum(albumId: "a1", name: "") { name } }`, Error: "ClientError: All albums must have names"},
		{Name: "deleted meanwhile", Given: given, Meanwhile: Given{}.DeleteAlbum("ana", "a1"), As: "ana", Query: `mutation { editAlbum(albumId: "a1", name: "x") { name } }`,
			Error: "ClientError: Album `a1` does not exist", Counts: Counts{"ana.albumCount": -1}},
	})
}

func TestDeleteAlbum(t *testing.T) {
	const remove = `mutation { deleteAlbum(albumId: "a1") { name postCount } }`
	given := Users("ana", "ben").Album("ana", "a1").Post("ana", "p1", InAlbum("a1")).Post("ana", "p2", InAlbum("a1")).Archive("ana", "p2")
	Run(t, []Scenario{
		{
			Name:   "its posts stay, shown and archived ones",
			Given:  given,
			As:     "ana",
			Query:  remove,
			Want:   `{"deleteAlbum":{"name":"name of a1","postCount":1}}`,
			Counts: Counts{"ana.albumCount": -1},
			Then: []Scenario{
				{
					As: "ana",
					Query: `{ album(albumId: "a1") { name } a: post(postId: "p1") { postId album { name } } b: post(postId: "p2") { postId album { name } } ` +
						`self { albumCount albums { items { name } } } }`,
					Want: `{"album":null,"a":{"postId":"p1","album":null},"b":{"postId":"p2","album":null},"self":{"albumCount":0,"albums":{"items":[]}}}`,
				},
				{
					As:    "ben",
					Query: `mutation { addAlbum(albumId: "a1", name: "another") { postCount posts { items { postId } } } }`,
					Want:  `{"addAlbum":{"postCount":0,"posts":{"items":[]}}}`,
					Adds:  true,
				},
				{As: "ana", Query: `mutation { restoreArchivedPost(postId: "p2") { album { name } } }`, Want: `{"restoreArchivedPost":{"album":null}}`},
			},
		},
		{Name: "unknown", Given: given, As: "ana", Query: `mutation { deleteAlbum(albumId: "a2") { name } }`, Error: "ClientError: Album `a2` does not exist"},
		{Name: "somebody else's", Given: given, As: "ben", Query: remove, Error: "ClientError: Caller `{ben}` does not own Album `a1`"},
	})
}

// posts 24.13 and 24.14: visibility of albums.
func TestAlbumsAreSeen(t *testing.T) {
	const look = `{ album(albumId: "a1") { albumId } user(userId: "{ana}") { albumCount albums { items { albumId } } } }`
	const hidden = `{"album":null,"user":{"albumCount":null,"albums":null}}`
	const shown = `{"album":{"albumId":"a1"},"user":{"albumCount":1,"albums":{"items":[{"albumId":"a1"}]}}}`
	given := Users("ana!private", "ben").Album("ana", "a1")
	Run(t, []Scenario{
		{Name: "private, to a stranger", Given: given, As: "ben", Query: look, Want: hidden},
		{Name: "private, to one who asked", Given: given.Follow("ben", "ana"), As: "ben", Query: look, Want: hidden},
		{Name: "private, to one denied", Given: given.Follow("ben", "ana").Deny("ana", "ben"), As: "ben", Query: look, Want: hidden},
		{Name: "private, to a follower", Given: given.Follow("ben", "ana").Accept("ana", "ben"), As: "ben", Query: look, Want: shown,
			Then: []Scenario{{As: "ben", Query: `mutation { unfollowUser(userId: "{ana}") { userId } }`}, {As: "ben", Query: look, Want: hidden}}},
		{Name: "to oneself", Given: given, As: "ana", Query: look, Want: shown},
		{Name: "to whom the owner blocks", Given: Users("ana", "ben").Album("ana", "a1").Block("ana", "ben"), As: "ben", Query: look, Want: hidden},
		{Name: "to who blocks the owner", Given: Users("ana", "ben").Album("ana", "a1").Block("ben", "ana"), As: "ben", Query: look, Want: shown},
		{Name: "an id of no form", Given: given, As: "ana", Query: `{ album(albumId: "a/1") { name } }`, Want: `{"album":null}`},
	})
}

// posts Q1: oldest first unless reversed.
func TestAlbumsOfAUserArePaged(t *testing.T) {
	Test(t, Users("ana").Album("ana", "a1").Album("ana", "a2").Album("ana", "a3"), func(w *World) {
		for arguments, want := range map[string]string{
			"":                `[{"albumId":"a1"},{"albumId":"a2"}] [{"albumId":"a3"}]`,
			", reverse: true": `[{"albumId":"a3"},{"albumId":"a2"}] [{"albumId":"a1"}]`,
		} {
			if got := w.Pages("ana", `{ self { albums(limit: 2`+arguments+`%s) { items { albumId } nextToken } } }`, "self", "albums"); got != want {
				w.T.Errorf("pages%s %s, want %s", arguments, got, want)
			}
		}
	})
	Run(t, []Scenario{
		{
			Name:  "bad size of albums",
			Given: Users("ana"),
			As:    "ana",
			Query: `{ self { albums(limit: 101) { nextToken } } }`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100",
		},
		{Name: "bad size of an album's posts", Given: Users("ana").Album("ana", "a1"), As: "ana", Query: `{ album(albumId: "a1") { posts(limit: 0) { nextToken } } }`,
			Error: "ClientError: Limit cannot be less than 1 or greater than 100"},
	})
}

// Posts that are added concurrently get different ranks.
func TestManyPostsEnterAnAlbumAtOnce(t *testing.T) {
	const many = 8
	Test(t, Users("ana").Album("ana", "a1"), func(w *World) {
		w.Together(many, func(i int) {
			w.Must("ana", fmt.Sprintf(`mutation { addPost(postId: "p%d", postType: TEXT_ONLY, text: "x", albumId: "a1") { postId } }`, i))
		})
		w.Settle()
		ranks := map[any]bool{}
		for _, item := range w.Rows()[store.Main.Name] {
			if rank, ok := item["gsiK3SortKey"]; ok {
				ranks[rank] = true
			}
		}
		if len(ranks) != many {
			w.T.Errorf("ranks %v, want %d", ranks, many)
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}

// Albums that stay empty are deleted, whatever posts that are not completed they contain.
func TestEmptyAlbumsAreDeleted(t *testing.T) {
	const look = `{ self { albumCount albums { items { albumId } } } }`
	const deleted, kept = `{"self":{"albumCount":0,"albums":{"items":[]}}}`, `{"self":{"albumCount":1,"albums":{"items":[{"albumId":"a1"}]}}}`
	const day = 24*3600e9 + 2e9
	empty := Users("ana").Album("ana", "a1")
	full := empty.Post("ana", "p1", InAlbum("a1"))
	Run(t, []Scenario{
		{Name: "after a day", Given: empty, Later: day, Job: "social.delete-empty-albums", As: "ana", Query: look, Want: deleted},
		{Name: "not before", Given: empty, Later: day - 10e9, Job: "social.delete-empty-albums", As: "ana", Query: look, Want: kept},
		{
			Name:  "an edit does not keep it",
			Given: empty.Does("ana", `mutation { editAlbum(albumId: "a1", name: "x") { name } }`),
			Later: day,
			Job:   "social.delete-empty-albums",
			As:    "ana",
			Query: look,
			Want:  deleted,
		},
		{Name: "a post keeps it", Given: full, Later: 3 * day, Job: "social.delete-empty-albums", As: "ana", Query: look, Want: kept,
			Then: []Scenario{
				{As: "ana", Query: `mutation { archivePost(postId: "p1") { postId } }`},
				{Job: "social.delete-empty-albums", As: "ana", Query: look, Want: kept},
				{Later: day, Job: "social.delete-empty-albums", As: "ana", Query: look, Want: deleted},
				{As: "ana", Query: `{ post(postId: "p1") { album { name } } }`, Want: `{"post":{"album":null}}`},
			}},
	})
}
