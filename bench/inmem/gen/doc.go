// Package gen is unmodified gqlgen's output for schema.graphqls: the baseline that stoa is
// measured against.
package gen
