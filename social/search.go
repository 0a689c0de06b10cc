package social

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
)

// Search is a request for a page of search results, best match first.
type Search struct {
	Text string
	// Offset is the number of results to skip. If Limit is 0, nothing is read.
	Offset, Limit int
}

// maxFound is the maximum number of results read at a time.
const maxFound = 100

// NewUserSearch checks the arguments of a search for users. Unlike in other lists, a limit
// of -1 means the maximum and 0 means no results.
func NewUserSearch(text string, args page.Args) (Search, error) {
	s := Search{Text: trim(text), Limit: optional.Or(args.Limit, page.Default)}
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

// NewPostSearch checks the arguments of a search for posts. A limit that is not positive,
// or too large, means the maximum.
func NewPostSearch(keywords string, args page.Args) (Search, error) {
	s := Search{Text: trim(keywords), Limit: optional.Or(args.Limit, page.Default)}
	if s.Text == "" {
		return Search{}, refusal.Invalidf("Empty keywords are not allowed")
	}
	if s.Limit <= 0 || s.Limit > maxFound {
		s.Limit = maxFound
	}
	return s.from(args.NextToken)
}

// from returns the search continued at a page token. Tokens are plain offsets.
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

// Next returns the token of the page that follows one with the given number of results.
func (s Search) Next(found int, more bool) string {
	if !more {
		return ""
	}
	return strconv.Itoa(s.Offset + found)
}

// NextOrSame is like Next, but at the end of the list returns the token of the present
// page.
func (s Search) NextOrSame(found int, more bool) string {
	if !more {
		found = 0
	}
	return strconv.Itoa(s.Offset + found)
}

// ByScore sorts posts by their trending scores, highest first. The sort is stable.
func ByScore(ids []PostID, scores map[PostID]float64) {
	slices.SortStableFunc(ids, func(a, b PostID) int { return cmp.Compare(scores[b], scores[a]) })
}

// trim removes leading and trailing white space from a search text.
func trim(text string) string { return strings.Trim(text, " \t\r\n") }
