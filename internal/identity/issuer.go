package identity

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"stoa/internal/auth/provider"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Mode says how seriously contacts are taken.
type Mode string

const (
	// Dev counts contacts as verified at once and shows every message to anybody
	// who asks: any client that reaches the service can become anyone.
	Dev Mode = "dev"
	// Local verifies contacts by codes that a Mailer delivers.
	Local Mode = "local"
)

// Config is everything an Issuer needs; all fields but Limits, Providers and APIKeys are
// required.
type Config struct {
	Mode Mode
	// Region is the prefix of new user ids.
	Region string
	// PublicURL is where clients reach the service, without a final slash. It is
	// the `iss` of tokens.
	PublicURL string
	// AppURL is the base of links in messages and AppName the name in them.
	AppURL, AppName string
	// Audience is the `aud` of tokens.
	Audience string

	Store     Store
	Keys      *Keyring
	Usernames Usernames
	Tokens    Authenticator
	Mailer    Mailer
	Cost      Cost
	// Limits left out are those of the mode.
	Limits *Limits
	// Providers are who else people may sign in with, by the field that their token comes
	// in.
	Providers provider.Providers
	// APIKeys admit to the side API. Without any, any key does in dev and none elsewhere.
	APIKeys []string

	Now    func() time.Time
	Random io.Reader
	// NewID returns a new version 4 UUID in lower case.
	NewID func() string
	Log   *slog.Logger
}

// Issuer keeps identities and issues their tokens. It is safe for concurrent use, and
// several may work on one store.
type Issuer struct {
	Config
	passwords   *hasher
	limits      *ratelimit.Limiter
	passwordKey passwordKey
	// familiar are addresses from which somebody has signed in to an account.
	familiar *lru.Cache[string, struct{}]
	// aside is work that an answer does not wait for.
	aside sync.WaitGroup
}

// rememberedAddresses bounds the memory of familiar to some megabytes.
const rememberedAddresses = 1 << 14

// New returns an Issuer.
func New(config Config) *Issuer {
	if config.Limits == nil {
		config.Limits = LimitsOf(config.Mode)
	}
	familiar, err := lru.New[string, struct{}](rememberedAddresses)
	if err != nil {
		panic(err) // only a size below one is refused
	}
	return &Issuer{
		familiar:    familiar,
		Config:      config,
		passwords:   newHasher(config.Cost, config.Random),
		limits:      ratelimit.New(config.Now),
		passwordKey: passwordKey{store: config.Store, now: config.Now},
	}
}

// now is the time as it is stored: a time that was read back equals the one
// written.
func (s *Issuer) now() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

// newUserID returns an id that nobody has.
func (s *Issuer) newUserID() viewer.UserID { return viewer.UserID(s.Region + ":" + s.NewID()) }

// living returns the identity of a user unless it is deleted.
func (s *Issuer) living(ctx context.Context, id viewer.UserID) (i Identity, found bool, err error) {
	i, found, err = s.Store.Identity(ctx, id)
	if err != nil || !found || !lives(i) {
		return Identity{}, false, err
	}
	return i, true, nil
}

// lives reports whether an identity was made and not deleted since.
func lives(i Identity) bool { return i.Revision > 0 && i.DeletedAt.IsZero() }

// contention is how often a change is decided again after others came first.
const contention = 8

// change decides what becomes of an identity and stores it, again from the start if
// another change came first. A refusal stores nothing, with one exception: a wrong
// code costs a try.
func (s *Issuer) change(ctx context.Context, id viewer.UserID, decide func(i *Identity) error) (Identity, error) {
	return s.changeWith(ctx, id, nil, decide)
}

// changeWith is change where something else is stored with the identity, also when that
// stays as it is; nil stands for nothing else.
func (s *Issuer) changeWith(ctx context.Context, id viewer.UserID, with Save, decide func(i *Identity) error) (Identity, error) {
	for round := 1; ; round++ {
		before, found, err := s.Store.Identity(ctx, id)
		if err != nil {
			return Identity{}, err
		}
		if !found {
			before = Identity{UserID: id}
		}
		after, save := before, with
		refused := decide(&after)
		if refused != nil || save == nil {
			save = s.alone
		}
		changed := after != before
		if refused != nil && !(changed && errors.Is(refused, errCode)) || !changed && with == nil {
			return before, refused
		}
		if changed {
			after.Revision++
		}
		err = save(ctx, Change{Before: before, After: after})
		if refusal.KindOf(err) == refusal.Conflict && round < contention {
			continue
		}
		if err != nil {
			return Identity{}, err
		}
		return after, refused
	}
}

// Wait returns when everything is done that answers did not wait for. Call it after the
// last request.
func (s *Issuer) Wait() { s.aside.Wait() }
