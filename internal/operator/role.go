package operator

import (
	"context"
	"time"

	"stoa/internal/kit/viewer"
)

// UserID is the id of an identity.
type UserID = viewer.UserID

// Role is what somebody may do beyond others. Its values are stored.
type Role string

// Roles, of which an operator has both.
const (
	// Moderator decides about what people report.
	Moderator Role = "MODERATOR"
	// Operator runs the service.
	Operator Role = "OPERATOR"
)

// Grant is a role that an operator has given at run time.
type Grant struct {
	UserID    UserID    `dynamo:"userId,keyonly"`
	Role      Role      `dynamo:"role"`
	GrantedBy UserID    `dynamo:"grantedBy"`
	GrantedAt time.Time `dynamo:"grantedAt"`
}

// Roles knows who has which role.
type Roles interface {
	// RoleOf returns the role of a user, or "" for none.
	RoleOf(ctx context.Context, id UserID) (Role, error)
	// Forget makes the next call of RoleOf read what has been granted by then.
	Forget()
}

// Actor is somebody with a role who makes a request.
type Actor struct {
	UserID UserID
	Role   Role
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
