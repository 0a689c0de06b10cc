package social

import (
	"testing"
	"time"
)

// chats 1.2#2-5: who may not comment on a post, in the order of checks.
func TestCheckComment(t *testing.T) {
	for _, c := range []struct {
		name    string
		post    Post
		privacy PrivacyStatus
		rel     Relation
		want    string
	}{
		{"a public post", Post{}, Public, Relation{}, ""},
		{"whatever its status", Post{Status: PostArchived}, Public, Relation{}, ""},
		{"comments switched on", Post{CommentsDisabled: no}, Public, Relation{}, ""},
		{"an own post of a private user", Post{}, Private, Relation{self: true}, ""},
		{"a private post by a follower", Post{}, Private, Relation{Follows: Following}, ""},
		{"comments off", Post{CommentsDisabled: yes}, Public, Relation{BlockedBy: true}, "Comments are disabled on post `p`"},
		{"comments off for the owner too", Post{CommentsDisabled: yes}, Public, Relation{self: true}, "Comments are disabled on post `p`"},
		{"blocked", Post{}, Public, Relation{BlockedBy: true, Blocks: true}, "Post owner `ana` has blocked user `ben`"},
		{"blocking", Post{}, Private, Relation{Blocks: true}, "User `ben` has blocked post owner `ana`"},
		{"a private post", Post{}, Private, Relation{}, "Post owner `ana` is private and user `ben` is not a follower"},
		{"a private post by one who asked", Post{}, Private, Relation{Follows: FollowRequested}, "Post owner `ana` is private and user `ben` is not a follower"},
		{"a private post by one denied", Post{}, Private, Relation{Follows: FollowDenied}, "Post owner `ana` is private and user `ben` is not a follower"},
	} {
		c.post.PostID = "p"
		owner := see(&User{UserID: "ana", Privacy: c.privacy}, c.rel)
		wantRefusal(t, c.name, PostFacts{Viewer: "ben", Post: &c.post}.CheckComment(owner, time.Time{}), c.want)
	}
}

// users M15: checked after blocks and privacy, for image posts only.
// chats 1.2#6
func TestCommentsAreLockedByDating(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	const locked = "Cannot add comment unless it is a confirmed match on dating"
	for _, c := range []struct {
		name string
		post PostType
		rel  Relation
		lock time.Time
		want string
	}{
		{"an image", ImagePost, Relation{}, now.Add(1), locked},
		{"a text", TextOnly, Relation{}, now.Add(1), ""},
		{"a video", VideoPost, Relation{}, now.Add(1), ""},
		{"the lock has ended", ImagePost, Relation{}, now, ""},
		{"blocking", ImagePost, Relation{Blocks: true}, now.Add(1), "User `ben` has blocked post owner `ana`"},
	} {
		owner := see(&User{UserID: "ana", Privacy: Public}, c.rel)
		owner.match.Mine = &Match{Status: ApprovedMatch, BlockChatExpiredAt: c.lock}
		wantRefusal(t, c.name, PostFacts{Viewer: "ben", Post: &Post{PostID: "p", Type: c.post}}.CheckComment(owner, now), c.want)
	}
}

// chats 0.4#3 and 1.5#1: comments of a post have increasing times.
func TestNextCommentAt(t *testing.T) {
	const step = time.Microsecond
	for _, c := range []struct{ posted, newest, now, want time.Duration }{
		{0, -time.Hour, 5, 5}, {7, -time.Hour, 5, 7}, {0, 5, 5, 5 + step}, {0, 9, 5, 9 + step}, {0, 4, 4 + step, 4 + step},
	} {
		p := &Post{PostedAt: noon.Add(c.posted)}
		if c.newest >= 0 {
			p.UnviewedCommentAt = noon.Add(c.newest)
		}
		if got := p.NextCommentAt(noon.Add(c.now)); !got.Equal(noon.Add(c.want)) {
			t.Errorf("posted %v, newest %v, now %v: %v, want %v", c.posted, c.newest, c.now, got.Sub(noon), c.want)
		}
	}
}

func TestCheckRemoval(t *testing.T) {
	c := &Comment{CommentID: "c", UserID: "ben"}
	p := &Post{PostedByUserID: "ana"}
	wantRefusal(t, "author", c.CheckRemoval("ben", p), "")
	wantRefusal(t, "owner of the post", c.CheckRemoval("ana", p), "")
	wantRefusal(t, "somebody else", c.CheckRemoval("cem", p), "User is not authorized to delete comment `c`")
}

// chats 0.5#3 and 1.5#6: a view at exactly the time of a comment counts as viewing it.
func TestUnviewedAndViewedAreOpposites(t *testing.T) {
	at := noon
	for _, c := range []struct {
		name     string
		author   UserID
		viewedAt time.Time
		unviewed bool
	}{
		{"never viewed", "ben", time.Time{}, true},
		{"viewed before", "ben", at.Add(-time.Microsecond), true},
		{"viewed at that moment", "ben", at, false},
		{"viewed after", "ben", at.Add(time.Microsecond), false},
		{"by the owner", "ana", time.Time{}, false},
	} {
		comment := &Comment{UserID: c.author, CommentedAt: at}
		if got := comment.CountsAsUnviewed(&Post{PostedByUserID: "ana"}, c.viewedAt); got != c.unviewed {
			t.Errorf("%s: counts as unviewed %v, want %v", c.name, got, c.unviewed)
		}
		f := CommentFacts{Viewer: "ana", Read: ViewMark, Comment: comment, PostViewedAt: c.viewedAt}
		seen := f.See(SeenUsers{c.author: UserFacts{Viewer: "ana", User: &User{UserID: c.author}}.See()})
		if got := seen.ViewedStatus() == NotViewed; got != c.unviewed {
			t.Errorf("%s: the owner sees it as unviewed %v, want %v", c.name, got, c.unviewed)
		}
	}
}

// chats 1.5#2: comments by authors who are gone or block the viewer are left out.
func TestCommentFactsSee(t *testing.T) {
	f := CommentFacts{Viewer: "vic", Read: Details.All(), Comment: &Comment{UserID: "ben", TextTags: []TextTag{{"@cem", "cem"}}}, Flagged: true}
	if f.See(SeenUsers{"ben": nil}) != nil {
		t.Error("a comment is seen although its author is gone")
	}
	for _, blocked := range []bool{false, true} {
		c := f.See(SeenUsers{
			"ben": see(&User{UserID: "ben"}, Relation{BlockedBy: blocked}),
			"cem": see(&User{UserID: "cem"}, Relation{}),
		})
		if c.FlagStatus() != Flagged || len(c.TextTaggedUsers()) != 1 || c.Listed() == blocked {
			t.Errorf("author blocks viewer %v: %+v, listed %v", blocked, c, c.Listed())
		}
	}
}
