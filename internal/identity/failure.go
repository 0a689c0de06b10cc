package identity

import (
	"errors"
	"net/http"
	"strconv"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// failure is an error response of the API.
type failure struct {
	status  int
	code    string
	message string
}

func (f *failure) Error() string { return f.message }

// Failures of malformed requests.
func badRequest(message string) *failure {
	return &failure{http.StatusBadRequest, refusal.Invalid.String(), message}
}

func notFound() *failure {
	return &failure{http.StatusNotFound, refusal.NotFound.String(), "There is nothing at this address"}
}

// failureOf returns the failure to send for an error. Internal errors become a server error
// without their text.
func failureOf(err error) *failure {
	var shown *failure
	var refused *refusal.Error
	var limited *Limited
	var outage refusal.Outage
	var early *unconfirmed
	switch {
	case errors.As(err, &shown):
		return shown
	case errors.As(err, &early):
		return &failure{http.StatusUnauthorized, "UNCONFIRMED", early.Error()}
	case errors.As(err, &outage):
		return &failure{http.StatusServiceUnavailable, "INTERNAL", outage.Outage()}
	case errors.As(err, &limited):
		return &failure{http.StatusTooManyRequests, "RATE_LIMITED", limited.Error()}
	case !errors.As(err, &refused):
		return &failure{http.StatusInternalServerError, "INTERNAL", "Internal server error"}
	}
	switch refused.Kind {
	case refusal.NotFound:
		return &failure{http.StatusNotFound, refused.Kind.String(), refused.Text}
	case refusal.Conflict:
		return &failure{http.StatusConflict, refused.Kind.String(), refused.Text}
	case refusal.Forbidden:
		if refused.Code != "" { // who the caller is, is known
			return &failure{http.StatusForbidden, refused.Code, refused.Text}
		}
		// All other refusals here are for lack of proof of the caller's identity.
		return &failure{http.StatusUnauthorized, "UNAUTHENTICATED", refused.Text}
	default:
		return badRequest(refused.Text)
	}
}

// failureBody is the body of an error response. Members that are known of few errors are
// omitted otherwise.
type failureBody struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// UserID names the account to confirm.
	UserID viewer.UserID `json:"userId,omitempty"`
	// AppealToken lets somebody who is kept out appeal.
	AppealToken string `json:"appealToken,omitempty"`
}

func bodyOf(err error, f *failure) failureBody {
	body := failureBody{Code: f.code, Message: f.message}
	if early := (*unconfirmed)(nil); errors.As(err, &early) {
		body.UserID = early.userID
	}
	if out := (*keptOut)(nil); errors.As(err, &out) {
		body.AppealToken = out.token
	}
	return body
}

// setHeaders sets the response headers of a failure.
func setHeaders(header http.Header, err error) {
	var limited *Limited
	switch {
	case errors.As(err, &limited):
		header.Set("Retry-After", strconv.Itoa(limited.Seconds()))
	case failureOf(err).status == http.StatusUnauthorized:
		header.Set("WWW-Authenticate", "Bearer")
	}
}
