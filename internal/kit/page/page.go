// Package page holds what every list of the API has in common: how much to read,
// where to start, and what came of it.
//
// First bounds what is read, before anything is filtered out. A page with fewer
// items than First, even none, is not the end; an empty Next is.
package page

import "stoa/internal/kit/refusal"

// Bounds of a page's size, and the size when a client gives none.
const (
	Default = 20
	Max     = 100
)

var (
	// ErrLimit refuses a size outside 1..Max. Clients match on its text.
	ErrLimit = refusal.Invalidf("Limit cannot be less than 1 or greater than 100")
	// ErrToken refuses a token that the list asked for did not give out.
	ErrToken = refusal.Invalidf("nextToken is not from this list: leave it out to start from the first page")
)

// Args are a list's arguments as a client gave them; either may be absent. They are
// unchecked because each list says when in its order of checks a bad size counts.
type Args struct {
	Limit     *int
	NextToken *string
}

// Query asks for one page.
type Query struct {
	// First is how many rows to read, 1..Max.
	First int
	// After is the Next of the page before; empty for the first page.
	After string
}

// Query checks the arguments. It fails with ErrLimit, and with ErrToken for an empty
// token: no list gives one out, and the first page is not what its client wanted.
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
	// Next starts the page after this one; empty at the end.
	Next string
}

// NextToken is Next as clients get it: nil at the end.
func (p Page[T]) NextToken() *string {
	if p.Next == "" {
		return nil
	}
	return &p.Next
}

// Map turns a page of one kind of item into a page of another.
func Map[T, U any](p Page[T], f func(T) U) Page[U] {
	items := make([]U, len(p.Items))
	for i, item := range p.Items {
		items[i] = f(item)
	}
	return Page[U]{Items: items, Next: p.Next}
}

// As gives a page the type that its list has in a schema. A nil page is a list that the
// viewer may not see.
func As[P ~struct{ Page[T] }, T any](p *Page[T]) *P {
	if p == nil {
		return nil
	}
	typed := P(struct{ Page[T] }{*p})
	return &typed
}
