package page

// List is a list of which a client requests a page: the query, and the scope of its tokens.
type List struct {
	scope Scope
	Query Query
}

// ListOf validates the arguments of a list. Its tokens are valid for the same operation, or
// field of a type, the same caller, and the same further arguments. Operations are prefixed
// by the system's name: communities.messages.
func ListOf[C ~string](args Args, operation string, caller C, arguments ...string) (List, error) {
	l := List{scope: ScopeOf(operation, string(caller), arguments...)}
	var err error
	l.Query, err = l.scope.Query(args)
	return l, Refused(err)
}

// Seal converts the Next of a list to a token for clients; "" remains the end.
func (l List) Seal(next string) string { return l.scope.Seal(next) }

// Seal binds the token of a page to its list.
func Seal[T any](l List, p Page[T], err error) (Page[T], error) {
	if err != nil {
		return Page[T]{}, Refused(err)
	}
	p.Next = l.Seal(p.Next)
	return p, nil
}

// Fill reads a page of a list that may be shown only in part, like Refill.
func Fill[T, U any](l List, read func(Query) (Page[T], error), show func([]T) ([]U, error)) (Page[U], error) {
	p, err := Refill(l.Query, read, show)
	return Seal(l, p, err)
}
