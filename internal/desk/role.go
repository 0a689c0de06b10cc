package desk

import (
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
