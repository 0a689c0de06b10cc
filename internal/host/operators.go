package host

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"stoa/internal/kit/viewer"
	"stoa/internal/operator"
)

// Roster is the people to whom settings give a role: user ids and e-mail addresses.
type Roster struct{ Operators, Moderators []string }

// Named returns the people to whom settings give a role at the moment.
func (h *Host) Named() Roster {
	if n := h.named.Load(); n != nil {
		return *n
	}
	return Roster{h.Operators, h.Moderators}
}

// SetRoles replaces the operators and moderators of the Config, from the next request on.
func (h *Host) SetRoles(operators, moderators []string) {
	h.named.Store(&Roster{operators, moderators})
}

// IsOperator reports whether the user operates the service, by user id or by verified
// e-mail address, ignoring case.
func (h *Host) IsOperator(ctx context.Context, id viewer.UserID) (bool, error) {
	return h.IsAmong(ctx, h.Named().Operators, id)
}

// IsModerator reports whether the user moderates the service, as every operator does, and
// everybody to whom an operator has given that role. Verified addresses of the user that the
// caller knows count as well as that of the account, which an external identity provider
// tells only with the user's own tokens.
func (h *Host) IsModerator(ctx context.Context, id viewer.UserID, addresses ...string) (bool, error) {
	all := h.Named()
	is, err := h.IsAmong(ctx, slices.Concat(all.Operators, all.Moderators), id, addresses...)
	if is || err != nil || id == "" {
		return is, err
	}
	return h.granted.has(ctx, h, id)
}

// RoleOf returns the role of a user, or "" for none.
func (h *Host) RoleOf(ctx context.Context, id viewer.UserID) (operator.Role, error) {
	named := h.Named()
	staff, addresses, err := h.staff(ctx, named, id)
	if err != nil {
		return "", err
	}
	switch {
	case listed(named.Operators, id, addresses):
		return operator.Operator, nil
	case listed(staff, id, addresses):
		return operator.Moderator, nil
	case id == "":
		return "", nil
	}
	if granted, err := h.granted.has(ctx, h, id); !granted || err != nil {
		return "", err
	}
	return operator.Moderator, nil
}

// staff returns everybody to whom settings give a role, and the addresses of a user, which are
// read if any are listed.
func (h *Host) staff(ctx context.Context, named Roster, of viewer.UserID) (staff, addresses []string, err error) {
	staff = slices.Concat(named.Operators, named.Moderators)
	if of == "" || !listsAddresses(staff) {
		return staff, nil, nil
	}
	email, _, _, err := h.Accounts.Account(ctx, of)
	return staff, []string{email}, err
}

// Others reports whether anybody other than a user has a role and can use it, being neither
// suspended nor without an account.
func (h *Host) Others(ctx context.Context, than viewer.UserID) (bool, error) {
	staff, addresses, err := h.staff(ctx, h.Named(), than)
	if err != nil {
		return false, err
	}
	granted, err := h.Ops.Operators.Grants(ctx)
	if err != nil {
		return false, err
	}
	for _, g := range granted {
		staff = append(staff, string(g.UserID))
	}
	for _, one := range staff {
		if listed([]string{one}, than, addresses) {
			continue
		}
		if able, err := h.isAble(ctx, one); able || err != nil {
			return able, err
		}
	}
	return false, nil
}

// isAble reports whether somebody whom a role was given by user id or e-mail address can sign in.
// External identity providers cannot be asked who has an account.
func (h *Host) isAble(ctx context.Context, one string) (bool, error) {
	id := viewer.UserID(one)
	if strings.Contains(one, "@") {
		holder, found, err := h.Holders.EmailHolder(ctx, strings.ToLower(one))
		if !found || err != nil {
			return err == nil && h.Issuer == nil, err
		}
		id = holder
	}
	if h.Issuer != nil {
		if _, _, found, err := h.Accounts.Account(ctx, id); !found || err != nil {
			return false, err
		}
	}
	held, err := h.Ops.Operators.Suspension(ctx, id)
	return err == nil && !held.Holds(), err
}

// Forget drops the cached roles, so that the next lookup reads them.
func (h *Host) Forget() { h.granted.forget() }

// IsAmong reports whether a list has the user's id, or a verified e-mail address of theirs:
// one of the given ones or that of the account, ignoring case. The account is read only for
// lists that have addresses.
func (h *Host) IsAmong(ctx context.Context, list []string, id viewer.UserID, addresses ...string) (bool, error) {
	if listed(list, id, addresses) {
		return true, nil
	}
	if id == "" || !listsAddresses(list) {
		return false, nil
	}
	email, _, _, err := h.Accounts.Account(ctx, id)
	return err == nil && listed(list, id, []string{email}), err
}

// listed reports whether a list has a user's id or one of their addresses.
func listed(list []string, id viewer.UserID, addresses []string) bool {
	return id != "" && slices.ContainsFunc(list, func(o string) bool {
		return o == string(id) || slices.ContainsFunc(addresses, func(a string) bool { return a != "" && strings.EqualFold(o, a) })
	})
}

func listsAddresses(list []string) bool {
	return slices.ContainsFunc(list, func(o string) bool { return strings.Contains(o, "@") })
}

// grantsMaxAge is how long a grant that another process has taken back may still count.
// Together with the recheck of sockets, it stays below the two seconds that are promised.
const grantsMaxAge = 500 * time.Millisecond

// grants are the roles given at run time. They are few and asked for often, so they are read
// together and remembered for a moment.
type grants struct {
	mu     sync.Mutex
	known  bool
	readAt time.Time
	held   map[viewer.UserID]bool
}

func (g *grants) has(ctx context.Context, h *Host, id viewer.UserID) (bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := h.Now()
	if age := now.Sub(g.readAt); !g.known || age >= grantsMaxAge || age < 0 {
		all, err := h.Ops.Operators.Grants(ctx)
		if err != nil {
			return false, err
		}
		g.known, g.readAt, g.held = true, now, map[viewer.UserID]bool{}
		for _, grant := range all {
			g.held[grant.UserID] = true
		}
	}
	return g.held[id], nil
}

func (g *grants) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known = false
}
