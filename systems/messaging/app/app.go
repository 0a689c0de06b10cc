// Package app assembles the areas of messaging with its store and its API, and connects the
// system to a host.
package app

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/area"
	"stoa/internal/auth"
	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/internal/push"
	"stoa/systems/messaging"
	"stoa/systems/messaging/account"
	"stoa/systems/messaging/contact"
	"stoa/systems/messaging/graph"
	"stoa/systems/messaging/message"
	"stoa/systems/messaging/notify"
	"stoa/systems/messaging/presence"
	"stoa/systems/messaging/resolvers"
	"stoa/systems/messaging/store"
	"stoa/systems/messaging/topic"
)

// Name is the name of the system, and the audience of its tokens.
const Name = "messaging"

// country is the default calling code of telephone numbers.
const country = "1"

// Options configures the system. The zero value is for serving.
type Options struct {
	// Lifetimes are how long messages are kept; 0 means as in messaging.DefaultLifetimes.
	Lifetimes messaging.Lifetimes
	// Gather is how long a field of an operation waits for others, to batch their reads; 0
	// means batch.Wait.
	Gather time.Duration
	// Passwords hashes passwords; nil means bcrypt with identity.BcryptCost.
	Passwords account.Passwords
}

// System returns the messaging system.
func System(o Options) host.System {
	return host.System{
		Name: Name, Tables: store.Tables, Join: o.join,
		Contract: func() string { return messaging.Contract }, Schema: func() graphql.ExecutableSchema { return graph.Executable(nil) },
		Design: store.WriteSchema, Seed: o.seed, Check: store.Broken,
	}
}

// areas are the areas of the system.
type areas struct {
	*resolvers.Resolver
	notify *notify.Service
	realm  host.Realm
}

// open returns the areas, which use the events, clock and ids of frame.
func (o Options) open(ctx context.Context, h *host.Host, frame decision.Frame) (areas, error) {
	frame.Precision = time.Millisecond
	if o.Passwords == nil {
		o.Passwords = identity.NewBcrypt(identity.BcryptCost)
	}
	s := store.Open(h.DB)
	r := &resolvers.Resolver{
		Accounts: &account.Service{
			Store: s.Accounts, Passwords: o.Passwords, Operates: operates(h), Frame: frame, Random: h.Random,
			Identities: serviceIdentities{h.Authenticator, h.Accounts},
		},
		Contacts: &contact.Service{Store: s.Subscriptions, Holders: h.Holders, Frame: frame, Country: country},
		Topics: &topic.Service{
			Store: s.Topics, Subscriptions: s.Subscriptions, Messages: s.Messages, Accounts: s.Accounts, Frame: frame, Random: h.Random,
		},
		Messages:  message.New(s.Messages, h.Ops.Operators, frame, o.lifetimes()),
		Presences: presence.New(s.Presences, s.Subscriptions, s.Roster, h.Bus, frame),
		Gather:    o.Gather,
	}
	r.Messages.Checker = h.Checker()
	n := &notify.Service{Store: s.Messages, Accounts: s.Accounts, Roster: s.Roster, Now: frame.Now}
	if h.Push != nil {
		n.Sender = pusher{h.Push}
	}
	realm, err := h.Realm(ctx, Name, messaging.TokenLife, r.Accounts)
	if err != nil {
		return areas{}, err
	}
	r.Accounts.Tokens, r.Accounts.Attempts, r.Accounts.HashPrice = tokens{realm}, realm.Attempts, realm.HashPrice
	return areas{r, n, realm}, nil
}

// lifetimes returns the configured lifetimes of messages.
func (o Options) lifetimes() messaging.Lifetimes {
	return messaging.Lifetimes{
		Group: cmp.Or(o.Lifetimes.Group, messaging.DefaultLifetimes.Group),
		Own:   cmp.Or(o.Lifetimes.Own, messaging.DefaultLifetimes.Own),
		Pair:  cmp.Or(o.Lifetimes.Pair, messaging.DefaultLifetimes.Pair),
	}
}

