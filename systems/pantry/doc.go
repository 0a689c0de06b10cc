// Package pantry defines the nouns of households that share fridges and shelves, and the
// rules that depend on nothing else: which names, quantities and expiries are valid, how
// foods are filtered and sorted and which of them expire, and how join links change.
//
// Nothing in this package reads a clock or a store. Every member of a group may do
// everything with it. Clients get Seen nouns, which hide what only members may know.
package pantry
