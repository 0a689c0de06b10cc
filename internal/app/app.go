// Package app joins the areas, the store, identity and the API into one whole. The
// server runs it, and so do the tests that drive the real handler and the tool that
// fills a store.
//
// An App works on tables that exist. It delivers events only while Run runs, or when
// its Outbox is drained.
package app

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/graph"
	"stoa/internal/identity"
	"stoa/internal/kit/bus"
	"stoa/internal/kit/lease"
	"stoa/internal/outbox"
	"stoa/resolvers"
	"stoa/social"
	"stoa/social/comment"
	"stoa/social/feed"
	"stoa/social/follow"
	"stoa/social/like"
	"stoa/social/notification"
	"stoa/social/post"
	"stoa/social/user"
	"stoa/store"
)

const (
	// leaseFor is how long the events of a process that died wait for another one.
	leaseFor = 20 * time.Second
	// poll is how often a process looks for events that nobody told it of.
	poll = time.Second
)

// Config is what an App is made of. All fields are needed unless they say otherwise.
type Config struct {
	Store *store.Store
	// Holder names this process among all that work on the store at the same time.
	// Where there can be one only, a constant lets a restart go on at once.
	Holder string
	// Issuer is the built-in identity. With External it is not used.
	Issuer IssuerConfig
	// External vouches for users in place of the built-in identity, if set.
	External External

	Now func() time.Time
	// NewID returns a new version 4 UUID in lower case.
	NewID func() string
	// Random is a source of secrets.
	Random io.Reader
	Log    *slog.Logger
	// Registry collects measures of the outbox.
	Registry prometheus.Registerer

	// Gather is how long a field of an operation waits for others, to read with them; 0
	// stands for batch.Wait.
	Gather time.Duration
}

// App is everything behind the sockets. Its fields are not to be changed.
type App struct {
	Store  *store.Store
	Schema graphql.ExecutableSchema
	// Authenticator names the caller behind an Authorization header.
	Authenticator Authenticator
	// Issuer is nil when somebody else vouches for users.
	Issuer *identity.Issuer
	Outbox *outbox.Dispatcher

	resolver *resolvers.Resolver
}

// New assembles an App. It makes the keys that identity signs with, unless the store
// holds some.
func New(ctx context.Context, c Config) (*App, error) {
	s := c.Store
	listeners := &notification.Service{Bus: &bus.Local{}}
	events := outbox.New(outbox.Config{
		Store:    s.Outbox,
		Leases:   &lease.Keeper{Store: s.Leases, Holder: c.Holder, For: leaseFor, Now: c.Now},
		Announce: listeners.Publish,
		Now:      c.Now,
		Log:      c.Log,
		Measures: newOutboxMeasures(c.Registry),
		Poll:     poll,
	})

	users := &user.Service{Store: s.Users, Events: events, Now: c.Now, NewID: c.NewID}
	likes := &like.Service{Store: s.Likes, Posts: s.Posts, People: users, Now: c.Now}
	feeds := &feed.Service{Store: s.Feeds, Posts: s.Posts, Follows: s.Follows}
	follows := &follow.Service{Store: s.Follows, Users: s.Users, Feeds: feeds, Likes: likes, Events: events, Now: c.Now, NewID: c.NewID}
	posts := &post.Service{Store: s.Posts, People: users, Likes: likes, Events: events, Now: c.Now, NewID: c.NewID}
	comments := &comment.Service{Store: s.Comments, Posts: s.Posts, People: users, Now: c.Now}
	users.Follows = follows

	who, err := c.identify(ctx, users)
	if err != nil {
		return nil, err
	}
	users.Identity = who.accounts

	events.On(social.PostMoved, feeds.PostMoved, listeners.PostMoved, outbox.Quietly(likes.PostMoved), outbox.Quietly(comments.PostMoved))
	events.On(social.FollowMoved, feeds.FollowMoved, outbox.Quietly(follows.FollowMoved))
	events.On(social.UserOpened, outbox.Quietly(follows.UserOpened))

	r := &resolvers.Resolver{
		Users: users, Follows: follows, Posts: posts, Feed: feeds, Likes: likes, Comments: comments, Notifications: listeners,
		Gather: c.Gather,
	}
	return &App{
		Store:         s,
		Schema:        graph.Executable(r, r.Directives()),
		Authenticator: who.tokens,
		Issuer:        who.issuer,
		Outbox:        events,
		resolver:      r,
	}, nil
}

// Run delivers events until ctx ends.
func (a *App) Run(ctx context.Context) { a.Outbox.Run(ctx) }

// OperationContext gives an operation whose viewer is in ctx what lives as long as it.
func (a *App) OperationContext(ctx context.Context) context.Context {
	return a.resolver.WithLoaders(ctx)
}

// Mounts are the handlers of identity, by pattern of http.ServeMux. There are none when
// somebody else vouches for users.
func (a *App) Mounts() map[string]http.Handler {
	if a.Issuer == nil {
		return nil
	}
	h := a.Issuer.Handler()
	return map[string]http.Handler{"/auth/": h, "/.well-known/": h}
}

// Ready reports why the store cannot be read right now.
func (a *App) Ready(ctx context.Context) error {
	_, err := a.Store.Leases.Load(ctx, "ready")
	return err
}
