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
	Title  string `dynamo:"title"`
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

func CardCommentActivity(id PostID) CardName   { return CardName("COMMENT_ACTIVITY:" + id) }
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

// Of returns the id of the user's card with this name.
func (n CardName) Of(user UserID) CardID { return CardID(string(user) + ":" + string(n)) }
