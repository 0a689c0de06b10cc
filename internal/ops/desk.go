package ops

import (
	"strconv"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
)

// Indexes of the desk table. Those named A project all attributes.
var (
	DeskA1 = &keyspec.Index{Name: "GSI-A1", PK: "gsiA1PartitionKey", SK: "gsiA1SortKey"}
	DeskA2 = &keyspec.Index{Name: "GSI-A2", PK: "gsiA2PartitionKey", SK: "gsiA2SortKey"}
	DeskA3 = &keyspec.Index{Name: "GSI-A3", PK: "gsiA3PartitionKey", SK: "gsiA3SortKey", Number: true}
	DeskA4 = &keyspec.Index{Name: "GSI-A4", PK: "gsiA4PartitionKey", SK: "gsiA4SortKey", Number: true}
	DeskK1 = &keyspec.Index{Name: "GSI-K1", PK: "gsiK1PartitionKey", SK: "gsiK1SortKey", KeysOnly: true}
)

// Desk is the table of those who run the service. It is a table of its own because it has
// indexes.
var Desk = &keyspec.Table{Name: "desk", PK: "partitionKey", SK: "sortKey", Indexes: []*keyspec.Index{DeskA1, DeskA2, DeskA3, DeskA4, DeskK1}}

// Tables are the tables of this package.
var Tables = []*keyspec.Table{Table, Desk}

// Roles that were given at run time. All are read together.
var grants = keyspec.Define[desk.Grant](Desk, keyspec.Row{
	Key: keyspec.K("grants", "{userId}"),
})

// Lines of the audit log: all by time, A1 those of an actor, A2 those about a subject.
var auditLines = keyspec.Define[desk.AuditLine](Desk, keyspec.Row{
	Key: keyspec.K("audit", "{time}/{lineId}"),
	On: keyspec.Indexes{
		DeskA1: keyspec.K("auditActor/{actorId}", "{time}/{lineId}"),
		DeskA2: keyspec.K("auditSubject/{subjectId}", "{time}/{lineId}"),
	},
})

// Audit adds a line of the audit log to the transaction of the change that it is about.
func Audit(tx *keyspec.Tx, l desk.AuditLine) {
	auditLines.Create(tx, l)
	mean(tx, l.Meant)
}

// mean adds what pseudonyms lead to.
func mean(tx *keyspec.Tx, meant map[string]string) {
	for name, text := range meant {
		pseudonyms.Put(tx, pseudonymItem{Pseudonym: name, Meant: text})
	}
}

// What is meant by a pseudonym in the audit log, until the person in it is erased.
var pseudonyms = keyspec.Define[pseudonymItem](Desk, keyspec.Row{Key: keyspec.K("pseudonym/{pseudonym}", "-")})

type pseudonymItem struct {
	Pseudonym string `dynamo:"pseudonym,keyonly"`
	Meant     string `dynamo:"userId"`
}

// Answers that those who decide have saved. All are read together.
var templates = keyspec.Define[desk.Template](Desk, keyspec.Row{
	Key: keyspec.K("templates", "{templateId}"),
})

// Cases of reported content: A3 by status and rank, A4 those of one kind in one system, A2 by
// status and age, A1 those of an author, K1 those that keep what was removed.
var cases = keyspec.Define[desk.Case](Desk, keyspec.Row{
	Key: keyspec.K("case/{system}/{kind}/{itemId}", "-"),
	On: keyspec.Indexes{
		DeskA3: keyspec.K("cases/{status}", "{rank}"),
		DeskA4: keyspec.K("cases/{status}/{system}/{kind}", "{rank}"),
		DeskA2: keyspec.K("casesByAge/{status}", "{openedAt}"),
		DeskK1: keyspec.K("casesKeeping", "{keptUntil}"),
		DeskA1: keyspec.K("caseAuthor/{authorId}", "{openedAt}"),
	},
})

// Reports of an item that are no longer with the item itself. A1 lists those by a user.
var reports = keyspec.Define[reportItem](Desk, keyspec.Row{
	Key: keyspec.K("case/{system}/{kind}/{itemId}", "report/{userId}"),
	On:  keyspec.Indexes{DeskA1: keyspec.K("reporter/{userId}", "{createdAt}")},
})

type reportItem struct {
	desk.Item
	desk.Report
}

// How the reports of users have been decided lately, with the setting weigh-reports.
var reporters = keyspec.Define[desk.Reporter](Desk, keyspec.Row{Key: keyspec.K("reporter/{userId}", "-")})

// sameTalk requires that nobody has written about the appeal since. The revision does not
// change with that.
func sameTalk(u keyspec.Update, n int) {
	if n == 0 {
		u.If("attribute_not_exists(talk) OR talk = ?", 0)
		return
	}
	u.If("talk = ?", n)
}

// AddReport adds a report that is not with its item, and its case, to a transaction. It
// conflicts with another one by the same user that counts.
func AddReport(tx *keyspec.Tx, r desk.Reporting) {
	reports.Put(tx, reportItem{r.Case.After.Item, r.Report}).If("attribute_not_exists(createdAt) OR createdAt < ?", r.Since)
	TakeCase(tx, r.Case)
}

// TakeCase adds a step of a case to the transaction of what causes it.
func TakeCase(tx *keyspec.Tx, step desk.CaseStep) {
	after := step.After
	switch {
	case step.Before == nil:
		cases.Create(tx, after)
	case step.Reported:
		u := cases.Update(tx, cases.KeyOf(&after)).If("revision = ?", step.Before.Revision).Set("lastReportedAt", after.LastReportedAt)
		if n := after.ReportCount - step.Before.ReportCount; n > 0 {
			u.Shift("reportCount", n).Raise("rank", keyspec.Numeral(strconv.Itoa(after.Rank-step.Before.Rank)))
		}
	default:
		u := cases.Change(tx, *step.Before, after).If("revision = ?", step.Before.Revision)
		if step.Before.Talk != after.Talk {
			sameTalk(u, step.Before.Talk)
		}
	}
	for _, r := range step.Reports {
		reports.Put(tx, reportItem{after.Item, r})
	}
	if step.Line != nil {
		Audit(tx, *step.Line)
	}
}
