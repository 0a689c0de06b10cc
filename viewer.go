package stoa

import "context"

// Viewer is whoever makes a request: an authenticated identity, which may have no
// profile yet.
type Viewer struct {
	UserID UserID
	Client Client
}

// Client is what an app tells about itself with each request. Empty fields were
// not sent.
type Client struct {
	Version, Device, System, UID string
}

// Map returns the fields that were sent, under their stored names.
func (c Client) Map() map[string]string {
	m := make(map[string]string, 4)
	for name, value := range map[string]string{"version": c.Version, "device": c.Device, "system": c.System, "uid": c.UID} {
		if value != "" {
			m[name] = value
		}
	}
	return m
}

// Caller is a viewer whose profile exists and whose status allows the operation
// at hand. Every method that changes something asks for one, so a missing status
// check does not compile.
type Caller struct {
	Viewer
	User *User
}

type (
	viewerKey struct{}
	callerKey struct{}
)

// WithViewer returns a context that carries v.
func WithViewer(ctx context.Context, v Viewer) context.Context {
	return context.WithValue(ctx, viewerKey{}, v)
}

// ViewerFrom returns the viewer of ctx; its UserID is empty if there is none.
func ViewerFrom(ctx context.Context) Viewer {
	v, _ := ctx.Value(viewerKey{}).(Viewer)
	return v
}

// WithCaller returns a context that carries c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns the caller of ctx. It panics when no status check has put one
// there: an operation without a check is a fault of the schema.
func CallerFrom(ctx context.Context) Caller {
	return ctx.Value(callerKey{}).(Caller)
}
