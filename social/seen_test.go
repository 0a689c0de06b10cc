package social

import (
	"errors"
	"testing"

	"stoa/internal/kit/reads"
)

// see returns a user as seen by a viewer in relation r, with all details read.
func see(u *User, r Relation) *SeenUser {
	f := UserFacts{Viewer: "vic", Read: Details.All(), User: u, Relation: r}
	if r.self {
		f.Viewer = u.UserID
	}
	return f.See()
}

// faulty returns the value with which a function panics.
func faulty(f func()) (fault any) {
	defer func() { fault = recover() }()
	f()
	return nil
}

// Fields whose details were not read panic instead of returning a value.
func TestWhatWasNotReadIsNotAnswered(t *testing.T) {
	users := SeenUsers{"ana": UserFacts{Viewer: "vic", User: &User{UserID: "ana"}}.See(), "vic": OwnFacts(Viewer{UserID: "vic"}, &User{UserID: "vic"}).See()}
	post := PostFacts{Viewer: "vic", Post: &Post{PostedByUserID: "vic"}}.See(users)
	comment := CommentFacts{Viewer: "vic", Comment: &Comment{UserID: "ana"}}.See(users)
	for name, ask := range map[string]func(){
		"LIKE_MARK": func() { post.LikeStatus() }, "VIEW_MARK": func() { post.ViewedStatus() },
		"FLAG_MARK": func() { comment.FlagStatus() }, "TAGGED_USERS": func() { comment.TextTaggedUsers() },
		"FOLLOWER_TIE": func() { users["ana"].FollowerStatus() }, "BLOCKED_TIE": func() { users["ana"].BlockedStatus() },
	} {
		err, _ := faulty(ask).(error)
		if unread := (reads.Unread{}); !errors.As(err, &unread) || unread.Detail != name {
			t.Errorf("asked for %s: %v", name, err)
		}
	}
	if users["vic"].FollowerStatus() != FollowSelf || users["vic"].BlockedStatus() != BlockSelf {
		t.Error("how users stand to themselves is not known without reading")
	}
}

// Facts cannot be combined with users read for another viewer, or without the users that
// they refer to.
func TestFactsGoWithTheirViewersUsers(t *testing.T) {
	post := PostFacts{Viewer: "vic", Post: &Post{PostedByUserID: "ana"}}
	for name, fault := range map[string]func(){
		"users of another viewer": func() { post.See(SeenUsers{"ana": UserFacts{Viewer: "eve", User: &User{UserID: "ana"}}.See()}) },
		"an owner not read":       func() { post.See(SeenUsers{}) },
		"somebody else's post":    func() { NewPostFacts(Caller{Viewer: Viewer{UserID: "vic"}}, &Post{PostedByUserID: "ana"}, 0) },
		"somebody else's comment": func() { NewCommentFacts(Caller{Viewer: Viewer{UserID: "vic"}}, &Comment{UserID: "ana"}, 0) },
		"somebody else's own":     func() { OwnFacts(Viewer{UserID: "vic"}, &User{UserID: "ana"}) },
	} {
		if faulty(fault) == nil {
			t.Errorf("%s: nothing happens", name)
		}
	}
}
