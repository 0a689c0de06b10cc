package operator

import (
	"context"

	"stoa/internal/desk"
	"stoa/internal/kit/viewer"
)

// Nouns that are on record, which systems carry to their stores.
type (
	// UserID is the id of an identity.
	UserID    = viewer.UserID
	Role      = desk.Role
	Grant     = desk.Grant
	AuditLine = desk.AuditLine
	Case      = desk.Case
)

// Roles, of which an operator has both.
const (
	Moderator = desk.Moderator
	Operator  = desk.Operator
)

// Roles knows who has which role.
type Roles interface {
	// RoleOf returns the role of a user, or "" for none.
	RoleOf(ctx context.Context, id UserID) (Role, error)
	// Others reports whether somebody else than a user has a role.
	Others(ctx context.Context, than UserID) (bool, error)
	// Forget makes the next call of RoleOf read what has been granted by then.
	Forget()
}

// Actor is somebody with a role who makes a request.
type Actor struct {
	UserID UserID
	Role   Role
	// command is set for a user of the machine.
	command bool
	// Address and RequestID are those of the request.
	Address, RequestID string
}

// checkOperator refuses moderators.
func (a Actor) checkOperator() error {
	if a.Role != Operator {
		return ErrNotOperator
	}
	return nil
}
