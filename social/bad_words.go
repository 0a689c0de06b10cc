package social

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
)

// BadWords is a dictionary of words that get content removed. The zero value is empty.
type BadWords struct{ folded map[string]bool }

// badWordProbe is in every dictionary, so that operators can verify that the filter works.
const badWordProbe = "uoiFZP8bjS"

// DefaultBadWords are used if no dictionary is configured.
var DefaultBadWords = []string{"asshole", "bastard", "bitch", "fuck", "fucker", "fucking", "motherfucker", "shit", "slut", "whore"}

// NewBadWords returns a dictionary of the words and the probe.
func NewBadWords(words []string) BadWords {
	b := BadWords{folded: map[string]bool{strings.ToLower(badWordProbe): true}}
	for _, word := range words {
		b.folded[strings.ToLower(word)] = true
	}
	return b
}

// In reports whether the text contains one of the words, ignoring case. Words are separated
// by single spaces; adjacent punctuation is part of a word.
func (b BadWords) In(text string) bool {
	for word := range strings.SplitSeq(text, " ") {
		if word != "" && b.folded[strings.ToLower(word)] {
			return true
		}
	}
	return false
}

// Equal reports whether both dictionaries have the same words.
func (b BadWords) Equal(c BadWords) bool { return maps.Equal(b.folded, c.folded) }

// Hash stands for the words: of two dictionaries with the same hash the words are the same.
func (b BadWords) Hash() string {
	sum := sha256.Sum256([]byte(strings.Join(slices.Sorted(maps.Keys(b.folded)), "\n")))
	return hex.EncodeToString(sum[:])
}

// BadWordList is the current dictionary, which may be replaced at any time.
type BadWordList interface {
	// In reports whether a text contains one of the words.
	In(text string) bool
}

// Mutual reports whether the viewer and the user follow each other. It needs FollowerTie.
func (s *SeenUser) Mutual() bool {
	s.read.need(FollowerTie, "user")
	return s.rel.Follows == Following && s.rel.FollowedBy == Following
}

// FollowsViewer reports whether the user follows the viewer. It needs FollowerTie.
func (s *SeenUser) FollowsViewer() bool {
	s.read.need(FollowerTie, "user")
	return s.rel.FollowedBy == Following
}

// Trusts reports whether the viewer's messages in the chat are exempt from the bad-word
// filter. In a direct chat, both must follow each other; in a group, all others must follow
// the viewer. An entry of others is nil if that user no longer exists.
func (c *Chat) Trusts(others []*SeenUser) bool {
	return !slices.ContainsFunc(others, func(u *SeenUser) bool {
		return u == nil || !u.FollowsViewer() || c.Type == ChatDirect && !u.Mutual()
	})
}
