// Package rules reads the rules of docs/rules and their citations in the Go files of a module.
//
// A citation is the name of a page and ids of its rules: "users U11", "chats 3.1#1-3,8, 3.8 and
// 4.2", "messaging 8#bounds". The id of a section without a rule of its own cites all rules of
// the section. Citations are read in comments and, in tests, in strings. A comment that only
// cites is refused, like an id without its page: a reader is told what holds, not where to look.
package rules
