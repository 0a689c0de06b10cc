package pantry

import "stoa/internal/kit/refusal"

// Errors returned to clients, by code and reason. The reasons are part of the contract.
var (
	ErrUnauthenticated = refusal.New(refusal.Unauthenticated, "", "Sign in first")
	ErrNotRegistered   = refusal.New(refusal.Precondition, "NOT_REGISTERED", "There is no user yet: call createUser first")
	ErrNotOperator     = refusal.New(refusal.Forbidden, "NOT_OPERATOR", "Only operators of the service may do this")
	ErrNotMember       = refusal.New(refusal.Forbidden, "", "Only members of the group may do this")

	ErrNoGroup     = refusal.New(refusal.NotFound, "GROUP_UNKNOWN", "There is no such group")
	ErrNoContainer = refusal.New(refusal.NotFound, "CONTAINER_UNKNOWN", "There is no such container")
	ErrNoFood      = refusal.New(refusal.NotFound, "FOOD_UNKNOWN", "There is no such food in the container")
	ErrNotAMember  = refusal.New(refusal.NotFound, "NOT_A_MEMBER", "That user is not in the group")
	ErrLastMember  = refusal.New(refusal.Precondition, "LAST_MEMBER", "A group has at least one member: delete the group instead")

	ErrRegistered = refusal.New(refusal.Taken, "ALREADY_REGISTERED", "There is a user of this identity already")
	ErrEmailTaken = refusal.New(refusal.Taken, "EMAIL_TAKEN", "Another user has this e-mail address")
	ErrNoEmail    = refusal.New(refusal.Precondition, "EMAIL_REQUIRED", "The identity has no verified e-mail address")

	ErrContainerFull     = refusal.New(refusal.LimitExceeded, "CONTAINER_FULL", "A container holds at most %d foods", MaxFoods)
	ErrTooManyContainers = refusal.New(refusal.LimitExceeded, "TOO_MANY_CONTAINERS", "A group has at most %d containers", MaxContainers)
	ErrTooManyGroups     = refusal.New(refusal.LimitExceeded, "TOO_MANY_GROUPS", "A user is in at most %d groups", MaxGroups)
	ErrGroupFull         = refusal.New(refusal.LimitExceeded, "GROUP_FULL", "A group has at most %d members", MaxMembers)

	ErrQuantityNotSet  = refusal.New(refusal.Precondition, "QUANTITY_NOT_SET", "The food has no quantity to take from")
	ErrQuantityTooLow  = refusal.New(refusal.Precondition, "QUANTITY_TOO_LOW", "There is less of the food than that")
	ErrQuantityTooHigh = refusal.New(refusal.LimitExceeded, "QUANTITY_TOO_HIGH", "A quantity is at most %s", maxQuantity)

	ErrLinkUnknown = refusal.New(refusal.NotFound, "LINK_UNKNOWN", "There is no such join link")
	ErrLinkExpired = refusal.New(refusal.Precondition, "LINK_EXPIRED", "The join link has expired: ask for a new one")

	ErrUnknownCategory = badInput("UNKNOWN_CATEGORY", "The category is not one of the list")
)

func badInput(reason, format string, args ...any) error {
	return refusal.New(refusal.BadInput, reason, format, args...)
}
