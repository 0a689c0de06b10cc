package social

import (
	"maps"
	"strings"
)

// BadWords are words for which moderation removes what contains them. The zero value has
// none.
type BadWords struct{ folded map[string]bool }

// badWordProbe is in every dictionary, so that whoever operates a service can see that it is
// in force.
const badWordProbe = "uoiFZP8bjS"

// DefaultBadWords are those of a service that was given no dictionary.
var DefaultBadWords = []string{"asshole", "bastard", "bitch", "fuck", "fucker", "fucking", "motherfucker", "shit", "slut", "whore"}

// NewBadWords is a dictionary of words, and of the probe.
func NewBadWords(words []string) BadWords {
	b := BadWords{folded: map[string]bool{strings.ToLower(badWordProbe): true}}
	for _, word := range words {
		b.folded[strings.ToLower(word)] = true
	}
	return b
}

// In reports whether a text contains one of the words, in whatever case, between single
// spaces. Punctuation that touches a word is part of it.
func (b BadWords) In(text string) bool {
	for word := range strings.SplitSeq(text, " ") {
		if word != "" && b.folded[strings.ToLower(word)] {
			return true
		}
	}
	return false
}

// Equal reports whether both have the same words.
func (b BadWords) Equal(c BadWords) bool { return maps.Equal(b.folded, c.folded) }

// BadWordList is the present dictionary, which may be replaced at any time.
type BadWordList interface {
	// In reports whether a text contains one of the words.
	In(text string) bool
}

// Mutual reports whether the viewer and the user, as seen with FollowerTie, follow each other.
func (s *SeenUser) Mutual() bool {
	s.read.need(FollowerTie, "user")
	return s.rel.Follows == Following && s.rel.FollowedBy == Following
}

// FollowsViewer reports whether the user, as seen with FollowerTie, follows the viewer.
func (s *SeenUser) FollowsViewer() bool {
	s.read.need(FollowerTie, "user")
	return s.rel.FollowedBy == Following
}

// Trusts reports whether what the viewer says in the chat is not looked at for bad words, by
// who the others in it are; nil for those who are gone. In a direct chat the two follow each
// other, in a group all others follow the viewer.
func (c *Chat) Trusts(others []*SeenUser) bool {
	for _, u := range others {
		if u == nil || !u.FollowsViewer() || c.Type == ChatDirect && !u.Mutual() {
			return false
		}
	}
	return true
}
