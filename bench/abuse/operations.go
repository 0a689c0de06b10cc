package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"stoa/bench/load"
)

func longAnswers(ctx context.Context, t *target) string {
	var query strings.Builder
	query.WriteString(`{ self { posts(limit: 100) { items {`)
	for i := range 400 {
		fmt.Fprintf(&query, " a%d: text", i)
	}
	query.WriteString(` } } } }`)
	var o outcomes
	several(ctx, 2, func(int) { o.note(code(t.ask(t.attacker(), query.String(), nil))) })
	return o.String()
}

func repetitions(ctx context.Context, t *target) string {
	fields := strings.Repeat(" __typename", 14_000)
	documents := []string{
		"{" + fields + "}", "{__typename} fragment F on Query{" + fields + "}",
		"{" + strings.Repeat("...{", 900) + strings.Repeat(" __typename", 300) + strings.Repeat("}", 901),
	}
	var o outcomes
	several(ctx, 2, func(i int) {
		// A different comment each time keeps the document out of caches.
		query := fmt.Sprintf("# %d %d\n%s", i, time.Now().UnixNano(), documents[rand.IntN(len(documents))])
		o.note(code(t.ask(t.attacker(), query, nil)))
	})
	return o.String()
}

// repeated is a document that asks for a field many times, with # as the number of each.
func repeated(kind string, times int, field string) string {
	var document strings.Builder
	for i := range times {
		fmt.Fprintf(&document, " a%d:%s", i, strings.ReplaceAll(field, "#", fmt.Sprint(i)))
	}
	return kind + "{" + document.String() + "}"
}

// searches asks for as many as a document holds, without an account.
func searches(ctx context.Context, t *target) string {
	var o outcomes
	several(ctx, 2, func(i int) {
		query := repeated("", 900-800*i, `searchUsers(searchToken:"person"){items{username}}`)
		o.note(code(t.ask(t.anonymous, query, nil)))
	})
	return o.String()
}

// nestedFault sends deeply nested invalid values to an engine of its own on the same
// processors.
func nestedFault(ctx context.Context, t *target) string {
	addr, err := load.FreeAddress()
	if err != nil {
		return "FAILED: " + err.Error()
	}
	engine := exec.CommandContext(ctx, t.binary, "dynamodb", "--listen", addr, "--store", "memory:")
	if err := engine.Start(); err != nil {
		return "FAILED: " + err.Error()
	}
	defer engine.Wait()
	value := strings.Repeat(`{"M":{"a":`, 31) + `{"N":"x"}` + strings.Repeat(`}}`, 31)
	body := `{"TableName":"t","Item":{"pk":` + value + `}}`
	var o outcomes
	var slowest time.Duration
	several(ctx, 1, func(int) {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr, strings.NewReader(body))
		if err != nil {
			return
		}
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.PutItem")
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00")
		began := time.Now()
		status, _, err := do(r)
		if err != nil {
			time.Sleep(10 * time.Millisecond) // not started yet, or finished
			return
		}
		slowest = max(slowest, time.Since(began))
		o.note(fmt.Sprint(status))
		time.Sleep(5 * time.Millisecond)
	})
	if slowest > time.Second {
		o.note("FAILED: slow")
	}
	return fmt.Sprintf("slowest %s; %s", slowest.Round(time.Millisecond), &o)
}
