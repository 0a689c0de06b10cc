package wire_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/server/wire"
)

func TestAppendResult(t *testing.T) {
	full := &gqlerror.Error{
		Message:   "ClientError: no",
		Path:      ast.Path{ast.PathName("feed"), ast.PathIndex(3), ast.PathName("post")},
		Locations: []gqlerror.Location{{Line: 2, Column: 5}, {Line: 3, Column: 1}},
		Extensions: map[string]any{
			wire.Code: "INVALID", wire.ErrorType: "ClientError", wire.ErrorInfo: []string{"A", "B"},
		},
	}
	bare := &gqlerror.Error{Message: "m"}
	for _, test := range []struct {
		name string
		data []byte
		errs gqlerror.List
		want string
	}{
		{"data", []byte(`{"a":1}`), nil, `{"data":{"a":1}}`},
		{"nothing executed", nil, gqlerror.List{bare}, `{"errors":[{"message":"m","errorType":null,"errorInfo":null,"data":null,"path":null,"locations":null}]}`},
		{"both", wire.Null, gqlerror.List{full, bare}, `{"data":null,"errors":[` +
			`{"message":"ClientError: no","errorType":"ClientError","errorInfo":["A","B"],"data":null,"path":["feed",3,"post"],` +
			`"locations":[{"line":2,"column":5,"sourceName":null},{"line":3,"column":1,"sourceName":null}],` +
			`"extensions":{"code":"INVALID","errorType":"ClientError","errorInfo":["A","B"]}},` +
			`{"message":"m","errorType":null,"errorInfo":null,"data":null,"path":null,"locations":null}]}`},
		{"at the root", wire.Null, gqlerror.List{{Path: ast.Path{}}}, `{"data":null,"errors":[{"message":"","errorType":null,"errorInfo":null,"data":null,"path":[],"locations":null}]}`},
	} {
		if got := string(wire.AppendResult([]byte("x"), test.data, test.errs)); got != "x"+test.want {
			t.Errorf("%s\ngot  %s\nwant x%s", test.name, got, test.want)
		}
	}
}

func TestAppendRefusal(t *testing.T) {
	for code, want := range map[string]string{
		"":                `{"errors":[{"errorType":"UnauthorizedException","message":"Token has \"expired\"."}]}`,
		"UNAUTHENTICATED": `{"errors":[{"errorType":"UnauthorizedException","message":"Token has \"expired\".","extensions":{"code":"UNAUTHENTICATED"}}]}`,
	} {
		if got := string(wire.AppendRefusal(nil, "UnauthorizedException", code, `Token has "expired".`)); got != want {
			t.Errorf("got %s", got)
		}
	}
}

// Any message is encoded as JSON that decodes to the same text.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{"", "plain", "\"\\/\n\t\r\x00\x1f", "é😀\u2028", "bad \xff\xc3( end", "\xed\xa0\x80"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		var got struct{ Errors []struct{ Message string } }
		encoded := wire.AppendRefusal(nil, "", "", message)
		if err := json.Unmarshal(encoded, &got); err != nil || !utf8.Valid(encoded) {
			t.Fatalf("%q became %q: %v", message, encoded, err)
		}
		var want strings.Builder
		for _, r := range message {
			want.WriteRune(r)
		}
		if got.Errors[0].Message != want.String() {
			t.Fatalf("%q came back as %q", message, got.Errors[0].Message)
		}
	})
}

func BenchmarkDecodeRequest(b *testing.B) {
	body := []byte(
		`{"operationName":"Profile","variables":{"id":"us-east-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f"},` +
			`"query":"query Profile($id: ID!) {\n  user(userId: $id) {\n    userId\n    username\n    fullName\n  }\n}\n"}`,
	)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := wire.DecodeRequest(body); err != nil {
			b.Fatal(err)
		}
	}
}
