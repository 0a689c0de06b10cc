package social

import (
	"os"
	"strings"
	"testing"
	"time"

	"stoa/internal/desk"
)

// chats 5.3#1-13: id, title, address and push time of every kind of card.
func TestCardCatalogue(t *testing.T) {
	const user, other = UserID("us-east-1:u"), UserID("us-east-1:o")
	c := CardCatalogue{AppURL: "https://app.example", AppName: "Example"}
	post := &Post{PostID: "p", PostedByUserID: other}
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, want := range []struct {
		card                   NewCard
		id, title, sub, action string
		post, comment          string
		push                   time.Duration
	}{
		{c.ChatActivity(user, 1), "us-east-1:u:CHAT_ACTIVITY", "You have 1 chat with new messages", "", "https://app.example/chat/", "", "", 5 * time.Minute},
		{c.ChatActivity(user, 2), "us-east-1:u:CHAT_ACTIVITY", "You have 2 chats with new messages", "", "https://app.example/chat/", "", "", 5 * time.Minute},
		{c.CommentActivity(user, "p", 3), "us-east-1:u:COMMENT_ACTIVITY:p", "You have 3 new comments", "", "https://app.example/user/us-east-1:u/post/p/comments", "p", "",
			24 * time.Hour},
		{c.CommentMention(user, "ben", post, "c"), "us-east-1:u:COMMENT_MENTION:c", "@ben mentioned you in a comment", "", "https://app.example/user/us-east-1:o/post/p/comments/c",
			"p", "c", 24 * time.Hour},
		{c.PostLikes(user, "p"), "us-east-1:u:POST_LIKES:p", "You have new likes", "", "https://app.example/user/us-east-1:u/post/p/likes", "p", "", 24 * time.Hour},
		{c.PostViews(user, "p"), "us-east-1:u:POST_VIEWS:p", "You have new views", "", "https://app.example/user/us-east-1:u/post/p/views", "p", "", 24 * time.Hour},
		{c.PostMention(user, "ben", post), "us-east-1:u:POST_MENTION:p", "@ben tagged you in a post", "", "https://app.example/user/us-east-1:o/post/p", "p", "", 24 * time.Hour},
		{c.PostRepost(user, "ben", post), "us-east-1:u:POST_REPOST:p", "@ben reposted one of your posts", "", "https://app.example/user/us-east-1:o/post/p", "p", "", 24 * time.Hour},
		{c.RequestedFollowers(user, 1), "us-east-1:u:REQUESTED_FOLLOWERS", "You have 1 pending follow request", "", "https://app.example/chat/", "", "", 24 * time.Hour},
		{c.ContactJoined(user, &User{UserID: other, Username: "ben"}), "us-east-1:u:CONTACT_JOINED:us-east-1:o", "ben joined Example", "", "https://app.example/user/us-east-1:o", "",
			"", 24 * time.Hour},
		{c.Subscription(user), "us-east-1:u:USER_SUBSCRIPTION_LEVEL", "Welcome to Diamond", "Enjoy exclusive perks of being a subscriber", "https://app.example/diamond", "", "",
			24 * time.Hour},
		{c.AddPhoto(user), "us-east-1:u:ADD_PROFILE_PHOTO", "Add a profile photo", "", "https://app.example/user/us-east-1:u/settings/photo", "", "", 0},
		{c.AnonymousUpsell(user), "us-east-1:u:ANONYMOUS_USER_UPSELL", "Reserve your username & sign up!", "", "https://app.example/signup/us-east-1:u", "", "", 24 * time.Hour},
		{c.NewMatches(user), "us-east-1:u:USER_DATING_NEW_MATCHES", "You have new dating matches to review.", "", "https://app.example/user/us-east-1:u/new_matches", "", "",
			24 * time.Hour},
	} {
		wanted := Card{
			CardID: CardID(want.id), UserID: user, Title: want.title, SubTitle: want.sub, Action: want.action,
			PostID: PostID(want.post), CommentID: CommentID(want.comment), CreatedAt: now,
		}
		if want.push > 0 {
			wanted.NotifyUserAt = now.Add(want.push)
		}
		if wanted.CardID.CountsOn() != "" {
			wanted.Comments = 3
		}
		if got := want.card.At(now); got != wanted {
			t.Errorf("got  %+v\nwant %+v", got, wanted)
		}
	}
}

// A card that counts comments shows those of its post, whatever title is stored.
// An app finds the screen of a card by its path.
func TestTheGuideListsThePathsOfCards(t *testing.T) {
	page, err := os.ReadFile("../docs/guide/cards.md")
	if err != nil {
		t.Fatal(err)
	}
	c := CardCatalogue{}
	post := &Post{PostID: "{postId}", PostedByUserID: "{userId}"}
	for _, card := range []NewCard{
		c.ChatActivity("", 1), c.RequestedFollowers("", 1), c.CommentActivity("{userId}", "{postId}", 1), c.CommentMention("", "", post, "{commentId}"),
		c.PostLikes("{userId}", "{postId}"), c.PostViews("{userId}", "{postId}"), c.PostMention("", "", post), c.PostRepost("{userId}", "", post),
		c.ContactJoined("", &User{UserID: "{userId}"}), c.Subscription(""), c.AddPhoto("{userId}"), c.AnonymousUpsell("{userId}"), c.NewMatches("{userId}"),
		c.Moderation(desk.Judgement{CaseID: "{caseId}"}),
	} {
		path := strings.TrimPrefix(card.Action, "/user/{userId}/post/{postId}/") // which share a row
		if !strings.Contains(string(page), "`"+path+"`") && !strings.Contains(string(page), "`/"+path+"`") {
			t.Errorf("docs/guide/cards.md does not list %s", card.Action)
		}
	}
}

func TestCardsThatCount(t *testing.T) {
	const user, post = UserID("us-east-1:u"), PostID("p")
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	c := Card{CardID: CardCommentActivity(post).Of(user), UserID: user, Title: "You have 5 new comments", PostID: post, CreatedAt: at}
	for _, test := range []struct {
		on   *Post
		want string
	}{
		{nil, "You have 5 new comments"},
		{&Post{PostedByUserID: user, PostedAt: at}, "You have 5 new comments"}, // the card is about to go
		{&Post{PostedByUserID: user, PostedAt: at, CommentsUnviewedCount: 1}, "You have 1 new comment"},
		{&Post{PostedByUserID: "us-east-1:o", PostedAt: at, CommentsUnviewedCount: 1}, "You have 5 new comments"},
		{&Post{PostedByUserID: user, PostedAt: at.Add(1), CommentsUnviewedCount: 1}, "You have 5 new comments"}, // the id was reused
	} {
		counted := c
		if counted.Count(test.on); counted.ShownTitle() != test.want {
			t.Errorf("on %+v: %q, want %q", test.on, counted.ShownTitle(), test.want)
		}
	}
	change := CardCatalogue{}.CommentActivity(user, post, 2).Over(&c, at)
	if !change.Moves() || change.Writes() || change.After.ShownTitle() != "You have 2 new comments" {
		t.Errorf("a comment makes it %+v", change)
	}
	for id, want := range map[CardID]PostID{c.CardID: post, CardPostLikes(post).Of(user): "", "u:COMMENT_ACTIVITY:": "", "u:COMMENT_ACTIVITY": ""} {
		if got := id.CountsOn(); got != want {
			t.Errorf("%s counts on %q, want %q", id, got, want)
		}
	}
}
