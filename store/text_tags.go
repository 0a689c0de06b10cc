package store

import "stoa/social"

// storedTags returns the mentions in a text: an empty list if it has none, nil if there is
// no text.
func storedTags(text string, tags []social.TextTag) []social.TextTag {
	if text == "" {
		return nil
	}
	return append([]social.TextTag{}, tags...)
}
