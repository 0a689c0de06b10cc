package faultdb

import "fmt"

// Effect is the effect of a fault.
type Effect int

const (
	// Throttled refuses a call because of throttling. The service is expected to retry
	// transactions.
	Throttled Effect = iota + 1
	// ConditionFailed refuses a write as if the item had been changed between the decision
	// and the write. A write without conditions is refused as a transaction conflict.
	ConditionFailed
	// Internal is a database error that leaves the outcome unknown.
	Internal
)

func (e Effect) String() string {
	return [...]string{0: "hook", Throttled: "throttled", ConditionFailed: "condition failed", Internal: "internal error"}[e]
}

// Fault is a fault of one call. The zero Fault never happens.
type Fault struct {
	// operation is empty for all operations, table for all tables.
	operation, table string
	n                int
	effect           Effect
	late             bool
	hook             func()
}

// On returns a fault of the n-th call of an operation, such as "TransactWriteItems", after
// it has been armed; n starts with 1. An empty operation means any.
//
// Raw calls have the names of their equivalent operations. A raw batch with a single key
// counts as "GetItem", and one from several tables as several calls.
func On(operation string, n int, e Effect) Fault {
	return Fault{operation: operation, n: n, effect: e}
}

// Before returns a fault that runs hook before the n-th call of an operation.
func Before(operation string, n int, hook func()) Fault {
	return Fault{operation: operation, n: n, hook: hook}
}

// After returns a fault that runs hook after the n-th call of an operation.
func After(operation string, n int, hook func()) Fault {
	return Fault{operation: operation, n: n, hook: hook, late: true}
}

// In restricts the fault to calls on a table. The name includes the deployment's prefix.
func (f Fault) In(table string) Fault {
	f.table = table
	return f
}

// Late makes the call take effect before it fails, as if the response were lost.
func (f Fault) Late() Fault {
	f.late = true
	return f
}

// Effect returns the effect of the fault, or 0 if it only runs a hook.
func (f Fault) Effect() Effect { return f.effect }

// IsEarly reports whether the call has no effect.
func (f Fault) IsEarly() bool { return !f.late && f.hook == nil }

// IsZero reports whether the fault never happens.
func (f Fault) IsZero() bool { return f.n == 0 }

// String describes the fault, for test failure messages.
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
