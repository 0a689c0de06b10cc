// Package signedurl makes and checks addresses of media that expire, and cookies that
// open everything below an address for a while.
//
// Addresses for reading stay the same for a whole UTC day, so that clients can compare
// and cache them. What decides is the path: no parameter may be added to one.
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

// lifetime is how long an address is good for at least. It is good for the rest of the
// day on top.
const lifetime = 48 * time.Hour

// Signer signs addresses. Its fields are set once.
type Signer struct {
	// Base is what all addresses begin with, such as https://api.app.example/media.
	Base string
	// Secret is known to every process that signs or checks, and to nobody else.
	Secret []byte
	Now    func() time.Time
	// Life is how long addresses are good for; 0 stands for some days, as above.
	Life time.Duration
}

// Methods that an address can be for.
var (
	reading   = []string{http.MethodGet, http.MethodHead}
	uploading = []string{http.MethodPut}
)

// Read returns an address at which the object can be read, by GET and HEAD.
func (s *Signer) Read(key string) string { return s.sign(key, reading) }

// Upload returns an address to which the object can be sent, by PUT.
func (s *Signer) Upload(key string) string { return s.sign(key, uploading) }

// Plain returns the address without a signature. It opens nothing by itself.
func (s *Signer) Plain(key string) string { return s.Base + "/" + key }

func (s *Signer) sign(key string, methods []string) string {
	expires := strconv.FormatInt(s.Expiry().Unix(), 10)
	return s.Plain(key) + "?Method=" + strings.Join(methods, "&Method=") + "&Expires=" + expires +
		"&Signature=" + s.signature(key, methods, expires) + "&Key-Id=" + s.keyID()
}

// Expiry is until when an address that is signed now is good.
func (s *Signer) Expiry() time.Time {
	if s.Life > 0 {
		return s.Now().UTC().Truncate(time.Second).Add(s.Life)
	}
	return s.Now().UTC().Truncate(24 * time.Hour).Add(24*time.Hour + lifetime)
}

// signature covers all that an address says. None of its parts contains a line break.
func (s *Signer) signature(key string, methods []string, expires string) string {
	mac := hmac.New(sha256.New, s.Secret)
	mac.Write([]byte(strings.Join(append([]string{key, expires}, methods...), "\n")))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// keyID tells which secret an address was signed with.
func (s *Signer) keyID() string {
	sum := sha256.Sum256(append([]byte("key id\n"), s.Secret...))
	return hex.EncodeToString(sum[:6])
}

// Allows reports whether the query of an address gives its bearer the right to use
// method on the object now.
func (s *Signer) Allows(method, key string, query url.Values) bool {
	methods, expires := query["Method"], query.Get("Expires")
	if !slices.Contains(methods, method) {
		return false
	}
	want := s.signature(key, methods, expires)
	if !hmac.Equal([]byte(query.Get("Signature")), []byte(want)) {
		return false
	}
	seconds, err := strconv.ParseInt(expires, 10, 64)
	return err == nil && s.Now().Before(time.Unix(seconds, 0))
}
