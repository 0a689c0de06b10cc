package ops

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/lease"
)

// Leases stores leases.
type Leases struct{ db *keyspec.DB }

// Load returns the zero Record for a name that was never leased.
func (s *Leases) Load(ctx context.Context, name string) (lease.Record, error) {
	item, err := leases.Get(ctx, s.db, leases.Key(name))
	if item == nil || err != nil {
		return lease.Record{}, err
	}
	return item.Record, nil
}

// Swap stores next if prev is what is stored, and reports whether it did. No two states of
// a lease have the same term, holder and expiry, so comparing these is enough.
func (s *Leases) Swap(ctx context.Context, name string, prev, next lease.Record) (bool, error) {
	tx := s.db.NewTx()
	put := leases.Put(tx, leaseItem{name, next})
	if prev == (lease.Record{}) {
		put.Absent()
	} else {
		put.If("term = ?", prev.Term)
		if prev.Holder == "" {
			put.If("attribute_not_exists(holder)")
		} else {
			put.If("holder = ? AND expiresAt = ?", prev.Holder, prev.Expires)
		}
	}
	err := tx.Run(ctx)
	if keyspec.Refused(err, put) {
		return false, nil
	}
	return err == nil, err
}
