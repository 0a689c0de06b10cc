package view_test

import (
	"testing"

	. "stoa/social/socialtest"
)

const report = `mutation { reportPostViews(postIds: ["p1"]) }`

// users D10: views by a former profile do not count for the new one, who is counted once,
// whatever rows are left of the other.
func TestViewsOfAFormerProfile(t *testing.T) {
	Test(t, Users("ana", "ben").Post("ben", "p1").ViewPost("ana", "p1").ViewPost("ana", "p1"), func(w *World) {
		removed := Renew(w, "ana")
		const viewed, counted = `{ post(postId: "p1") { viewedStatus } }`, `{ self { postViewedByCount } post(postId: "p1") { viewedByCount } }`
		Tells(w, "ana", report, `{"reportPostViews":true}`)
		w.Deliver(removed)
		Tells(w, "ana", viewed, `{"post":{"viewedStatus":"VIEWED"}}`)
		Tells(w, "ben", counted, `{"self":{"postViewedByCount":1},"post":{"viewedByCount":1}}`)
		if n := w.Get("main", "post/p1", "view/{ana}")["viewCount"]; n != 1.0 {
			t.Errorf("%v views", n)
		}
		Sound(w)
	})
}

// users D10: views of posts of a former profile earn the new one nothing.
func TestViewsOfPostsOfAFormerProfile(t *testing.T) {
	Test(t, Users("ana", "ben").Post("ben", "p1"), func(w *World) {
		removed := Renew(w, "ben")
		Tells(w, "ana", report, `{"reportPostViews":true}`)
		w.Deliver(removed)
		Tells(w, "ben", `{ self { postViewedByCount } trendingUsers { items { userId } } }`, `{"self":{"postViewedByCount":0},"trendingUsers":{"items":[]}}`)
		Sound(w)
	})
}
