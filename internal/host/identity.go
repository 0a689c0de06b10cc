package host

import (
	"context"
	"time"

	"stoa/internal/auth"
	"stoa/internal/identity"
	"stoa/internal/job"
	"stoa/internal/kit/viewer"
)

// Authenticator identifies the caller from an Authorization header.
type Authenticator interface {
	Authenticate(ctx context.Context, authorization string) (viewer.UserID, error)
}

// Accounts looks up the accounts that people sign in with.
type Accounts interface {
	// Account returns the verified contacts of an account, each "" if it has none.
	Account(ctx context.Context, id viewer.UserID) (email, phone string, found bool, err error)
}

// Holders finds the accounts that have verified a contact.
type Holders interface {
	EmailHolder(ctx context.Context, email string) (id viewer.UserID, found bool, err error)
	PhoneHolder(ctx context.Context, phone string) (id viewer.UserID, found bool, err error)
}

// unheld finds nobody. It stands for external identity providers, which cannot be asked.
type unheld struct{}

func (unheld) EmailHolder(context.Context, string) (id viewer.UserID, found bool, err error) {
	return "", false, nil
}

func (unheld) PhoneHolder(context.Context, string) (id viewer.UserID, found bool, err error) {
	return "", false, nil
}

// External is an external identity provider.
type External interface {
	Authenticator
	Accounts
}

// usernames are those of the system that has any. It exists because identity is created
// before systems are joined.
type usernames struct{ identity.Usernames }

// UserIDByUsername finds nobody if there is no such system.
func (u *usernames) UserIDByUsername(ctx context.Context, name string) (id viewer.UserID, found bool, err error) {
	if u.Usernames == nil {
		return "", false, nil
	}
	return u.Usernames.UserIDByUsername(ctx, name)
}

// ValidUsername returns false if there is no such system.
func (u *usernames) ValidUsername(name string) bool {
	return u.Usernames != nil && u.Usernames.ValidUsername(name)
}

// ReservedUsername returns false if there is no such system.
func (u *usernames) ReservedUsername(name string) bool {
	return u.Usernames != nil && u.Usernames.ReservedUsername(name)
}

// IssuerConfig configures the built-in identity; see the fields of identity.Config.
type IssuerConfig struct {
	Mode            identity.Mode
	Region          string
	PublicURL       string
	AppURL, AppName string
	// Mailer may be nil in mode Dev, which stores messages and shows them.
	Mailer identity.Mailer
	Cost   identity.Cost
	// APIKeys may be empty; see identity.Config.
	APIKeys []string
	// Limits defaults to those of the mode.
	Limits *identity.Limits
}

// RotateKeys is the name of the job that rotates the keys that sign tokens.
const RotateKeys = "identity.rotate-keys"

// audience is the `aud` claim of the built-in identity's tokens.
const audience = "stoa"

// identify sets up the identity provider.
func (h *Host) identify(ctx context.Context, names *usernames) error {
	if h.External != nil {
		h.Authenticator, h.Accounts, h.Holders = h.Guard(h.External), h.External, unheld{}
		if holders, ok := h.External.(Holders); ok {
			h.Holders = holders
		}
		side := identity.New(identity.Config{Usernames: names, APIKeys: h.Config.Issuer.APIKeys, Now: h.Now, Log: h.Log})
		h.side = side.UsernameStatus()
		return nil
	}
	if err := h.openKeys(ctx); err != nil {
		return err
	}
	// The keys sign only this service's tokens, so tokens remain valid if the service moves
	// to another URL. Systems with their own accounts use the same keys with other
	// audiences.
	tokens := auth.New(auth.Config{Keys: h.keys, Audience: audience, Versions: identity.Versions{Store: h.Ops.Identities}, Now: h.Now})
	c := h.Config.Issuer
	mailer := c.Mailer
	if mailer == nil {
		mailer = identity.Outbox{Store: h.Ops.Identities}
	}
	h.mailer = mailer
	h.Issuer = identity.New(identity.Config{
		Mode:      c.Mode,
		Region:    c.Region,
		PublicURL: c.PublicURL,
		AppURL:    c.AppURL,
		AppName:   c.AppName,
		Audience:  audience,
		Store:     h.Ops.Identities,
		Keys:      h.keys,
		Usernames: names,
		Tokens:    h.Guard(tokens),
		MaySignIn: h.MaySignIn,
		Mailer:    mailer,
		Cost:      c.Cost,
		Providers: h.Providers,
		APIKeys:   c.APIKeys,
		Limits:    c.Limits,
		Now:       h.Now,
		Random:    h.Random,
		NewID:     h.NewID,
		Log:       h.Log,
	})
	if c.Mailer != nil {
		h.post = newPost(h, c.Mailer)
		h.Issuer.Post = h.post
	}
	h.side = h.Issuer.SideAPI()
	h.Authenticator, h.Accounts, h.Holders = h.Guard(tokens), h.Issuer, h.Ops.Identities
	h.forget = append(h.forget, tokens.Forget)
	return nil
}

// openKeys opens the keys that sign tokens, of which a host with external identity has none
// unless a system has accounts of its own.
func (h *Host) openKeys(ctx context.Context) error {
	if h.keys != nil {
		return nil
	}
	keys, err := identity.OpenKeyring(ctx, h.Ops.Identities, h.Now, h.NewID)
	if err != nil {
		return err
	}
	h.keys = keys
	h.Jobs.Jobs = append(h.Jobs.Jobs, job.Job{Name: RotateKeys, Every: 24 * time.Hour, Run: func(ctx context.Context, _ time.Time) error {
		return keys.RotateOld(ctx)
	}})
	return nil
}
