package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/wire"
)

// TestPutsAsFieldsAndWhole asks two engines the same at random, with mistakes of all
// kinds: one that takes items as fields and one that takes them in the SDK's form. They
// have to answer and to store the same.
func TestPutsAsFieldsAndWhole(t *testing.T) {
	now := time.Unix(1_750_000_000, 0)
	clock := func() time.Time { return now }
	fields := &counting{Engine: putEngine(t, clock)}
	whole := putEngine(t, clock)
	log := slog.New(slog.DiscardHandler)
	fast, slow := wire.NewHandler(fields, log), wire.NewHandler(struct{ wire.API }{whole}, log)
	repeats := wire.NewHandler(struct{ wire.API }{fields}, log) // of what may have come as fields first

	g := generator{rand.New(rand.NewPCG(7, 11))}
	var last []request
	answered := map[int]int{}
	for n := range 8000 {
		q, h := g.request(), fast
		if len(last) == 8 && g.one(6) { // once more, perhaps with the token of then
			q, h = last[g.IntN(len(last))], []*wire.Handler{fast, repeats}[g.IntN(2)]
		}
		last = append(last, q)[max(0, len(last)-7):]
		status, got := ask(t, h, q)
		wantStatus, want := ask(t, slow, q)
		if status != wantStatus || !reflect.DeepEqual(got, want) {
			t.Fatalf("request %d, %s %s\n got  %d %v\n want %d %v", n, q.operation, q.body, status, got, wantStatus, want)
		}
		answered[status]++
		if n%500 == 499 {
			sameStored(t, fields.Engine, whole)
			now = now.Add(time.Minute)
		}
	}
	if fields.taken < 1000 || fields.refused < 100 || answered[http.StatusOK] < 1000 || answered[http.StatusBadRequest] < 1000 {
		t.Errorf("taken %d, refused %d, answered %v: some of it is hardly tested", fields.taken, fields.refused, answered)
	}
}

// counting counts which requests its engine takes as fields.
type counting struct {
	*engine.Engine
	taken, refused int
}

func (c *counting) PutFields(ctx context.Context, in *dynamodb.PutItemInput, fields []itemcodec.Field) (*dynamodb.PutItemOutput, error) {
	out, err := c.Engine.PutFields(ctx, in, fields)
	c.count(err)
	return out, err
}

func (c *counting) TransactFields(ctx context.Context, in *dynamodb.TransactWriteItemsInput, items [][]itemcodec.Field) (*dynamodb.TransactWriteItemsOutput, error) {
	out, err := c.Engine.TransactFields(ctx, in, items)
	c.count(err)
	return out, err
}

func (c *counting) BatchFields(ctx context.Context, in *dynamodb.BatchWriteItemInput, items [][]itemcodec.Field) (*dynamodb.BatchWriteItemOutput, error) {
	out, err := c.Engine.BatchFields(ctx, in, items)
	c.count(err)
	return out, err
}

func (c *counting) count(err error) {
	if err == engine.ErrUnusual {
		c.refused++
	} else {
		c.taken++
	}
}

// putNames are the attributes of the items that are put, each known to both engines by
// the same number.
var putNames = []string{"a", "b", "flag", "g", "gs", "pk", "sk", "text"}

