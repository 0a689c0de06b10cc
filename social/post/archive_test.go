package post_test

import (
	"testing"
	"time"

	"stoa/social/post"
	. "stoa/social/socialtest"
)

func TestArchivePost(t *testing.T) {
	const archive = `mutation { archivePost(postId: "p1") { postId postStatus } }`
	given := Users("ana", "ben").Follow("ben", "ana").Post("ana", "p1")
	Run(t, []Scenario{
		{Name: "leaves feeds and lists, likes go for good, comments stay", As: "ana", Query: archive,
			Given:  given.Like("ben", "p1").Comment("ben", "p1", "c1").Listen("ana", "ben"),
			Want:   `{"archivePost":{"postId":"p1","postStatus":"ARCHIVED"}}`,
			Counts: Counts{"ana.postCount": -1, "ana.postArchivedCount": 1, "p1.onymousLikeCount": -1},
			Hears:  Hears{"ana": {`{"onNotification":{"type":"USER_FEED_CHANGED"}}`}, "ben": {`{"onNotification":{"type":"USER_FEED_CHANGED"}}`}},
			Then: []Scenario{
				{
					As: "ben",
					Query: `{ post(postId: "p1") { postId } self { feed { items { postId } } onymouslyLikedPosts { items { postId } } } ` +
						`user(userId: "{ana}") { postCount posts { items { postId } } } }`,
					Want: `{"post":null,"self":{"feed":{"items":[]},"onymouslyLikedPosts":{"items":[]}},"user":{"postCount":0,"posts":{"items":[]}}}`,
				},
				{As: "ana", Query: `{ post(postId: "p1") { postStatus onymousLikeCount commentsCount } self { posts(postStatus: ARCHIVED) { items { postId } } } }`,
					Want: `{"post":{"postStatus":"ARCHIVED","onymousLikeCount":0,"commentsCount":1},"self":{"posts":{"items":[{"postId":"p1"}]}}}`},
				{As: "ana", Query: archive, Error: "ClientError: Cannot archive post with status `ARCHIVED`"},
				{As: "ana", Query: `mutation { onymouslyLikePost(postId: "p1") { postId } }`, Error: "ClientError: Cannot like posts with status `ARCHIVED`"},
			}},
		{Name: "somebody else's", Given: given, As: "ben", Query: archive, Error: "ClientError: Cannot archive another User's post"},
		{Name: "nothing there", Given: given, As: "ana", Query: `mutation { archivePost(postId: "p2") { postId } }`, Error: "ClientError: Post `p2` does not exist"},
	})
}

func TestRestoreArchivedPost(t *testing.T) {
	const restore = `mutation { restoreArchivedPost(postId: "p1") { postId postStatus } }`
	given := Users("ana", "ben").Follow("ben", "ana").Post("ana", "p1").Post("ana", "p2").Like("ben", "p1")
	Run(t, []Scenario{
		{Name: "back at its old place, without its likes and without a second completion", As: "ana", Query: restore,
			Given:  given.Archive("ana", "p1").Listen("ana", "ben"),
			Want:   `{"restoreArchivedPost":{"postId":"p1","postStatus":"COMPLETED"}}`,
			Counts: Counts{"ana.postCount": 1, "ana.postArchivedCount": -1},
			Hears:  Hears{"ana": {`{"onNotification":{"type":"USER_FEED_CHANGED"}}`}, "ben": {`{"onNotification":{"type":"USER_FEED_CHANGED"}}`}},
			Then: []Scenario{
				{
					As:    "ben",
					Query: `{ self { feed { items { postId likeStatus } } } }`,
					Want:  `{"self":{"feed":{"items":[{"postId":"p2","likeStatus":"NOT_LIKED"},{"postId":"p1","likeStatus":"NOT_LIKED"}]}}}`,
				},
				{As: "ben", Query: `mutation { onymouslyLikePost(postId: "p1") { likeStatus } }`, Want: `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED"}}`},
			}},
		{Name: "not archived", Given: given, As: "ana", Query: restore, Error: "ClientError: Post `p1` is not archived (has status `COMPLETED`)"},
		{Name: "somebody else's", Given: given.Archive("ana", "p1"), As: "ben", Query: restore, Error: "ClientError: Cannot restore another User's post"},
		{Name: "nothing there", Given: given, As: "ana", Query: `mutation { restoreArchivedPost(postId: "p3") { postId } }`, Error: "ClientError: Post `p3` does not exist"},
	})
}

