package archive

import "stoa/internal/kit/page"

// List is a client's request for a page of a list.
type List struct {
	scope page.Scope
	Query page.Query
}

// ListOf checks the arguments of a list. Its tokens are valid only for the same operation,
// or field of a parent, the same caller and the same further arguments.
func ListOf(args page.Args, operation string, caller UserID, arguments ...string) (List, error) {
	l := List{scope: page.ScopeOf("archive."+operation, string(caller), arguments...)}
	var err error
	l.Query, err = l.scope.Query(args)
	return l, page.Refused(err)
}

// Seal binds the token of a page to its list.
func Seal[T any](l List, p page.Page[T], err error) (page.Page[T], error) {
	if err != nil {
		return page.Page[T]{}, page.Refused(err)
	}
	p.Next = l.scope.Seal(p.Next)
	return p, nil
}

// Ordered returns things in the order of ids, omitting those that were not found.
func Ordered[K comparable, T any](ids []K, found map[K]*T) []*T {
	all := make([]*T, 0, len(ids))
	for _, id := range ids {
		if t := found[id]; t != nil {
			all = append(all, t)
		}
	}
	return all
}
