package social

import "testing"

func TestPostVisible(t *testing.T) {
	for _, c := range []struct {
		name    string
		status  PostStatus
		privacy PrivacyStatus
		rel     Relation
		want    bool
	}{
		{"public post to a stranger", PostCompleted, Public, Relation{}, true},
		{"own post", PostCompleted, Private, Relation{Self: true}, true},
		{"own post that waits", PostPending, Public, Relation{Self: true}, true},
		{"own archived post", PostArchived, Private, Relation{Self: true}, true},
		{"waiting post of another", PostPending, Public, Relation{Follows: Following}, false},
		{"archived post of another", PostArchived, Public, Relation{Follows: Following}, false},
		{"failed post of another", PostError, Public, Relation{}, false},
		{"private post to a stranger", PostCompleted, Private, Relation{}, false},
		{"private post to a follower", PostCompleted, Private, Relation{Follows: Following}, true},
		{"private post to one who asked", PostCompleted, Private, Relation{Follows: FollowRequested}, false},
		{"private post to one denied", PostCompleted, Private, Relation{Follows: FollowDenied}, false},
		{"private post to one followed by the owner", PostCompleted, Private, Relation{FollowedBy: Following}, false},
		{"blocked by the owner", PostCompleted, Public, Relation{BlockedBy: true}, false},
		{"blocking the owner", PostCompleted, Public, Relation{Blocks: true}, true},
	} {
		owner := (&User{UserID: "owner", Privacy: c.privacy}).See(c.rel)
		p := (&Post{Status: c.status, PostedByUserID: "owner"}).See(owner, Marks{}, nil)
		if got := p.Visible(); got != c.want {
			t.Errorf("%s: Visible = %v, want %v", c.name, got, c.want)
		}
		if got, want := p.FollowersOnly(), c.privacy == Private && !c.rel.Self; got != want {
			t.Errorf("%s: FollowersOnly = %v, want %v", c.name, got, want)
		}
	}
}

func TestPostFactsSee(t *testing.T) {
	f := PostFacts{
		Post:  &Post{PostID: "p", PostedByUserID: "ana", TextTags: []TextTag{{"@ben", "ben"}}},
		Marks: Marks{Like: OnymouslyLiked, Flagged: true},
	}
	if f.See(map[UserID]*SeenUser{}) != nil {
		t.Error("a post is seen although its owner is gone")
	}
	p := f.See(map[UserID]*SeenUser{
		"ana": (&User{UserID: "ana"}).See(Relation{}),
		"ben": (&User{UserID: "ben"}).See(Relation{}),
	})
	if p.PostedBy().UserID() != "ana" || p.LikeStatus() != OnymouslyLiked || p.FlagStatus() != Flagged || len(p.TextTaggedUsers()) != 1 {
		t.Errorf("seen post %+v misses owner, marks or tags", p)
	}
}

func TestPostUsers(t *testing.T) {
	p := &Post{PostedByUserID: "ana", TextTags: []TextTag{{"@ben", "ben"}}}
	if got := p.Users(LikeMark); len(got) != 1 || got[0] != "ana" {
		t.Errorf("users without tags = %v, want the owner", got)
	}
	if got := p.Users(TaggedUsers | LikeMark); len(got) != 2 || got[1] != "ben" {
		t.Errorf("users with tags = %v, want owner and tagged", got)
	}
}
