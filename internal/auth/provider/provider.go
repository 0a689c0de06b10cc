// Package provider verifies what Apple, Google and Facebook say about somebody who signs
// in with them.
//
// A token that cannot be trusted is refused with an error of package refusal. Any other
// error means that the provider could not be asked, which is no fault of the caller.
package provider

import (
	"context"
	"net/http"
	"time"
)

// Login is somebody as a provider knows them.
type Login struct {
	// Provider is the name of the provider in lower case.
	Provider string
	// Subject names the person at the provider, for good.
	Subject string
	// Email is verified by the provider, and in lower case.
	Email string
}

// Provider verifies the tokens of one provider.
type Provider interface {
	Verify(ctx context.Context, token string) (Login, error)
}

// Config says where the providers are and which apps their tokens are for.
type Config struct {
	// AppleIssuer and GoogleIssuer are OpenID Connect issuers, without a final slash.
	// FacebookGraph is the address of the Graph API with its version.
	AppleIssuer, GoogleIssuer, FacebookGraph string
	// AppleClients and GoogleClients are the apps whose tokens are accepted.
	AppleClients, GoogleClients []string
	// FacebookApp and FacebookSecret name the app whose tokens are accepted. Without them
	// none is.
	FacebookApp, FacebookSecret string

	// Client asks the providers. It should have a timeout.
	Client *http.Client
	Now    func() time.Time
}

// Addresses of the real providers.
const (
	AppleIssuer   = "https://appleid.apple.com"
	GoogleIssuer  = "https://accounts.google.com"
	FacebookGraph = "https://graph.facebook.com/v21.0"
)

// Providers are all providers.
type Providers struct{ Apple, Google, Facebook Provider }

// New returns the providers. It asks none of them yet.
func New(c Config) Providers {
	return Providers{Apple: newApple(c), Google: newGoogle(c), Facebook: newFacebook(c)}
}

// maxToken bounds what is parsed for a stranger, in bytes. Tokens of these providers have
// a tenth of it.
const maxToken = 16 << 10
