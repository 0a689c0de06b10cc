package store

import (
	"time"

	"stoa/internal/kit/keyspec"
)

// Indexes of the tables.
var (
	SecretsByUser   = &keyspec.Index{Name: "userid", PK: "userid"}
	TagsBySource    = &keyspec.Index{Name: "Source", PK: "Source"}
	ByUserUpdatedAt = &keyspec.Index{Name: "UserUpdatedAt", PK: "User", SK: "UpdatedAt"}
	ByTopic         = &keyspec.Index{Name: "Topic", PK: "Topic"}
)

// The six tables. Most have no sort key; that of messages has a number.
var (
	Users         = &keyspec.Table{Name: "TinodeUsers", PK: "Id", Precision: time.Millisecond, Unversioned: true}
	Auth          = &keyspec.Table{Name: "TinodeAuth", PK: "unique", Precision: time.Millisecond, Unversioned: true, Indexes: []*keyspec.Index{SecretsByUser}}
	TagUnique     = &keyspec.Table{Name: "TinodeTagUnique", PK: "Id", Precision: time.Millisecond, Unversioned: true, Indexes: []*keyspec.Index{TagsBySource}}
	Topics        = &keyspec.Table{Name: "TinodeTopics", PK: "Id", Precision: time.Millisecond, Unversioned: true}
	Subscriptions = &keyspec.Table{
		Name: "TinodeSubscriptions", PK: "Id", Separator: ":", Precision: time.Millisecond, Unversioned: true, Indexes: []*keyspec.Index{ByUserUpdatedAt, ByTopic},
	}
	Messages = &keyspec.Table{Name: "TinodeMessages", PK: "Topic", SK: "SeqId", Number: true, Precision: time.Millisecond, Unversioned: true, Expiry: "ExpireTime"}
)

// Tables lists all tables, in the order of the design.
var Tables = []*keyspec.Table{Users, Auth, TagUnique, Topics, Subscriptions, Messages}
