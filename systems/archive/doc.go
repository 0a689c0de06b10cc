// Package archive defines the nouns and rules of the genealogical archive: categories,
// collections, posts, their records and households, and the places that these name.
//
// A post has three state machines, one for publishing and two for loading. All their
// transitions are decided in this package; areas only read the facts and store the outcome.
package archive
