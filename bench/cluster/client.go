package cluster

import (
	"context"
	"errors"
	"net/http"

	"stoa/bench/load"
)

// Request is an operation of a person.
type Request struct {
	As        Person
	Query     string
	Variables map[string]any
	// Key makes a mutation safe to repeat; "" is none.
	Key string
}

// Ask sends a request to a process and decodes the data of its answer into data, which may be nil.
// If the answer has errors, it returns a *load.Refusal.
func (p *Process) Ask(ctx context.Context, q Request, data any) error {
	return load.Ask(ctx, p.URL+"/graphql", map[string]string{"Authorization": q.As.Token, "Idempotency-Key": q.Key}, q.Query, q.Variables, data)
}

// Decided reports whether err, of Ask, tells for certain that a mutation has been refused: neither
// was the server unable to answer, nor is the same request still being carried out.
func Decided(err error) bool {
	var r *load.Refusal
	if !errors.As(err, &r) {
		return false
	}
	switch r.Code {
	case "INTERNAL", "TIMEOUT", "CANCELLED", "UNAVAILABLE", "IDEMPOTENCY_KEY_IN_USE", "":
		return false
	}
	return r.Status < 500 && r.Status != http.StatusTooManyRequests
}
