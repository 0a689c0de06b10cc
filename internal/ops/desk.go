package ops

import (
	"stoa/internal/kit/keyspec"
	"stoa/internal/operator"
)

// Indexes of the desk table. Those named A project all attributes.
var (
	DeskA1 = &keyspec.Index{Name: "GSI-A1", PK: "gsiA1PartitionKey", SK: "gsiA1SortKey"}
	DeskA2 = &keyspec.Index{Name: "GSI-A2", PK: "gsiA2PartitionKey", SK: "gsiA2SortKey"}
	DeskA3 = &keyspec.Index{Name: "GSI-A3", PK: "gsiA3PartitionKey", SK: "gsiA3SortKey", Number: true}
)

// Desk is the table of those who run the service. It is a table of its own because it has
// indexes.
var Desk = &keyspec.Table{Name: "desk", PK: "partitionKey", SK: "sortKey", Indexes: []*keyspec.Index{DeskA1, DeskA2, DeskA3}}

// Tables are the tables of this package.
var Tables = []*keyspec.Table{Table, Desk}

// Roles that were given at run time. All are read together.
var grants = keyspec.Define[operator.Grant](Desk, keyspec.Row{
	Key: keyspec.K("grants", "{userId}"),
})

// Lines of the audit log: all by time, A1 those of an actor, A2 those about a subject.
var auditLines = keyspec.Define[operator.AuditLine](Desk, keyspec.Row{
	Key: keyspec.K("audit", "{time}/{lineId}"),
	On: keyspec.Indexes{
		DeskA1: keyspec.K("auditActor/{actorId}", "{time}/{lineId}"),
		DeskA2: keyspec.K("auditSubject/{subjectId}", "{time}/{lineId}"),
	},
})

// Audit adds a line of the audit log to the transaction of the change that it is about.
func Audit(tx *keyspec.Tx, l operator.AuditLine) { auditLines.Create(tx, l) }
