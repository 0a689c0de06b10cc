package social

import (
	"regexp"
	"time"

	"stoa/internal/kit/refusal"
)

const (
	// MaxText bounds the text of a post or a comment, in bytes: a stored item has room
	// for 400 KB, and keywords and mentions need some of it.
	MaxText = 256 << 10
	// MaxMentions is how many distinct mentions of a text can become tags: so many
	// names are looked up in one call.
	MaxMentions = 100
)

// TaggedUsers are the users mentioned in a text.
var TaggedUsers = Details.New("TAGGED_USERS")

var tagForm = regexp.MustCompile(`@[a-zA-Z0-9_.]{3,30}`)

// TextTag is a mention in a text that named an existing user when it was written.
// A later change of that user's name changes neither field.
type TextTag struct {
	// Tag is the mention as typed, with its leading @.
	Tag    string
	UserID UserID
}

// Tag is a mention of the user, by their present name.
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

// seeTags shows the tags of a text from a time with the users they name as a viewer sees them:
// those that are gone, also if they have another profile since, and those that block the viewer
// are left out.
func seeTags(tags []TextTag, users SeenUsers, at time.Time) []TextTaggedUser {
	seen := make([]TextTaggedUser, 0, len(tags))
	for _, tag := range tags {
		if u := users.met(tag.UserID); u != nil && !u.rel.BlockedBy && !u.user.Former(at) {
			seen = append(seen, TextTaggedUser{Tag: tag.Tag, User: u})
		}
	}
	return seen
}

// NewlyTagged returns the users whom a text mentions after a change and did not before,
// each once.
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

// taggedUsers appends the users that tags name to ids.
func taggedUsers(ids []UserID, tags []TextTag) []UserID {
	for _, tag := range tags {
		ids = append(ids, tag.UserID)
	}
	return ids
}
