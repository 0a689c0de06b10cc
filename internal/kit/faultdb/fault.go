package faultdb

import "fmt"

// Effect is what happens to a call.
type Effect int

const (
	// Throttled refuses a call because there are too many. The service is expected to
	// try transactions again.
	Throttled Effect = iota + 1
	// ConditionFailed refuses a write as if somebody else had changed the item between
	// the decision and the write. Where nothing has a condition, it is a transaction in
	// conflict with another one.
	ConditionFailed
	// Internal is an error of the database that says nothing about what has happened.
	Internal
)

func (e Effect) String() string {
	return [...]string{0: "hook", Throttled: "throttled", ConditionFailed: "condition failed", Internal: "internal error"}[e]
}

// Fault is something that happens to one call. The zero value happens to none.
type Fault struct {
	// operation is empty for every operation, table for every table.
	operation, table string
	n                int
	effect           Effect
	late             bool
	hook             func()
}

// On makes a fault of the n-th call of an operation, such as "TransactWriteItems", from
// when it is armed; n begins with 1. An empty operation means calls of any kind.
//
// Raw calls bear the names of the operations they stand for. A raw batch of a
// single key cannot be told from a "GetItem", and one from several tables is as many
// calls.
func On(operation string, n int, e Effect) Fault {
	return Fault{operation: operation, n: n, effect: e}
}

// Before makes a fault that runs hook before the n-th call of an operation.
func Before(operation string, n int, hook func()) Fault {
	return Fault{operation: operation, n: n, hook: hook}
}

// After makes a fault that runs hook once the n-th call of an operation is done.
func After(operation string, n int, hook func()) Fault {
	return Fault{operation: operation, n: n, hook: hook, late: true}
}

// In narrows the fault to calls that concern a table. Its name comes with the prefix of
// the deployment.
func (f Fault) In(table string) Fault {
	f.table = table
	return f
}

// Late lets the call take effect and fails it then, as when an answer gets lost.
func (f Fault) Late() Fault {
	f.late = true
	return f
}

// Effect is what happens to the call, 0 when only a hook is run.
func (f Fault) Effect() Effect { return f.effect }

// IsEarly reports whether the call does not take effect.
func (f Fault) IsEarly() bool { return !f.late && f.hook == nil }

// IsZero reports whether the fault happens to no call.
func (f Fault) IsZero() bool { return f.n == 0 }

// String describes the fault for messages of failed tests.
func (f Fault) String() string {
	if f.IsZero() {
		return "no fault"
	}
	operation, when := f.operation, "before"
	if operation == "" {
		operation = "call"
	}
	if f.late {
		when = "after"
	}
	if f.table != "" {
		operation += " of " + f.table
	}
	return fmt.Sprintf("%s %d: %s %s it takes effect", operation, f.n, f.effect, when)
}
