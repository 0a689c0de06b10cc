package keyspec

import (
	"context"
	"slices"
)

// Rider adds a write to transactions that run in its context.
type Rider interface {
	// Ride may add a write to a transaction that is about to run. If the condition of the
	// write does not hold, the transaction fails with the error, whatever else was refused.
	Ride(ctx context.Context, tx *Tx) (a Action, refused error)
	// Refused is called when the condition of the write did not hold.
	Refused()
}

type riderKey struct{}

// WithRider returns a context with a Rider.
func WithRider(ctx context.Context, r Rider) context.Context {
	return context.WithValue(ctx, riderKey{}, r)
}

// rideRoom is how many actions a Rider may add: its write, and a check.
const rideRoom = 2

// riding is the write that a Rider has added to a transaction.
type riding struct {
	rider   Rider
	action  Action
	refused error
}

// ride lets the Rider of ctx add its write. A transaction that is full or does nothing runs
// alone.
func (tx *Tx) ride(ctx context.Context) (r riding) {
	r.rider, _ = ctx.Value(riderKey{}).(Rider)
	if r.rider == nil || len(tx.actions)+rideRoom > maxActions || !slices.ContainsFunc(tx.actions, (*action).writes) {
		return riding{}
	}
	r.action, r.refused = r.rider.Ride(ctx, tx)
	return r
}

// outcome returns the error of a refused transaction.
func (r riding) outcome(refused *Conflict) error {
	if r.action == nil || !Refused(refused, r.action) {
		return refused
	}
	r.rider.Refused()
	return r.refused
}

// writes reports whether the action changes its item.
func (a *action) writes() bool { return a.kind != check && !a.isEmpty() }

// WritesBeyond reports whether the transaction writes to another table than t.
func (tx *Tx) WritesBeyond(t *Table) bool {
	return slices.ContainsFunc(tx.actions, func(a *action) bool { return a.writes() && a.key.row != nil && a.key.row.table != t })
}
