package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"stoa/internal/kit/refusal"
)

// facebook verifies access tokens, which are opaque to everyone but Facebook. Before a
// token is used, its app is checked: otherwise any other app's tokens could sign in that
// app's users here.
type facebook struct {
	graph       string
	app, secret string
	client      *http.Client
	now         func() time.Time
}

func newFacebook(c Config) *facebook {
	return &facebook{
		graph: c.FacebookGraph, app: c.FacebookApp, secret: c.FacebookSecret, client: c.Client, now: c.Now,
	}
}

// maxAnswer is the maximum size of a Graph API response, in bytes.
const maxAnswer = 1 << 20

// Verify returns the login of a token.
func (p *facebook) Verify(ctx context.Context, token string) (Login, error) {
	switch {
	case p.app == "" || p.secret == "":
		return Login{}, refusal.Invalidf("Facebook logins are not accepted here")
	case token == "" || len(token) > maxToken:
		return Login{}, refusal.Invalidf("Facebook access token is not a token")
	}
	subject, err := p.debug(ctx, token)
	if err != nil {
		return Login{}, err
	}
	var me struct {
		ID    string `json:"id"`
		Email string `json:"email"`
	}
	if err := p.ask(ctx, "/me", url.Values{"fields": {"id,email"}, "access_token": {token}}, &me); err != nil {
		return Login{}, err
	}
	switch {
	case me.Email == "":
		return Login{}, refusal.Invalidf("Facebook server response body does not contain email")
	case me.ID != subject:
		return Login{}, refusal.Invalidf("Facebook access token is of somebody else")
	}
	return Login{Provider: "facebook", Subject: me.ID, Email: strings.ToLower(me.Email)}, nil
}

// debug returns the user whom a token of our app was issued to.
func (p *facebook) debug(ctx context.Context, token string) (subject string, err error) {
	var answer struct {
		Data struct {
			AppID     string `json:"app_id"`
			UserID    string `json:"user_id"`
			IsValid   bool   `json:"is_valid"`
			ExpiresAt int64  `json:"expires_at"`
		} `json:"data"`
	}
	err = p.ask(ctx, "/debug_token", url.Values{"input_token": {token}, "access_token": {p.app + "|" + p.secret}}, &answer)
	if err != nil {
		return "", err
	}
	// Tokens without expiry have 0.
	switch d := answer.Data; {
	case !d.IsValid || d.ExpiresAt != 0 && !p.now().Before(time.Unix(d.ExpiresAt, 0)):
		return "", refusal.Invalidf("Facebook access token is not valid")
	case d.AppID != p.app:
		return "", refusal.Invalidf("Facebook access token is of another app")
	case d.UserID == "":
		return "", refusal.Invalidf("Facebook access token names nobody")
	default:
		return d.UserID, nil
	}
}

// ask reads a response of the Graph API. Errors omit the query, which contains secrets.
func (p *facebook) ask(ctx context.Context, path string, query url.Values, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.graph+path+"?"+query.Encode(), nil)
	if err != nil {
		return fmt.Errorf("the address of the Facebook Graph API, %s, is not a URL", p.graph)
	}
	response, err := p.client.Do(request)
	if err != nil {
		if failed := (*url.Error)(nil); errors.As(err, &failed) {
			err = failed.Err
		}
		return fmt.Errorf("ask Facebook at %s: %w", p.graph+path, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return refusal.Invalidf("Facebook server response status code is non-200: `%d`", response.StatusCode)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(into); err != nil {
		return fmt.Errorf("unexpected response from %s: %w", p.graph+path, err)
	}
	return nil
}
