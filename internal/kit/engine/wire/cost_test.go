package wire_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/engine/wire"
	"stoa/internal/kit/hostile"
)

// fill returns a list of units of up to n bytes.
func fill(n int, unit func(i int) string) string {
	var all strings.Builder
	for i := 0; all.Len() < n; i++ {
		if i > 0 {
			all.WriteByte(',')
		}
		all.WriteString(unit(i))
	}
	return all.String()
}

// hostileRequests returns requests designed to cost as much as hostile.Size bytes can.
func hostileRequests() map[string]request {
	nested := func(levels int, core string) string {
		return strings.Repeat(`{"M":{"a":`, levels) + core + strings.Repeat(`}}`, levels)
	}
	put := func(attribute string) string {
		return `{"TableName":"main","Item":{"pk":{"S":"x"},"sk":{"N":"1"},"a":` + attribute + `}}`
	}
	update := func(expression, value string) string {
		return `{"TableName":"main","Key":{"pk":{"S":"big"},"sk":{"N":"1"}},"UpdateExpression":"` + expression + `","ExpressionAttributeValues":{":v":` + value + `}}`
	}
	condition := func(expression, value string) string {
		return `{"TableName":"main","Key":{"pk":{"S":"big"},"sk":{"N":"1"}},"ConditionExpression":"` + expression + `","ExpressionAttributeValues":{":v":` + value + `}}`
	}
	numbers := fill(hostile.Size*9/10, func(i int) string { return fmt.Sprintf(`"%d"`, i*7919%1000003) })
	texts := fill(hostile.Size*9/10, func(i int) string { return fmt.Sprintf(`"%x"`, i*7919) })
	list := `{"L":[` + fill(hostile.Size*9/10, func(i int) string { return `{"N":"1"}` }) + `]}`
	return map[string]request{
		"a fault under 31 maps":          {"PutItem", put(nested(31, `{"N":"x"}`))},
		"a null under 32 maps":           {"PutItem", put(nested(32, `null`))},
		"faults beside nested maps":      {"PutItem", put(strings.Repeat(`{"M":{"b":{"N":"x"},"a":`, 30) + `{"N":"x"}` + strings.Repeat(`}}`, 30))},
		"a fault under maps, updating":   {"UpdateItem", update("SET a = :v", nested(31, `{"N":"x"}`))},
		"a fault under maps, in a batch": {"BatchWriteItem", `{"RequestItems":{"main":[{"PutRequest":{"Item":{"a":` + nested(31, `{"N":"x"}`) + `}}}]}}`},
		"nested maps":                    {"PutItem", put(nested(9000, `{"N":"1"}`))},
		"nested lists":                   {"PutItem", put(strings.Repeat(`{"L":[`, 9000) + strings.Repeat(`]}`, 9000))},
		"nested brackets":                {"PutItem", strings.Repeat(`[`, hostile.Size)},
		"nested unknown members":         {"PutItem", `{"x":` + strings.Repeat(`{"y":`, 9000) + `1` + strings.Repeat(`}`, 9000) + `}`},
		"many attributes":                {"PutItem", `{"TableName":"main","Item":{` + fill(hostile.Size, func(i int) string { return fmt.Sprintf(`"a%d":{"N":"1"}`, i) }) + `}}`},
		"the same attribute":             {"PutItem", `{"TableName":"main","Item":{` + fill(hostile.Size, func(i int) string { return `"a":{"N":"1"}` }) + `}}`},
		"a set of numbers":               {"PutItem", put(`{"NS":[` + numbers + `]}`)},
		"a set of equal numbers":         {"PutItem", put(`{"NS":[` + fill(hostile.Size*9/10, func(i int) string { return `"1` + strings.Repeat("0", i%30) + `"` }) + `]}`)},
		"a set of texts":                 {"PutItem", put(`{"SS":[` + texts + `]}`)},
		"a set of equal texts":           {"PutItem", put(`{"SS":[` + fill(hostile.Size*9/10, func(i int) string { return `"a"` }) + `]}`)},
		"a set of bytes":                 {"PutItem", put(`{"BS":[` + fill(hostile.Size*9/10, func(i int) string { return fmt.Sprintf(`"%04x"`, i) }) + `]}`)},
		"a long number":                  {"PutItem", put(`{"N":"` + strings.Repeat("1", hostile.Size*9/10) + `"}`)},
		"a long exponent":                {"PutItem", put(`{"N":"1e` + strings.Repeat("9", hostile.Size*9/10) + `"}`)},
		"a long fraction":                {"PutItem", put(`{"N":"0.` + strings.Repeat("0", hostile.Size*9/10) + `1"}`)},
		"a list":                         {"PutItem", put(list)},
		"many types at once": {
			"PutItem",
			put(
				`{"M":{` + fill(
					hostile.Size/2,
					func(i int) string { return fmt.Sprintf(`"a%d":{"S":""}`, i) },
				) + `},` + fill(
					hostile.Size*4/10,
					func(int) string { return `"S":"x"` },
				) + `}`,
			),
		},
		"a text of escapes":         {"PutItem", put(`{"S":"` + strings.Repeat(`\u0041`, hostile.Size/7) + `"}`)},
		"one value set many times":  {"UpdateItem", update("SET "+fill(4000, func(i int) string { return fmt.Sprintf("a%d=:v", i) }), list)},
		"one value set below":       {"UpdateItem", update("SET "+fill(4000, func(i int) string { return fmt.Sprintf("m.a%d=:v", i) }), list)},
		"lists appended":            {"UpdateItem", update("SET b = "+strings.Repeat("list_append(:v,", 230)+":v"+strings.Repeat(")", 230), list)},
		"lists appended many times": {"UpdateItem", update("SET "+fill(4000, func(i int) string { return fmt.Sprintf("b%d=list_append(:v,:v)", i) }), list)},
		"sets united many times":    {"UpdateItem", update("ADD "+fill(4000, func(i int) string { return fmt.Sprintf("c%d :v", i) }), `{"NS":[`+numbers+`]}`)},
		"clashing paths":            {"UpdateItem", update("REMOVE "+fill(4090, func(i int) string { return "a" }), `{"N":"1"}`)},
		"nested parentheses":        {"DeleteItem", condition(strings.Repeat("(", 2000)+"a=:v"+strings.Repeat(")", 2000), `{"N":"1"}`)},
		"nested negations":          {"DeleteItem", condition(strings.Repeat("NOT ", 290)+"a=:v", `{"N":"1"}`)},
		"many comparisons":          {"DeleteItem", condition(strings.Repeat("big=:v OR ", 145)+"big=:v", list)},
		"many searches":             {"DeleteItem", condition(strings.Repeat("contains(big,:v) OR ", 145)+"big=:v", `{"N":"7"}`)},
		"many searches of a text":   {"DeleteItem", condition(strings.Repeat("contains(txt,:v) OR ", 145)+"big=:v", `{"S":"`+strings.Repeat("a", 90000)+`b"}`)},
		"many searches of a set":    {"DeleteItem", condition(strings.Repeat("contains(ns,:v) OR ", 145)+"big=:v", `{"N":"7.5"}`)},
		"many sizes":                {"DeleteItem", condition(strings.Repeat("size(txt)=:v OR ", 98)+"big=:v", `{"N":"7"}`)},
		"an operand of many":        {"DeleteItem", condition("big IN ("+fill(299, func(i int) string { return ":v" })+")", list)},
		"unused names": {
			"DeleteItem",
			`{"TableName":"main","Key":{},"ConditionExpression":"a=b","ExpressionAttributeNames":{` + fill(
				hostile.Size*9/10,
				func(i int) string { return fmt.Sprintf(`"#%d":"a"`, i) },
			) + `}}`,
		},
		"many actions": {"TransactWriteItems", `{"TransactItems":[` + fill(hostile.Size*9/10, func(i int) string { return `{"Put":{}}` }) + `]}`},
		"many keys": {
			"BatchGetItem",
			`{"RequestItems":{"main":{"Keys":[` + fill(hostile.Size*9/10, func(i int) string { return `{"pk":{"S":"a"}}` }) + `]}}}`,
		},
		"many tables": {"BatchGetItem", `{"RequestItems":{` + fill(hostile.Size*9/10, func(i int) string { return fmt.Sprintf(`"t%d":{"Keys":[]}`, i) }) + `}}`},
		"many indexes": {
			"CreateTable",
			`{"TableName":"wide","GlobalSecondaryIndexes":[` + fill(hostile.Size*9/10, func(i int) string { return `{"IndexName":"x"}` }) + `]}`,
		},
		"many paths": {
			"GetItem",
			`{"TableName":"main","Key":{"pk":{"S":"big"},"sk":{"N":"1"}},"ProjectionExpression":"` + fill(4000, func(i int) string { return fmt.Sprintf("big[%d]", i) }) + `"}`,
		},
		"many filters": {
			"Scan",
			`{"TableName":"main","FilterExpression":"` + strings.Repeat("contains(big,:v) OR ", 145) + `big=:v","ExpressionAttributeValues":{":v":{"N":"7"}}}`,
		},
	}
}

