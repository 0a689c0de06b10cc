// Package value gives the SDK's attribute values the meaning DynamoDB gives them:
// which values are allowed, what a number is, when two values are equal, which of
// two sorts first and how many bytes one is charged as.
//
// Numbers travel as text. Two texts may name the same number ("1.0" and "1"), so
// compare with [Equal] or [Compare], never the texts, unless both went through
// [Normalize], which leaves one text for each number.
package value
