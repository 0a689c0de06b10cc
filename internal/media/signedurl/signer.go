// Package signedurl signs and verifies expiring URLs of media, and cookies that temporarily
// give access to everything below a URL.
//
// URLs for reading stay the same for a whole UTC day, so that clients can compare and cache
// them. Only the path determines the object: no parameters may be added to a URL.
package signedurl

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// lifetime is the minimum validity of a URL, which also includes the rest of the day.
const lifetime = 48 * time.Hour

// Signer signs URLs. Its fields are set once.
type Signer struct {
	// Base is the prefix of all URLs, such as https://api.app.example/media.
	Base string
	// Secret is the key for signing and verifying, shared by all processes.
	Secret []byte
	Now    func() time.Time
	// Life is the validity of URLs; 0 means the default described above.
	Life time.Duration
}

// The sets of methods that a URL can be signed for.
var (
	reading   = []string{http.MethodGet, http.MethodHead}
	uploading = []string{http.MethodPut}
)

// Read returns a URL for reading the object by GET and HEAD.
func (s *Signer) Read(key string) string { return s.sign(key, reading) }

// Upload returns a URL for uploading the object by PUT.
func (s *Signer) Upload(key string) string { return s.sign(key, uploading) }

// Plain returns the URL without a signature, which gives no access by itself.
func (s *Signer) Plain(key string) string { return s.Base + "/" + escape(key) }

// escape encodes the only character of keys that is not allowed in URLs.
func escape(key string) string { return strings.ReplaceAll(key, "|", "%7C") }

func (s *Signer) sign(key string, methods []string) string {
	expires := strconv.FormatInt(s.Expiry().Unix(), 10)
	return s.Plain(key) + "?Method=" + strings.Join(methods, "&Method=") + "&Expires=" + expires +
		"&Signature=" + s.signature(key, methods, expires) + "&Key-Id=" + s.keyID()
}

// Expiry returns when a URL that is signed now expires.
func (s *Signer) Expiry() time.Time {
	if s.Life > 0 {
		return s.Now().UTC().Truncate(time.Second).Add(s.Life)
	}
	return s.Now().UTC().Truncate(24 * time.Hour).Add(24*time.Hour + lifetime)
}

// signature returns the signature of all parts of a URL. None of them contains a line
// break.
func (s *Signer) signature(key string, methods []string, expires string) string {
	mac := hmac.New(sha256.New, s.Secret)
	mac.Write([]byte(strings.Join(append([]string{key, expires}, methods...), "\n")))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// keyID identifies the secret of a signature.
func (s *Signer) keyID() string {
	sum := sha256.Sum256(append([]byte("key id\n"), s.Secret...))
	return hex.EncodeToString(sum[:6])
}

// Allows reports whether the query of a URL currently authorizes method on the object.
func (s *Signer) Allows(method, key string, query url.Values) bool {
	methods, expires := query["Method"], query.Get("Expires")
	if !slices.Contains(methods, method) || query.Get("Key-Id") != s.keyID() {
		return false
	}
	want := s.signature(key, methods, expires)
	if !hmac.Equal([]byte(query.Get("Signature")), []byte(want)) {
		return false
	}
	seconds, err := strconv.ParseInt(expires, 10, 64)
	return err == nil && s.Now().Before(time.Unix(seconds, 0))
}
