package host

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// callerOf returns the context of a request with its caller, for handlers of the host that
// are not part of a graph.
func (h *Host) callerOf(r *http.Request) (context.Context, error) {
	id, err := h.Authenticator.Authenticate(r.Context(), r.Header.Get("Authorization"))
	if err != nil {
		return nil, err
	}
	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		address = r.RemoteAddr
	}
	return viewer.With(r.Context(), viewer.Viewer{UserID: id, Address: address}), nil
}

// refuse answers a request that failed. What is not a refusal is logged, and not shown.
func (h *Host) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status, text := http.StatusInternalServerError, "Internal error"
	var refused *refusal.Error
	switch {
	case !errors.As(err, &refused):
		h.Log.ErrorContext(r.Context(), "request failed", "path", r.URL.Path, "error", err)
	case refused.Kind == refusal.Unauthenticated:
		status, text = http.StatusUnauthorized, refused.Text
	case refused.Kind == refusal.Forbidden:
		status, text = http.StatusForbidden, refused.Text
	case refused.Kind == refusal.NotFound:
		status, text = http.StatusNotFound, refused.Text
	default:
		status, text = http.StatusBadRequest, refused.Text
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": text}) // the client has left
}
