// Package seed fills a store with a generated social network: people, follows, posts,
// albums, stories, comments and likes, with their feeds and counters.
//
// A network is determined by its seed and its size, except for the times of stories, which
// are close to the present. All people have the same, publicly known password, so a seeded
// store must be accessible to developers only.
package seed
