// Package pantry holds the nouns of households that share fridges and shelves, and the
// rules that need nothing but them: what a name, a quantity or an expiry may be, how
// foods are filtered, sorted and found to expire, and what becomes of a join link.
//
// Nothing here reads a clock or a store. Whoever belongs to a group may do everything
// with it; what clients get are Seen nouns, which hide what others than members may not
// know.
package pantry
