package expr

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

type (
	names  = map[string]string
	values = map[string]types.AttributeValue
)

// TestRefusedRequests checks the errors about placeholders, and which error of a request is
// reported first.
func TestRefusedRequests(t *testing.T) {
	const (
		badValue  = "ExpressionAttributeValues contains invalid value: "
		needs     = "ExpressionAttributeValues can only be specified when using expressions: "
		condition = "a = :v"
	)
	text := func(s string) *string { return &s }
	x := read("'x'")
	for name, c := range map[string]struct {
		request Request
		want    string
	}{
		"names alone":          {Request{Names: names{"#a": "a"}}, "ExpressionAttributeNames can only be specified when using expressions"},
		"names before values":  {Request{Names: names{"#a": "a"}, Values: values{":v": x}}, "ExpressionAttributeNames can only be specified when using expressions"},
		"values alone, write":  {Request{Values: values{":v": x}}, needs + "ConditionExpression is null"},
		"values alone, update": {Request{On: OnUpdate, Values: values{":v": x}}, needs + "UpdateExpression and ConditionExpression are null"},
		"values alone, query":  {Request{On: OnQuery, Values: values{":v": x}}, needs + "FilterExpression and KeyConditionExpression are null"},
		"values alone, scan":   {Request{On: OnScan, Values: values{":v": x}, Projection: text("a")}, needs + "FilterExpression is null"},
		"no names":             {Request{Condition: text(condition), Names: names{}}, "ExpressionAttributeNames must not be empty"},
		"no values":            {Request{Condition: text(condition), Values: values{}}, "ExpressionAttributeValues must not be empty"},

		"name key without mark":  {Request{Condition: text(condition), Names: names{"a": "a"}}, `ExpressionAttributeNames contains invalid key: Syntax error; key: "a"`},
		"name key of mark alone": {Request{Condition: text(condition), Names: names{"#": "a"}}, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`},
		"name key with dash":     {Request{Condition: text(condition), Names: names{"#a-b": "a"}}, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"`},
		"first bad name key": {Request{Condition: text(condition), Names: names{"c": "a", "b": "a", "#x": "a"}}, `ExpressionAttributeNames contains invalid key: Syntax error; ` +
			`key: "b"`},
		"empty name": {Request{Condition: text(condition), Names: names{"#a": ""}}, "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a"},
		"long name": {Request{Condition: text(condition), Names: names{"#a": strings.Repeat("x", 65536)}},
			"ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key #a"},

		"value key without mark": {Request{Condition: text(condition), Values: values{"v": x}}, `ExpressionAttributeValues contains invalid key: Syntax error; key: "v"`},
		"value key with point":   {Request{Condition: text(condition), Values: values{":a.b": x}}, `ExpressionAttributeValues contains invalid key: Syntax error; key: ":a.b"`},
		"no value": {Request{Condition: text(condition), Values: values{":v": nil}}, badValue + "Supplied AttributeValue is empty, " +
			"must contain exactly one of the supported datatypes for key :v"},
		"bad number": {Request{Condition: text(condition), Values: values{":v": read("abc")}}, badValue + "The parameter cannot be converted to a numeric value: abc for " +
			"key :v"},
		"first bad value": {Request{Condition: text(condition), Values: values{":z": read("z"), ":y": read("y"), ":a": x}}, badValue + "The parameter cannot be converted to " +
			"a numeric value: y for key :y"},
		"twin numbers": {Request{Condition: text(condition), Values: values{":v": read("<1 1.0>")}}, badValue + "Input collection contains duplicates for key :v"},
		"deep value": {Request{Condition: text(condition), Values: values{":v": read(strings.Repeat("[", 32) + "1" + strings.Repeat("]", 32))}},
			badValue + "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit for key :v"},

		"update before condition, syntax": {Request{Update: text("SET a = "), Condition: text("&")}, `Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "= "`},
		"all of one before the next": {Request{Update: text("SET status = b"), Condition: text("&")},
			"Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: status"},
		"key condition before filter": {Request{KeyCondition: text("a = :none"), Filter: text("&")},
			"Invalid KeyConditionExpression: An expression attribute value used in expression is not defined; attribute value: :none"},

		"unused name": {Request{Condition: text("a = b"), Names: names{"#a": "a", "#b": "b"}}, "Value provided in ExpressionAttributeNames unused in expressions: " +
			"keys: {#a, #b}"},
		"unused value": {Request{Condition: text(condition), Values: values{":v": x, ":w": x}}, "Value provided in ExpressionAttributeValues unused in expressions: " +
			"keys: {:w}"},
		"unused name before value": {Request{Condition: text("a = b"), Names: names{"#a": "a"}, Values: values{":v": x}}, "Value provided in ExpressionAttributeNames unused in " +
			"expressions: keys: {#a}"},
		"unused in both": {Request{Condition: text(condition), Update: text("SET #a = :v"), Names: names{"#a": "a", "#b": "b"}, Values: values{":v": x}},
			"Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}"},
		"unused before shape": {Request{KeyCondition: text("a > :v OR b = :v"), Values: values{":v": x, ":w": x}}, "Value provided in ExpressionAttributeValues unused in " +
			"expressions: keys: {:w}"},
		"syntax before unused": {Request{Condition: text("a = = b"), Values: values{":v": x}}, `Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"`},
		"bad value before syntax": {Request{Condition: text("a = = b"), Values: values{":v": read("abc")}}, badValue + "The parameter cannot be converted to a numeric value: abc " +
			"for key :v"},
		"update before condition": {Request{Update: text("SET a = :v, a = :v"), Condition: text("a = :w"), Values: values{":v": x}}, "Invalid UpdateExpression: Two document paths " +
			"overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"},
		"filter before projection": {Request{Filter: text("a ="), Projection: text("a,a")}, `Invalid FilterExpression: Syntax error; token: "<EOF>", near: "="`},
		"empty expression":         {Request{Projection: text("")}, "Invalid ProjectionExpression: The expression can not be empty;"},
		"undefined in a projection": {Request{Projection: text("#a")}, "Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; " +
			"attribute name: #a"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Compile(&c.request)
			var refusal *value.ValidationError
			if !errors.As(err, &refusal) || refusal.Message != c.want {
				t.Errorf("\n got  %v\n want %s", err, c.want)
			}
		})
	}
}

