package post_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/social"
)

func TestAddPublishesAtOnce(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	ben := w.user("Ben")
	w.calls.Reset()
	p, err := w.Add(t.Context(), ana, social.NewPost{
		PostID: "p1", Type: social.TextOnly, Text: "hi @Ben, @ben @nobody and @ana", Keywords: []string{"b", "a", "b"},
	}, everything)
	if err != nil {
		t.Fatal(err)
	}
	if n := w.calls.Total(); n > 3 {
		t.Errorf("a post with mentions takes %d calls (%v), want at most 3 beside the check of the caller", n, w.calls)
	}
	if p.PostStatus() != social.PostCompleted || p.ViewedStatus() != social.Viewed || p.LikeStatus() != social.NotLiked ||
		p.FlagStatus() != social.NotFlagged || !p.PostedBy().IsSelf() || *p.Text() != "hi @Ben, @ben @nobody and @ana" {
		t.Errorf("answer %+v", p)
	}
	var tags []string
	for _, tag := range p.TextTaggedUsers() {
		tags = append(tags, tag.Tag+" "+tag.User.Username())
	}
	if !reflect.DeepEqual(tags, []string{"@Ben Ben", "@ana ana"}) {
		t.Errorf("tags %v, want Ben as he spells himself, and the owner", tags)
	}
	stored := &social.Post{
		PostID: "p1", PostedByUserID: ana.UserID, Type: social.TextOnly, Status: social.PostCompleted, PostedAt: p.PostedAt(),
		Text: "hi @Ben, @ben @nobody and @ana", Keywords: []string{"b", "a"},
		TextTags: []social.TextTag{{Tag: "@Ben", UserID: ben.UserID}, {Tag: "@ana", UserID: ana.UserID}},
	}
	if got := w.stored("p1"); !reflect.DeepEqual(got, stored) {
		t.Errorf("stored %+v, want %+v", got, stored)
	}
	w.wantCounts(ana, map[string]int{"postCount": 1})
	w.wantEvents(`post.moved p1 from "" to COMPLETED`)
}

func TestAddWithoutMentionsIsOneCall(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	w.calls.Reset()
	w.post(ana, "p1")
	if w.calls.Total() != 1 || w.calls.Count("TransactWriteItems") != 1 {
		t.Errorf("calls: %v, want one transaction", w.calls)
	}
}

func TestAddDatesToTheMicrosecondInUTC(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	at := time.Date(2030, 5, 1, 14, 0, 0, 123456789, time.FixedZone("", 2*60*60))
	w.Service.Events.Clock = func() time.Time { return at }
	p := w.post(ana, "p1")
	if want := time.Date(2030, 5, 1, 12, 0, 0, 123456000, time.UTC); p.PostedAt() != want || w.stored("p1").PostedAt != want {
		t.Errorf("answered %v and stored %v, want %v", p.PostedAt(), w.stored("p1").PostedAt, want)
	}
}

// U11
func TestAddTakesDefaultsFromTheOwner(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana", func(u *social.User) {
		u.CommentsDisabled, u.LikesDisabled, u.SharingDisabled = ptr(true), ptr(false), ptr(true)
	})
	p, err := w.Add(t.Context(), ana, social.NewPost{PostID: "p1", Type: social.TextOnly, Text: "x", SharingDisabled: ptr(false)}, everything)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field     string
		got, want bool
	}{
		{"commentsDisabled from the setting", *p.CommentsDisabled(), true},
		{"likesDisabled from the setting", *p.LikesDisabled(), false},
		{"sharingDisabled from the argument", *p.SharingDisabled(), false},
		{"verificationHidden from nowhere", *p.VerificationHidden(), false},
	} {
		if c.got != c.want {
			t.Errorf("%s = %v, want %v", c.field, c.got, c.want)
		}
	}
	if w.stored("p1").VerificationHidden != nil {
		t.Error("a choice that nobody made was stored")
	}
}

func TestAddRefuses(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	for _, c := range []struct {
		post social.NewPost
		want string
	}{
		{social.NewPost{PostID: "p1", Type: social.TextOnly}, "Cannot add text-only post without text"},
		{social.NewPost{PostID: "p1", Type: social.VideoPost, SetAsUserPhoto: ptr(true)}, "Cannot add video post with setAsUserPhoto"},
		{social.NewPost{PostID: "p/1", Type: social.TextOnly, Text: "x"},
			"postId must be 1 to 100 letters, digits, dots, underscores, colons or hyphens: choose a version 4 UUID"},
		{social.NewPost{PostID: "p1", Type: social.TextOnly, Text: strings.Repeat("x", social.MaxText+1)},
			"text is 262145 bytes long: shorten it to at most 262144"},
	} {
		_, err := w.Add(t.Context(), ana, c.post, everything)
		want(t, err, c.want)
	}
	if w.stored("p1") != nil {
		t.Error("a refused post was stored")
	}
	w.wantCounts(ana, nil)
	w.wantEvents()
}

func TestAddStoresTheLargestPost(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	text := strings.Repeat("é", social.MaxText/2)
	keywords := []string{strings.Repeat("k", 64<<10)}
	if _, err := w.Add(t.Context(), ana, social.NewPost{PostID: "p1", Type: social.TextOnly, Text: text, Keywords: keywords}, everything); err != nil {
		t.Fatal(err)
	}
	if p := w.stored("p1"); p.Text != text || !reflect.DeepEqual(p.Keywords, keywords) {
		t.Error("the text or the keywords came back changed")
	}
}

func TestAddKeepsThePostWhoseIDIsTaken(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	for _, c := range []social.Caller{ana, ben} {
		_, err := w.Add(t.Context(), c, social.NewPost{PostID: "p1", Type: social.TextOnly, Text: "another"}, everything)
		want(t, err, "Post `p1` duplicated")
	}
	if p := w.stored("p1"); p.PostedByUserID != ana.UserID || p.Text != "text of p1" {
		t.Errorf("the first post became %+v", p)
	}
	w.wantCounts(ana, map[string]int{"postCount": 1})
	w.wantCounts(ben, nil)
	w.wantEvents(`post.moved p1 from "" to COMPLETED`)
}

func TestAddByAUserWhoIsGone(t *testing.T) {
	w := newWorld(t)
	nobody := social.Caller{Viewer: social.Viewer{UserID: "us-east-1:gone"}, User: &social.User{UserID: "us-east-1:gone"}}
	_, err := w.Add(t.Context(), nobody, social.NewPost{PostID: "p1", Type: social.TextOnly, Text: "x"}, everything)
	if refusal.KindOf(err) != refusal.Conflict || w.stored("p1") != nil {
		t.Errorf("error %v, stored %v, want a conflict and nothing", err, w.stored("p1"))
	}
}
