package host

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// callerOf returns the context of a request with its caller, for handlers of the host that
// are not part of a graph.
func (h *Host) callerOf(r *http.Request) (context.Context, error) {
	id, err := h.Authenticator.Authenticate(r.Context(), r.Header.Get("Authorization"))
	if err = known(id, err); err != nil {
		return nil, err
	}
	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		address = r.RemoteAddr
	}
	return viewer.With(r.Context(), viewer.Viewer{UserID: id, Address: address}), nil
}

// known turns the refusal of credentials, or their absence, into the refusal of an unknown caller.
func known(id viewer.UserID, err error) error {
	if err == nil && id == "" {
		err = refusal.Forbiddenf("Valid authorization header not provided.")
	}
	var refused *refusal.Error
	if errors.As(err, &refused) {
		return refusal.New(refusal.Unauthenticated, "", "%s", refused.Text)
	}
	return err
}

// refuse answers a request that failed, in the form of the API of identity. What is not a
// refusal is logged, and not shown.
func (h *Host) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status, code, text := http.StatusInternalServerError, "INTERNAL", "Internal server error"
	var refused *refusal.Error
	if errors.As(err, &refused) {
		status, code, text = http.StatusBadRequest, refused.ShownCode(), refused.Text
		switch {
		case code == "RATE_LIMITED":
			status = http.StatusTooManyRequests
			w.Header().Set("Retry-After", strconv.Itoa(refused.Details["retryAfter"].(int)))
		case refused.Kind == refusal.Unauthenticated:
			status = http.StatusUnauthorized
			w.Header().Set("WWW-Authenticate", "Bearer")
		case refused.Kind == refusal.Forbidden:
			status = http.StatusForbidden
		case refused.Kind == refusal.NotFound:
			status = http.StatusNotFound
		}
	} else {
		h.Log.ErrorContext(r.Context(), "request failed", "path", r.URL.Path, "error", err)
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"code": code, "message": text}}) // the client has left
}
