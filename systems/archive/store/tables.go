package store

import (
	"time"

	"stoa/internal/kit/keyspec"
)

// BySort lists items by their sort keys. Items without altSort are not in it.
var BySort = &keyspec.Index{Name: "gsi_sk_altSort", PK: "sk", SK: "altSort"}

// Archive contains everything. Its partition keys are plain numbers and a few constants.
var Archive = &keyspec.Table{
	Name: "archive", PK: "pk", SK: "sk", Separator: "#", Precision: time.Nanosecond, Unversioned: true,
	Indexes: []*keyspec.Index{BySort},
}
