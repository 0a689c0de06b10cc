package social

import (
	"strings"
	"time"
)

// CardID names a card: `{userId}:{name}`.
type CardID string

// Card asks its user to look at something. There is at most one with an id: what would
// make it a second time replaces its title and nothing else.
type Card struct {
	CardID CardID
	UserID UserID
	Title  string
	// SubTitle is empty for most.
	SubTitle string
	// Action is the URL that a tap opens.
	Action string
	// PostID and CommentID are what the card refers to, if anything: it goes with them.
	PostID    PostID
	CommentID CommentID
	CreatedAt time.Time
	// NotifyUserAt is when the user gets a push notification if the card is still there;
	// zero for never, or no more.
	NotifyUserAt time.Time
}

// Split returns the user and the name that the id consists of. A user id holds a colon
// itself, so the name is what follows the second one.
func (id CardID) Split() (user UserID, name string, ok bool) {
	region, rest, ok := strings.Cut(string(id), ":")
	if !ok {
		return "", "", false
	}
	uuid, name, ok := strings.Cut(rest, ":")
	return UserID(region + ":" + uuid), name, ok
}

// CardName is what makes a card well-known: its id without the user.
type CardName string

// Names of cards of which a user has one at most.
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

// Of is the id of the card with this name that a user has.
func (n CardName) Of(user UserID) CardID { return CardID(string(user) + ":" + string(n)) }
