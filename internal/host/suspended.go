package host

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
)

// Suspended people are few and looked up with every request, so that every process knows them
// all: it reads them when it starts, and what has changed every few seconds, or as soon as the
// bus tells.
type suspended struct {
	host *Host

	mu  sync.RWMutex
	ids map[viewer.UserID]bool
	// seen is the time of the latest change that was read.
	seen time.Time
}

const (
	// readSuspensions is the interval at which changes are read.
	readSuspensions = 3 * time.Second
	// suspensionLag is how much later than the clock of this process says a change may
	// become readable: clocks differ, and indexes lag.
	suspensionLag = time.Minute
	// keepEnded is how long a suspension that has ended is kept, for processes that were cut
	// off.
	keepEnded = 24 * time.Hour
)

// has reports whether a user is suspended, as far as this process knows.
func (s *suspended) has(id viewer.UserID) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.ids[id]
}

// set records a state, and reports whether it is new.
func (s *suspended) set(id viewer.UserID, is bool) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids[id] == is {
		return false
	}
	if is {
		s.ids[id] = true
	} else {
		delete(s.ids, id)
	}
	return true
}

// read reads what has changed since the last call, and reports whether anything has.
func (s *suspended) read(ctx context.Context) (changed bool, err error) {
	s.mu.RLock()
	since := s.seen
	s.mu.RUnlock()
	latest := since
	if !since.IsZero() {
		since = since.Add(-suspensionLag)
	}
	for c, err := range page.All(page.Of(ctx, s.host.Ops.Operators.ChangedSuspensions, since)) {
		if err != nil {
			return changed, err
		}
		changed = s.set(c.UserID, c.Holds()) || changed
		if c.ChangedAt.After(latest) {
			latest = c.ChangedAt
		}
	}
	s.mu.Lock()
	s.seen = latest
	s.mu.Unlock()
	return changed, nil
}

// watch keeps the set current until ctx ends.
func (s *suspended) watch(ctx context.Context) {
	tick := time.NewTicker(readSuspensions)
	defer tick.Stop()
	for ctx.Err() == nil {
		s.listen(ctx, tick.C)
	}
}

// listen does what the bus and the clock tell, until ctx or the subscription ends.
func (s *suspended) listen(ctx context.Context, tick <-chan time.Time) {
	told, err := s.host.Bus.Subscribe(ctx, desk.TokensChanged)
	if err != nil {
		s.warn(ctx, err)
		told = nil // until the next tick
	}
	for {
		select {
		case <-ctx.Done():
			return
		case m, open := <-told:
			if !open {
				told = nil // until the next tick
				continue
			}
			var of struct{ Data desk.TokensEnded }
			if json.Unmarshal(m.Data, &of) == nil {
				s.ended(ctx, of.Data.UserID)
			}
		case <-tick:
			changed, err := s.read(ctx)
			if err != nil {
				s.warn(ctx, err)
			}
			if changed {
				s.host.recheck()
			}
			if told == nil {
				return
			}
		}
	}
}

func (s *suspended) warn(ctx context.Context, err error) {
	if ctx.Err() == nil {
		s.host.Log.WarnContext(ctx, "reading who is suspended failed", slog.Any("error", err))
	}
}

// ended makes this process look at somebody's tokens again, whatever it has remembered.
func (s *suspended) ended(ctx context.Context, id viewer.UserID) {
	stored, err := s.host.Ops.Operators.Suspension(ctx, id)
	if err != nil {
		s.warn(ctx, err)
	} else {
		s.set(id, stored.Holds())
	}
	for _, forget := range s.host.forget {
		forget(id)
	}
	s.host.recheck()
}

// recheck makes the server look at the credentials of open sockets now.
func (h *Host) recheck() {
	if h.Desk != nil && h.Desk.Recheck != nil {
		h.Desk.Recheck()
	}
}

// errSuspended refuses tokens of suspended people like those that have been revoked: clients
// then sign in again, and are told why they cannot.
var errSuspended = &refusal.Error{Kind: refusal.Forbidden, Text: "You are not authorized to make this call."}

// suspendedError says whose good token was refused, for what suspended people may do.
type suspendedError struct{ id viewer.UserID }

func (suspendedError) Error() string { return errSuspended.Text }

// Unwrap returns the refusal.
func (suspendedError) Unwrap() error { return errSuspended }

