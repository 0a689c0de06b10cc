package graph

import (
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
)

// Pages of lists, named as in the schema.
type (
	AuditPage  struct{ page.Page[*desk.AuditLine] }
	CasePage   struct{ page.Page[*desk.Case] }
	ItemPage   struct{ page.Page[*operator.Item] }
	PersonPage struct{ page.Page[*operator.Person] }
	ReportPage struct{ page.Page[*desk.Report] }
)
