// Package value implements DynamoDB's semantics of attribute values: validity, numbers,
// equality, order and size.
//
// Numbers are represented as text. Different texts may be the same number ("1.0" and "1"),
// so compare with [Equal] or [Compare], never the texts, unless both are results of
// [Normalize], which makes them canonical.
package value
