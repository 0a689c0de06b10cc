package auth

import (
	"context"
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"stoa/internal/auth/jwks"
	"stoa/internal/kit/viewer"
)

// External authenticates tokens of an OpenID Connect issuer outside this service, such as a
// Cognito user pool.
type External struct {
	issuer   string
	verifier *Verifier
	contacts *lru.Cache[viewer.UserID, identity]
}

// NewExternal finds the keys of an issuer by discovery. It fails if the issuer does not
// respond or has another name, so that a wrong URL is detected at startup instead of
// refusing every caller.
func NewExternal(ctx context.Context, issuer, audience string, client *http.Client, now func() time.Time) (*External, error) {
	name, keys, err := jwks.Discover(ctx, client, issuer)
	if err != nil {
		return nil, err
	}
	contacts, err := lru.New[viewer.UserID, identity](rememberedTokens)
	if err != nil {
		return nil, err
	}
	verifier := New(Config{
		Keys:     jwks.Published{Client: client, Address: keys},
		Issuer:   name,
		Audience: audience,
		Now:      now,
	})
	return &External{issuer: name, verifier: verifier, contacts: contacts}, nil
}

// Authenticate returns the caller identified by an Authorization value, like
// Verifier.Authenticate.
func (e *External) Authenticate(ctx context.Context, authorization string) (viewer.UserID, error) {
	who, err := e.verifier.identify(ctx, authorization)
	if err == nil && (who.email != "" || who.phone != "") {
		e.contacts.Add(who.user, who)
	}
	return who.user, err
}

// Account returns the e-mail address and phone number that the issuer has verified for a
// user, according to the latest token that contained any. Tokens are the only source, so a
// user who sends access tokens without contacts has none.
func (e *External) Account(_ context.Context, id viewer.UserID) (email, phone string, found bool, err error) {
	who, found := e.contacts.Get(id)
	return who.email, who.phone, found, nil
}

// DisplayName returns what the issuer calls a user whose contacts are known, according to
// the token that contained them, or "".
func (e *External) DisplayName(_ context.Context, id viewer.UserID) string {
	who, _ := e.contacts.Get(id)
	return who.name
}

// IssuerName returns the name of the issuer, as it stands in tokens.
func (e *External) IssuerName() string { return e.issuer }