// Suspended returns the person.
func (e suspendedError) Suspended() viewer.UserID { return e.id }

// guard refuses tokens of suspended people.
type guard struct {
	Authenticator
	suspended *suspended
}

// Guard returns an authenticator that also refuses suspended people.
func (h *Host) Guard(a Authenticator) Authenticator { return guard{a, h.suspended} }

// Authenticate returns the caller.
func (g guard) Authenticate(ctx context.Context, authorization string) (viewer.UserID, error) {
	id, err := g.Authenticator.Authenticate(ctx, authorization)
	return g.admit(id, err)
}

// identifier is an Authenticator that knows which callers are anonymous; see server.Identifier.
type identifier interface {
	Identify(ctx context.Context, authorization string) (id viewer.UserID, anonymous bool, err error)
}

// Identify does what Authenticate does, and reports whether the caller is anonymous, as far as
// that is known.
func (g guard) Identify(ctx context.Context, authorization string) (id viewer.UserID, anonymous bool, err error) {
	if i, ok := g.Authenticator.(identifier); ok {
		id, anonymous, err = i.Identify(ctx, authorization)
	} else {
		id, err = g.Authenticator.Authenticate(ctx, authorization)
	}
	id, err = g.admit(id, err)
	return id, anonymous, err
}

func (g guard) admit(id viewer.UserID, err error) (viewer.UserID, error) {
	if err == nil && id != "" && g.suspended.has(id) {
		return "", suspendedError{id}
	}
	return id, err
}

// MaySignIn refuses suspended people, with the reason.
func (h *Host) MaySignIn(ctx context.Context, id viewer.UserID) error {
	s, err := h.Ops.Operators.Suspension(ctx, id)
	if err == nil && s.Holds() {
		return s.Refusal()
	}
	return err
}

// personSuspended makes all processes refuse the tokens of somebody, or accept them again.
func (h *Host) personSuspended(ctx context.Context, e desk.PersonSuspended, tell outbox.Tell) error {
	return h.tokensEnded(ctx, e.UserID, tell)
}

func (h *Host) personReinstated(ctx context.Context, e desk.PersonReinstated, tell outbox.Tell) error {
	return h.tokensEnded(ctx, e.UserID, tell)
}

func (h *Host) tokensEnded(ctx context.Context, id viewer.UserID, tell outbox.Tell) error {
	h.suspended.ended(ctx, id)
	tell(desk.TokensEnded{UserID: id})
	return nil
}

// signedOut revokes all tokens of an account of the service.
func (h *Host) signedOut(ctx context.Context, e desk.SignedOut, tell outbox.Tell) error {
	if h.Issuer != nil {
		least, err := leastValid(ctx, e, "", identities{h}.tokenVersion)
		if err != nil {
			return err
		}
		if err := h.Issuer.SignOutEverywhere(ctx, e.UserID, least); err != nil {
			return err
		}
	}
	return h.tokensEnded(ctx, e.UserID, tell)
}

// Reinstate is the name of the job that ends suspensions when their time has come.
const Reinstate = "operator.reinstate"

// reinstateEvery is the interval of the job: nobody waits longer than a minute.
const reinstateEvery = 20 * time.Second

// reinstate ends the suspensions that are over.
func (h *Host) reinstate(ctx context.Context, now time.Time) error {
	return page.Each(ctx, page.Of(ctx, h.Ops.Operators.DueSuspensions, now), func(s *desk.Suspension) error { return h.Desk.Service.SuspensionOver(ctx, s) })
}

// ForgetSuspensions is the name of the job that removes the records of ended suspensions,
// and exports that nobody downloaded.
const ForgetSuspensions = "operator.forget-suspensions"

func (h *Host) forgetSuspensions(ctx context.Context, now time.Time) error {
	if err := h.Ops.Operators.ForgetExports(ctx, now); err != nil {
		return err
	}
	for s, err := range page.All(page.Of(ctx, h.Ops.Operators.ChangedSuspensions, time.Time{})) {
		switch {
		case err != nil:
			return err
		case s.ChangedAt.After(now.Add(-keepEnded)):
			return nil
		case s.Ended:
			if err := refusal.IgnoreConflict(h.Ops.Operators.ForgetSuspension(ctx, s)); err != nil {
				return err
			}
		}
	}
	return nil
}
