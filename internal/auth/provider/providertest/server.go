// Package providertest provides local fakes of Apple, Google and Facebook, with their
// protocols and with its own keys.
package providertest

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"stoa/internal/auth/provider"
)

// The app that the fakes issue tokens for.
const (
	Client         = "com.example.app"
	FacebookApp    = "4711"
	FacebookSecret = "shh"
)

// KeyID is the id of the signing key.
const KeyID = "key-1"

// signing is shared, because generating keys is slow.
var signing = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// Server is all three providers.
type Server struct {
	t    testing.TB
	http *httptest.Server
	now  func() time.Time

	mu       sync.Mutex
	facebook map[string]FacebookUser
	// down is the status of all responses, if set.
	down int
}

// FacebookUser is the user of a Facebook access token.
type FacebookUser struct {
	ID, Email string
	// App is the app that the token was issued to; FacebookApp if empty.
	App       string
	Expired   bool
	ExpiresAt time.Time
}

// New starts a Server that runs until the end of the test. Tokens are issued at the time
// now.
func New(t testing.TB, now func() time.Time) *Server {
	s := &Server{t: t, now: now, facebook: map[string]FacebookUser{}}
	mux := http.NewServeMux()
	for _, issuer := range []string{"apple", "google"} {
		mux.HandleFunc("GET /"+issuer+"/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
			s.answer(w, map[string]string{"issuer": s.http.URL + "/" + issuer, "jwks_uri": s.http.URL + "/" + issuer + "/keys"})
		})
		mux.HandleFunc("GET /"+issuer+"/keys", func(w http.ResponseWriter, _ *http.Request) {
			s.answer(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: s.key().Public(), KeyID: KeyID, Algorithm: "RS256", Use: "sig"}}})
		})
	}
	mux.HandleFunc("GET /facebook/me", s.me)
	mux.HandleFunc("GET /facebook/debug_token", s.debugToken)
	s.http = httptest.NewServer(mux)
	t.Cleanup(s.http.Close)
	return s
}

// Config returns a provider.Config for this server.
func (s *Server) Config() provider.Config {
	return provider.Config{
		AppleIssuer: s.http.URL + "/apple", GoogleIssuer: s.http.URL + "/google", FacebookGraph: s.http.URL + "/facebook",
		AppleClients: []string{Client}, GoogleClients: []string{"other-client", Client},
		FacebookApp: FacebookApp, FacebookSecret: FacebookSecret,
		Client: s.http.Client(), Now: s.now,
	}
}

// Break makes the server respond to all requests with a status, or normally again if it is
// 0.
func (s *Server) Break(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = status
}

// Apple returns an id token in the form of Apple's. Changes replace claims, and remove
// those that are nil.
func (s *Server) Apple(subject, email string, changes map[string]any) string {
	return s.idToken("apple", subject, email, "true", changes)
}

// Google returns an id token in the form of Google's, with changes as for Apple.
func (s *Server) Google(subject, email string, changes map[string]any) string {
	return s.idToken("google", subject, email, true, changes)
}

func (s *Server) idToken(issuer, subject, email string, verified any, changes map[string]any) string {
	s.t.Helper()
	claims := map[string]any{
		"iss": s.http.URL + "/" + issuer, "aud": Client, "sub": subject, "email": email, "email_verified": verified,
		"iat": s.now().Unix(), "exp": s.now().Add(10 * time.Minute).Unix(),
	}
	maps.Copy(claims, changes)
	maps.DeleteFunc(claims, func(_ string, v any) bool { return v == nil })
	return Sign(s.t, s.key(), jose.RS256, KeyID, claims)
}

// Sign returns a token signed with any key.
func Sign(t testing.TB, key any, algorithm jose.SignatureAlgorithm, id string, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", id))
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// Facebook returns an access token of a user.
func (s *Server) Facebook(u FacebookUser) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	token := fmt.Sprintf("EAAB%d", len(s.facebook))
	s.facebook[token] = u
	return token
}

func (s *Server) key() *rsa.PrivateKey {
	key, err := signing()
	if err != nil {
		s.t.Fatal(err)
	}
	return key
}

func (s *Server) me(w http.ResponseWriter, r *http.Request) {
	u, known := s.tokenOf(r.URL.Query().Get("access_token"))
	if !known || u.Expired {
		w.WriteHeader(http.StatusBadRequest)
		s.answer(w, map[string]any{"error": map[string]any{"type": "OAuthException", "code": 190}})
		return
	}
	me := map[string]string{"id": u.ID}
	if u.Email != "" {
		me["email"] = u.Email
	}
	s.answer(w, me)
}

func (s *Server) debugToken(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("access_token") != FacebookApp+"|"+FacebookSecret {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	u, known := s.tokenOf(r.URL.Query().Get("input_token"))
	data := map[string]any{"is_valid": known && !u.Expired}
	if known {
		data["app_id"], data["user_id"], data["expires_at"] = FacebookApp, u.ID, int64(0)
		if u.App != "" {
			data["app_id"] = u.App
		}
		if !u.ExpiresAt.IsZero() {
			data["expires_at"] = u.ExpiresAt.Unix()
		}
	}
	s.answer(w, map[string]any{"data": data})
}

func (s *Server) tokenOf(token string) (FacebookUser, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, known := s.facebook[token]
	return u, known
}

func (s *Server) answer(w http.ResponseWriter, body any) {
	s.mu.Lock()
	down := s.down
	s.mu.Unlock()
	if down != 0 {
		w.WriteHeader(down)
		return
	}
	if err := json.NewEncoder(w).Encode(body); err != nil {
		s.t.Error(err)
	}
}
