package social

import "stoa/internal/kit/reads"

// Detail is a set of things that can be read in addition to a noun: the viewer's marks on
// it, the users it mentions. Each costs reads, so a page requests only the details that its
// fields show.
//
// A detail is declared beside its noun, and named in the schema on the fields that show it:
// @reads(detail: LIKE_MARK).
type Detail uint64

// Details are all details of the social system.
var Details reads.Names[Detail]

// Has reports whether d includes all of want.
func (d Detail) Has(want Detail) bool { return d&want == want }

// need panics unless d, the details that were read, include the wanted ones.
func (d Detail) need(wanted Detail, noun string) {
	if !d.Has(wanted) {
		Details.Need(d, wanted, noun)
	}
}
