package expr

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// Request is the expression part of a request, as in the SDK's inputs.
type Request struct {
	On Operation
	// A nil expression is absent; an empty one is refused.
	Condition, Filter, KeyCondition, Projection, Update *string
	// Names and Values are the values of the placeholders. Each must be used.
	Names  map[string]string
	Values map[string]types.AttributeValue
}

// Operation determines the expressions that a request could have had, which only affects
// the error text for values without any of these.
type Operation uint8

const (
	OnWrite Operation = iota // puts, deletes and condition checks
	OnUpdate
	OnQuery
	OnScan
)

func (o Operation) missing() string {
	return [...]string{
		"ConditionExpression is null",
		"UpdateExpression and ConditionExpression are null",
		"FilterExpression and KeyConditionExpression are null",
		"FilterExpression is null",
	}[o]
}

// Program is the compiled form of a request's expressions. Its methods do not modify it and
// may be called concurrently. Absent conditions and filters are true, an absent projection
// is the whole item and an absent update changes nothing.
type Program struct {
	condition    bound
	filter       bound
	keyCondition bound
	projection   bound
	update       bound
	keys         KeyConditions

	// Scratch for the placeholders of typical requests, which avoids allocation.
	fewNames  [8]string
	fewValues [8]types.AttributeValue
	fewPaths  [16]int32
}

// Compile parses the expressions of a request and performs all checks that need neither the
// table nor the item. Errors are [value.ValidationError]s with DynamoDB's texts. Parsed
// expressions are cached by their text, so a request that differs from an earlier one in
// its values only is not parsed again.
//
// All requests without expressions have one program, and so have those with the same
// condition without placeholders.
func Compile(r *Request) (*Program, error) {
	switch {
	case r.hasMoreThanCondition():
		return compileAll(r)
	case r.Condition == nil:
		return none, nil
	}
	t, err := parsed.get(conditionKind, *r.Condition)
	if err != nil {
		return nil, err
	}
	if p := t.alone.Load(); p != nil {
		return p, nil
	}
	p, err := compileAll(r)
	if err == nil {
		t.alone.Store(p)
	}
	return p, err
}

// none is the program without expressions.
var none = &Program{}

func (r *Request) hasMoreThanCondition() bool {
	return r.Filter != nil || r.KeyCondition != nil || r.Projection != nil || r.Update != nil || r.Names != nil || r.Values != nil
}

