package identity

import "context"

// Change is a decided change of an identity, ready to be stored. The zero Change changes
// nothing.
type Change struct {
	Before, After Identity
	// Family is the session that starts with the change, or nil.
	Family *TokenFamily
}

// Save stores a change in one transaction with related data, such as a profile, so that an
// account and its profile never disagree. If it fails with refusal.Conflict, the change is
// decided again.
type Save func(ctx context.Context, c Change) error

// alone stores a change without related data.
func (s *Issuer) alone(ctx context.Context, c Change) error {
	return s.Store.SaveIdentity(ctx, c.Before, c.After)
}
