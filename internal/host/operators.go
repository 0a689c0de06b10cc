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
	if len(h.Operators) == 0 || slices.Contains(h.Operators, string(id)) {
		return len(h.Operators) > 0, nil
	}
	email, _, _, err := h.Accounts.Account(ctx, id)
	if err != nil || email == "" {
		return false, err
	}
	return slices.ContainsFunc(h.Operators, func(o string) bool { return strings.EqualFold(o, email) }), nil
}
