// Package social holds the nouns of a social network and the rules that need
// nothing but them: who sees whom, which status follows which, what a name or a
// text may be.
//
// Nothing here reads a clock, a store or a context's deadline. Stored nouns
// (User, Post, Comment) never reach a client as they are: clients get a Seen
// noun, which answers each field for one viewer and hides what that viewer may
// not know.
package social
