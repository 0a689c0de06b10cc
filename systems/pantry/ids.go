package pantry

import "stoa/internal/kit/viewer"

// UserID names an identity, with or without a user record.
type UserID = viewer.UserID

// GroupID, ContainerID and FoodID are version 4 UUIDs in lower case.
type (
	GroupID     string
	ContainerID string
	FoodID      string
)
