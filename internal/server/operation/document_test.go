package operation

import (
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/ast"
)

// forks selects a field of Query 2^n times.
func forks(n int, field string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ` fragment F%d on Query{...F%d ...F%[2]d}`, i, i+1)
	}
	fmt.Fprintf(&b, ` fragment F%d on Query{%s}`, n, field)
	return b.String()
}

func newPets(t *testing.T) *documents {
	schema := &graphql.ExecutableSchemaMock{SchemaFunc: func() *ast.Schema { return pets }}
	return newDocuments(schema, Limits{Tokens: 15_000, Depth: 16}, false, nil, nil, newMetrics(prometheus.NewRegistry()), slog.DiscardHandler)
}

// A short document can have many fields whose cost is to be computed for each request.
func TestDocumentsWeighWhatTheyTake(t *testing.T) {
	const n = 10
	doc, errs := newPets(t).parsed(`query($n:Int){...F0}` + forks(n, `pets(limit:$n){name}`))
	if errs != nil {
		t.Fatal(errs)
	}
	if least := 2 * variableWeight << n; doc.weight < least {
		t.Errorf("weighs %d, less than %d", doc.weight, least)
	}
}

// All operations of a document share what may be counted.
func TestOperationsAreCountedTogether(t *testing.T) {
	var operations strings.Builder
	for i := range 10 {
		fmt.Fprintf(&operations, ` query q%d{...F0}`, i)
	}
	doc, errs := newPets(t).parsed(operations.String() + forks(12, `cat{name}`))
	if errs != nil {
		t.Fatal(errs)
	}
	if got := doc.plans[0].cost.known; got != 2<<12 {
		t.Errorf("the first costs %d", got)
	}
	if got := doc.plans[9].cost.known; got != math.MaxInt {
		t.Errorf("the last costs %d, although counting is too much", got)
	}
}
