package socialtest

import (
	"context"
	"strings"

	"stoa/internal/apptest"
	"stoa/internal/auth/provider"
	"stoa/internal/host"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// login is an identity provider whose tokens consist of a subject and an e-mail address:
// "ana1 ana@example.com". It rejects others.
type login struct{ name social.LoginProvider }

func (l login) Verify(_ context.Context, token string) (provider.Login, error) {
	subject, email, ok := strings.Cut(token, " ")
	if !ok {
		return provider.Login{}, refusal.Invalidf("%s does not vouch for %s", l.name, token)
	}
	return provider.Login{Provider: string(l.name), Subject: subject, Email: email}, nil
}

func withLogins(_ *apptest.World, c *host.Config) {
	c.Providers = provider.Providers{
		Apple: login{social.AppleLogin}, Facebook: login{social.FacebookLogin}, Google: login{social.GoogleLogin},
	}
}

// Stranger adds an identity without an account or a profile.
func (g Given) Stranger(name string) Given { return g.Identity(name, apptest.Account{}) }

// Anonymous adds an anonymous user.
func (g Given) Anonymous(name string) Given {
	return g.Stranger(name).Does(name, `mutation { createAnonymousUser { TokenType } }`)
}
