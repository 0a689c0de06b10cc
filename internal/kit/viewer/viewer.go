// Package viewer identifies the user on whose behalf a request runs.
//
// A viewer is an identity, not a profile: each system decides what an identity without a
// profile may do.
package viewer

import "context"

// Viewer is the user who makes a request. UserID is empty for a request without a token.
type Viewer struct {
	UserID UserID
	Client Client
	// Anonymous is set if nothing is known that identifies the person again: anybody can
	// have any number of such identities.
	Anonymous bool
	// Suspended is the person whose token was refused because they are suspended; "" for
	// everybody else. UserID is empty then.
	Suspended UserID
	// Address is the client address of the request, "" if it does not come from a network.
	Address string
}

// Client is an app's description of itself in each request. Omitted fields are empty.
type Client struct {
	Version, Device, System, UID string
}

// Map returns the fields that were sent, by their stored names.
func (c Client) Map() map[string]string {
	m := make(map[string]string, 4)
	for name, value := range map[string]string{"version": c.Version, "device": c.Device, "system": c.System, "uid": c.UID} {
		if value != "" {
			m[name] = value
		}
	}
	return m
}

type key struct{}

// With returns a context that carries v.
func With(ctx context.Context, v Viewer) context.Context {
	return context.WithValue(ctx, key{}, v)
}

// From returns the viewer of ctx, or the zero Viewer if there is none.
func From(ctx context.Context) Viewer {
	v, _ := ctx.Value(key{}).(Viewer)
	return v
}
