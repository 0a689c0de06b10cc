package social

import (
	"context"

	"stoa/internal/kit/viewer"
)

// Viewer is the authenticated identity that makes a request. It may not have a profile yet.
type Viewer = viewer.Viewer

// Caller is a viewer whose profile exists and whose status allows the operation
// at hand. Every method that changes something asks for one, so a missing status
// check does not compile.
type Caller struct {
	Viewer
	User *User
}

// Moderators knows who moderates. Their authority comes from a setting, never from a username.
type Moderators interface {
	// IsModerator reports whether a user is a moderator or an operator of the service, by
	// user id, by the verified e-mail address of their account, or by one of the given
	// addresses, which they have verified.
	IsModerator(ctx context.Context, id UserID, addresses ...string) (bool, error)
}

// Renewed returns the caller with the present profile, for another attempt at a decision. A
// caller without one stays as they were: what they decide is refused.
func (c Caller) Renewed(ctx context.Context, profiles ProfileReader) (Caller, error) {
	u, err := profiles.Profile(ctx, c.UserID)
	if u != nil && err == nil {
		c.User = u
	}
	return c, err
}

type callerKey struct{}

// WithCaller returns a context that carries c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns the caller of ctx. It panics if no status check has put one there,
// which is a mistake in the schema.
func CallerFrom(ctx context.Context) Caller {
	return ctx.Value(callerKey{}).(Caller)
}
