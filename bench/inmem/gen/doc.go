// Package gen is what gqlgen makes of schema.graphqls as shipped: the bar that stoa is
// measured against.
package gen
