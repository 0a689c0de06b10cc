// Package apptest is the harness in which systems are tested whole: a World is one
// assembled system on an empty engine, reached through its real handler by people
// whose names are their tokens, with a clock and ids of its own.
//
// A Scenario is a request with everything that comes of it. Each one has a world to
// itself, in a bubble of testing/synctest, so that nothing waits for the time of day and
// "nothing else happened" can be told for certain. The vocabulary of a system (what
// its scenarios are given) stands beside its assembly.
//
// In any text, {ana} stands for the id of the person called ana.
package apptest
