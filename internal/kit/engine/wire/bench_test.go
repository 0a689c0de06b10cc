package wire_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/internal/kit/engine/wire"
)

// sink is a response writer that keeps only the status.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }

// BenchmarkServe measures the cost of requests without their connection, on an engine in
// memory. Each put replaces an item by an equal one.
func BenchmarkServe(b *testing.B) {
	const item = `{"pk":{"S":"item/1"},"sk":{"N":"1"},"group":{"S":"group/1"},"name":{"S":"an item to measure with"},"count":{"N":"42"},` +
		`"flag":{"BOOL":true},"tags":{"SS":["one","two","three"]},"text":{"S":"a text of the usual length for what people say about themselves"}}`
	put := func(key string) string {
		return `{"Put":{"TableName":"main","ConditionExpression":"attribute_not_exists(gone)","Item":` + strings.Replace(item, "item/1", key, 1) + `}}`
	}
	var batch []string
	for n := range 25 {
		batch = append(batch, `{"PutRequest":{"Item":`+strings.Replace(item, "item/1", fmt.Sprint(n), 1)+`}}`)
	}
	h := wire.NewHandler(memory(b), slog.New(slog.DiscardHandler))
	server := httptest.NewServer(h)
	defer server.Close()
	createTable(b, client(server), "main")
	for _, c := range []struct{ name, operation, body string }{
		{"put", "PutItem", `{"TableName":"main","Item":` + item + `}`},
		{"put on a condition", "PutItem", `{"TableName":"main","Item":` + item + `,"ConditionExpression":"#n = :n","ExpressionAttributeNames":{"#n":"name"},` +
			`"ExpressionAttributeValues":{":n":{"S":"an item to measure with"}}}`},
		{"transaction of 4 puts", "TransactWriteItems", `{"TransactItems":[` + strings.Join([]string{put("a"), put("b"), put("c"), put("d")}, ",") + `]}`},
		{"batch of 25 puts", "BatchWriteItem", `{"RequestItems":{"main":[` + strings.Join(batch, ",") + `]}}`},
		{"get", "GetItem", `{"TableName":"main","Key":{"pk":{"S":"item/1"},"sk":{"N":"1"}}}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/", nil)
			for name, v := range signed {
				r.Header.Set(name, v)
			}
			r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+c.operation)
			body := bytes.NewReader([]byte(c.body))
			r.Body = io.NopCloser(body)
			w := &sink{header: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				body.Reset([]byte(c.body))
				clear(w.header)
				if h.ServeHTTP(w, r); w.status != http.StatusOK {
					b.Fatalf("status %d", w.status)
				}
			}
		})
	}
}
