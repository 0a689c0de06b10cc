package social

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"stoa/internal/desk"
)

// CardID identifies a card: `{userId}:{name}`.
type CardID string

// Card is a call to action for a user. Creating a card whose id exists only replaces the
// title.
type Card struct {
	CardID CardID `dynamo:"cardId,keyonly"`
	UserID UserID `dynamo:"userId,keyonly"`
	// Title is what the user reads, unless the card counts comments; see ShownTitle.
	Title string `dynamo:"title"`
	// SubTitle is empty on most cards.
	SubTitle string `dynamo:"subTitle"`
	// Action is the URL to open when the card is tapped.
	Action string `dynamo:"action"`
	// PostID and CommentID refer to what the card is about, if anything. The card is
	// deleted with it.
	PostID    PostID    `dynamo:"postId"`
	CommentID CommentID `dynamo:"commentId"`
	CreatedAt time.Time `dynamo:"createdAt,keyonly"`
	// NotifyUserAt is when the user gets a push notification unless the card has gone by
	// then; zero if there will be none.
	NotifyUserAt time.Time `dynamo:"notifyUserAt,keyonly"`
	// Comments is the number of unviewed comments that a card for them shows, or 0 if it is
	// not known. It is that of the post, so that a comment need not write the card, whose
	// stored title remains that of its creation.
	Comments int `dynamo:"-" json:",omitempty"`
}

// ShownTitle returns the title that the card's user sees.
func (c *Card) ShownTitle() string {
	if c.Comments > 0 {
		return newComments(c.Comments)
	}
	return c.Title
}

// Count sets the number of comments that the card, which counts those on p, shows. p is nil
// if the post does not exist.
func (c *Card) Count(p *Post) {
	if p != nil && p.PostedByUserID == c.UserID && !c.CreatedAt.Before(p.PostedAt) {
		c.Comments = p.CommentsUnviewedCount
	}
}

// CardName is a card's id without the user.
type CardName string

// Names of cards that exist at most once per user.
const (
	CardChatActivity       CardName = "CHAT_ACTIVITY"
	CardRequestedFollowers CardName = "REQUESTED_FOLLOWERS"
	CardSubscription       CardName = "USER_SUBSCRIPTION_LEVEL"
	CardAddPhoto           CardName = "ADD_PROFILE_PHOTO"
	CardAnonymousUpsell    CardName = "ANONYMOUS_USER_UPSELL"
	CardNewMatches         CardName = "USER_DATING_NEW_MATCHES"
)

// Names of cards about something.

func CardCommentActivity(id PostID) CardName   { return CardName(commentActivity + id) }
func CardCommentMention(id CommentID) CardName { return CardName("COMMENT_MENTION:" + id) }
func CardContactJoined(id UserID) CardName     { return CardName("CONTACT_JOINED:" + id) }
func CardPostLikes(id PostID) CardName         { return CardName("POST_LIKES:" + id) }
func CardPostMention(id PostID) CardName       { return CardName("POST_MENTION:" + id) }
func CardPostRepost(id PostID) CardName        { return CardName("POST_REPOST:" + id) }
func CardPostViews(id PostID) CardName         { return CardName("POST_VIEWS:" + id) }

func CardModeration(j desk.Judgement) CardName {
	about := strings.NewReplacer(":", "-", "/", "-").Replace(cmp.Or(j.CaseID, string(j.What)))
	return CardName("MODERATION:" + about + "-" + strconv.FormatInt(j.At.UnixMilli(), 36))
}

const commentActivity = "COMMENT_ACTIVITY:"

// CountsOn returns the post whose unviewed comments the card with this id counts, or "".
func (id CardID) CountsOn() PostID {
	if _, post, _ := strings.Cut(string(id), ":"+commentActivity); PostID(post).Valid() {
		return PostID(post)
	}
	return ""
}

// Of returns the id of the user's card with this name.
func (n CardName) Of(user UserID) CardID { return CardID(string(user) + ":" + string(n)) }
