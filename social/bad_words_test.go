package social_test

import (
	"testing"

	"stoa/social"
)

// chats 0.8#2: whole words are compared, without regard to case.
func TestBadWords(t *testing.T) {
	words := social.NewBadWords([]string{"darn", "Heck"})
	for text, want := range map[string]bool{
		"":                     false,
		"well, it works":       false,
		"darn":                 true,
		"oh DARN it":           true,
		"oh heck":              true,
		"oh Heck":              true,
		"darn!":                false,
		"darning socks":        false,
		"two  spaces darn":     true,
		"a\ndarn b":            false,
		"uoiFZP8bjS":           true,
		"say uoifzp8bjs twice": true,
		"UOIFZP8BJS":           true,
	} {
		if got := words.In(text); got != want {
			t.Errorf("%q contains a bad word: %t, want %t", text, got, want)
		}
	}
	if (social.BadWords{}).In("uoiFZP8bjS") {
		t.Error("the zero value has words")
	}
}
