package identity

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"stoa/internal/kit/pace"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/viewer"
)

// call is a parsed request.
type call struct {
	*http.Request
	fields  fields
	address string
}

func (c call) authorization() string { return c.Header.Get("Authorization") }

// endpoint is one entry of the API: the fields allowed in its body, and its handler. A nil
// body is answered with the status only.
type endpoint struct {
	fields []string
	serve  func(c call) (status int, body any, err error)
}

// endpoints returns the API by path and method.
func (s *Issuer) endpoints() map[string]map[string]endpoint {
	paths := map[string]map[string]endpoint{
		"/auth/sign-up":      {"POST": {[]string{"userId", "email", "phone", "password"}, s.postSignUp}},
		"/auth/confirm":      {"POST": {[]string{"userId", "code"}, s.postConfirm}},
		"/auth/resend":       {"POST": {[]string{"userId"}, s.postResend}},
		"/auth/sign-in":      {"POST": {append([]string{"username", "email", "phone", "userId", "password"}, tokenFields...), s.postSignIn}},
		"/auth/anonymous":    {"POST": {nil, s.postAnonymous}},
		"/auth/refresh":      {"POST": {[]string{"refreshToken"}, s.postRefresh}},
		"/auth/sign-out":     {"POST": {[]string{"refreshToken"}, s.postSignOut}},
		"/auth/forgot":       {"POST": {[]string{"email", "phone"}, s.postForgot}},
		"/auth/reset":        {"POST": {[]string{"userId", "email", "phone", "code", "password"}, s.postReset}},
		"/auth/me":           {"GET": {nil, s.getMe}, "DELETE": {nil, s.deleteMe}},
		"/auth/password-key": {"GET": {nil, s.getPasswordKey}},
		"/auth/openapi.json": {"GET": {nil, s.getOpenAPI}},

		"/.well-known/jwks.json":            {"GET": {nil, s.getJWKS}},
		"/.well-known/openid-configuration": {"GET": {nil, s.getConfiguration}},
	}
	if s.Mode == Dev {
		paths["/auth/dev/outbox"] = map[string]endpoint{"GET": {nil, s.getOutbox}}
		paths["/auth/dev/token"] = map[string]endpoint{"POST": {[]string{"user"}, s.postToken}}
	}
	return paths
}

// Handler serves /auth/ and /.well-known/.
func (s *Issuer) Handler() http.Handler {
	paths := s.endpoints()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		methods, known := paths[r.URL.Path]
		if !known {
			s.answer(w, r, 0, nil, notFound())
			return
		}
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet // net/http omits the body
		}
		e, allowed := methods[method]
		if !allowed {
			w.Header().Set("Allow", allow(methods))
			s.answer(w, r, 0, nil, &failure{http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "Use " + allow(methods)})
			return
		}
		s.serve(w, r, e)
	})
}

func (s *Issuer) serve(w http.ResponseWriter, r *http.Request, e endpoint) {
	c := call{Request: r, address: ratelimit.AddressOf(r)}
	if len(e.fields) > 0 {
		var err error
		if c.fields, err = readFields(w, r, e.fields); err != nil {
			s.answer(w, r, 0, nil, err)
			if failureOf(err).status != http.StatusRequestTimeout {
				pace.Drain(w, r)
			}
			return
		}
	}
	c.Request = r.WithContext(withOrigin(r.Context(), Origin{Client: r.UserAgent(), Address: c.address}))
	status, body, err := e.serve(c)
	s.answer(w, r, status, body, err)
}

// document is a response body that is sent as it is.
type document struct {
	contentType string
	content     []byte
}

// answer writes a response. None of them may be cached.
func (s *Issuer) answer(w http.ResponseWriter, r *http.Request, status int, body any, err error) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	if err != nil {
		f := failureOf(err)
		if f.status >= http.StatusInternalServerError {
			s.Log.ErrorContext(r.Context(), "identity request failed", "path", r.URL.Path, "error", err)
		}
		setHeaders(header, err)
		status, body = f.status, map[string]any{"error": bodyOf(err, f)}
	}
	if d, ok := body.(document); ok {
		header.Set("Content-Type", d.contentType)
		w.WriteHeader(status)
		w.Write(d.content)
		return
	}
	if body == nil {
		w.WriteHeader(status)
		return
	}
	header.Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

// allow returns the methods in the format of the Allow header.
func allow(methods map[string]endpoint) string {
	var names []string
	for name := range methods {
		names = append(names, name)
		if name == http.MethodGet {
			names = append(names, http.MethodHead)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// named is the body of responses with a user id only.
type named struct {
	UserID viewer.UserID `json:"userId"`
}