// TestHostileRequestsAreCheap sends hostile requests to an engine with an item of maximum
// size.
func TestHostileRequestsAreCheap(t *testing.T) {
	h := hostileWorld(t)
	for name, q := range hostileRequests() {
		if took := cost(t, h, q); took > hostile.Longest {
			t.Errorf("%s: takes %v", name, took)
		} else {
			t.Logf("%7.2f ms: %s", took.Seconds()*1000, name)
		}
	}
}

// TestLongTextsAreCheap checks that the cost of a text with many escapes is proportional to
// its length.
func TestLongTextsAreCheap(t *testing.T) {
	const times = 10
	h := hostileWorld(t)
	text := strings.Repeat(`\n`, times*hostile.Size/2)
	q := request{"PutItem", `{"TableName":"main","Item":{"pk":{"S":"x"},"sk":{"N":"1"},"a":{"S":"` + text + `"}}}`}
	if took := cost(t, h, q); took > times*hostile.Longest {
		t.Errorf("takes %v", took)
	}
}

// FuzzCost looks for requests that are slow.
func FuzzCost(f *testing.F) {
	for _, q := range hostileRequests() {
		f.Add(q.operation, q.body)
	}
	h := hostileWorld(f)
	f.Fuzz(func(t *testing.T, operation, body string) {
		if len(body) > hostile.Size {
			return
		}
		if took := cost(t, h, request{operation, body}); took > hostile.Longest {
			t.Errorf("%s of %d bytes, %.200s, takes %v", operation, len(body), body, took)
		}
	})
}

