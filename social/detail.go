package social

import "stoa/internal/kit/reads"

// Detail is a set of what can be read besides a noun itself: the viewer's marks on it,
// who is mentioned in it. Each costs reads, so a page asks for the details that its
// fields show and no others.
//
// A detail is declared beside the noun it belongs to, and named in the schema by the
// fields that show it: @reads(detail: LIKE_MARK).
type Detail uint64

// Details are all details of the social system.
var Details reads.Names[Detail]

// Has reports whether d includes all of want.
func (d Detail) Has(want Detail) bool { return d&want == want }

// need panics unless the details wanted of a noun are among d, those that were read.
func (d Detail) need(wanted Detail, noun string) {
	if !d.Has(wanted) {
		Details.Need(d, wanted, noun)
	}
}
