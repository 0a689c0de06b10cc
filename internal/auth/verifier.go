package auth

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"stoa/internal/auth/jwks"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// The texts that clients compare to decide between refreshing their tokens and
// signing in again.
var (
	errNoToken   = &refusal.Error{Kind: refusal.Forbidden, Text: "Valid authorization header not provided."}
	errMalformed = &refusal.Error{Kind: refusal.Forbidden, Text: "Unable to parse JWT token"}
	errExpired   = &refusal.Error{Kind: refusal.Forbidden, Text: "Token has expired."}
	errUntrusted = &refusal.Error{Kind: refusal.Forbidden, Text: "You are not authorized to make this call."}
)

// maxToken bounds what is hashed and parsed for a stranger, in bytes. Tokens of
// large providers, which carry groups, stay below half of it.
const maxToken = 16 << 10

// rememberedTokens bounds the memory of the cache to about 4 MB. It is the number
// of callers whose next request costs a hash instead of a signature check.
const rememberedTokens = 16384

// Config says whose tokens a Verifier accepts.
type Config struct {
	Keys jwks.Source
	// Issuer must equal the `iss` of a token. Empty accepts any, which is right
	// for keys that sign nothing but this service's own tokens: these stay good
	// when the service moves to another address.
	Issuer string
	// Audience must be the `client_id` of a token or among its `aud`. Empty
	// accepts any.
	Audience string
	// Versions ends tokens before they expire. Without it none is.
	Versions Versions
	// Now is the clock that tokens expire by.
	Now func() time.Time
}

// Verifier checks tokens and remembers the ones that passed. It is safe for
// concurrent use.
type Verifier struct {
	config   Config
	keys     *jwks.Cache
	versions *versionCache
	passed   *lru.Cache[[sha256.Size]byte, identity]
}

// New returns a Verifier. It reads no keys before the first token arrives.
func New(config Config) *Verifier {
	passed, err := lru.New[[sha256.Size]byte, identity](rememberedTokens)
	if err != nil {
		panic(err) // only a size below one is refused
	}
	return &Verifier{config: config, keys: jwks.NewCache(config.Keys, config.Now), versions: newVersionCache(config.Versions, config.Now), passed: passed}
}

// Authenticate names the caller behind an Authorization value, which is a JWT with
// or without `Bearer ` before it. Id tokens and access tokens are alike.
func (v *Verifier) Authenticate(ctx context.Context, authorization string) (viewer.UserID, error) {
	who, err := v.identify(ctx, authorization)
	return who.user, err
}

// Forget makes the next token of a user be checked against the version that holds by
// then, so that tokens which were just ended are refused at once by this process.
func (v *Verifier) Forget(id viewer.UserID) { v.versions.known.Remove(id) }

// identify returns the user of a token, unless the token has been revoked.
func (v *Verifier) identify(ctx context.Context, authorization string) (identity, error) {
	who, err := v.bearer(ctx, authorization)
	if err != nil {
		return identity{}, err
	}
	switch ended, err := v.versions.ended(ctx, who); {
	case err != nil:
		return identity{}, err
	case ended:
		return identity{}, errUntrusted
	}
	return who, nil
}

// bearer returns the user of a token.
func (v *Verifier) bearer(ctx context.Context, authorization string) (identity, error) {
	token, err := tokenIn(authorization)
	if err != nil {
		return identity{}, err
	}
	// A digest as the key keeps tokens, which are credentials, out of memory dumps.
	digest := sha256.Sum256([]byte(token))
	now := v.config.Now()
	if who, ok := v.passed.Get(digest); ok {
		if who.expired(now) {
			v.passed.Remove(digest)
			return identity{}, errExpired
		}
		return who, nil
	}
	who, err := v.verify(ctx, token, now)
	if err != nil {
		return identity{}, err
	}
	v.passed.Add(digest, who)
	return who, nil
}

// tokenIn finds the JWT in an Authorization value.
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
