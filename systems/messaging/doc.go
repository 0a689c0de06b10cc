// Package messaging defines the nouns of an instant messenger: users who find each other by
// tags, two-person and group topics, the permissions of each subscriber, and messages,
// which are numbered without gaps. It also has the rules that depend on nothing else: how
// modes, tags and searches are parsed, who may do what, and what is unread.
//
// Nothing in this package reads a clock or a store. Clients get Seen nouns, which hide what
// a viewer may not know.
package messaging
