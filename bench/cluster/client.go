package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

var client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxIdleConns: 1024}}

// Refusal is an answer with errors.
type Refusal struct {
	Status  int
	Code    string
	Message string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%d %s: %s", r.Status, r.Code, r.Message) }

// Decided reports whether the answer is final: neither was the server unable to answer, nor is the
// same request still being carried out.
func (r *Refusal) Decided() bool {
	switch r.Code {
	case "INTERNAL", "TIMEOUT", "CANCELLED", "UNAVAILABLE", "IDEMPOTENCY_KEY_IN_USE", "":
		return false
	}
	return r.Status < 500 && r.Status != http.StatusTooManyRequests
}

// Request is an operation of a person.
type Request struct {
	As        Person
	Query     string
	Variables map[string]any
	// Key makes a mutation safe to repeat; "" is none.
	Key string
}

// Ask sends a request to a process and decodes the data of its answer into data, which may be nil.
// If the answer has errors, it returns a *Refusal.
func (p *Process) Ask(ctx context.Context, q Request, data any) error {
	body, err := json.Marshal(map[string]any{"query": q.Query, "variables": q.Variables})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", q.As.Token)
	if q.Key != "" {
		r.Header.Set("Idempotency-Key", q.Key)
	}
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	var answer struct {
		Data   json.RawMessage
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return &Refusal{Status: response.StatusCode, Message: fmt.Sprintf("%.200s", text)}
	}
	if len(answer.Errors) > 0 {
		return &Refusal{response.StatusCode, answer.Errors[0].Extensions.Code, answer.Errors[0].Message}
	}
	if data == nil {
		return nil
	}
	return json.Unmarshal(answer.Data, data)
}

// Decided reports whether err, of Ask, tells for certain that a mutation has been refused.
func Decided(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && r.Decided()
}