// cost returns the duration of a request.
func cost(t testing.TB, h http.Handler, q request) time.Duration {
	return hostile.Cost(func() { ask(t, h, q) })
}

func hostileWorld(t testing.TB) http.Handler {
	t.Helper()
	h := wire.NewHandler(memory(t), slog.New(slog.DiscardHandler))
	elements := fill(100_000, func(i int) string { return fmt.Sprintf(`{"N":"%d"}`, i+100) })
	numbers := fill(50_000, func(i int) string { return fmt.Sprintf(`"%d"`, i) })
	for _, q := range []request{
		{"CreateTable", `{"TableName":"main","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],` +
			`"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}]}`},
		{"PutItem", `{"TableName":"main","Item":{"pk":{"S":"big"},"sk":{"N":"1"},"m":{"M":{}},"txt":{"S":"` + strings.Repeat("a", 100_000) +
			`"},"ns":{"NS":[` + numbers + `]},"big":{"L":[` + elements + `]}}}`},
	} {
		if status, body := ask(t, h, q); status != http.StatusOK {
			t.Fatal(body)
		}
	}
	return h
}

type request struct{ operation, body string }

// ask serves a request without a connection.
func ask(t testing.TB, h http.Handler, q request) (status int, answer string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(q.body))
	for name, v := range signed {
		r.Header.Set(name, v)
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+q.operation)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}
