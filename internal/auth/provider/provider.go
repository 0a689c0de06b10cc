// Package provider verifies third-party logins with Apple, Google and Facebook.
//
// Untrusted tokens are refused with an error of package refusal. Any other error means that
// the provider could not be reached, which is not the caller's fault.
package provider

import (
	"context"
	"net/http"
	"time"
)

// Login is a user's account at a provider.
type Login struct {
	// Provider is the name of the provider in lower case.
	Provider string
	// Subject is the permanent id of the account at the provider.
	Subject string
	// Email is verified by the provider and in lower case.
	Email string
}

// Provider verifies the tokens of one provider.
type Provider interface {
	Verify(ctx context.Context, token string) (Login, error)
}

// Config has the addresses of the providers and the apps whose tokens are accepted.
type Config struct {
	// AppleIssuer and GoogleIssuer are OpenID Connect issuers, without a trailing slash.
	// FacebookGraph is the address of the Graph API, including its version.
	AppleIssuer, GoogleIssuer, FacebookGraph string
	// AppleClients and GoogleClients are the apps whose tokens are accepted. Without any, none
	// are.
	AppleClients, GoogleClients []string
	// FacebookApp and FacebookSecret identify the app whose tokens are accepted. If empty,
	// none are.
	FacebookApp, FacebookSecret string

	// Client is the HTTP client. It should have a timeout.
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

// New returns the providers. It makes no requests.
func New(c Config) Providers {
	return Providers{Apple: newApple(c), Google: newGoogle(c), Facebook: newFacebook(c)}
}

// maxToken is the maximum size of a token to parse, in bytes. Tokens of these providers
// have a tenth of it.
const maxToken = 16 << 10