// operates returns a function that reports whether a caller, signed in with the service's
// own identity, is an operator of the service.
func operates(h *host.Host) func(context.Context, viewer.UserID) (bool, error) {
	return func(ctx context.Context, id viewer.UserID) (bool, error) {
		if id == "" || messaging.HasAccount(id) {
			return slices.Contains(h.Named().Operators, messaging.PublicID(id)), nil
		}
		return h.IsOperator(ctx, id)
	}
}

// serviceIdentities are the accounts of the service's own identity.
type serviceIdentities struct {
	host.Authenticator
	host.Accounts
}

// tokens adapts a realm to the account area.
type tokens struct{ host.Realm }

func (t tokens) Issue(ctx context.Context, id messaging.UserID, version int, level messaging.Level) (string, time.Time, error) {
	return t.Sessions.Token(ctx, id, identity.Grant{Version: version, Level: level.Number(), Anonymous: level == messaging.Anon, Life: messaging.TokenLife})
}

func (t tokens) Forget(id messaging.UserID) { t.Tokens.Forget(id) }

// callers authenticates users of the system, and operators of the service by its own
// identity.
type callers struct {
	users    *auth.Verifier
	service  host.Authenticator
	operates func(context.Context, viewer.UserID) (bool, error)
}

// Authenticate returns the id of a permitted caller, and refuses others with the system's
// errors.
func (c callers) Authenticate(ctx context.Context, authorization string) (viewer.UserID, error) {
	id, refused := c.users.Authenticate(ctx, authorization)
	if refused == nil && messaging.HasAccount(id) || authorization == "" || !isRefusal(refused) {
		return id, refused
	}
	id, err := c.service.Authenticate(ctx, authorization)
	if err != nil || id == "" {
		if isRefusal(err) || err == nil {
			err = refused
		}
		return "", err
	}
	switch root, err := c.operates(ctx, id); {
	case err != nil:
		return "", err
	case !root:
		return "", refused
	}
	return id, nil
}

// Identify also reports whether the caller has an account that nobody can sign in to.
func (c callers) Identify(ctx context.Context, authorization string) (id viewer.UserID, anonymous bool, err error) {
	if id, anonymous, err = c.users.Identify(ctx, authorization); err == nil && messaging.HasAccount(id) {
		return id, anonymous, nil
	}
	id, err = c.Authenticate(ctx, authorization)
	return id, false, err
}

func isRefusal(err error) bool {
	var refused *refusal.Error
	return errors.As(err, &refused)
}

// pusher sends pushes with the platform of each device.
type pusher struct{ push.Sender }

func (p pusher) Push(ctx context.Context, to messaging.Device, what messaging.Push) (gone bool, err error) {
	platform := push.FCM
	if to.Platform == messaging.IOS {
		platform = push.APNS
	}
	err = p.Send(ctx, push.Device{Platform: platform, Token: to.ID}, push.Message{Title: what.Title, Body: what.Body, Collapse: what.Key, Data: what.Data})
	if errors.Is(err, push.ErrGone) {
		return true, nil
	}
	return false, err
}

func (o Options) join(ctx context.Context, h *host.Host) (host.Face, error) {
	a, err := o.open(ctx, h, h.Frame)
	if err != nil {
		return host.Face{}, err
	}
	registered := area.Register(h.Outbox, a.Accounts, a.Contacts, a.Topics, a.Messages, a.Presences, a.notify)
	return host.Face{
		Schema: graph.Executable(a.Resolver), Authenticator: callers{a.realm.Tokens, h.Authenticator, operates(h)}, OperationContext: a.WithLoaders,
		Public: registered.Public, Prices: registered.Prices, Jobs: registered.Jobs, Content: content{a.Messages, a.Messages.Frame},
		People: newPersons(store.Open(h.DB), a.Accounts, h.Accounts),
	}, nil
}
