// Package apptest is the harness for testing whole systems: a World is one assembled system
// on an empty engine, called through its real handler by people whose names are their
// tokens, with its own clock and ids.
//
// A Scenario is a request with all its effects. Each has its own world, in a
// testing/synctest bubble, so that nothing waits for real time and the absence of further
// effects can be verified. The vocabulary of a system (the setup of its scenarios) is
// declared next to its assembly.
//
// In any text, {ana} denotes the id of the person called ana.
package apptest
