package social

import (
	"strconv"
	"strings"
	"time"

	"stoa/internal/desk"
)

// CardCatalogue creates every kind of card. Titles, links and delays are part of the
// contract; only the app's name and URL are configurable.
//
// The cards have no times yet: At sets them.
type CardCatalogue struct {
	// AppURL is the base URL of links, without a trailing slash; AppName is the name of the
	// app, which texts leave out if it is empty.
	AppURL, AppName string
}

// NewCard is a card to be created.
type NewCard struct {
	Card
	// pushAfter is the delay before the user gets a push notification about the card; zero
	// for none.
	pushAfter time.Duration
	// since is a time at which the user had the profile that the card is for; zero for any.
	since time.Time
	// on is what must exist when the card is created.
	on CardAbout
}

// On returns the card on condition that what it is about still exists when it is created. comment is
// nil for a card about the post.
func (n NewCard) On(p *Post, comment *Comment) NewCard {
	n.on = CardAbout{Post: p, Comment: comment}
	return n
}

// About returns what must exist when the card is created.
func (n NewCard) About() CardAbout { return n.on }

// Since returns the card for the profile that its user had at a time, and no newer one.
func (n NewCard) Since(at time.Time) NewCard {
	n.since = at
	return n
}

// IsFor reports whether the card is for this profile of its user.
func (n NewCard) IsFor(u *User) bool { return n.since.IsZero() || !u.Former(n.since) }

// At returns the card as created at the given time.
func (n NewCard) At(now time.Time) Card {
	c := n.Card
	c.CreatedAt = now
	if n.pushAfter > 0 {
		c.NotifyUserAt = now.Add(n.pushAfter)
	}
	return c
}

const day = 24 * time.Hour

func (c CardCatalogue) card(user UserID, name CardName, pushAfter time.Duration, title, path string) NewCard {
	return NewCard{pushAfter: pushAfter, Card: Card{
		CardID: name.Of(user), UserID: user, Title: title, Action: c.AppURL + path,
	}}
}

func (n NewCard) about(post PostID) NewCard {
	n.PostID = post
	return n
}

// ChatActivity shows how many of the user's chats have unviewed messages.
func (c CardCatalogue) ChatActivity(user UserID, chats int) NewCard {
	return c.card(user, CardChatActivity, 5*time.Minute, "You have "+plural(chats, "chat")+" with new messages", "/chat/")
}

// RequestedFollowers shows how many follow requests await the user's answer. It links to
// the chats because clients have always received that link.
func (c CardCatalogue) RequestedFollowers(user UserID, requests int) NewCard {
	return c.card(user, CardRequestedFollowers, day, "You have "+plural(requests, "pending follow request"), "/chat/")
}

// CommentActivity shows how many comments on a post its owner has not viewed.
func (c CardCatalogue) CommentActivity(owner UserID, post PostID, comments int) NewCard {
	n := c.card(owner, CardCommentActivity(post), day, newComments(comments), postPath(owner, post)+"/comments").about(post)
	n.Comments = comments
	return n
}

func newComments(n int) string { return "You have " + plural(n, "new comment") }

// CommentMention tells a user about a comment that mentions them.
func (c CardCatalogue) CommentMention(user UserID, author string, on *Post, comment CommentID) NewCard {
	n := c.card(user, CardCommentMention(comment), day, "@"+author+" mentioned you in a comment",
		postPath(on.PostedByUserID, on.PostID)+"/comments/"+string(comment)).about(on.PostID)
	n.CommentID = comment
	return n
}

// PostLikes tells the owner of a post that it was liked.
func (c CardCatalogue) PostLikes(owner UserID, post PostID) NewCard {
	return c.card(owner, CardPostLikes(post), day, "You have new likes", postPath(owner, post)+"/likes").about(post)
}

// PostViews tells the owner of a post that several users viewed it.
func (c CardCatalogue) PostViews(owner UserID, post PostID) NewCard {
	return c.card(owner, CardPostViews(post), day, "You have new views", postPath(owner, post)+"/views").about(post)
}

// PostMention tells a user about a post that mentions them.
func (c CardCatalogue) PostMention(user UserID, owner string, p *Post) NewCard {
	return c.card(user, CardPostMention(p.PostID), day, "@"+owner+" tagged you in a post",
		postPath(p.PostedByUserID, p.PostID)).about(p.PostID)
}

// PostRepost tells the owner of a post that somebody reposted it.
func (c CardCatalogue) PostRepost(owner UserID, reposter string, repost *Post) NewCard {
	return c.card(owner, CardPostRepost(repost.PostID), day, "@"+reposter+" reposted one of your posts",
		postPath(repost.PostedByUserID, repost.PostID)).about(repost.PostID)
}

// ContactJoined tells a user that one of their contacts has joined.
func (c CardCatalogue) ContactJoined(user UserID, joined *User) NewCard {
	return c.card(user, CardContactJoined(joined.UserID), day, strings.TrimSpace(joined.Username+" joined "+c.AppName), userPath(joined.UserID))
}

// Subscription welcomes a user to the diamond level.
func (c CardCatalogue) Subscription(user UserID) NewCard {
	n := c.card(user, CardSubscription, day, "Welcome to Diamond", "/diamond")
	n.SubTitle = "Enjoy exclusive perks of being a subscriber"
	return n
}

// AddPhoto asks a user to add a photo. It never triggers a push notification.
func (c CardCatalogue) AddPhoto(user UserID) NewCard {
	return c.card(user, CardAddPhoto, 0, "Add a profile photo", userPath(user)+"/settings/photo")
}

// AnonymousUpsell asks an anonymous user to sign up.
func (c CardCatalogue) AnonymousUpsell(user UserID) NewCard {
	return c.card(user, CardAnonymousUpsell, day, "Reserve your username & sign up!", "/signup/"+string(user))
}

// NewMatches asks a user to review potential matches.
func (c CardCatalogue) NewMatches(user UserID) NewCard {
	return c.card(user, CardNewMatches, day, "You have new dating matches to review.", userPath(user)+"/new_matches")
}

// Moderation tells a user what was decided about their content or about them. It links to the
// case, where they can appeal.
func (c CardCatalogue) Moderation(j desk.Judgement) NewCard {
	n := c.card(j.Person, CardModeration(j), 5*time.Minute, j.Title(), "/moderation/"+j.CaseID)
	n.SubTitle = j.Details()
	return n
}

func userPath(user UserID) string { return "/user/" + string(user) }

func postPath(owner UserID, post PostID) string { return userPath(owner) + "/post/" + string(post) }

// plural returns "1 chat", "2 chats" and so on.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
