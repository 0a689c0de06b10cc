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

// errUnchecked means that credentials could not be checked.
var errUnchecked = errors.New("credentials could not be checked")

// identify returns a context with the viewer identified by the credentials. Get returns a
// header or its substitute. The error is a *refusal.Error with a text for the client, or
// errUnchecked.
func (e *endpoint) identify(ctx context.Context, get func(name string) string) (context.Context, error) {
	id, err := e.Authenticator.Authenticate(ctx, get("Authorization"))
	var refused *refusal.Error
	switch {
	case errors.As(err, &refused):
		return ctx, refused
	case err != nil:
		e.config.Log.LogAttrs(ctx, slog.LevelError, "credentials could not be checked",
			slog.String("error", err.Error()), slog.String("request", trace.RequestID(ctx)))
		return ctx, errUnchecked
	}
	return viewer.With(ctx, viewer.Viewer{UserID: id, Client: viewer.Client{
		Version: get("X-Real-Version"),
		Device:  get("X-Real-Device"),
		System:  get("X-Real-System"),
		UID:     get("X-Real-Uid"),
	}}), nil
}
