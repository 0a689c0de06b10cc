package store

import (
	"time"

	"stoa/internal/kit/keyspec"
)

// Indexes of the table. Each contains one kind of item, with all its attributes.
var (
	UserAndGroupRelation = &keyspec.Index{Name: "UserAndGroupRelation", PK: "GroupID", SK: "UserID"}
	JoinLink             = &keyspec.Index{Name: "JoinLink", PK: "GroupID", SK: "LinkExpiredDatetime"}
	ExpiredJoinLink      = &keyspec.Index{Name: "ExpiredJoinLink", PK: "LinkKind", SK: "LinkExpiredDatetime"}
)

// Pantry contains everything. Its partition keys are bare ids.
var Pantry = &keyspec.Table{
	Name: "Pantry", PK: "PK", SK: "SK", Separator: "#", Precision: time.Millisecond, Expiry: "ExpiresAt", Unversioned: true,
	Indexes: []*keyspec.Index{UserAndGroupRelation, JoinLink, ExpiredJoinLink},
}
