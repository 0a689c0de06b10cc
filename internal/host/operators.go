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

// IsAmong reports whether a list has the user's id, or their verified e-mail address,
// ignoring case.
func (h *Host) IsAmong(ctx context.Context, list []string, id viewer.UserID) (bool, error) {
	if len(list) == 0 || slices.Contains(list, string(id)) {
		return len(list) > 0, nil
	}
	email, _, _, err := h.Accounts.Account(ctx, id)
	if err != nil || email == "" {
		return false, err
	}
	return slices.ContainsFunc(list, func(o string) bool { return strings.EqualFold(o, email) }), nil
}
