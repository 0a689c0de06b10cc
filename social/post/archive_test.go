package post_test

import (
	"testing"

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
				{As: "ben", Query: `{ post(postId: "p1") { postId } self { feed { items { postId } } onymouslyLikedPosts { items { postId } } } user(userId: "{ana}") { postCount posts { items { postId } } } }`,
					Want: `{"post":null,"self":{"feed":{"items":[]},"onymouslyLikedPosts":{"items":[]}},"user":{"postCount":0,"posts":{"items":[]}}}`},
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
				{As: "ben", Query: `{ self { feed { items { postId likeStatus } } } }`, Want: `{"self":{"feed":{"items":[{"postId":"p2","likeStatus":"NOT_LIKED"},{"postId":"p1","likeStatus":"NOT_LIKED"}]}}}`},
				{As: "ben", Query: `mutation { onymouslyLikePost(postId: "p1") { likeStatus } }`, Want: `{"onymouslyLikePost":{"likeStatus":"ONYMOUSLY_LIKED"}}`},
			}},
		{Name: "not archived", Given: given, As: "ana", Query: restore, Error: "ClientError: Post `p1` is not archived (has status `COMPLETED`)"},
		{Name: "somebody else's", Given: given.Archive("ana", "p1"), As: "ben", Query: restore, Error: "ClientError: Cannot restore another User's post"},
		{Name: "nothing there", Given: given, As: "ana", Query: `mutation { restoreArchivedPost(postId: "p3") { postId } }`, Error: "ClientError: Post `p3` does not exist"},
	})
}
