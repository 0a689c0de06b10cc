package identity

import "context"

// Change is a change of an identity that has been decided and is to be stored. The zero
// value changes nothing.
type Change struct {
	Before, After Identity
	// Family is the session that begins with the change, nil for none.
	Family *TokenFamily
}

// Save stores a change together with what else becomes true with it, such as a profile: all
// of it or nothing, so that an account and its profile never disagree and there is nothing to
// take back. What it fails with of kind refusal.Conflict has the change decided anew.
type Save func(ctx context.Context, c Change) error

// alone saves a change with nothing else.
func (s *Issuer) alone(ctx context.Context, c Change) error {
	return s.Store.SaveIdentity(ctx, c.Before, c.After)
}
