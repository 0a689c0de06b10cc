// Package page has what all lists of the API have in common: how much to read, where to
// start, and the result.
//
// First limits what is read, before filtering. A page with fewer items than First, even
// none, is not necessarily the last; an empty Next means that it is.
package page

import "stoa/internal/kit/refusal"

// Limits of a page's size, and the default size.
const (
	Default = 20
	Max     = 100
)

var (
	// ErrLimit is the error for a size outside 1..Max. Clients match its text.
	ErrLimit = refusal.Invalidf("Limit cannot be less than 1 or greater than 100")
	// ErrToken is the error for a token that is not from the list.
	ErrToken = refusal.Invalidf("nextToken is not from this list: leave it out to start from the first page")
)

// Args are a list's arguments as given by a client; either may be absent. They are
// unchecked, because each list determines when in its order of checks an invalid size is
// reported.
type Args struct {
	Limit     *int
	NextToken *string
}

// Query selects one page.
type Query struct {
	// First is the number of rows to read, 1..Max.
	First int
	// After is the Next of the previous page; empty for the first page.
	After string
}

// Query validates the arguments. It fails with ErrLimit, or with ErrToken for an empty
// token: no list returns one, and the client did not mean the first page.
func (a Args) Query() (Query, error) {
	q := Query{First: Default}
	if a.Limit != nil {
		if *a.Limit < 1 || *a.Limit > Max {
			return Query{}, ErrLimit
		}
		q.First = *a.Limit
	}
	if a.NextToken != nil {
		if *a.NextToken == "" {
			return Query{}, ErrToken
		}
		q.After = *a.NextToken
	}
	return q, nil
}

// Page is a part of a list.
type Page[T any] struct {
	Items []T
	// Next is the position of the next page; empty at the end.
	Next string
}

// NextToken returns Next in the form for clients: nil at the end.
func (p Page[T]) NextToken() *string {
	if p.Next == "" {
		return nil
	}
	return &p.Next
}

// Map converts the items of a page.
func Map[T, U any](p Page[T], f func(T) U) Page[U] {
	items := make([]U, len(p.Items))
	for i, item := range p.Items {
		items[i] = f(item)
	}
	return Page[U]{Items: items, Next: p.Next}
}

// As converts a page to the type of its list in a schema. A nil page is a list that the
// viewer may not see.
func As[P ~struct{ Page[T] }, T any](p *Page[T]) *P {
	if p == nil {
		return nil
	}
	typed := P(struct{ Page[T] }{*p})
	return &typed
}
