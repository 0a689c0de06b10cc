package host

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/outbox"
)

// personErased removes the account of an erased person.
func (h *Host) personErased(ctx context.Context, e desk.PersonErased, tell outbox.Tell) error {
	if h.Issuer != nil {
		if err := h.Issuer.DeleteAndEnd(ctx, e.UserID); err != nil {
			return err
		}
	}
	if err := h.Ops.Identities.Erase(ctx, e.UserID); err != nil {
		return err
	}
	return h.tokensEnded(ctx, e.UserID, tell)
}

// deskErased removes what those who run the service have about an erased person.
func (h *Host) deskErased(ctx context.Context, e desk.PersonErased, _ string, _ outbox.Tell) (next string, rows int, err error) {
	for _, j := range h.Joined {
		if err := h.Ops.Keys.Erase(ctx, j.Name, e.UserID, h.Now()); err != nil {
			return "", 0, err
		}
	}
	return "", 1, decision.Do(ctx, h.Frame, func(a *decision.Attempt) error {
		return h.Ops.Operators.Erase(ctx, e.UserID, e.At, func(step desk.CaseStep) []outbox.Record { return decision.Announce(a, step) })
	})
}

// deskTraces removes an erased person from what they have done in a role, and from what
// pseudonyms mean.
func (h *Host) deskTraces(ctx context.Context, e desk.PersonErased, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return h.Ops.Operators.EraseTraces(ctx, e.UserID, h.pseudonym(e.UserID), cursor)
}
