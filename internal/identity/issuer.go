package identity

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"stoa/internal/auth/provider"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/tasks"
	"stoa/internal/kit/viewer"
)

// Mode determines how contacts are verified.
type Mode string

const (
	// Dev treats contacts as verified at once and shows every message to anybody: any
	// client that can reach the service can act as any user.
	Dev Mode = "dev"
	// Local verifies contacts by codes delivered by a Mailer.
	Local Mode = "local"
)

// Config configures an Issuer. All fields except Limits, Providers, APIKeys and
// MaySignIn are required.
type Config struct {
	Mode Mode
	// Region is the prefix of new user ids.
	Region string
	// PublicURL is the URL of the service for clients, without a trailing slash, and the
	// `iss` of tokens.
	PublicURL string
	// AppURL is the base URL of links in messages, and AppName the app's name in them.
	AppURL, AppName string
	// Audience is the `aud` of tokens.
	Audience string

	Store     Store
	Keys      *Keyring
	Usernames Usernames
	Tokens    Authenticator
	Mailer    Mailer
	// Post, if set, sends the messages of changes instead of Mailer, so that none is lost.
	Post Post
	Cost Cost
	// Limits are the rate limits; nil means those of the mode.
	Limits *Limits
	// Providers are the third-party login providers, by the field that their token is sent
	// in.
	Providers provider.Providers
	// APIKeys are the keys of the side API. If there are none, any key is valid in dev and
	// no key elsewhere.
	APIKeys []string
	// MaySignIn refuses people who are kept out, with an error for them. It may be nil.
	MaySignIn func(ctx context.Context, id viewer.UserID) error

	Now    func() time.Time
	Random io.Reader
	// NewID returns a new version 4 UUID in lower case.
	NewID func() string
	Log   *slog.Logger
}

// Issuer manages identities and issues their tokens. It is safe for concurrent use, and
// several issuers may share a store.
type Issuer struct {
	Config
	passwords   *hasher
	attempts    *Attempts
	passwordKey passwordKey
	codes       codes
	// aside is the background work that responses do not wait for.
	aside tasks.Group
}

// New returns an Issuer.
func New(config Config) *Issuer {
	if config.Limits == nil {
		config.Limits = LimitsOf(config.Mode)
	}
	return &Issuer{
		Config:      config,
		passwords:   newHasher(config.Cost, config.Random),
		attempts:    NewAttempts(config.Limits, config.Now),
		passwordKey: passwordKey{store: config.Store, now: config.Now},
		codes:       codes{store: config.Store, now: config.Now},
	}
}

// now returns the current time in the precision of the store, so that a time read back
// equals the one written.
func (s *Issuer) now() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

// newUserID returns an unused id.
func (s *Issuer) newUserID() viewer.UserID { return viewer.UserID(s.Region + ":" + s.NewID()) }

// living returns the identity of a user unless it has been deleted.
func (s *Issuer) living(ctx context.Context, id viewer.UserID) (i Identity, found bool, err error) {
	i, found, err = s.Store.Identity(ctx, id)
	if err != nil || !found || !lives(i) {
		return Identity{}, false, err
	}
	return i, true, nil
}

// lives reports whether an identity exists and has not been deleted.
func lives(i Identity) bool { return i.Revision > 0 && i.DeletedAt.IsZero() }

// change decides a change of an identity and stores it; on a conflict, it starts again. A
// refusal stores nothing, except that a wrong code uses up an attempt.
func (s *Issuer) change(ctx context.Context, id viewer.UserID, decide func(i *Identity) error) (Identity, error) {
	return s.changeWith(ctx, id, nil, decide)
}

// changeWith is like change, but stores something else with the identity, even if the
// identity is unchanged. A nil Save stores nothing else.
func (s *Issuer) changeWith(ctx context.Context, id viewer.UserID, with Save, decide func(i *Identity) error) (Identity, error) {
	var refused error // by decide, whose refusals may be conflicts as well
	i, err := retry.OnConflict(func() (Identity, error) {
		before, found, err := s.Store.Identity(ctx, id)
		if err != nil {
			return Identity{}, err
		}
		if !found {
			before = Identity{UserID: id}
		}
		after, save := before, with
		refused = decide(&after)
		if refused != nil || save == nil {
			save = s.alone
		}
		changed := after != before
		if refused != nil && !(changed && errors.Is(refused, errCode)) || !changed && with == nil {
			return before, nil
		}
		if changed {
			after.Revision++
		}
		if err := save(ctx, Change{Before: before, After: after}); err != nil {
			return Identity{}, err
		}
		return after, nil
	})
	if err != nil {
		return Identity{}, err
	}
	return i, refused
}

// Wait waits for all background work. Call it after the last request.
func (s *Issuer) Wait() { s.aside.Wait() }