// putEngine opens an engine with a table "main" of pk (S) and sk (N), an index on g (S)
// and gs (N), a table "like" which is like it, and a table "other" of pk (B).
func putEngine(t *testing.T, clock func() time.Time) *engine.Engine {
	e, err := engine.OpenMemory(engine.WithClock(clock))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	h := wire.NewHandler(e, slog.New(slog.DiscardHandler))
	const main = `{"TableName":"main","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
			"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"},{"AttributeName":"gs","AttributeType":"N"}],
			"GlobalSecondaryIndexes":[{"IndexName":"GSI-1","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"gs","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]}`
	for _, body := range []string{main, strings.Replace(main, "main", "like", 1),
		`{"TableName":"other","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"B"}]}`,
	} {
		if status, answer := ask(t, h, request{"CreateTable", body}); status != http.StatusOK {
			t.Fatal(answer)
		}
	}
	first := map[string]itemcodec.Field{"pk": {Form: itemcodec.Text, Text: "first"}, "sk": {Form: itemcodec.Decimal, Text: "0"}, "g": {Form: itemcodec.Text, Text: "g"}, "gs": {Form: itemcodec.Decimal, Text: "0"}}
	for table, key := range map[string]map[string]itemcodec.Field{
		"main": first, "like": first,
		"other": {"pk": {Form: itemcodec.Other, Value: &types.AttributeValueMemberB{Value: []byte("first")}}},
	} {
		write := engine.Write{Kind: engine.WritePut, Table: table}
		for _, name := range putNames {
			f, isKey := key[name]
			if !isKey {
				f.Form = itemcodec.True
			}
			f.Name = name
			write.Fields = append(write.Fields, f)
		}
		if err := e.WriteOne(t.Context(), write); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// sameStored compares what two engines hold, byte by byte.
func sameStored(t *testing.T, got, want *engine.Engine) {
	t.Helper()
	for _, from := range []*dynamodb.ScanInput{{TableName: aws.String("main")}, {TableName: aws.String("like")}, {TableName: aws.String("other")}, {TableName: aws.String("main"), IndexName: aws.String("GSI-1")}} {
		g, w := storedBytes(t, got, from), storedBytes(t, want, from)
		if !bytes.Equal(g, w) {
			t.Fatalf("table %s, index %s: %d bytes are stored, others than the %d they should be", *from.TableName, aws.ToString(from.IndexName), len(g), len(w))
		}
	}
}

func storedBytes(t *testing.T, e *engine.Engine, from *dynamodb.ScanInput) (all []byte) {
	t.Helper()
	in := *from
	for {
		out, err := e.VisitScan(t.Context(), &in, func(stored itemcodec.View, _ engine.Item) error {
			all = append(all, stored.Bytes()...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return all
		}
	}
}

type request struct{ operation, body string }

// shownMap is a map in the text of an error, which has its entries in no order.
var shownMap = regexp.MustCompile(`Value '\{.*\}' at`)

// ask serves a request without a connection.
func ask(t *testing.T, h http.Handler, q request) (status int, answer any) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(q.body))
	for name, v := range signed {
		r.Header.Set(name, v)
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+q.operation)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	text, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	text = shownMap.ReplaceAll(text, []byte("Value {} at"))
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s %s: %s", q.operation, q.body, text)
	}
	return w.Code, answer
}

// generator makes requests of which most are right and many have one mistake.
type generator struct{ *rand.Rand }

func (g generator) one(in int) bool           { return g.IntN(in) == 0 }
func (g generator) of(texts ...string) string { return texts[g.IntN(len(texts))] }
func member(name, v string) string            { return fmt.Sprintf("%q:%s", name, v) }
func (g generator) object(m []string) string {
	g.Shuffle(len(m), func(i, j int) { m[i], m[j] = m[j], m[i] })
	return "{" + strings.Join(m, g.of(",", ",", " ,\n")) + "}"
}
func (g generator) rarely(n int, m ...string) []string {
	if g.one(n) {
		return m
	}
	return nil
}

func (g generator) request() request {
	if g.one(2) {
		return request{"PutItem", g.object(append(g.put(), g.beside()...))}
	}
	if g.one(4) {
		return request{"BatchWriteItem", g.object(append(g.batch(), g.rarely(4, member("ReturnConsumedCapacity", g.of(`"TOTAL"`, `"INDEXES"`, `"NONE"`, `"hi"`)))...))}
	}
	actions := make([]string, 1+g.IntN(4))
	for i := range actions {
		actions[i] = g.action()
	}
	body := []string{`"TransactItems":[` + strings.Join(actions, ",") + `]`}
	body = append(body, g.rarely(4, member("ClientRequestToken", g.of(g.token(), g.token(), g.token(), g.token(), `""`, `"`+strings.Repeat("x", 37)+`"`, `5`)))...)
	body = append(body, g.rarely(4, member("ReturnConsumedCapacity", g.of(`"TOTAL"`, `"INDEXES"`, `"NONE"`, `"hi"`)))...)
	body = append(body, g.rarely(20, member("ReturnItemCollectionMetrics", g.of(`"SIZE"`, `"hi"`)))...)
	body = append(body, g.rarely(40, `"TransactItems":[`+g.action()+`]`)...) // again
	return request{"TransactWriteItems", g.object(body)}
}

// token makes one that is mostly new, so that the first request with it can succeed.
func (g generator) token() string { return strconv.Quote("token " + strconv.Itoa(g.IntN(1000))) }

func (g generator) action() string {
	switch put := `"Put":` + g.object(append(g.put(), g.onFailure()...)); g.IntN(12) {
	case 0:
		return `{"Delete":` + g.object(append(g.condition(), `"TableName":"main"`, `"Key":`+g.key())) + `}`
	case 1:
		return `{"Update":` + g.object([]string{`"TableName":"main"`, `"Key":` + g.key(), `"UpdateExpression":"SET a = :v"`, `"ExpressionAttributeValues":{":v":` + g.value(1) + `}`}) + `}`
	case 2:
		return `{"ConditionCheck":` + g.object(append(g.onFailure(), `"TableName":"main"`, `"Key":`+g.key(), `"ConditionExpression":"attribute_exists(pk)"`)) + `}`
	case 3:
		if g.one(2) {
			return g.of(`{}`, `null`, `5`, `{"Put":null}`, `{"Put":{}}`, `{`+put+`,"Nope":1}`)
		}
		return `{` + put + `,"Put":` + g.object(g.put()) + `}`
	default:
		return `{` + put + `}`
	}
}

// batch makes the writes of a batch, mostly to one table.
func (g generator) batch() []string {
	tables := g.of(`main`, `main`, `main`, `main main`, `other`, `main like`, `main like`, `other main`, `nowhere`, `ab`, ``)
	var lists []string
	for table := range strings.FieldsSeq(tables) {
		writes := make([]string, g.IntN(5))
		if g.one(30) {
			writes = make([]string, 26)
		}
		for i := range writes {
			switch put := `"PutRequest":{"Item":` + g.item(table == "other") + `}`; g.IntN(24) {
			case 0:
				writes[i] = g.of(`{}`, `null`, `5`, `{"PutRequest":null}`, `{"PutRequest":{}}`, `{"PutRequest":{"Item":{}}}`, `{`+put+`,`+put+`}`, `{`+put+`,"DeleteRequest":{"Key":{}}}`)
			case 1, 2, 3:
				writes[i] = `{"DeleteRequest":{"Key":` + g.key() + `}}`
			case 4:
				writes[i] = `{"DeleteRequest":{"Key":{"pk":` + g.value(1) + `}}}`
			default:
				writes[i] = `{` + put + `}`
			}
		}
		lists = append(lists, member(table, "["+strings.Join(writes, ",")+"]"))
	}
	return append(g.rarely(40, `"RequestItems":{"main":[]}`), `"RequestItems":{`+strings.Join(lists, ",")+`}`)
}

func (g generator) key() string {
	return g.object([]string{`"pk":{"S":"` + g.of("x", "y", "z") + `"}`, `"sk":{"N":"` + g.of("1", "2", "2.0") + `"}`})
}

// put makes what all puts have.
func (g generator) put() []string {
	m := g.condition()
	table := `"main"`
	if g.one(6) {
		table = g.of(`"other"`, `"other"`, `"nowhere"`, `""`, `"ab"`, `"a;b"`, `null`, `5`, `{}`)
	}
	m = append(m, `"TableName":`+table, `"Item":`+g.item(table == `"other"`))
	switch g.IntN(60) {
	case 0:
		return m[1:]
	case 1:
		return append(m, g.of(`"Nope":[1]`, `"Item":null`, `"Item":`+g.item(false), `"TableName":"main"`, `"Item":[]`, `"Item":"x"`, `"Item":{}`))
	case 2:
		return append(m[:len(m)-1], g.of(`"Item":null`, `"Item":[]`, `"Item":"x"`, `"Item":{}`, `"Item":{"a":5}`))
	}
	return m
}

func (g generator) onFailure() []string {
	return g.rarely(3, member("ReturnValuesOnConditionCheckFailure", g.of(`"ALL_OLD"`, `"ALL_OLD"`, `"NONE"`, `"hi"`, `""`)))
}

// beside makes what a PutItem may have beside the put.
func (g generator) beside() []string {
	m := g.onFailure()
	m = append(m, g.rarely(4, member("ReturnValues", g.of(`"ALL_OLD"`, `"ALL_OLD"`, `"NONE"`, `""`, `"ALL_NEW"`, `"UPDATED_OLD"`, `"hi"`, `5`)))...)
	m = append(m, g.rarely(4, member("ReturnConsumedCapacity", g.of(`"TOTAL"`, `"INDEXES"`, `"NONE"`, `"hi"`, `null`)))...)
	m = append(m, g.rarely(20, member("ReturnItemCollectionMetrics", g.of(`"SIZE"`, `"NONE"`, `"hi"`)))...)
	m = append(m, g.rarely(40, g.of(`"Expected":{"a":{"Exists":false}}`, `"Expected":{}`, `"Expected":null`, `"ConditionalOperator":"AND"`, `"ConditionalOperator":"x"`))...)
	return m
}

func (g generator) condition() []string {
	if g.one(3) {
		return nil
	}
	if !g.one(4) {
		return g.rarely(2, `"ConditionExpression":"`+g.of("attribute_not_exists(pk)", "attribute_exists(pk)", "attribute_not_exists(a) OR size(a) > sk")+`"`)
	}
	m := []string{`"ConditionExpression":"` + g.of("#n = :v", "#n <> :v AND attribute_exists(pk)", "NOT contains(#n, :v)", "#n = :v AND", "", "#n.x = :v", "a = :w", "pk.x = :v") + `"`}
	m = append(m, `"ExpressionAttributeNames":`+g.of(`{"#n":"a"}`, `{"#n":"flag"}`, `{"#n":"text"}`, `{"#n":"pk"}`, `{"#n":""}`, `{"n":"a"}`, `{}`, `null`, `{"#n":"a","#m":"b"}`))
	return append(m, `"ExpressionAttributeValues":{":v":`+g.value(1)+g.of("", "", "", `,":w":{"S":"x"}`)+`}`)
}

// item makes an item: mostly with its key, and of a few keys, so that items meet.
func (g generator) item(other bool) string {
	m := []string{`"pk":{"S":"` + g.of("x", "y", "z") + `"}`, `"sk":{"N":"` + g.of("1", "2", "3", "2.0", "-0.50") + `"}`}
	if other {
		m = []string{`"pk":{"B":"` + g.of("YQ==", "Yg==") + `"}`}
	}
	for _, name := range putNames {
		if name != "pk" && name != "sk" && g.one(2) {
			m = append(m, member(name, g.attribute(name)))
		}
	}
	switch g.IntN(50) {
	case 0:
		m = m[1:]
	case 1:
		m[0] = `"pk":` + g.of(`{"S":""}`, `{"N":"1"}`, `{"S":"`+strings.Repeat("k", 2049)+`"}`, `{"B":""}`, g.value(1))
	case 2:
		m = append(m, g.of(`"a":{"S":"twice"}`, `"":{"S":"x"}`, member(strings.Repeat("long", 20), `{"S":"x"}`), member(strings.Repeat("n", 65536), `{"S":"x"}`), `"text":`+g.wrong(), `"\u0061":{"S":"escaped"}`))
	case 3:
		if g.one(4) {
			m = append(m, member("text", `{"S":"`+strings.Repeat("large", 82_000)+`"}`))
		}
	}
	return g.object(m)
}

// attribute makes a value that mostly fits where it is a key of an index.
func (g generator) attribute(name string) string {
	switch {
	case name == "g" && !g.one(15):
		return `{"S":"` + g.of("x", "y") + `"}`
	case name == "gs" && !g.one(15):
		return `{"N":"` + g.of("1", "10", "2.50", "1E2") + `"}`
	case g.one(30):
		return g.wrong()
	}
	return g.value(1)
}

func (g generator) value(depth int) string {
	kinds := 13
	if depth > 4 {
		kinds = 9
	}
	switch g.IntN(kinds) {
	case 0, 1, 2:
		return `{"S":"` + g.of("", "some text", "é 😀 \\u00e9\\n", `quoted \"text\"`, strings.Repeat("lorem ", 40)) + `"}`
	case 3, 4:
		return `{"N":"` + g.of("0", "-0", "42", "1.50", "+7", "1e10", "007", "-12345678901234567890123456789012345678", ".5", "99999999999999999") + `"}`
	case 5:
		return `{"BOOL":` + g.of("true", "false", ` "yes"`) + `}`
	case 6:
		return `{"NULL":true}`
	case 7:
		return `{"B":"` + g.of("", "YQ==", "AAEC/w==") + `"}`
	case 8:
		return g.of(`{"SS":["one","two","three"]}`, `{"SS":["a"]}`, `{"NS":["2","1.0","10"]}`, `{"BS":["Yg==","YQ=="]}`, `{"SS":["a","b",""]}`)
	case 9, 10:
		return `{"L":[` + strings.Join([]string{g.value(depth + 1), g.value(depth + 2)}[:g.IntN(3)], ",") + `]}`
	default:
		return `{"M":{"` + g.of("x", "z") + `":` + g.value(depth+1) + g.of("", `,"y":`+g.value(depth+2)) + `}}`
	}
}

// wrong makes a value that no item can have.
func (g generator) wrong() string {
	return g.of(`{}`, `null`, `5`, `"x"`, `[]`, `{"S":1}`, `{"S":null}`, `{"X":1}`, `{"S":"a","N":"1"}`, `{"S":"a","X":1}`, `{"S":"a","S":"b"}`, `{"N":""}`, `{"N":"x"}`, `{"N":1}`,
		`{"N":"1e126"}`, `{"N":"1e-131"}`, `{"N":"123456789012345678901234567890123456789"}`, `{"NULL":false}`, `{"BOOL":"x"}`, `{"BOOL":1}`, `{"B":"YQ"}`, `{"B":"!!!!"}`, `{"B":5}`,
		`{"SS":[]}`, `{"SS":["a","a"]}`, `{"NS":["1","1.0"]}`, `{"NS":["x"]}`, `{"BS":[]}`, `{"BS":["YQ==","YQ=="]}`, `{"SS":"a"}`, `{"SS":[null]}`, `{"L":{}}`, `{"L":[null]}`, `{"L":[5]}`,
		`{"M":[]}`, `{"M":{"":{"S":"x"}}}`, `{"M":{"a":null}}`, `{"M":{"a":{"S":"a","N":"1"}}}`, strings.Repeat(`{"L":[`, 33)+`{"S":"x"}`+strings.Repeat(`]}`, 33))
}
