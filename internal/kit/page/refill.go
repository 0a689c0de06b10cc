package page

// maxRefills is the maximum number of reads for one page.
const maxRefills = 20

// Refill reads pages until one is full, if pages may be shown only in part. A page is short
// at the end of the list, and if maxRefills reads did not fill it; Next is then where
// reading stopped.
func Refill[T, U any](q Query, read func(Query) (Page[T], error), show func([]T) ([]U, error)) (p Page[U], err error) {
	for range maxRefills {
		some, err := read(Query{First: q.First - len(p.Items), After: q.After})
		if err != nil {
			return Page[U]{}, err
		}
		shown, err := show(some.Items)
		if err != nil {
			return Page[U]{}, err
		}
		p.Items = append(p.Items, shown...)
		p.Next, q.After = some.Next, some.Next
		if some.Next == "" || len(p.Items) >= q.First {
			return p, nil
		}
	}
	return p, nil
}
