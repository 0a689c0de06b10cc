// Package social holds the nouns of a social network and their pure rules: who can see
// whom, how statuses change, which names and texts are valid.
//
// Nothing here reads a clock, a store or a context's deadline. Clients never receive stored
// nouns (User, Post, Comment) but Seen nouns, which answer each field for one viewer and
// hide what that viewer may not know.
package social
