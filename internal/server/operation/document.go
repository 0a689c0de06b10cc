package operation

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"stoa/internal/kit/cache"
	"stoa/internal/kit/gqlplan"
	"stoa/internal/server/wire"
)

// Limits of the document caches: the number of documents, the approximate memory of parsed
// ones, and the total length of texts known by their hashes.
const (
	maxDocuments   = 1000
	maxParsedBytes = 8 << 20
	maxTextBytes   = 1 << 20
)

// Approximate memory of a field, of one in a plan, of one whose cost depends on variables, of
// which fragments that spread each other multiply those of a short text, and of a value with
// its argument. A document of short names takes forty times the memory of its text.
const (
	fieldBytes    = 500
	plannedBytes  = 300
	variableBytes = 200
	valueBytes    = 350
)

// maxSuggesting is the maximum size, in bytes, of a document whose errors suggest names:
// each unknown name, of any length, is compared with all existing names.
const maxSuggesting = 16 << 10

// document is a parsed, valid and analysed document.
type document struct {
	ast  *ast.QueryDocument
	hash string // first digits of the text's SHA-256, for logs
	// plans holds one entry per operation, in the order of the text.
	plans []*plan
	// numbers are variables that the document itself has values for.
	numbers numbers
	// weight is the approximate memory of the document.
	weight int
}

// plan is the request-independent part of one operation of a document.
type plan struct {
	definition *ast.OperationDefinition
	document   *document
	cost       cost
	// price is the cost for anonymous callers.
	price cost
	// direct has the plans that are kept; nil if there is no generated code for them.
	direct *gqlplan.Operation
	// field is the operation's first root field. It labels metrics, because operation names
	// are arbitrary text from clients.
	field string
	// succeeded and seconds are the metrics of the usual outcome.
	succeeded prometheus.Counter
	seconds   prometheus.Observer
	log       *slog.Logger
}

// documents caches documents.
type documents struct {
	schema graphql.ExecutableSchema
	// rules suggest names known to clients; silent does not suggest any.
	rules, silent *rules.Rules
	scalars       scalars
	prices        prices
	maxTokens     int
	metrics       *metrics
	log           *slog.Logger
	byText        *cache.Cache[string, *document]
	// byHash are texts, so that a document is in memory once.
	byHash *cache.Cache[[sha256.Size]byte, string]
}

func newDocuments(schema graphql.ExecutableSchema, l Limits, introspection bool, scalars scalars, prices prices, m *metrics, log *slog.Logger) *documents {
	return &documents{
		schema:    schema,
		rules:     newRules(l.Depth, introspection, introspection),
		silent:    newRules(l.Depth, introspection, false),
		scalars:   scalars,
		prices:    prices,
		maxTokens: l.Tokens,
		metrics:   m,
		log:       log,
		byText:    cache.New[string, *document](maxDocuments, maxParsedBytes),
		byHash:    cache.New[[sha256.Size]byte, string](maxDocuments, maxTextBytes),
	}
}

