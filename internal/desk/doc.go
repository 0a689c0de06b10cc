// Package desk has the nouns of those who run a service: roles, cases of reported content, and
// lines of the audit log.
//
// A case is opened in the transaction of the report, so that areas of any system carry these
// nouns to their stores.
package desk
