package auth

import (
	"context"
	"crypto/sha256"
	"strings"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"stoa/internal/auth/jwks"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Texts that clients compare to decide between refreshing their tokens and signing in
// again.
var (
	errNoToken   = &refusal.Error{Kind: refusal.Forbidden, Text: "Valid authorization header not provided."}
	errMalformed = &refusal.Error{Kind: refusal.Forbidden, Text: "Unable to parse JWT token"}
	errExpired   = &refusal.Error{Kind: refusal.Forbidden, Text: "Token has expired."}
	errUntrusted = &refusal.Error{Kind: refusal.Forbidden, Text: "You are not authorized to make this call."}
)

// maxToken is the maximum size of a token to hash and parse, in bytes. Tokens of large
// providers, which include groups, have less than half of it.
const maxToken = 16 << 10

// rememberedTokens limits the cache to about 4 MB. It is the number of callers whose next
// request takes a hash instead of a signature check.
const rememberedTokens = 16384

// signatureMaxAge is how long a signature is not checked again, since its key may be withdrawn.
const signatureMaxAge = 15 * time.Minute

// Config determines the tokens that a Verifier accepts.
type Config struct {
	Keys jwks.Source
	// Issuer must equal the `iss` of a token. Empty accepts any, which is safe for keys
	// that sign only this service's own tokens: they remain valid when the service moves to
	// another address.
	Issuer string
	// Audience must be the `client_id` of a token or among its `aud`. Empty
	// accepts any.
	Audience string
	// Misplaced is the text that refuses a token that is valid but for another audience; a
	// general one if it is empty.
	Misplaced string
	// Versions reports revoked tokens. If it is nil, tokens cannot be revoked.
	Versions Versions
	// Now returns the current time for checking expiry.
	Now func() time.Time
}

// Verifier verifies tokens and caches the results. It is safe for concurrent use.
type Verifier struct {
	config   Config
	keys     *jwks.Cache
	versions *versionCache
	passed   *lru.Cache[[sha256.Size]byte, checkedToken]
	// forgotten is the number of calls of Forget.
	forgotten atomic.Uint64
}

// checkedToken is a token with a valid signature, and its last known status.
type checkedToken struct {
	identity
	verifiedAt time.Time
	// least is the lowest valid version when last read.
	least  int
	readAt time.Time
	// forgotten is the value of Verifier.forgotten at that time.
	forgotten uint64
}

// New returns a Verifier. Keys are read when the first token arrives.
func New(config Config) *Verifier {
	passed, err := lru.New[[sha256.Size]byte, checkedToken](rememberedTokens)
	if err != nil {
		panic(err) // only fails for sizes below one
	}
	return &Verifier{config: config, keys: jwks.NewCache(config.Keys, config.Now), versions: newVersionCache(config.Versions, config.Now), passed: passed}
}

// Authenticate returns the caller identified by an Authorization value, which is a JWT with
// or without the prefix `Bearer `. Id tokens and access tokens are treated alike.
func (v *Verifier) Authenticate(ctx context.Context, authorization string) (viewer.UserID, error) {
	who, err := v.identify(ctx, authorization)
	return who.user, err
}

// Identify does what Authenticate does, and reports whether the token was issued to an
// anonymous identity.
func (v *Verifier) Identify(ctx context.Context, authorization string) (id viewer.UserID, anonymous bool, err error) {
	who, err := v.identify(ctx, authorization)
	return who.user, who.anonymous, err
}

// Forget makes this process check the next token of a user against the version stored by
// then, so that tokens that have just been revoked are refused at once.
func (v *Verifier) Forget(id viewer.UserID) {
	v.versions.known.Remove(id)
	v.forgotten.Add(1)
}

// identify returns the user of a token, unless the token has been revoked.
func (v *Verifier) identify(ctx context.Context, authorization string) (identity, error) {
	text, err := tokenIn(authorization)
	if err != nil {
		return identity{}, err
	}
	// Using a digest as the key keeps tokens, which are credentials, out of memory dumps.
	digest := sha256.Sum256([]byte(text))
	now, forgotten := v.config.Now(), v.forgotten.Load()
	token, ok := v.passed.Get(digest)
	if ok && token.expired(now) {
		v.passed.Remove(digest)
		return identity{}, errExpired
	}
	unverified := !ok || now.Sub(token.verifiedAt) >= signatureMaxAge
	if unverified {
		if token.identity, err = v.verify(ctx, text, now); err != nil {
			return identity{}, err
		}
		token.verifiedAt = now
	}
	if unverified || token.forgotten != forgotten || now.Sub(token.readAt) >= versionMaxAge {
		if token.least, token.readAt, err = v.versions.of(ctx, token.user); err != nil {
			return identity{}, err
		}
		token.forgotten = forgotten
		v.passed.Add(digest, token)
	}
	if token.version < token.least {
		return identity{}, errUntrusted
	}
	return token.identity, nil
}

// tokenIn returns the JWT in an Authorization value.
func tokenIn(authorization string) (string, error) {
	token := strings.TrimSpace(authorization)
	if scheme, rest, spaced := strings.Cut(token, " "); spaced {
		if !strings.EqualFold(scheme, "Bearer") {
			return "", errNoToken
		}
		token = strings.TrimLeft(rest, " ")
	} else if strings.EqualFold(token, "Bearer") {
		return "", errNoToken
	}
	switch {
	case token == "":
		return "", errNoToken
	case len(token) > maxToken:
		return "", errMalformed
	}
	return token, nil
}
