// Package host runs the systems of a service: it gives them tables, identity, the outbox,
// the bus and jobs, and collects what each of them serves.
//
// A Host works on existing tables. It polls for events and runs jobs only while Run runs,
// or when its Outbox is drained.
package host

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"stoa/internal/decision"
	"stoa/internal/identity"
	"stoa/internal/job"
	"stoa/internal/kit/bus"
	"stoa/internal/kit/lease"
	"stoa/internal/kit/viewer"
	"stoa/internal/media/blob"
	"stoa/internal/operator"
	"stoa/internal/ops"
	"stoa/internal/outbox"
)

const (
	// leaseFor is how long the jobs of a dead process wait for another process.
	leaseFor = 20 * time.Second
	// poll is how often a process looks for events that nobody delivers and for jobs that are
	// due.
	poll = time.Second
	// ForgetKeys is the job that removes old idempotency keys.
	ForgetKeys = "idempotency.forget-keys"
	// wait is how long mutations wait for their effects.
	wait = 250 * time.Millisecond
)

// Host runs systems. Do not change its fields.
type Host struct {
	Config
	Ops *ops.Store
	// Frame is what decisions share. Systems pass it to their areas.
	Frame decision.Frame
	// Outbox is where receivers are registered.
	Outbox *outbox.Dispatcher
	// Authenticator identifies the caller from an Authorization header.
	Authenticator Authenticator
	// Accounts looks up the accounts that people sign in with.
	Accounts Accounts
	// Holders finds the accounts that have verified a contact.
	Holders Holders
	// Issuer is nil with an external identity provider.
	Issuer *identity.Issuer
	// counted are the attempts to sign in to accounts of systems.
	counted []*identity.Attempts
	// named is the roster that SetRoles has set since, nil if it has not been called.
	named atomic.Pointer[Roster]
	// house are the rules that SetHouseRules has set since, nil if it has not been called.
	house atomic.Pointer[operator.HouseRules]
	// keys sign all tokens of the service.
	keys *identity.Keyring
	Jobs *job.Runner
	// Media stores and processes the files of systems.
	Media *Media
	// Joined has the systems with what they serve.
	Joined []Joined
	// side has the handlers of the side API.
	side map[string]http.Handler
	// mailer sends messages to people; nil with an external identity provider.
	mailer identity.Mailer
	// Desk is the API of operators and moderators.
	Desk *Desk
	// hooks tells webhooks what happens.
	hooks *hooks
	// post sends mail; nil in identities without a mailer.
	post *post
	// systems are those that were joined.
	systems []System
	// granted are the roles given at run time.
	granted grants
	// suspended are the people whose tokens are refused.
	suspended *suspended
	// secret is the key of pseudonyms.
	secret []byte
	// forget make authenticators look at the next token of a user again.
	forget []func(viewer.UserID)
}

// Joined is a system on a host.
type Joined struct {
	Name, Path string
	Face
}

// New returns a Host with the systems joined to it. It creates the signing keys unless the
// store has some.
func New(ctx context.Context, c Config, systems ...System) (*Host, error) {
	if c.Bus == nil {
		c.Bus = &bus.Local{}
	}
	if c.Media == nil {
		c.Media = blob.NewMemory()
	}
	h := &Host{Config: c, Ops: ops.Open(c.DB), systems: systems}
	if err := checkFormat(ctx, h.Ops.Formats, formatRead); err != nil {
		return nil, err
	}
	var err error
	if h.secret, err = identity.PseudonymKey(ctx, h.Ops.Identities, c.Random, c.Now()); err != nil {
		return nil, err
	}
	h.suspended = &suspended{host: h, ids: map[viewer.UserID]bool{}}
	if _, err := h.suspended.read(ctx); err != nil {
		return nil, err
	}
	leases := &lease.Client{Store: h.Ops.Leases, Holder: c.Holder, For: leaseFor, Now: c.Now}
	metrics := newOutboxMetrics(c.Registry)
	h.Outbox = outbox.New(outbox.Config{
		Store:   h.Ops.Outbox,
		Holder:  c.Holder,
		Version: c.Version,
		Bus:     c.Bus,
		Now:     c.Now,
		Log:     c.Log,
		Metrics: metrics,
		Tracer:  c.Tracer,
		Poll:    poll,
		Wait:    cmp.Or(c.Wait, wait),
	})
	metrics.watch(c.Registry, h.Outbox, &deadLetters{list: h.Ops.Outbox.DeadLetters, now: c.Now})
	h.Frame = decision.Frame{Clock: c.Now, NewID: c.NewID, Events: h.Outbox}
	h.Jobs = &job.Runner{Store: h.Ops.Jobs, Leases: leases, Now: c.Now, Log: c.Log, Poll: poll}
	h.Jobs.Jobs = append(h.Jobs.Jobs, job.Job{Name: ForgetKeys, Every: 24 * time.Hour, Run: h.Ops.Keys.Tidy})
	h.hooks = newHooks(h, c, leases)
	if h.Media, err = h.openMedia(ctx); err != nil {
		return nil, err
	}
	names := &usernames{}
	if err := h.identify(ctx, names); err != nil {
		return nil, err
	}
	for _, s := range systems {
		face, err := s.Join(ctx, h)
		if err != nil {
			return nil, err
		}
		if face.Authenticator != nil {
			face.Authenticator = h.Guard(face.Authenticator)
		}
		h.Joined = append(h.Joined, Joined{Name: s.Name, Path: s.Endpoint(), Face: face})
		h.Jobs.Jobs = slices.Concat(h.Jobs.Jobs, face.Jobs)
		if face.Usernames != nil {
			names.Usernames = face.Usernames
		}
	}
	h.openDesk()
	return h, nil
}

// Face returns what the system serves.
func (h *Host) Face(system string) Face {
	for _, j := range h.Joined {
		if j.Name == system {
			return j.Face
		}
	}
	panic("host: no system " + system)
}

// Run delivers events and runs jobs until ctx ends.
func (h *Host) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { h.Outbox.Run(ctx) })
	all.Go(func() { h.Jobs.Run(ctx) })
	all.Go(func() { h.Desk.watch(ctx) })
	all.Go(func() { h.suspended.watch(ctx) })
	all.Wait()
}

// Mounts returns the handlers of identity and of all systems, by http.ServeMux pattern.
// With an external identity provider, those of accounts are missing.
func (h *Host) Mounts() map[string]http.Handler {
	mounts := map[string]http.Handler{}
	if h.Issuer != nil {
		handler := h.Issuer.Handler()
		mounts["/auth/"], mounts["/.well-known/"] = handler, handler
	}
	maps.Copy(mounts, h.side)
	for _, j := range h.Joined {
		maps.Copy(mounts, j.Mounts)
	}
	maps.Copy(mounts, h.exportMounts())
	mounts["GET /rules"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.rules().ServeHTTP(w, r) })
	return mounts
}

// Ready returns an error if the store cannot be read or written, or if the bus is not
// connected.
func (h *Host) Ready(ctx context.Context) error {
	if b, ok := h.Bus.(interface{ Ready(context.Context) error }); ok {
		if err := b.Ready(ctx); err != nil {
			return err
		}
	}
	if _, err := h.Ops.Leases.Load(ctx, "ready"); err != nil {
		return err
	}
	return h.DB.Health()
}

// End waits for what requests have left to do. Call it after Run and the last request, and
// before the store is closed.
func (h *Host) End() {
	h.Desk.close()
	if h.Issuer != nil {
		h.Issuer.Wait()
	}
	if h.post != nil {
		h.post.begun.Wait()
	}
	h.hooks.begun.Wait()
	h.Outbox.End()
}
