package ops

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/lease"
)

// Leases keeps which process may do what until when.
type Leases struct{ db *keyspec.DB }

// Load returns the zero Record for a name never leased.
func (s *Leases) Load(ctx context.Context, name string) (lease.Record, error) {
	item, err := leases.Get(ctx, s.db, leases.Key(name))
	if item == nil || err != nil {
		return lease.Record{}, err
	}
	return lease.Record{Holder: item.Holder, Term: item.Term, Expires: item.ExpiresAt.Time()}, nil
}

// Swap stores next if prev still is what is stored, and reports whether it did. A lease
// never has the same term, holder and end twice, so comparing these compares all.
func (s *Leases) Swap(ctx context.Context, name string, prev, next lease.Record) (bool, error) {
	tx := s.db.NewTx()
	put := leases.Put(tx, leaseItem{
		Name: name, Holder: next.Holder, Term: next.Term, ExpiresAt: keyspec.StampOf(next.Expires),
	})
	if prev == (lease.Record{}) {
		put.Absent()
	} else {
		put.If("term = ?", prev.Term)
		if prev.Holder == "" {
			put.If("attribute_not_exists(holder)")
		} else {
			put.If("holder = ? AND expiresAt = ?", prev.Holder, keyspec.StampOf(prev.Expires))
		}
	}
	err := tx.Run(ctx)
	if keyspec.Refused(err, put) {
		return false, nil
	}
	return err == nil, err
}
