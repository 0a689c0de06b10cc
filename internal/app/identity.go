package app

import (
	"context"

	"stoa/internal/auth"
	"stoa/internal/identity"
	"stoa/social"
	"stoa/social/user"
)

// Authenticator names the caller behind an Authorization header.
type Authenticator interface {
	Authenticate(ctx context.Context, authorization string) (social.UserID, error)
}

// External vouches for users from outside.
type External interface {
	Authenticator
	user.Identity
}

// IssuerConfig is what can be chosen about the built-in identity; see the fields of
// the same names in identity.Config.
type IssuerConfig struct {
	Mode            identity.Mode
	Region          string
	PublicURL       string
	AppURL, AppName string
	// Mailer may be nil in mode Dev, which keeps its messages to show them.
	Mailer identity.Mailer
	Cost   identity.Cost
}

// audience is the `aud` of tokens of the built-in identity.
const audience = "stoa"

// vouching is who vouches for users, seen from three sides.
type vouching struct {
	tokens   Authenticator
	accounts user.Identity
	issuer   *identity.Issuer
}

func (c Config) identify(ctx context.Context, names identity.Usernames) (vouching, error) {
	if c.External != nil {
		return vouching{tokens: c.External, accounts: c.External}, nil
	}
	keys, err := identity.OpenKeyring(ctx, c.Store.Identities, c.Now, c.NewID)
	if err != nil {
		return vouching{}, err
	}
	// The keys sign nothing but this service's tokens, so tokens stay good when the
	// service moves to another address.
	tokens := auth.New(auth.Config{Keys: keys, Now: c.Now})
	mailer := c.Issuer.Mailer
	if mailer == nil {
		mailer = identity.Outbox{Store: c.Store.Identities}
	}
	issuer := identity.New(identity.Config{
		Mode:      c.Issuer.Mode,
		Region:    c.Issuer.Region,
		PublicURL: c.Issuer.PublicURL,
		AppURL:    c.Issuer.AppURL,
		AppName:   c.Issuer.AppName,
		Audience:  audience,
		Store:     c.Store.Identities,
		Keys:      keys,
		Usernames: names,
		Tokens:    tokens,
		Mailer:    mailer,
		Cost:      c.Issuer.Cost,
		Now:       c.Now,
		Random:    c.Random,
		NewID:     c.NewID,
		Log:       c.Log,
	})
	return vouching{tokens: tokens, accounts: issuer, issuer: issuer}, nil
}
