package operation

import (
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/server/internal/testgraph"
	"stoa/internal/server/wire"
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
	return newDocuments(schema, Limits{Tokens: 15_000, Depth: 16}, false, nil, nil, newMetrics(prometheus.NewRegistry()), slog.New(slog.DiscardHandler))
}

// A short document can have many fields whose cost is to be computed for each request.
func TestDocumentsWeighWhatTheyTake(t *testing.T) {
	const n = 10
	doc, errs := newPets(t).parse(`query($n:Int){...F0}` + forks(n, `pets(limit:$n){name}`))
	if errs != nil {
		t.Fatal(errs)
	}
	if least := 2 * variableBytes << n; doc.weight < least {
		t.Errorf("weighs %d, less than %d", doc.weight, least)
	}
}

// All operations of a document share what may be counted.
func TestOperationsAreCountedTogether(t *testing.T) {
	var operations strings.Builder
	for i := range 10 {
		fmt.Fprintf(&operations, ` query q%d{...F0}`, i)
	}
	doc, errs := newPets(t).parse(operations.String() + forks(12, `cat{name}`))
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

// Clients send as many different documents as they like, with as many fields as their text
// has room for.
func TestCachedDocumentsTakeLimitedMemory(t *testing.T) {
	limits := Limits{Tokens: 15_000, Depth: 16}
	documents := newDocuments(testgraph.New().Schema(), limits, false, nil, nil, newMetrics(prometheus.NewRegistry()), slog.New(slog.DiscardHandler))
	before := liveHeap()
	for i := range 300 {
		var text strings.Builder
		fmt.Fprintf(&text, "query Q%d{", i)
		for n := range 300 {
			fmt.Fprintf(&text, " a%d:greeting(name:\"%d\")", n, i)
		}
		text.WriteString("}")
		if _, _, errs := documents.find(&wire.Request{Query: text.String()}); errs != nil {
			t.Fatal(errs)
		}
	}
	if took := liveHeap() - before; took > maxParsedBytes*5/4 {
		t.Errorf("cached documents take %d bytes, more than %d", took, maxParsedBytes)
	} else if took < maxParsedBytes/4 {
		t.Errorf("cached documents are taken to be much larger than %d bytes", took)
	}
	runtime.KeepAlive(documents)
}

func liveHeap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