func compileAll(r *Request) (*Program, error) {
	if err := r.CheckUse(); err != nil {
		return nil, err
	}
	if err := checkMaps(r); err != nil {
		return nil, err
	}
	values, err := normalizeValues(r.Values)
	if err != nil {
		return nil, err
	}
	p := &Program{}
	all := bindings{p.fewNames[:0], p.fewValues[:0], p.fewPaths[:0]}
	for i, text := range [...]*string{r.Update, r.Condition, r.KeyCondition, r.Filter, r.Projection} {
		if text == nil {
			continue
		}
		b := p.each()[i]
		b.kind = [...]kind{updateKind, conditionKind, keyConditionKind, filterKind, projectionKind}[i]
		if b.tree, err = parsed.get(b.kind, *text); err != nil {
			return nil, err
		}
		all.resolve(b, r.Names, values)
		if err := b.check(); err != nil {
			return nil, err
		}
	}
	if err := p.checkUsed(r); err != nil {
		return nil, err
	}
	if p.keyCondition.tree != nil {
		if p.keys, err = p.keyCondition.keyConditions(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// each returns the expressions in the order of error reporting: all errors of one precede
// those of the next.
func (p *Program) each() [5]*bound {
	return [...]*bound{&p.update, &p.condition, &p.keyCondition, &p.filter, &p.projection}
}

// bindings holds the values of placeholders of a program's expressions.
type bindings struct {
	names  []string
	values []types.AttributeValue
	order  []int32
}

// resolve sets the values of an expression's placeholders.
func (a *bindings) resolve(b *bound, names map[string]string, values map[string]types.AttributeValue) {
	start := len(a.names)
	for _, n := range b.tree.names {
		a.names = append(a.names, names[n])
	}
	b.names = a.names[start:len(a.names):len(a.names)]
	start = len(a.values)
	for _, v := range b.tree.values {
		a.values = append(a.values, values[v])
	}
	b.values = a.values[start:len(a.values):len(a.values)]
	start = len(a.order)
	for i := range b.tree.paths {
		a.order = append(a.order, int32(i))
	}
	b.order = a.order[start:len(a.order):len(a.order)]
}

// CheckUse returns an error for placeholders that no expression of the request could use.
// It is part of Compile, for requests with other checks in between.
func (r *Request) CheckUse() error {
	if r.Condition != nil || r.Filter != nil || r.KeyCondition != nil || r.Update != nil {
		return nil
	}
	switch {
	case r.Names != nil && r.Projection == nil:
		return value.Invalid("ExpressionAttributeNames can only be specified when using expressions")
	case r.Values != nil:
		return value.Invalid("ExpressionAttributeValues can only be specified when using expressions: %s", r.On.missing())
	}
	return nil
}

// checkMaps returns an error for malformed placeholders.
func checkMaps(r *Request) error {
	if r.Names != nil {
		if len(r.Names) == 0 {
			return value.Invalid("ExpressionAttributeNames must not be empty")
		}
		if err := checkNames(r.Names); err != nil {
			return err
		}
	}
	if r.Values != nil && len(r.Values) == 0 {
		return value.Invalid("ExpressionAttributeValues must not be empty")
	}
	return nil
}

func checkNames(names map[string]string) error {
	for key, name := range names {
		if isPlaceholder(key, '#') && name != "" && len(name) <= value.MaxNameLength {
			continue
		}
		// Some name is invalid: report the first by key, regardless of map order.
		for _, key := range slices.Sorted(maps.Keys(names)) {
			switch name := names[key]; {
			case !isPlaceholder(key, '#'):
				return value.Invalid(`ExpressionAttributeNames contains invalid key: Syntax error; key: "%s"`, key)
			case name == "":
				return value.Invalid("ExpressionAttributeNames contains invalid value: Empty attribute name for key %s", key)
			case len(name) > value.MaxNameLength:
				return value.Invalid("ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key %s", key)
			}
		}
	}
	return nil
}

// normalizeValues returns values with canonical numbers: the map itself if nothing has
// changed.
func normalizeValues(values map[string]types.AttributeValue) (map[string]types.AttributeValue, error) {
	changed, copied := values, false
	for key, v := range values {
		n, err := normalizeValue(key, v)
		if err != nil {
			return nil, firstValueFault(values)
		}
		if n != v {
			if !copied {
				changed, copied = maps.Clone(values), true
			}
			changed[key] = n
		}
	}
	return changed, nil
}

// firstValueFault checks all keys before any value, in the order of the keys, so that the
// reported error is deterministic.
func firstValueFault(values map[string]types.AttributeValue) error {
	keys := slices.Sorted(maps.Keys(values))
	for _, key := range keys {
		if !isPlaceholder(key, ':') {
			return errValueKey(key)
		}
	}
	for _, key := range keys {
		if _, err := normalizeValue(key, values[key]); err != nil {
			return err
		}
	}
	return nil
}

func errValueKey(key string) error {
	return value.Invalid(`ExpressionAttributeValues contains invalid key: Syntax error; key: "%s"`, key)
}

func normalizeValue(key string, v types.AttributeValue) (types.AttributeValue, error) {
	if !isPlaceholder(key, ':') {
		return nil, errValueKey(key)
	}
	n, err := value.Normalize(v)
	if err != nil {
		return nil, value.Invalid("ExpressionAttributeValues contains invalid value: %v for key %s", err, key)
	}
	return n, nil
}

func isPlaceholder(key string, mark byte) bool {
	if len(key) < 2 || key[0] != mark {
		return false
	}
	for i := 1; i < len(key); i++ {
		if !isWord(key[i]) {
			return false
		}
	}
	return true
}

// checkUsed returns an error for placeholders that no expression uses.
func (p *Program) checkUsed(r *Request) error {
	if unused := unusedKeys(r.Names, p.each(), func(t *tree) []string { return t.names }); len(unused) > 0 {
		return value.Invalid("Value provided in ExpressionAttributeNames unused in expressions: keys: {%s}", strings.Join(unused, ", "))
	}
	if unused := unusedKeys(r.Values, p.each(), func(t *tree) []string { return t.values }); len(unused) > 0 {
		return value.Invalid("Value provided in ExpressionAttributeValues unused in expressions: keys: {%s}", strings.Join(unused, ", "))
	}
	return nil
}

// unusedKeys returns the keys that are not placeholders of any expression. All placeholders
// must have keys.
func unusedKeys[V any](given map[string]V, expressions [5]*bound, placeholders func(*tree) []string) []string {
	used, present := 0, 0
	for _, b := range expressions {
		if b.tree != nil {
			used += len(placeholders(b.tree))
			present++
		}
	}
	if present == 1 && used == len(given) {
		return nil
	}
	var unused []string
search:
	for key := range given {
		for _, b := range expressions {
			if b.tree != nil && slices.Contains(placeholders(b.tree), key) {
				continue search
			}
		}
		unused = append(unused, key)
	}
	slices.Sort(unused)
	return unused
}

// HasFilter and HasProjection report whether the request had these expressions.
func (p *Program) HasFilter() bool     { return p.filter.tree != nil }
func (p *Program) HasProjection() bool { return p.projection.tree != nil }