// TestOneRequestManyExpressions checks that expressions share placeholders.
func TestOneRequestManyExpressions(t *testing.T) {
	update, condition := "SET #n = #n + :n REMOVE l[0]", "#n < :m AND attribute_exists(pk)"
	p, err := Compile(&Request{On: OnUpdate, Update: &update, Condition: &condition,
		Names: names{"#n": "count"}, Values: values{":n": read("1.0"), ":m": read("10")}})
	if err != nil {
		t.Fatal(err)
	}
	before := item("{pk:'a' count:9 l:[1 2]}")
	if !p.Condition(Item(before)) {
		t.Error("the condition does not hold")
	}
	after, err := p.Update(before)
	if err != nil || showItem(after) != "{count:10 l:[2] pk:'a'}" {
		t.Errorf("updated to %s, %v", showItem(after), err)
	}
	if p.Condition(Item(after)) {
		t.Error("the condition still holds")
	}
	if p.update.tree == nil || p.condition.tree == nil || p.HasFilter() || p.HasProjection() || p.keyCondition.tree != nil {
		t.Error("the program forgot which expressions it has")
	}
}

// TestNothing checks a request without expressions.
func TestNothing(t *testing.T) {
	p, err := Compile(&Request{})
	if err != nil {
		t.Fatal(err)
	}
	i := item("{a:1}")
	after, err := p.Update(i)
	if err != nil || showItem(after) != "{a:1}" || !p.Condition(Item(i)) || p.CheckUpdate("a") != nil || p.CheckFilter(hashSort) != nil {
		t.Error("a request without expressions does something")
	}
}

// TestValuesBecomeCanonical checks that updates store canonical values, while the request's
// own map is unchanged.
func TestValuesBecomeCanonical(t *testing.T) {
	update := "SET a = :v"
	given := values{":v": read("[1.50 {x:0e5}]")}
	p, err := Compile(&Request{Update: &update, Values: given})
	if err != nil {
		t.Fatal(err)
	}
	after, err := p.Update(nil)
	if err != nil || showItem(after) != "{a:[1.5 {x:0}]}" {
		t.Errorf("stored %s, %v", showItem(after), err)
	}
	if show(given[":v"]) != "[1.50 {x:0e5}]" {
		t.Errorf("the request's value became %s", show(given[":v"]))
	}
}

