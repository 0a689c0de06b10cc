package graph

import (
	"stoa/internal/kit/page"
	"stoa/internal/operator"
)

// Pages of lists, named as in the schema.
type (
	AuditPage struct{ page.Page[*operator.AuditLine] }
)
