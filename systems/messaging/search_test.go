package messaging

import (
	"fmt"
	"strings"
	"testing"
)

// messaging 5.4#1-2: how a search is read, and what is kept of it.
func TestSearches(t *testing.T) {
	for _, c := range []struct {
		text  string
		saved bool
		want  string // All and Any
	}{
		{"", false, "[] []"},
		{" , ", false, "[] []"},
		{"flowers", false, "[[flowers basic:flowers]] []"},
		{"Flowers", true, "[[flowers]] []"},
		{"aa bb", false, "[[aa] [bb]] []"},
		{"aa bb, cc", true, "[[aa]] [[bb] [cc]]"},
		{"aa, bb cc", true, "[[cc]] [[aa] [bb]]"},
		{"aa,bb,cc", true, "[] [[aa] [bb] [cc]]"},
		{"aa ,, bb", true, "[] [[aa] [bb]]"},
		{"a@x.org", false, "[[a@x.org email:a@x.org]] []"},
		{"A@x.org", true, "[[email:a@x.org]] []"},
		{"email:a@x.org", false, "[[email:a@x.org]] []"},
		{"202-555-0123", true, "[[tel:+12025550123]] []"},
		{"+44(20)7946-0958", true, "[[tel:+442079460958]] []"},
		{"0044-20-7946-0958", true, "[[tel:+442079460958]] []"},
		{"12025550123", true, "[[tel:+12025550123]] []"},
		{"12345", true, "[[12345]] []"},
		{"rare_flowers", true, "[[rare_flowers]] []"},
	} {
		s, err := ParseSearch(c.text, "1", c.saved)
		if got := fmt.Sprint(s.All, " ", s.Any); got != c.want || err != nil {
			t.Errorf("%q is %s, %v, want %s", c.text, got, err, c.want)
		}
	}
	long := make([]byte, 2049)
	for i := range long {
		long[i] = 'x'
	}
	_, err := ParseSearch(string(long), "1", false)
	refused(t, "a search of 2,049 characters", err, "INVALID_LENGTH")
}

// messaging 5.4#3: who matches, by the number of matching tags.
func TestWhoMatchesASearch(t *testing.T) {
	owners := map[string]UserID{"flowers": "1", "travel": "1", "roses": "2", "puppies": "3", "tel:+12025550123": "3"}
	for text, want := range map[string]string{
		"":                               "",
		"nobody":                         "",
		"flowers travel":                 "1 [flowers travel]",
		"flowers roses":                  "",
		"flowers, roses":                 "1 [flowers] 2 [roses]",
		"flowers travel, puppies":        "1 [flowers travel]",
		"travel, flowers, puppies":       "1 [flowers travel] 3 [puppies]",
		"202-555-0123 puppies":           "3 [puppies tel:+12025550123]",
		"roses flowers, travel":          "",
		"puppies, nobody":                "3 [puppies]",
		"puppies roses, flowers, travel": "",
	} {
		s, err := ParseSearch(text, "1", false)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range s.Match(owners) {
			if got != "" {
				got += " "
			}
			got += fmt.Sprint(f.User, " ", f.Tags)
		}
		if got != want {
			t.Errorf("%q finds %s, want %s", text, got, want)
		}
	}
}

// messaging 5.1#7: a search looks up at most 100 tags.
func TestTagsOfALongSearch(t *testing.T) {
	var text strings.Builder
	for i := range MaxLookedAt + 1 {
		fmt.Fprintf(&text, "tag:t%03d,", i)
	}
	s, err := ParseSearch(text.String(), "1", false)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(s.Tags()); got != MaxLookedAt {
		t.Errorf("a search looks up %d tags, want %d", got, MaxLookedAt)
	}
}
