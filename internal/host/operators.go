package host

import (
	"context"
	"slices"
	"strings"

	"stoa/internal/kit/viewer"
)

// IsOperator reports whether the user operates the service, by user id or by verified
// e-mail address, ignoring case.
func (h *Host) IsOperator(ctx context.Context, id viewer.UserID) (bool, error) {
	return h.IsAmong(ctx, h.Operators, id)
}

// IsModerator reports whether the user moderates the service, as every operator does.
// Verified addresses of the user that the caller knows count as well as that of the account,
// which an external identity provider tells only with the user's own tokens.
func (h *Host) IsModerator(ctx context.Context, id viewer.UserID, addresses ...string) (bool, error) {
	return h.IsAmong(ctx, slices.Concat(h.Operators, h.Moderators), id, addresses...)
}

// IsAmong reports whether a list has the user's id, or a verified e-mail address of theirs:
// one of the given ones or that of the account, ignoring case. The account is read only for
// lists that have addresses.
func (h *Host) IsAmong(ctx context.Context, list []string, id viewer.UserID, addresses ...string) (bool, error) {
	has := func(address string) bool {
		return address != "" && slices.ContainsFunc(list, func(o string) bool { return strings.EqualFold(o, address) })
	}
	if id == "" || len(list) == 0 {
		return false, nil
	}
	if slices.Contains(list, string(id)) || slices.ContainsFunc(addresses, has) {
		return true, nil
	}
	if !slices.ContainsFunc(list, func(o string) bool { return strings.Contains(o, "@") }) {
		return false, nil
	}
	email, _, _, err := h.Accounts.Account(ctx, id)
	return err == nil && has(email), err
}
