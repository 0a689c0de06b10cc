package stoa

import "regexp"

var tagForm = regexp.MustCompile(`@[a-zA-Z0-9_.]{3,30}`)

// TextTag is a mention in a text that named an existing user when it was written.
// A later change of that user's name changes neither field.
type TextTag struct {
	// Tag is the mention as typed, with its leading @.
	Tag    string
	UserID UserID
}

// Mentions returns the distinct mentions of text, with their leading @, in order
// of first appearance. A dot after a name is part of the mention, so `@ian.` does
// not mention ian.
func Mentions(text string) []string {
	var mentions []string
	seen := map[string]bool{}
	for _, m := range tagForm.FindAllString(text, -1) {
		if !seen[m] {
			seen[m] = true
			mentions = append(mentions, m)
		}
	}
	return mentions
}