// find returns the document of r by its text, or by the hash of a text that was sent
// before. It also returns the number of bytes that had to be parsed.
func (d *documents) find(r *wire.Request) (doc *document, parsed int, errs gqlerror.List) {
	if r.Query == "" && r.Hash != nil {
		if text, ok := d.byHash.Get(*r.Hash); ok {
			return d.parsed(text)
		}
		// Clients compare this text and then send the document.
		return nil, 0, gqlerror.List{wire.NewError(invalid, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound")}
	}
	doc, parsed, errs = d.parsed(r.Query)
	if errs != nil || r.Hash == nil {
		return doc, parsed, errs
	}
	if sha256.Sum256([]byte(r.Query)) != *r.Hash {
		return nil, parsed, gqlerror.List{wire.NewError(invalid, "PERSISTED_QUERY_HASH_MISMATCH",
			"`extensions.persistedQuery.sha256Hash` is not the SHA-256 of `query`")}
	}
	d.byHash.Add(*r.Hash, r.Query, len(r.Query))
	return doc, parsed, nil
}

func (d *documents) parsed(text string) (doc *document, parsed int, errs gqlerror.List) {
	if doc, ok := d.byText.Get(text); ok {
		return doc, 0, nil
	}
	doc, errs = d.parse(text)
	if errs == nil {
		d.byText.Add(text, doc, doc.weight)
	}
	return doc, len(text), errs
}

func (d *documents) parse(text string) (*document, gqlerror.List) {
	parsed, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, d.maxTokens)
	if err != nil {
		return nil, gqlerror.List{syntaxError(err)}
	}
	if len(parsed.Operations) == 0 {
		return nil, gqlerror.List{validationError("InvalidSyntax", "the document holds no operation")}
	}
	var large numbers
	eachValue(parsed, large.hold)
	if err := checkOverlaps(parsed); err != nil {
		return nil, gqlerror.List{err}
	}
	rules := d.rules
	if len(text) > maxSuggesting {
		rules = d.silent
	}
	if errs := validator.ValidateWithRules(d.schema.Schema(), parsed, rules); len(errs) > 0 {
		return nil, ruleErrors(errs)
	}
	eachValue(parsed, large.keep)
	if errs := d.scalars.literals(parsed); errs != nil {
		return nil, errs
	}
	large.bind()
	doc := d.analyse(text, parsed)
	doc.numbers = large
	return doc, nil
}

// memory returns the approximate memory of a document, without that of its costs.
func (d *document) memory(text string) int {
	weight := len(text)
	eachValue(d.ast, func(*ast.Value) { weight += valueBytes })
	for _, f := range d.ast.Fragments {
		weight += fieldBytes * selectionsIn(f.SelectionSet)
	}
	for _, p := range d.plans {
		weight += fieldBytes * selectionsIn(p.definition.SelectionSet)
		if p.direct != nil {
			weight += plannedBytes * p.direct.MostFields()
		}
	}
	return weight
}

// selectionsIn returns the number of selections at all depths, without those of fragments
// that are spread.
func selectionsIn(selections ast.SelectionSet) int {
	n := len(selections)
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			n += selectionsIn(s.SelectionSet)
		case *ast.InlineFragment:
			n += selectionsIn(s.SelectionSet)
		}
	}
	return n
}

func (d *documents) analyse(text string, parsed *ast.QueryDocument) *document {
	digest := sha256.Sum256([]byte(text))
	doc := &document{ast: parsed, hash: hex.EncodeToString(digest[:6])}
	costs, prices := count{surcharge: free}, count{surcharge: d.prices.of}
	for _, definition := range parsed.Operations {
		field, kind := firstField(definition.SelectionSet), string(definition.Operation)
		p := &plan{
			definition: definition,
			document:   doc,
			cost:       costs.costOf(definition.SelectionSet),
			price:      prices.costOf(definition.SelectionSet),
			field:      field,
			succeeded:  d.metrics.operations.WithLabelValues(kind, field, succeeded),
			seconds:    d.metrics.seconds.WithLabelValues(kind, field),
			log:        logOf(d.log, definition, field, doc.hash),
		}
		if planner, ok := d.schema.(gqlplan.Schema); ok {
			p.direct = gqlplan.NewOperation(planner, parsed, definition, maxPlannedFields(text)/len(parsed.Operations))
		}
		doc.plans = append(doc.plans, p)
	}
	doc.weight = doc.memory(text) + variableBytes*(costs.variable+prices.variable)
	return doc
}

// maxPlannedFields limits a document's plans by its length, like the caches: a field takes
// about 300 bytes. Clients write names in full and indent, so there is also room for fields
// selected repeatedly through fragments.
func maxPlannedFields(text string) int { return 64 + len(text)/8 }

// plan returns the named operation, or the only one if name is empty.
func (d *document) plan(name string) (*plan, *gqlerror.Error) {
	if name == "" && len(d.plans) == 1 {
		return d.plans[0], nil
	}
	for _, p := range d.plans {
		if name != "" && p.definition.Name == name {
			return p, nil
		}
	}
	if name == "" {
		return nil, validationError("UnknownOperation",
			"`operationName` is missing: the document holds several operations")
	}
	return nil, validationError("UnknownOperation",
		fmt.Sprintf("the document holds no operation named '%s'", name))
}

// firstField also searches fragments, which are acyclic in a validated document.
func firstField(selections ast.SelectionSet) string {
	for _, selection := range selections {
		name := ""
		switch s := selection.(type) {
		case *ast.Field:
			name = s.Name
		case *ast.InlineFragment:
			name = firstField(s.SelectionSet)
		case *ast.FragmentSpread:
			name = firstField(s.Definition.SelectionSet)
		}
		if name != "" {
			return name
		}
	}
	return ""
}
