package messaging

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Search is a parsed search.
type Search struct {
	// All are the terms that must all match, and Any those of which at least one must. A
	// term matches if any of its tags does.
	All, Any [][]string
}

// ParseSearch parses a search. Terms are separated by white space or commas; terms next to
// a comma are those of which one must match. Country is the default calling code of
// telephone numbers, such as 1. In a saved search, an e-mail address or a telephone number
// matches only in its prefixed form.
func ParseSearch(text, country string, saved bool) (Search, error) {
	if err := checkText("query", text, 0, maxSearch); err != nil {
		return Search{}, err
	}
	var s Search
	for _, term := range splitTerms(text) {
		tags := widen(term.text, country, saved)
		if term.or {
			s.Any = append(s.Any, tags)
		} else {
			s.All = append(s.All, tags)
		}
	}
	return s, nil
}

// CheckSearch refuses a search that is too long to be saved.
func CheckSearch(text string) error { return checkText("query", text, 0, maxSearch) }

type term struct {
	text string
	or   bool
}

// splitTerms splits a search into terms, which, like tags, contain no white space.
func splitTerms(text string) []term {
	var terms []term
	for i, part := range strings.Split(text, ",") {
		comma := i > 0
		for _, word := range strings.Fields(part) {
			if comma && len(terms) > 0 {
				terms[len(terms)-1].or = true
			}
			terms = append(terms, term{strings.ToLower(word), comma && len(terms) > 0})
			comma = false
		}
	}
	return terms
}

var (
	prefixed  = regexp.MustCompile(`^[a-z][a-z0-9_]{0,14}:`)
	emailForm = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s]+$`)
	phoneForm = regexp.MustCompile(`^\+?[0-9][0-9().\-]{5,22}$`)
)

// widen returns the tags that match a term.
func widen(text, country string, saved bool) []string {
	tags := []string{text}
	if prefixed.MatchString(text) {
		return tags
	}
	var more []string
	if emailForm.MatchString(text) {
		more = append(more, "email:"+text)
	}
	if number := telephone(text, country); number != "" {
		more = append(more, "tel:"+number)
	}
	if saved && len(more) > 0 {
		return more
	}
	if !saved && loginForm.MatchString(text) {
		more = append(more, BasicTag(text))
	}
	return append(tags, more...)
}

// telephone returns a number in E.164 form, or "" if the text is not a number.
func telephone(text, country string) string {
	if !phoneForm.MatchString(text) {
		return ""
	}
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text)
	switch {
	case strings.HasPrefix(text, "+"):
	case strings.HasPrefix(digits, "00"):
		digits = digits[2:]
	case len(digits) > 10 && strings.HasPrefix(digits, country):
	default:
		digits = country + strings.TrimLeft(digits, "0")
	}
	if len(digits) < 7 || len(digits) > 15 {
		return ""
	}
	return "+" + digits
}

// Tags returns the distinct tags of the search, at most MaxLookedAt.
func (s Search) Tags() []string {
	var all []string
	for _, term := range slices.Concat(s.All, s.Any) {
		all = append(all, term...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), MaxLookedAt)]
}

// Found is a user with the tags by which they were found.
type Found struct {
	User UserID
	Tags []string
}

// Match returns the users who match the search, given the owners of tags, with the most
// matching tags first.
func (s Search) Match(owners map[string]UserID) []Found {
	byUser := map[UserID][]string{}
	for _, tag := range s.Tags() {
		if id, taken := owners[tag]; taken {
			byUser[id] = append(byUser[id], tag)
		}
	}
	var found []Found
	for id, tags := range byUser {
		met := func(term []string) bool {
			return slices.ContainsFunc(term, func(tag string) bool { return slices.Contains(tags, tag) })
		}
		if len(s.Any) > 0 && !slices.ContainsFunc(s.Any, met) || slices.ContainsFunc(s.All, func(term []string) bool { return !met(term) }) {
			continue
		}
		found = append(found, Found{id, tags})
	}
	slices.SortFunc(found, func(a, b Found) int {
		return cmp.Or(cmp.Compare(len(b.Tags), len(a.Tags)), cmp.Compare(a.User, b.User))
	})
	return found
}
