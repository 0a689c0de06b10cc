// Package seed fills a store with an invented social network: people, follows, posts,
// albums, stories, comments and likes, and the feeds and counters that go with them.
//
// A network follows from its seed and its size, except for the times of stories, which
// are near the clock. Everybody in it has the same, publicly known password, so it belongs
// in stores that only developers reach.
package seed
