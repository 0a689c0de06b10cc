package messaging

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Search is what somebody looks for.
type Search struct {
	// All are the terms that must all be met, and Any those of which one must be. Each
	// term is met by any of its tags.
	All, Any [][]string
}

// ParseSearch reads a search. Terms are split by blanks and commas; one next to a comma is
// one of those of which one must be met. Country is what telephone numbers without a
// country begin with, such as 1. A saved search takes the prefixed form of a term only.
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

// CheckSearch refuses a search that is too long to save.
func CheckSearch(text string) error { return checkText("query", text, 0, maxSearch) }

type term struct {
	text string
	or   bool
}

// splitTerms cuts a search. A tag has no blanks but underscores, and so has a term.
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

// widen returns the tags by which a term can be met.
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

// telephone is a number in the form of E.164, "" for what is none.
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

// Tags are all tags of the search, each once, as many as are looked at.
func (s Search) Tags() []string {
	var all []string
	for _, term := range slices.Concat(s.All, s.Any) {
		all = append(all, term...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), MaxLookedAt)]
}

// Found is somebody with the tags by which they were found.
type Found struct {
	User UserID
	Tags []string
}

// Match says who meets the search, given who has which tag: who has most tags comes first.
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
