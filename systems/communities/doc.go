// Package communities defines the nouns of a network of people who share a problem and a
// place: users with roles, communities by location and topic, group chats that users join
// freely or on request, private chats, messages and notifications. It also has the rules
// that depend on nothing else: who may do what, how names are compared, and how requests
// change.
//
// Nothing in this package reads a clock or a store. Clients get Seen nouns, which hide what
// a viewer may not know.
package communities
