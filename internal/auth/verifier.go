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
	passed   *lru.Cache[[sha256.Size]byte, checkedToken]
	// forgotten counts calls of Forget.
	forgotten atomic.Uint64
}

// checkedToken is a token with a good signature, and what was known of it last.
type checkedToken struct {
	identity
	// least is the version that still counted when it was read.
	least  int
	readAt time.Time
	// forgotten is how often users had been forgotten before.
	forgotten uint64
}

// New returns a Verifier. It reads no keys before the first token arrives.
func New(config Config) *Verifier {
	passed, err := lru.New[[sha256.Size]byte, checkedToken](rememberedTokens)
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
	// A digest as the key keeps tokens, which are credentials, out of memory dumps.
	digest := sha256.Sum256([]byte(text))
	now, forgotten := v.config.Now(), v.forgotten.Load()
	token, ok := v.passed.Get(digest)
	if ok && token.expired(now) {
		v.passed.Remove(digest)
		return identity{}, errExpired
	}
	if !ok {
		if token.identity, err = v.verify(ctx, text, now); err != nil {
			return identity{}, err
		}
	}
	if !ok || token.forgotten != forgotten || now.Sub(token.readAt) >= versionMaxAge {
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
