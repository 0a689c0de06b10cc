package host

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"stoa/internal/desk"
	"stoa/internal/identity"
	"stoa/internal/job"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/viewer"
	"stoa/internal/operator"
	"stoa/internal/ops"
	"stoa/internal/outbox"
)

// pseudonym returns what stands for a person: nobody without the key can tell who that is.
func (h *Host) pseudonym(id viewer.UserID) string {
	return ops.PseudonymPrefix + h.Hashed(string(id))[:32]
}

// Hashed returns a keyed hash of a text in hex.
func (h *Host) Hashed(text string) string {
	mac := hmac.New(sha256.New, h.secret)
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// openPeople registers what follows from decisions about people.
func (h *Host) openPeople() {
	outbox.On(h.Outbox, h.personSuspended)
	outbox.On(h.Outbox, h.personReinstated)
	outbox.On(h.Outbox, h.signedOut)
	outbox.On(h.Outbox, h.personErased)
	outbox.FanOut(h.Outbox, "desk", h.deskErased)
	outbox.FanOut(h.Outbox, "deskTraces", h.deskTraces)
	for _, j := range h.Joined {
		if s, ok := j.People.(operator.Suspender); ok {
			outbox.On(h.Outbox, func(ctx context.Context, e desk.PersonSuspended, _ outbox.Tell) error {
				// Delivered late, there may be another suspension, or none.
				held, err := h.Ops.Operators.Suspension(ctx, e.UserID)
				if err != nil || !held.Holds() {
					return err
				}
				if err := s.Suspended(ctx, held); err != nil {
					return err
				}
				// If it has ended meanwhile, its end found nothing to take back.
				ended, err := h.Ops.Operators.Suspension(ctx, e.UserID)
				if err != nil || ended.Holds() {
					return err
				}
				return s.Reinstated(ctx, desk.PersonReinstated{UserID: e.UserID, At: h.Now(), Former: held.Former})
			})
			outbox.On(h.Outbox, func(ctx context.Context, e desk.PersonReinstated, _ outbox.Tell) error {
				held, err := h.Ops.Operators.Suspension(ctx, e.UserID)
				if err != nil || held.Holds() {
					return err
				}
				return s.Reinstated(ctx, e)
			})
		}
		if e, ok := j.People.(operator.Eraser); ok {
			outbox.On(h.Outbox, func(ctx context.Context, of desk.PersonErased, _ outbox.Tell) error { return e.Erase(ctx, of.UserID) })
		}
		if s, ok := j.People.(operator.SignerOut); ok {
			outbox.On(h.Outbox, func(ctx context.Context, e desk.SignedOut, _ outbox.Tell) error {
				least, err := leastValid(ctx, e, j.Name, s.TokenVersion)
				if err != nil {
					return err
				}
				return s.SignOut(ctx, e.UserID, least)
			})
		}
	}
	h.Jobs.Jobs = append(h.Jobs.Jobs,
		job.Job{Name: Reinstate, Every: reinstateEvery, Run: h.reinstate},
		job.Job{Name: ForgetSuspensions, Every: 24 * time.Hour, Run: h.forgetSuspensions})
}

// identities are the accounts of a host for those who run it.
type identities struct{ host *Host }

// Kept reports whether the service keeps accounts, or a system its own.
func (i identities) Kept() bool {
	return i.host.Issuer != nil || slices.ContainsFunc(i.host.Joined, func(j Joined) bool { _, ok := j.People.(operator.SignerOut); return ok })
}

// Contacts returns the contacts of an account, also unverified ones.
func (i identities) Contacts(ctx context.Context, id viewer.UserID) (operator.Contacts, bool, error) {
	if i.host.Issuer == nil {
		email, phone, found, err := i.host.Accounts.Account(ctx, id)
		return operator.Contacts{Email: email, Phone: phone, EmailVerified: email != "", PhoneVerified: phone != ""}, found, err
	}
	k, found, err := i.host.Issuer.Known(ctx, id)
	return operator.Contacts{Email: k.Email, Phone: k.Phone, EmailVerified: k.EmailVerified, PhoneVerified: k.PhoneVerified}, found, err
}

// TokenVersions returns the lowest valid versions of a person's tokens by system; "" is the
// service.
func (i identities) TokenVersions(ctx context.Context, id viewer.UserID) (map[string]int, error) {
	least := map[string]int{}
	if i.host.Issuer != nil {
		version, err := i.tokenVersion(ctx, id)
		if err != nil {
			return nil, err
		}
		least[""] = version
	}
	for _, j := range i.host.Joined {
		s, ok := j.People.(operator.SignerOut)
		if !ok {
			continue
		}
		version, err := s.TokenVersion(ctx, id)
		if err != nil {
			return nil, err
		}
		least[j.Name] = version
	}
	return least, nil
}

// tokenVersion returns the lowest valid version of an account's tokens of the service, which
// must keep accounts.
func (i identities) tokenVersion(ctx context.Context, id viewer.UserID) (int, error) {
	k, _, err := i.host.Issuer.Known(ctx, id)
	return k.TokenVersion, err
}

// leastValid returns the lowest version of tokens of a system that a sign-out leaves valid: one
// more than the version now, if the event is of an earlier version of the program.
func leastValid(ctx context.Context, e desk.SignedOut, system string, now func(context.Context, viewer.UserID) (int, error)) (int, error) {
	if least, known := e.Least[system]; known {
		return least, nil
	}
	version, err := now(ctx, e.UserID)
	return version + 1, err
}

// maxSessions is the number of sessions that are shown of a person.
const maxSessions = 100

// Sessions returns the latest sessions of a person that have not ended, latest first.
func (i identities) Sessions(ctx context.Context, id viewer.UserID) ([]*operator.Session, error) {
	if i.host.Issuer == nil {
		return []*operator.Session{}, nil
	}
	least, err := i.tokenVersion(ctx, id)
	if err != nil {
		return nil, err
	}
	families, err := i.host.Ops.Identities.Sessions(ctx, id, least, maxSessions)
	return slice.Map(families, func(f identity.TokenFamily) *operator.Session {
		return &operator.Session{
			ID: f.FamilyID, StartedAt: f.StartedAt, LastUsedAt: f.LastUsedAt, Client: optional.IfSet(f.Client), Address: optional.IfSet(f.Address),
		}
	}), err
}

// Holder returns the account with a verified contact.
func (i identities) Holder(ctx context.Context, contact string) (id viewer.UserID, found bool, err error) {
	if strings.Contains(contact, "@") {
		return i.host.Holders.EmailHolder(ctx, strings.ToLower(contact))
	}
	return i.host.Holders.PhoneHolder(ctx, contact)
}
