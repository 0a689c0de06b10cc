// Package cluster runs several processes of stoa on one store for tests and benchmarks. The
// store is the embedded engine, in the program that uses this package, behind an endpoint
// that is as slow and as faulty as asked for.
package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/app"
	"stoa/bench/load"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/engine"
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
	"stoa/store"
)

// prefix is that of the tables' names.
const prefix = "stoa-"

// Cluster is a store with the processes that serve it.
type Cluster struct {
	// Dir has the logs, the binary and the data.
	Dir string
	// Binary is the program that runs.
	Binary string
	// Endpoint is the store as processes reach it, or nil for an embedded store.
	Endpoint *Endpoint

	engine  *engine.Engine
	db      *keyspec.DB
	bus     *server.Server
	started int
}

// Open builds stoa and makes an empty store in a new directory.
func Open(ctx context.Context) (_ *Cluster, err error) {
	c := &Cluster{}
	if c.Dir, err = os.MkdirTemp("", "stoa-cluster-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	if c.Binary, err = load.Build(ctx, c.Dir, "cmd/stoa"); err != nil {
		return nil, fmt.Errorf("build stoa: %w", err)
	}
	return c, c.Reset(ctx)
}

// Reset replaces the store by an empty one. No process may run.
func (c *Cluster) Reset(ctx context.Context) (err error) {
	if err := errors.Join(c.closeStore(), os.RemoveAll(c.data())); err != nil {
		return err
	}
	if c.engine, err = engine.Open(c.data()); err != nil {
		return err
	}
	c.db = keyspec.Open(dynamo.NewFromIface(c.engine), prefix, host.Tables(app.System(app.Options{}))...)
	return c.db.CreateTables(ctx)
}

func (c *Cluster) data() string { return filepath.Join(c.Dir, "data") }

// Close ends what this package has started, except for processes, and removes the directory.
func (c *Cluster) Close() error {
	if c.bus != nil {
		c.bus.Shutdown()
	}
	return errors.Join(c.closeStore(), os.RemoveAll(c.Dir))
}

func (c *Cluster) closeStore() error {
	if c.Endpoint != nil {
		c.Endpoint.close()
		c.Endpoint = nil
	}
	if c.engine == nil {
		return nil
	}
	e := c.engine
	c.engine = nil
	return e.Close()
}

// Embed lets go of the store, so that a process can embed it.
func (c *Cluster) Embed() error { return c.closeStore() }

// Serve makes the store an endpoint, and starts a bus for several processes.
func (c *Cluster) Serve() (err error) {
	if c.Endpoint, err = newEndpoint(c.engine); err != nil || c.bus != nil {
		return err
	}
	if c.bus, err = server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true}); err != nil {
		return err
	}
	go c.bus.Start()
	if !c.bus.ReadyForConnections(startup) {
		return errors.New("the NATS server does not start")
	}
	return nil
}

// Store returns the rows of the social system, past the endpoint.
func (c *Cluster) Store() *store.Store { return store.Open(c.db) }

// Outbox returns the events that wait, past the endpoint.
func (c *Cluster) Outbox() *ops.Outbox { return ops.Open(c.db).Outbox }

// Members returns the processes that own shards, by id.
func (c *Cluster) Members(ctx context.Context) (map[string]outbox.Member, error) {
	r, err := c.Outbox().Roster(ctx)
	all := map[string]outbox.Member{}
	for _, m := range r.Members {
		all[m.ID] = m
	}
	return all, err
}

// Person is a user with a session.
type Person struct {
	ID    social.UserID
	Name  string
	Token string
}

// People returns users with the given names, whose profiles the caller stores.
func (c *Cluster) People(ctx context.Context, names ...string) ([]Person, error) {
	people := make([]Person, len(names))
	accounts := make([]identity.Seeded, len(names))
	for i, name := range names {
		people[i] = Person{ID: social.UserID("us-east-1:" + uuid.NewString()), Name: name}
		accounts[i] = identity.Seeded{UserID: people[i].ID, Email: name + "@example.com"}
	}
	tokens, err := SignUp(ctx, c.db, accounts)
	if err != nil {
		return nil, err
	}
	for i, token := range tokens {
		people[i].Token = token
	}
	return people, nil
}

// SignUp stores accounts and returns a token for each.
func SignUp(ctx context.Context, db *keyspec.DB, accounts []identity.Seeded) ([]string, error) {
	h, err := host.New(ctx, host.Config{
		DB: db, Holder: "bench", Now: time.Now, NewID: uuid.NewString, Random: rand.Reader,
		Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
		Issuer: host.IssuerConfig{Mode: identity.Dev, Region: "us-east-1", PublicURL: "http://127.0.0.1", Cost: identity.DefaultCost},
	}, app.System(app.Options{}))
	if err != nil {
		return nil, err
	}
	if err := h.Issuer.Seed(ctx, "correct horse", accounts); err != nil {
		return nil, err
	}
	tokens := make([]string, len(accounts))
	for i, a := range accounts {
		_, t, err := h.Issuer.Mint(ctx, string(a.UserID))
		if err != nil {
			return nil, err
		}
		tokens[i] = t.AccessToken
	}
	return tokens, nil
}
