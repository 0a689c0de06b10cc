package social

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
)

// Search asks for a part of what is found for a text, the best first.
type Search struct {
	Text string
	// Offset is how many of the best were shown before. Limit may be 0: nothing is read.
	Offset, Limit int
}

// maxFound is how much of what is found is read at a time.
const maxFound = 100

// NewUserSearch checks the arguments of a search for users. Its limit is not that of
// other lists: -1 stands for the most there can be, and 0 for nothing.
func NewUserSearch(text string, args page.Args) (Search, error) {
	s := Search{Text: trim(text), Limit: deref(args.Limit, page.Default)}
	switch {
	case s.Text == "":
		return Search{}, refusal.Invalidf("Empty queries are not allowed")
	case s.Limit < -1 || s.Limit > maxFound:
		return Search{}, refusal.Invalidf("Limit cannot be less than -1 or greater than 100")
	case s.Limit == -1:
		s.Limit = maxFound
	}
	return s.from(args.NextToken)
}

// NewPostSearch checks the arguments of a search for posts. Any limit is one: what is not
// positive, or too large, stands for the most there can be.
func NewPostSearch(keywords string, args page.Args) (Search, error) {
	s := Search{Text: trim(keywords), Limit: deref(args.Limit, page.Default)}
	if s.Text == "" {
		return Search{}, refusal.Invalidf("Empty keywords are not allowed")
	}
	if s.Limit <= 0 || s.Limit > maxFound {
		s.Limit = maxFound
	}
	return s.from(args.NextToken)
}

// from starts the search where a page before ended. Tokens are plain offsets.
func (s Search) from(token *string) (Search, error) {
	if token == nil {
		return s, nil
	}
	offset, err := strconv.ParseUint(*token, 10, 31)
	if err != nil {
		return Search{}, page.ErrToken
	}
	s.Offset = int(offset)
	return s, nil
}

// Next is the token of the page after one on which so many were found.
func (s Search) Next(found int, more bool) string {
	if !more {
		return ""
	}
	return strconv.Itoa(s.Offset + found)
}

// NextOrSame is Next of a list whose end shows as the token that the page was asked for
// with.
func (s Search) NextOrSame(found int, more bool) string {
	if !more {
		found = 0
	}
	return strconv.Itoa(s.Offset + found)
}

// ByScore sorts posts by their trending scores, the highest first. Posts with the same
// score stay in their order.
func ByScore(ids []PostID, scores map[PostID]float64) {
	slices.SortStableFunc(ids, func(a, b PostID) int { return cmp.Compare(scores[b], scores[a]) })
}

// trim cuts off the blanks around a text that is searched for.
func trim(text string) string { return strings.Trim(text, " \t\r\n") }
