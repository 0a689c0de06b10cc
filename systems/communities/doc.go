// Package communities holds the nouns of people who share a problem and a place: users
// with roles, communities by place and topic, group chats that are entered freely or on
// request, private chats, messages, notifications. With them go the rules that need
// nothing else: who may do what, how names are compared, what a request can become.
//
// Nothing here reads a clock or a store. What clients get are Seen nouns, which hide what
// a viewer may not know.
package communities
