package identity

import (
	"context"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Paths of the side API.
const (
	usernameStatusPath = "/username/status"
	userConfirmPath    = "/user/confirm"
)

// SideAPI returns the handlers of the API for web pages outside the apps, by http.ServeMux
// pattern. Arguments are query parameters, and callers authenticate with an API key.
func (s *Issuer) SideAPI() map[string]http.Handler {
	all := s.UsernameStatus()
	all[userConfirmPath] = s.side(http.MethodPost, s.confirmUser)
	return all
}

// UsernameStatus returns that part of SideAPI which is independent of who holds the accounts. It
// needs only Usernames, APIKeys, Now and Log of the configuration.
func (s *Issuer) UsernameStatus() map[string]http.Handler {
	return map[string]http.Handler{usernameStatusPath: s.side(http.MethodGet, s.usernameStatus)}
}

// sideError is an error response of the side API.
type sideError struct {
	status  int
	message string
}

func (e *sideError) Error() string { return e.message }

func (s *Issuer) side(method string, serve func(r *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := s.sideAnswer(w, r, method, serve)
		status := http.StatusOK
		if err != nil {
			shown := s.sideFailure(r, err)
			status, body = shown.status, map[string]string{"message": shown.message}
			setHeaders(w.Header(), err)
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(body)
	})
}

func (s *Issuer) sideAnswer(w http.ResponseWriter, r *http.Request, method string, serve func(r *http.Request) (any, error)) (any, error) {
	if !s.admits(r.Header.Get("X-Api-Key")) {
		return nil, &sideError{http.StatusForbidden, "Forbidden"}
	}
	if r.Method != method {
		w.Header().Set("Allow", method)
		return nil, &sideError{http.StatusMethodNotAllowed, "Use " + method}
	}
	if err := s.take("side API", s.attempts.limits.Load().SideAPI); err != nil {
		return nil, err
	}
	return serve(r)
}

// admits checks an API key. In dev, any key is valid if none is configured.
func (s *Issuer) admits(key string) bool {
	if len(s.APIKeys) == 0 {
		return s.Mode == Dev && key != ""
	}
	known := 0
	for _, k := range s.APIKeys {
		known |= subtle.ConstantTimeCompare([]byte(k), []byte(key))
	}
	return known == 1 && key != ""
}

func (s *Issuer) sideFailure(r *http.Request, err error) *sideError {
	var shown *sideError
	var limited *Limited
	switch {
	case errors.As(err, &shown):
		return shown
	case errors.As(err, &limited):
		return &sideError{http.StatusTooManyRequests, "Too Many Requests"}
	}
	s.Log.ErrorContext(r.Context(), "side API request failed", "path", r.URL.Path, "error", err)
	return &sideError{http.StatusInternalServerError, "Internal server error"}
}

// queryParameter returns a required parameter.
func queryParameter(r *http.Request, name string) (string, error) {
	query := r.URL.Query()
	if !query.Has(name) {
		return "", &sideError{http.StatusBadRequest, "Query parameter `" + name + "` is required"}
	}
	return query.Get(name), nil
}

func (s *Issuer) usernameStatus(r *http.Request) (any, error) {
	name, err := queryParameter(r, "username")
	if err != nil {
		return nil, err
	}
	status := "INVALID"
	if s.Usernames.ValidUsername(name) {
		_, held, err := s.Usernames.UserIDByUsername(r.Context(), name)
		if err != nil {
			return nil, err
		}
		if status = "AVAILABLE"; held || s.Usernames.ReservedUsername(name) {
			status = "NOT_" + status
		}
	}
	return map[string]string{"status": status}, nil
}

// confirmed is the response to a confirmed sign-up. The credentials are for clients that
// expect them beside the tokens; since the service accepts tokens only, the session token
// is one.
type confirmed struct {
	Tokens struct {
		AccessToken  string
		ExpiresIn    int
		TokenType    string
		RefreshToken string
		IdToken      string
	} `json:"tokens"`
	Credentials struct {
		AccessKeyId  string
		SecretKey    string
		SessionToken string
		Expiration   time.Time
	} `json:"credentials"`
}

func (s *Issuer) confirmUser(r *http.Request) (any, error) {
	id, err := queryParameter(r, "userId")
	if err != nil {
		return nil, err
	}
	code, err := queryParameter(r, "code")
	if err != nil {
		return nil, err
	}
	tokens, err := s.confirmSignUp(r.Context(), viewer.UserID(id), code, ratelimit.AddressOf(r))
	if refusal.KindOf(err) != 0 && !errors.As(err, new(*Limited)) {
		return nil, &sideError{http.StatusBadRequest, "User confirmation failed"}
	}
	if err != nil {
		return nil, err
	}
	var c confirmed
	c.Tokens.AccessToken, c.Tokens.IdToken, c.Tokens.RefreshToken = tokens.AccessToken, tokens.IDToken, tokens.RefreshToken
	c.Tokens.ExpiresIn, c.Tokens.TokenType = tokens.ExpiresIn, tokens.TokenType
	secret := make([]byte, 40)
	if _, err := io.ReadFull(s.Random, secret); err != nil {
		return nil, err
	}
	c.Credentials.AccessKeyId = "STOA" + base32.StdEncoding.EncodeToString(secret[:10])
	c.Credentials.SecretKey = base64.StdEncoding.EncodeToString(secret[10:])
	c.Credentials.SessionToken = tokens.AccessToken
	c.Credentials.Expiration = s.now().Add(tokenLife).Truncate(time.Second)
	return c, nil
}

// confirmSignUp verifies the first contact of an identity and starts a session: the code
// replaces the password that the user has just chosen. Outside dev, where sign-up does not
// verify contacts, it works once only.
func (s *Issuer) confirmSignUp(ctx context.Context, id viewer.UserID, code, address string) (Tokens, error) {
	i, found, err := s.living(ctx, id)
	if err != nil {
		return Tokens{}, err
	}
	if !found || s.Mode != Dev && (i.Email != "" || i.Phone != "") {
		return Tokens{}, errCode
	}
	if err := s.confirm(ctx, id, code, address); err != nil {
		return Tokens{}, err
	}
	if i, _, err = s.living(ctx, id); err != nil {
		return Tokens{}, err
	}
	return s.begin(ctx, i)
}
