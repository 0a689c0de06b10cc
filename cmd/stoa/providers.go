package main

import (
	"net/http"
	"time"

	"stoa/internal/appstore"
	"stoa/internal/auth/provider"
)

// providerTimeout is the timeout of requests to providers of logins or receipts.
const providerTimeout = 10 * time.Second

// appStore returns the verifier of receipts, or nil if it is not known which app they must be
// of.
func (s *Settings) appStore() *appstore.Verifier {
	if s.AppStoreBundle == "" {
		return nil
	}
	return &appstore.Verifier{
		Production: s.AppStoreURL, Sandbox: s.AppStoreSandboxURL,
		Secret: s.AppStoreSecret, Bundle: s.AppStoreBundle,
		Client: &http.Client{Timeout: providerTimeout},
	}
}

// providers returns the third-party login providers.
func (s *Settings) providers() provider.Providers {
	return provider.New(provider.Config{
		AppleIssuer: s.AppleIssuer, AppleClients: s.AppleClients,
		GoogleIssuer: s.GoogleIssuer, GoogleClients: s.GoogleClients,
		FacebookGraph: s.FacebookGraph, FacebookApp: s.FacebookApp, FacebookSecret: s.FacebookSecret,
		Client: &http.Client{Timeout: providerTimeout},
		Now:    time.Now,
	})
}
