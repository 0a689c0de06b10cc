package wire_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"stoa/internal/kit/hostile"
	"stoa/internal/server/wire"
)

func TestDecodeRequest(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       wire.Request
	}{
		{"query only", ` {"query" : "{a}"} `, wire.Request{Query: "{a}"}},
		{"names in another case", `{"QUERY":"{b}","query":"{a}","Variables":[],"operationname":5,"extensions":{"Since":5,"IDEMPOTENCYKEY":"k"}}`, wire.Request{Query: "{a}"}},
		{"unknown members", `{"id":1,"query":"{a}","id":2}`, wire.Request{Query: "{a}"}},
		{"escapes", `{"query":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 é😀"}`, wire.Request{Query: "\"\\/\b\f\n\r\té😀 é😀"}},
		{"lone surrogates", `{"query":"\ud83d \ude00 \ud83d\ud83d\ude00 \ud83dx"}`, wire.Request{Query: "\ufffd \ufffd \ufffd😀 \ufffdx"}},
		{"numbers", `{"query":"","variables":{"i":-12,"z":0,"big":9223372036854775808,"f":1.5,"e":1E2,"w":-20.0,"huge":1e300,"over":1e400,"long":1.999999999999999999,"n":null,` +
			`"t":true,"x":false,"l":[],"o":{}}}`,
			wire.Request{Variables: map[string]any{"i": int64(-12), "z": int64(0), "big": json.Number("9223372036854775808"), "f": 1.5, "e": int64(100), "w": int64(-20), "huge": 1e300,
				"over": json.Number("1e400"), "long": json.Number("1.999999999999999999"),
				"n": nil, "t": true, "x": false, "l": []any{}, "o": map[string]any{}}}},
		{"nested", `{"query":"","variables":{"a":[{"b":[1,"c",[null]]}]}}`,
			wire.Request{Variables: map[string]any{"a": []any{map[string]any{"b": []any{int64(1), "c", []any{nil}}}}}}},
		{"hash instead of query", `{"extensions":{"a":1,"persistedQuery":{"version":1,"sha256Hash":"` + strings.Repeat("0F", 32) + `"}}}`,
			wire.Request{Hash: (*[32]byte)([]byte(strings.Repeat("\x0f", 32)))}},
		{"null hash", `{"query":"{a}","extensions":{"persistedQuery":null}}`, wire.Request{Query: "{a}"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := wire.DecodeRequest([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestDecodeRequestRefuses(t *testing.T) {
	nested := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for body, want := range map[string]string{
		``:                              "request is empty",
		` `:                             "request is empty",
		`null`:                          "request must be a JSON object",
		`[]`:                            "request must be a JSON object",
		`"{a}"`:                         "request must be a JSON object",
		`{`:                             "JSON ends early",
		`{"query":"a`:                   "JSON ends early",
		`{"query":"{a}",}`:              "not valid JSON: invalid character '}' looking for beginning of object key string, at byte 16",
		`{"query":"{a}"}{}`:             "not valid JSON: something follows the value at byte 16",
		`{"query":"{a}"} x`:             "not valid JSON: something follows the value at byte 16",
		"{\"query\":\"\xff\"}":          "not valid UTF-8",
		`{}`:                            "`query` is missing: send the GraphQL document as a string",
		`{"query":null}`:                "`query` is missing: send the GraphQL document as a string",
		`{"QUERY":"{a}"}`:               "`query` is missing: send the GraphQL document as a string",
		`{"query":"{a}","query":"{a}"}`: "`query` is given twice",
		`{"variables":{"a":1},"query":"","variables":{"b":2}}`:                    "`variables` is given twice",
		`{"query":"","operationName":"A","operationName":null}`:                   "`operationName` is given twice",
		`{"query":"","extensions":{},"extensions":{}}`:                            "`extensions` is given twice",
		`{"query":"","extensions":{"since":"1","since":"2"}}`:                     "`extensions.since` is given twice",
		`{"extensions":{"persistedQuery":{"version":1,"Version":1,"version":1}}}`: "`extensions.persistedQuery.version` is given twice",
		`{"query":"","extensions":{"idempotencyKey":5}}`:                          "`extensions.idempotencyKey` must be a string",
		`{"query":5}`:                                       "`query` must be a string",
		`{"query":"","operationName":{}}`:                   "`operationName` must be a string",
		`{"query":"","variables":[]}`:                       "`variables` must be an object or null",
		`{"query":"","variables":"{}"}`:                     "`variables` must be an object or null",
		`{"query":"","variables":{"x":` + nested + `}}`:     "not valid JSON: invalid character '[' exceeded max depth, at byte 10028",
		`{"query":"","extensions":1}`:                       "`extensions` must be an object or null",
		`{"extensions":{"persistedQuery":{"version":2}}}`:   "`extensions.persistedQuery.version` must be 1",
		`{"extensions":{"persistedQuery":{"version":"1"}}}`: "`extensions.persistedQuery.version` must be a whole number",
		`{"extensions":{"persistedQuery":{"version":1}}}`:   "`extensions.persistedQuery.sha256Hash` must be a SHA-256 in 64 hexadecimal digits",
		`{"extensions":{"persistedQuery":[]}}`:              "`extensions.persistedQuery` must be an object or null",
	} {
		if _, err := wire.DecodeRequest([]byte(body)); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", body, err, want)
		}
	}
}

func TestRequestFromURL(t *testing.T) {
	got, err := wire.RequestFromURL(url.Values{"query": {"{a}"}, "operationName": {"A"}, "variables": {`{"n":1}`}, "extensions": {`null`}}.Encode())
	want := wire.Request{Query: "{a}", OperationName: "A", Variables: map[string]any{"n": int64(1)}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, test := range []struct{ name, value, want string }{
		{"variables", `{} x`, "parameter `variables`: not valid JSON: something follows the value at byte 3"},
		{"variables", "\xff", "parameter `variables`: not valid UTF-8"},
		{"extensions", `1`, "parameter `extensions`: `extensions` must be an object or null"},
	} {
		if _, err := wire.RequestFromURL(url.Values{"query": {"{a}"}, test.name: {test.value}}.Encode()); err == nil || err.Error() != test.want {
			t.Errorf("%s=%s: got %v, want %s", test.name, test.value, err, test.want)
		}
	}
}

// What a URL says twice, or in an encoding that cannot be read, is refused rather than left out.
func TestRequestFromURLIsTakenAsAWhole(t *testing.T) {
	for query, want := range map[string]string{
		"query={a}&query={b}":                    "parameter `query` is given twice",
		"query={a}&variables={}&variables={}":    "parameter `variables` is given twice",
		`query={a}&variables={"x":"50%"}`:        "the parameters are not well-formed: invalid URL escape \"%\\\"}\"",
		"query={a}&operationName=A;variables={}": "the parameters are not well-formed: invalid semicolon separator in query",
	} {
		if _, err := wire.RequestFromURL(query); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", query, err, want)
		}
	}
	if got, err := wire.RequestFromURL("utm=1&QUERY={b}&query={a}&utm=2"); err != nil || got.Query != "{a}" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Numbers have the types of GraphQL literals; everything else is decoded as by
// encoding/json.
func FuzzVariables(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[1,2.5,-0,1e3,"x\u00e9\ud83d\ude00",null,true,{"b":{}}]}`, `{"a":"\ud800"}`, `{"a":1,"a":2}`, `{"a" : [ ] }`, `{"a":.5}`,
		`{"a":tru}`, `[`, `{"":""}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > hostile.Size {
			return
		}
		var got wire.Request
		var err error
		hostile.Check(t, text, func() { got, err = wire.RequestFromURL(url.Values{"query": {""}, "variables": {text}}.Encode()) })
		var want map[string]any
		wantErr := json.Unmarshal([]byte(text), &want)
		var outOfRange *json.UnmarshalTypeError
		if errors.As(wantErr, &outOfRange) && strings.HasPrefix(outOfRange.Value, "number ") {
			return // it stays a text here
		}
		if text == "" || !utf8.ValidString(text) {
			return
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: got %v, encoding/json %v", text, err, wantErr)
		}
		if err == nil && !reflect.DeepEqual(asFloats(got.Variables), any(want)) && len(want)+len(got.Variables) > 0 {
			t.Fatalf("%q: got %#v, want %#v", text, got.Variables, want)
		}
	})
}

// asFloats converts integers to float64, as encoding/json decodes them.
func asFloats(value any) any {
	switch v := value.(type) {
	case int64:
		return float64(v)
	case json.Number:
		f, _ := v.Float64()
		return f
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = asFloats(v[i])
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name := range v {
			object[name] = asFloats(v[name])
		}
		return object
	}
	return value
}

// The fast parser returns the same as encoding/json.
func FuzzQuick(f *testing.F) {
	for _, seed := range []string{
		`{"query":"{a}"}`, ` { "query" : "{\n  a(b: \"c\")\n}" , "operationName":null,"variables":{"a":[1,2.5,-0,{"b":"\ud83d\ude00"}],"t":true}, ` +
			`"extensions" : {"clientLibrary":{"name":"x"}} } `,
		`{"operationName":"A","variables":null,"query":""}`, `{"query":"{a}","Query":"{b}"}`, `{"query":"{a}","query":"{b}"}`, `{"query":"{a}","variables":{"a":01}}`,
		`{"query":"{a}","variables":{"a":1,"a":2}}`, `{"query":"{a}","extensions":{"PersistedQuery":1}}`, `{"query":"\`, "{\"query\":\"\x01\"}", `{"query":"{a}",}`, `{"query":nul}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !utf8.Valid(data) {
			return
		}
		got, ok := wire.Quick(data)
		if !ok {
			return
		}
		if want, err := wire.Slow(data); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q\ngot  %#v\nwant %#v, %v", data, got, want, err)
		}
	})
}

func TestQuickReadsWhatClientsSend(t *testing.T) {
	for _, body := range []string{
		`{"query":"query Q { a }"}`,
		`{"operationName":"Q","variables":{},"query":"query Q {\n  a\n}"}`,
		`{"operationName":"Q","variables":{"id":"1","input":{"list":[1,2.0,null],"ok":true}},"extensions":{"clientLibrary":{"name":"@apollo/client","version":"4.0.0"}},` +
			`"query":"query Q($id: ID!) { a(id: $id) }"}`,
		"{\n  \"query\": \"{ a }\",\n  \"variables\": null\n}",
	} {
		if _, ok := wire.Quick([]byte(body)); !ok {
			t.Errorf("%s is left to others", body)
		}
	}
}
