// Package archive holds the nouns and rules of the genealogical archive: categories,
// collections, posts, the records and households in them, and the places that they name.
//
// Posts go through three state machines at once, one for publishing and two for loading.
// Whatever moves them is decided here; areas only bring facts and store what comes of it.
package archive
