package wire

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"unicode/utf8"
)

// Request is a GraphQL request from any transport.
type Request struct {
	// Query is the document's text; empty only if Hash is given instead.
	Query string
	// OperationName is empty if absent or null.
	OperationName string
	// Variables may be nil. Whole numbers are int64, even if written like 20.0; others are
	// float64, or json.Number if that would lose digits.
	Variables map[string]any
	// Hash is the SHA-256 of the document, from `extensions.persistedQuery`.
	Hash *[32]byte
	// IdempotencyKey is `extensions.idempotencyKey`, or "".
	IdempotencyKey string
	// Since is `extensions.since`: the cursor where a subscription resumes. Nil if there is none.
	Since *string
}

// body is the JSON form of a request.
type body struct {
	Query         *string        `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
	Extensions    extensions     `json:"extensions"`
}

// extensions holds the supported extensions.
type extensions struct {
	PersistedQuery *persistedQuery `json:"persistedQuery"`
	IdempotencyKey string          `json:"idempotencyKey"`
	Since          *string         `json:"since"`
}

type persistedQuery struct {
	Version    int    `json:"version"`
	SHA256Hash string `json:"sha256Hash"`
}

// DecodeRequest decodes the JSON of a request from a POST body or a WebSocket message.
// Errors are intended for a client's developer.
func DecodeRequest(data []byte) (Request, error) {
	if utf8.Valid(data) {
		if r, ok := quick(data); ok {
			return r, nil
		}
	}
	var b *body
	if err := decode(data, "request", &b); err != nil {
		return Request{}, err
	}
	if b == nil {
		return Request{}, errors.New("request must be a JSON object")
	}
	return b.request()
}

// RequestFromURL decodes a request from the parameters of a GET.
func RequestFromURL(values url.Values) (Request, error) {
	b := body{OperationName: values.Get("operationName")}
	if values.Has("query") {
		query := values.Get("query")
		b.Query = &query
	}
	for name, into := range map[string]any{"variables": &b.Variables, "extensions": &b.Extensions} {
		if text := values.Get(name); text != "" {
			if err := decode([]byte(text), "`"+name+"`", into); err != nil {
				return Request{}, fmt.Errorf("parameter `%s`: %w", name, err)
			}
		}
	}
	return b.request()
}

func (b *body) request() (r Request, err error) {
	if r.Hash, err = b.Extensions.hash(); err != nil {
		return Request{}, err
	}
	switch {
	case b.Query != nil:
		r.Query = *b.Query
	case r.Hash == nil:
		return Request{}, errors.New("`query` is missing: send the GraphQL document as a string")
	}
	if _, err := literalOf(b.Variables); err != nil {
		return Request{}, err
	}
	r.OperationName, r.Variables = b.OperationName, b.Variables
	r.IdempotencyKey, r.Since = b.Extensions.IdempotencyKey, b.Extensions.Since
	return r, nil
}

func (e extensions) hash() (*[32]byte, error) {
	switch p := e.PersistedQuery; {
	case p == nil:
		return nil, nil
	case p.Version != 1:
		return nil, errors.New("`extensions.persistedQuery.version` must be 1")
	default:
		digest, err := hex.DecodeString(p.SHA256Hash)
		if err != nil || len(digest) != 32 {
			return nil, errors.New("`extensions.persistedQuery.sha256Hash` must be a SHA-256 in 64 hexadecimal digits")
		}
		return (*[32]byte)(digest), nil
	}
}