// TestSameTextOtherValues checks that cached expressions keep nothing of the request they
// came from.
func TestSameTextOtherValues(t *testing.T) {
	condition := "#a = :v AND #a <> :w"
	for _, name := range []string{"one", "two"} {
		p, err := Compile(&Request{Condition: &condition, Names: names{"#a": name}, Values: values{":v": read("1"), ":w": read("2")}})
		if err != nil {
			t.Fatal(err)
		}
		if !p.Condition(Item(values{name: read("1")})) || p.Condition(Item(values{name + "x": read("1")})) {
			t.Errorf("the condition does not look at %s", name)
		}
	}
	if _, err := Compile(&Request{Condition: &condition, Names: names{"#a": "a"}, Values: values{":v": read("1")}}); err == nil {
		t.Error("a value of an earlier request is still defined")
	}
}

// TestConditionAlone checks that a shared program is used only for requests that consist of
// its condition.
func TestConditionAlone(t *testing.T) {
	condition, update := "attribute_not_exists(alone)", "REMOVE a"
	first, err := Compile(&Request{Condition: &condition})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Compile(&Request{Condition: &condition})
	if err != nil || again != first {
		t.Errorf("a condition alone is compiled again: %v", err)
	}
	both, err := Compile(&Request{On: OnUpdate, Condition: &condition, Update: &update})
	if err != nil || both == first || both.update.tree == nil {
		t.Errorf("an update with the same condition has the program of the condition alone: %v", err)
	}
	for what, r := range map[string]*Request{
		"no names":        {Condition: &condition, Names: names{}},
		"no values":       {Condition: &condition, Values: values{}},
		"an unused name":  {Condition: &condition, Names: names{"#a": "a"}},
		"an unused value": {Condition: &condition, Values: values{":a": read("1")}},
	} {
		if _, err := Compile(r); err == nil {
			t.Errorf("%s: not refused beside a condition that is known alone", what)
		}
	}
	undefined := "#a = :v"
	for range 2 {
		if _, err := Compile(&Request{Condition: &undefined}); err == nil {
			t.Error("undefined placeholders are not refused")
		}
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = Compile(&Request{Condition: &condition}) }); n > 0 {
		t.Errorf("compiling a known condition costs %v allocations", n)
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := cache{young: map[cacheKey]*tree{}}
	text := func(i int) string { return "a[" + strings.Repeat("1", i%9+1) + "].b" + strings.Repeat("c", i/9) }
	for i := range 5000 { // 1.4 MB
		if _, err := c.get(projectionKind, text(i)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.get(projectionKind, "kept"); err != nil {
			t.Fatal(err)
		}
	}
	bytes := 0
	for _, remembered := range []map[cacheKey]*tree{c.young, c.old} {
		for key := range remembered {
			bytes += len(key.text)
		}
	}
	if bytes > 2*generation {
		t.Errorf("%d expressions are remembered", len(c.young)+len(c.old))
	}
	if c.young[cacheKey{projectionKind, "kept"}] == nil && c.old[cacheKey{projectionKind, "kept"}] == nil {
		t.Error("an expression in constant use was forgotten")
	}
	if _, err := c.get(projectionKind, "a,a b"); err == nil || c.young[cacheKey{projectionKind, "a,a b"}] != nil {
		t.Error("a refused expression is remembered")
	}
}

func TestCompileAgainIsCheap(t *testing.T) {
	update, condition := "SET #a = :v, b = if_not_exists(b, :n) + :n ADD c :n", "attribute_exists(pk) AND #a <> :v"
	r := &Request{Update: &update, Condition: &condition, Names: names{"#a": "a"}, Values: values{":v": read("'x'"), ":n": read("1")}}
	n := testing.AllocsPerRun(100, func() {
		if _, err := Compile(r); err != nil {
			t.Fatal(err)
		}
	})
	if n > 1 {
		t.Errorf("compiling a known expression costs %v allocations", n)
	}
}

func BenchmarkCompileKnown(b *testing.B) {
	update, condition := "SET #a = :v, b = if_not_exists(b, :n) + :n ADD c :n", "attribute_exists(pk) AND #a <> :v"
	r := &Request{Update: &update, Condition: &condition, Names: names{"#a": "a"}, Values: values{":v": read("'x'"), ":n": read("1")}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(updateKind, "SET #a = :v, b = if_not_exists(b, :n) + :n ADD c :n"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCondition(b *testing.B) {
	p, i := compile(b, conditionKind, "attribute_exists(pk) AND s = :str AND n > :n"), Item(item(example))
	b.ReportAllocs()
	for b.Loop() {
		if !p.Condition(i) {
			b.Fatal("does not hold")
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	p, before := compile(b, updateKind, "SET s = :v, n = n + :n REMOVE t"), item(example)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Update(before); err != nil {
			b.Fatal(err)
		}
	}
}