// What a moderator or an operator has removed stays removed; what others have archived does
// not.
func TestWhatAModeratorRemovesStaysRemoved(t *testing.T) {
	const restore, removed = `mutation { restoreArchivedPost(postId: "p1") { postStatus } }`, "ClientError: Post `p1` was removed by a moderator"
	const restored = `{"restoreArchivedPost":{"postStatus":"COMPLETED"}}`
	given := Users("ana", "ben", "cem", "mod", "ozzy").Post("ana", "p1")
	crowd := given
	for _, name := range []string{"dan", "eva", "fay", "gus"} {
		crowd = crowd.Users(name).ViewPost(name, "p1")
	}
	crowd = crowd.ViewPost("ben", "p1").ViewPost("cem", "p1").FlagPost("ben", "p1")
	marks := Counts{"p1.flagCount": 1, "ana.postForcedArchivingCount": 0, "ana.postArchivedCount": 0}
	counted := Counts{"p1.flagCount": 1, "ana.postForcedArchivingCount": 1, "ana.postArchivedCount": 0} // what keeping it takes back
	const flag = `mutation { flagPost(postId: "p1") { postId } }`
	const archived = `{ post(postId: "p1") { postStatus } self { posts(postStatus: ARCHIVED) { items { postId } } } }`
	still := Scenario{As: "ana", Query: archived, Want: `{"post":{"postStatus":"ARCHIVED"},"self":{"posts":{"items":[{"postId":"p1"}]}}}`}
	RunStaffed(t, []Scenario{
		{Name: "by a moderator", Given: given.FlagPost("mod", "p1"), As: "ana", Query: restore, Error: removed, Code: "INVALID", Then: []Scenario{still}},
		{Name: "by an operator", Given: given.FlagPost("ozzy", "p1"), As: "ana", Query: restore, Error: removed},
		{Name: "by the crowd", Given: crowd, As: "ana", Query: restore, Want: restored,
			Then: []Scenario{{Name: "one more flag archives it again", As: "cem", Query: flag, Counts: Counts{"ana.postForcedArchivingCount": 1},
				Then: []Scenario{still, {As: "ana", Query: restore, Want: restored}}}}},
		{Name: "by its author", Given: given.Archive("ana", "p1"), As: "ana", Query: restore, Want: restored,
			Then: []Scenario{{As: "mod", Query: flag, Then: []Scenario{{As: "ana", Query: restore, Error: removed}}}}},
		{Name: "by its author, before a moderator saw it", Given: given.Archive("ana", "p1"), As: "mod", Query: flag, Want: `{"flagPost":null}`,
			Counts: counted, Events: Events{"post.moved": 0}, Then: []Scenario{{As: "ana", Query: restore, Error: removed}, still}},
		{Name: "by the crowd, before a moderator saw it", Given: crowd, As: "mod", Query: flag, Want: `{"flagPost":null}`,
			Counts: marks, Events: Events{}, Then: []Scenario{{As: "ana", Query: restore, Error: removed}}},
		{Name: "by a moderator, and flagged by others", Given: given.FlagPost("mod", "p1").FlagPost("ben", "p1"), As: "ana", Query: restore, Error: removed},
		{
			Name:  "before this was recorded",
			Given: given.Archive("ana", "p1").And(Change("post/p1", "-", map[string]any{"removedBy": nil})),
			As:    "ana",
			Query: restore,
			Want:  restored,
		},
		{Name: "a moderator flags while it is restored", Given: given.Archive("ana", "p1"), Meanwhile: Given{}.FlagPost("mod", "p1"), As: "ana", Query: restore, Error: removed,
			Counts: counted, Events: Events{"post.moved": 0}},
		{Name: "it is restored while a moderator flags", Given: given.Archive("ana", "p1"), Meanwhile: Given{}.Restore("ana", "p1"), As: "mod", Query: flag,
			Then: []Scenario{still, {As: "ana", Query: restore, Error: removed}}},
		{
			Name:  "it can be deleted",
			Given: given.FlagPost("mod", "p1"),
			As:    "ana",
			Query: `mutation { deletePost(postId: "p1") { postStatus } }`,
			Want:  `{"deletePost":{"postStatus":"DELETING"}}`,
		},
		{Name: "it expires", Given: given.FlagPost("mod", "p1").Does("ana", `mutation { editPostExpiresAt(postId: "p1", expiresAt: "2026-01-01T13:00:00Z") { postId } }`),
			Later: 2 * time.Hour, Job: post.DeleteExpiredJob, As: "ana", Query: `{ post(postId: "p1") { postId } }`, Want: `{"post":null}`},
	})
}
