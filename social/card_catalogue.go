package social

import (
	"fmt"
	"time"
)

// CardCatalogue words all cards that there are. Titles, links and delays are part of the
// contract (spec: cards, catalogue); only the app's name and address are chosen.
//
// What it returns lacks the times, which At sets.
type CardCatalogue struct {
	// AppURL is what links begin with, without a slash at the end; AppName is what the
	// app is called.
	AppURL, AppName string
}

// NewCard is a card to be made.
type NewCard struct {
	Card
	// pushAfter is how long a card may be there before its user is told of it; zero is
	// for ever.
	pushAfter time.Duration
}

// At returns the card as it is made at a time.
func (n NewCard) At(now time.Time) Card {
	c := n.Card
	c.CreatedAt = now
	if n.pushAfter > 0 {
		c.NotifyUserAt = now.Add(n.pushAfter)
	}
	return c
}

const day = 24 * time.Hour

func (c CardCatalogue) card(user UserID, name CardName, pushAfter time.Duration, title, path string, args ...any) NewCard {
	return NewCard{pushAfter: pushAfter, Card: Card{
		CardID: name.Of(user), UserID: user, Title: title, Action: c.AppURL + fmt.Sprintf(path, args...),
	}}
}

func (n NewCard) about(post PostID) NewCard {
	n.PostID = post
	return n
}

// ChatActivity counts the chats of a user with messages they have not viewed.
func (c CardCatalogue) ChatActivity(user UserID, chats int) NewCard {
	return c.card(user, CardChatActivity, 5*time.Minute, "You have "+plural(chats, "chat")+" with new messages", "/chat/")
}

// RequestedFollowers counts those who wait for a user's answer. Its link is the chats':
// clients have always got it so.
func (c CardCatalogue) RequestedFollowers(user UserID, requests int) NewCard {
	return c.card(user, CardRequestedFollowers, day, "You have "+plural(requests, "pending follow request"), "/chat/")
}

// CommentActivity counts the comments on a post that its owner has not viewed.
func (c CardCatalogue) CommentActivity(owner UserID, post PostID, comments int) NewCard {
	return c.card(owner, CardCommentActivity(post), day, "You have "+plural(comments, "new comment"),
		"/user/%s/post/%s/comments", owner, post).about(post)
}

// CommentMention tells a user of a comment that mentions them.
func (c CardCatalogue) CommentMention(user UserID, author string, on *Post, comment CommentID) NewCard {
	n := c.card(user, CardCommentMention(comment), day, "@"+author+" mentioned you in a comment",
		"/user/%s/post/%s/comments/%s", on.PostedByUserID, on.PostID, comment).about(on.PostID)
	n.CommentID = comment
	return n
}

// PostLikes tells the owner of a post that it was liked.
func (c CardCatalogue) PostLikes(owner UserID, post PostID) NewCard {
	return c.card(owner, CardPostLikes(post), day, "You have new likes", "/user/%s/post/%s/likes", owner, post).about(post)
}

// PostViews tells the owner of a post that it was viewed by several.
func (c CardCatalogue) PostViews(owner UserID, post PostID) NewCard {
	return c.card(owner, CardPostViews(post), day, "You have new views", "/user/%s/post/%s/views", owner, post).about(post)
}

// PostMention tells a user of a post that mentions them.
func (c CardCatalogue) PostMention(user UserID, owner string, p *Post) NewCard {
	return c.card(user, CardPostMention(p.PostID), day, "@"+owner+" tagged you in a post",
		"/user/%s/post/%s", p.PostedByUserID, p.PostID).about(p.PostID)
}

// PostRepost tells the owner of an original that somebody posted it again.
func (c CardCatalogue) PostRepost(owner UserID, reposter string, repost *Post) NewCard {
	return c.card(owner, CardPostRepost(repost.PostID), day, "@"+reposter+" reposted one of your posts",
		"/user/%s/post/%s", repost.PostedByUserID, repost.PostID).about(repost.PostID)
}

// ContactJoined tells a user that somebody who knows their address is here.
func (c CardCatalogue) ContactJoined(user UserID, joined *User) NewCard {
	return c.card(user, CardContactJoined(joined.UserID), day, joined.Username+" joined "+c.AppName, "/user/%s", joined.UserID)
}

// Subscription welcomes a user to the diamond level.
func (c CardCatalogue) Subscription(user UserID) NewCard {
	n := c.card(user, CardSubscription, day, "Welcome to Diamond", "/diamond")
	n.SubTitle = "Enjoy exclusive perks of being a subscriber"
	return n
}

// AddPhoto asks a user for a photo. Nobody is pushed to that.
func (c CardCatalogue) AddPhoto(user UserID) NewCard {
	return c.card(user, CardAddPhoto, 0, "Add a profile photo", "/user/%s/settings/photo", user)
}

// AnonymousUpsell asks an anonymous user to sign up.
func (c CardCatalogue) AnonymousUpsell(user UserID) NewCard {
	return c.card(user, CardAnonymousUpsell, day, "Reserve your username & sign up!", "/signup/%s", user)
}

// NewMatches asks a user to look at potential matches.
func (c CardCatalogue) NewMatches(user UserID) NewCard {
	return c.card(user, CardNewMatches, day, "You have new dating matches to review.", "/user/%s/new_matches", user)
}

// plural counts things: "1 chat", "2 chats".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
