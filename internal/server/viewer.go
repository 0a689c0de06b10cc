package server

import (
	"context"
	"errors"
	"log/slog"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/trace"
	"stoa/internal/kit/viewer"
)

// unauthorized is the error type for refused credentials.
const unauthorized = "UnauthorizedException"

// codeOf returns the code of a refusal, or "" for those that have none.
func codeOf(errorType string) string {
	if errorType == unauthorized {
		return refusal.Unauthenticated.String()
	}
	return ""
}

// errUnchecked means that credentials could not be checked.
var errUnchecked = errors.New("credentials could not be checked")

// identify returns a context with the viewer identified by the credentials, or with an
// anonymous one if they are refused. Get returns a header or its substitute. The error is a
// *refusal.Error with a text for the client, or errUnchecked.
func (e *endpoint) identify(ctx context.Context, address string, get func(name string) string) (context.Context, error) {
	id, anonymous, err := e.authenticate(ctx, get("Authorization"))
	if err == nil {
		return viewer.With(ctx, viewer.Viewer{UserID: id, Client: viewer.Client{
			Version: get("X-Real-Version"),
			Device:  get("X-Real-Device"),
			System:  get("X-Real-System"),
			UID:     get("X-Real-Uid"),
		}, Anonymous: anonymous, Address: address}), nil
	}
	anonymously := viewer.Viewer{Anonymous: true, Address: address}
	var suspended interface{ Suspended() viewer.UserID }
	if errors.As(err, &suspended) {
		anonymously.Suspended = suspended.Suspended()
	}
	ctx = viewer.With(ctx, anonymously)
	var refused *refusal.Error
	if errors.As(err, &refused) {
		return ctx, refused
	}
	e.config.Log.LogAttrs(ctx, slog.LevelError, "credentials could not be checked",
		slog.String("error", err.Error()), slog.String("request", trace.RequestID(ctx)))
	return ctx, errUnchecked
}

// authenticate also reports whether the caller is anonymous, as far as that is known.
func (e *endpoint) authenticate(ctx context.Context, authorization string) (id viewer.UserID, anonymous bool, err error) {
	if i, ok := e.Authenticator.(Identifier); ok {
		return i.Identify(ctx, authorization)
	}
	id, err = e.Authenticator.Authenticate(ctx, authorization)
	return id, false, err
}
