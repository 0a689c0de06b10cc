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
		{"own post", PostCompleted, Private, Relation{self: true}, true},
		{"own post that waits", PostPending, Public, Relation{self: true}, true},
		{"own archived post", PostArchived, Private, Relation{self: true}, true},
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
		owner := see(&User{UserID: "owner", Privacy: c.privacy}, c.rel)
		f := PostFacts{Viewer: owner.viewer, Post: &Post{Status: c.status, PostedByUserID: "owner"}}
		if got := f.See(SeenUsers{"owner": owner}) != nil; got != c.want {
			t.Errorf("%s: seen %v, want %v", c.name, got, c.want)
		}
		if c.want && f.Hidden() {
			t.Errorf("%s: hidden by its status", c.name)
		}
		if got, want := owner.FollowersOnly(), c.privacy == Private && !c.rel.self; got != want {
			t.Errorf("%s: FollowersOnly = %v, want %v", c.name, got, want)
		}
	}
}

func TestPostFactsSee(t *testing.T) {
	f := PostFacts{
		Viewer: "vic", Read: Details.All(),
		Post:  &Post{PostID: "p", Status: PostCompleted, PostedByUserID: "ana", TextTags: []TextTag{{"@ben", "ben"}}},
		Marks: Marks{Like: OnymouslyLiked, Flagged: true},
	}
	if f.See(SeenUsers{"ana": nil}) != nil {
		t.Error("a post is seen although its owner is gone")
	}
	p := f.See(SeenUsers{
		"ana": see(&User{UserID: "ana", Privacy: Public}, Relation{}),
		"ben": see(&User{UserID: "ben"}, Relation{}),
	})
	if p.PostedBy().UserID() != "ana" || p.LikeStatus() != OnymouslyLiked || p.FlagStatus() != Flagged || len(p.TextTaggedUsers()) != 1 {
		t.Errorf("seen post %+v misses owner, marks or tags", p)
	}
}

func TestPostUsers(t *testing.T) {
	f := PostFacts{Read: LikeMark, Post: &Post{PostedByUserID: "ana", TextTags: []TextTag{{"@ben", "ben"}}}}
	if got := f.Users(); len(got) != 1 || got[0] != "ana" {
		t.Errorf("users without tags = %v, want the owner", got)
	}
	f.Read |= TaggedUsers
	if got := f.Users(); len(got) != 2 || got[1] != "ben" {
		t.Errorf("users with tags = %v, want owner and tagged", got)
	}
}

func TestPostChoice(t *testing.T) {
	viewed, notViewed := Viewed, NotViewed
	seen := Marks{LastViewedAt: noon}
	for _, c := range []struct {
		name    string
		choice  PostChoice
		facts   PostFacts
		follows FollowStatus
		want    bool
	}{
		{"any", PostChoice{}, PostFacts{Post: &Post{}}, "", true},
		{"viewed", PostChoice{ViewedStatus: &viewed}, PostFacts{Post: &Post{}, Marks: seen}, "", true},
		{"viewed, of those not viewed", PostChoice{ViewedStatus: &notViewed}, PostFacts{Post: &Post{}, Marks: seen}, "", false},
		{"viewed by a former profile", PostChoice{ViewedStatus: &viewed}, PostFacts{Post: &Post{}, Marks: Marks{LastViewedAt: noon.Add(-1)}}, "", false},
		{"never viewed", PostChoice{ViewedStatus: &viewed}, PostFacts{Post: &Post{}}, "", false},
		{"one's own counts as viewed", PostChoice{ViewedStatus: &viewed}, PostFacts{Post: &Post{PostedByUserID: "vic"}}, "", true},
		{"verified", PostChoice{IsVerified: yes}, PostFacts{Post: &Post{IsVerified: yes}}, "", true},
		{"not verified", PostChoice{IsVerified: yes}, PostFacts{Post: &Post{IsVerified: no}}, "", false},
		{"no verdict is no yes", PostChoice{IsVerified: yes}, PostFacts{Post: &Post{}}, "", false},
		{"no verdict is no no", PostChoice{IsVerified: no}, PostFacts{Post: &Post{}}, "", false},
		{"both", PostChoice{IsVerified: no, ViewedStatus: &viewed}, PostFacts{Post: &Post{IsVerified: no}}, "", false},
		{"followed", PostChoice{Followed: true}, PostFacts{Post: &Post{}}, Following, true},
		{"not followed", PostChoice{Followed: true}, PostFacts{Post: &Post{}}, "", false},
		{"asked to follow", PostChoice{Followed: true}, PostFacts{Post: &Post{}}, FollowRequested, false},
		{"nobody follows themselves", PostChoice{Followed: true}, PostFacts{Post: &Post{PostedByUserID: "vic"}}, "", true},
	} {
		c.facts.Viewer, c.facts.Read = "vic", ViewMark
		c.facts.Post.Status = PostCompleted
		owner := UserFacts{Viewer: "vic", User: &User{UserID: c.facts.Post.PostedByUserID, Privacy: Public}, Relation: Relation{Follows: c.follows}}
		p := c.facts.See(SeenUsers{owner.User.UserID: owner.See()})
		if got := c.choice.Includes(c.facts, &User{UserID: "vic", SignedUpAt: noon}) && c.choice.Selects(p); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
