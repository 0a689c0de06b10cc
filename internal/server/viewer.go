package server

import (
	"context"
	"errors"
	"log/slog"

	"stoa"
	"stoa/internal/kit/trace"
)

// unauthorized is the error type of a caller whose credentials are refused.
const unauthorized = "UnauthorizedException"

// errUnchecked means that credentials could not be judged either way.
var errUnchecked = errors.New("credentials could not be checked")

// identify returns a context with the viewer that the credentials name. Get reads a
// header or what stands in for it. The error is a *stoa.Error with a text for the
// client, or errUnchecked.
func (s *Server) identify(ctx context.Context, get func(name string) string) (context.Context, error) {
	id, err := s.config.Authenticator.Authenticate(ctx, get("Authorization"))
	var refusal *stoa.Error
	switch {
	case errors.As(err, &refusal):
		return ctx, refusal
	case err != nil:
		s.config.Log.LogAttrs(ctx, slog.LevelError, "credentials could not be checked",
			slog.String("error", err.Error()), slog.String("request", trace.RequestID(ctx)))
		return ctx, errUnchecked
	}
	return stoa.WithViewer(ctx, stoa.Viewer{UserID: id, Client: stoa.Client{
		Version: get("X-Real-Version"),
		Device:  get("X-Real-Device"),
		System:  get("X-Real-System"),
		UID:     get("X-Real-Uid"),
	}}), nil
}
