package graph

import (
	"stoa/internal/desk"
	"stoa/internal/kit/page"
)

// Pages of lists, named as in the schema.
type (
	AuditPage  struct{ page.Page[*desk.AuditLine] }
	CasePage   struct{ page.Page[*desk.Case] }
	ReportPage struct{ page.Page[*desk.Report] }
)
