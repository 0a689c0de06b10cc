// Package messaging holds the nouns of an instant messenger: users who find each other by
// tags, two-person and group topics, what each subscriber may do there, and messages whose
// numbers have no holes. With them go the rules that need nothing else: how modes, tags and
// searches are read, who may do what, what is unread.
//
// Nothing here reads a clock or a store. What clients get are Seen nouns, which hide what
// a viewer may not know.
package messaging
