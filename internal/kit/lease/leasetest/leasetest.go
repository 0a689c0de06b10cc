// Package leasetest has a store of leases for tests.
package leasetest

import (
	"context"
	"sync"

	"stoa/internal/kit/lease"
)

// Store is a lease.Store in memory, shared by the processes of a test.
type Store struct {
	mu      sync.Mutex
	records map[string]lease.Record
	fail    error
}

// Fail makes all calls return err until it is called with nil.
func (s *Store) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

// Load implements lease.Store.
func (s *Store) Load(_ context.Context, name string) (lease.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.records[name], s.fail
}

// Swap implements lease.Store.
func (s *Store) Swap(_ context.Context, name string, prev, next lease.Record) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil || s.records[name] != prev {
		return false, s.fail
	}
	if s.records == nil {
		s.records = map[string]lease.Record{}
	}
	s.records[name] = next
	return true, nil
}

// Held returns the names of the leases that somebody holds.
func (s *Store) Held() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name, r := range s.records {
		if r.Holder != "" {
			names = append(names, name)
		}
	}
	return names
}
