package social

import (
	"regexp"
	"time"

	"stoa/internal/kit/refusal"
)

const (
	// MaxText is the maximum length of the text of a post or a comment, in bytes. A stored
	// item is limited to 400 KB, some of which keywords and mentions need.
	MaxText = 256 << 10
	// MaxMentions is the maximum number of distinct mentions in a text that become tags.
	// They are looked up in one call.
	MaxMentions = 100
)

// TaggedUsers are the users mentioned in a text.
var TaggedUsers = Details.New("TAGGED_USERS")

var tagForm = regexp.MustCompile(`@[a-zA-Z0-9_.]{3,30}`)

// TextTag is a mention in a text that named an existing user when it was written. Neither
// field follows later changes of the user's name.
type TextTag struct {
	// Tag is the mention as typed, with its leading @.
	Tag    string `dynamo:"tag"`
	UserID UserID `dynamo:"userId"`
}

// Tag returns a mention of the user by their current name.
func (s *SeenUser) Tag() TextTag { return TextTag{Tag: "@" + s.user.Username, UserID: s.user.UserID} }

// Mentions returns the distinct mentions of text, with their leading @, in order
// of first appearance and at most MaxMentions of them. A dot after a name is part of
// the mention, so `@ian.` does not mention ian.
func Mentions(text string) []string {
	var mentions []string
	seen := map[string]bool{}
	for len(mentions) < MaxMentions {
		at := tagForm.FindStringIndex(text)
		if at == nil {
			break
		}
		if m := text[at[0]:at[1]]; !seen[m] {
			seen[m] = true
			mentions = append(mentions, m)
		}
		text = text[at[1]:]
	}
	return mentions
}

// CheckText refuses a text too long to be stored.
func CheckText(text string) error {
	if len(text) > MaxText {
		return refusal.Invalidf("text is %d bytes long: shorten it to at most %d", len(text), MaxText)
	}
	return nil
}

// seeTags returns the tags of a text written at the given time, with their users as the
// viewer sees them. Tags are omitted if the user is gone, has a newer profile, or blocks
// the viewer.
func seeTags(tags []TextTag, users SeenUsers, at time.Time) []TextTaggedUser {
	seen := make([]TextTaggedUser, 0, len(tags))
	for _, tag := range tags {
		if u := users.met(tag.UserID); u != nil && !u.rel.BlockedBy && !u.user.Former(at) {
			seen = append(seen, TextTaggedUser{Tag: tag.Tag, User: u})
		}
	}
	return seen
}

// NewlyTagged returns the users mentioned after a change but not before, without
// duplicates.
func NewlyTagged(before, after []TextTag) []UserID {
	known := map[UserID]bool{}
	for _, tag := range before {
		known[tag.UserID] = true
	}
	var users []UserID
	for _, tag := range after {
		if !known[tag.UserID] {
			known[tag.UserID] = true
			users = append(users, tag.UserID)
		}
	}
	return users
}

// taggedUsers appends the users of tags to ids.
func taggedUsers(ids []UserID, tags []TextTag) []UserID {
	for _, tag := range tags {
		ids = append(ids, tag.UserID)
	}
	return ids
}
