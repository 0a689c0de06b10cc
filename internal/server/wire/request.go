package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
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
	// IdempotencyKey is `extensions.idempotencyKey`; nil if there is none.
	IdempotencyKey *string
	// Since is `extensions.since`: the cursor where a subscription resumes. Nil if there is none.
	Since *string
}

// body is the JSON form of a request.
type body struct {
	query         *string
	operationName string
	variables     map[string]any
	extensions    extensions
}

// extensions holds the supported extensions.
type extensions struct {
	persistedQuery *persistedQuery
	idempotencyKey *string
	since          *string
}

type persistedQuery struct {
	version    int
	sha256Hash string
}

// decode decodes the members of a request. GraphQL over HTTP tells names apart by their case.
func (b *body) decode(data []byte) error {
	var extensions json.RawMessage
	err := decodeWhole(data, "request", map[string]any{
		"query": &b.query, "operationName": &b.operationName, "variables": &b.variables, "extensions": &extensions,
	})
	if err != nil || extensions == nil {
		return err
	}
	return b.extensions.decode(extensions)
}

func (e *extensions) decode(data []byte) error {
	var persisted json.RawMessage
	err := decodeMembers(data, "extensions", map[string]any{"persistedQuery": &persisted, "idempotencyKey": &e.idempotencyKey, "since": &e.since})
	if err != nil || persisted == nil || bytes.Equal(persisted, Null) {
		return err
	}
	e.persistedQuery = &persistedQuery{}
	return decodeMembers(persisted, "extensions.persistedQuery",
		map[string]any{"version": &e.persistedQuery.version, "sha256Hash": &e.persistedQuery.sha256Hash})
}

// DecodeRequest decodes the JSON of a request from a POST body or a WebSocket message.
// Errors are intended for a client's developer.
func DecodeRequest(data []byte) (Request, error) {
	if utf8.Valid(data) {
		if r, ok := quick(data); ok {
			return r, nil
		}
	}
	var b body
	if err := b.decode(data); err != nil {
		return Request{}, err
	}
	return b.request()
}

// RequestFromURL decodes a request from the query of a URL.
func RequestFromURL(query string) (Request, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return Request{}, fmt.Errorf("the parameters are not well-formed: %w", err)
	}
	for _, name := range []string{"query", "operationName", "variables", "extensions"} {
		if len(values[name]) > 1 {
			return Request{}, fmt.Errorf("parameter `%s` is given twice", name)
		}
	}
	b := body{operationName: values.Get("operationName")}
	if values.Has("query") {
		query := values.Get("query")
		b.query = &query
	}
	if text := values.Get("variables"); text != "" {
		if err := decode([]byte(text), "`variables`", &b.variables); err != nil {
			return Request{}, fmt.Errorf("parameter `variables`: %w", err)
		}
	}
	if text := values.Get("extensions"); text != "" {
		if err := b.extensions.decode([]byte(text)); err != nil {
			return Request{}, fmt.Errorf("parameter `extensions`: %w", err)
		}
	}
	return b.request()
}

func (b *body) request() (r Request, err error) {
	if r.Hash, err = b.extensions.hash(); err != nil {
		return Request{}, err
	}
	switch {
	case b.query != nil:
		r.Query = *b.query
	case r.Hash == nil:
		return Request{}, errors.New("`query` is missing: send the GraphQL document as a string")
	}
	if _, err := literalOf(b.variables); err != nil {
		return Request{}, err
	}
	r.OperationName, r.Variables = b.operationName, b.variables
	r.IdempotencyKey, r.Since = b.extensions.idempotencyKey, b.extensions.since
	return r, nil
}

func (e extensions) hash() (*[32]byte, error) {
	switch p := e.persistedQuery; {
	case p == nil:
		return nil, nil
	case p.version != 1:
		return nil, errors.New("`extensions.persistedQuery.version` must be 1")
	default:
		digest, err := hex.DecodeString(p.sha256Hash)
		if err != nil || len(digest) != 32 {
			return nil, errors.New("`extensions.persistedQuery.sha256Hash` must be a SHA-256 in 64 hexadecimal digits")
		}
		return (*[32]byte)(digest), nil
	}
}
