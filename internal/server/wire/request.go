package wire

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
)

// Request is one GraphQL request, however it travelled.
type Request struct {
	// Query is the document's text; empty only if Hash stands for it.
	Query string
	// OperationName is empty when the client sent none or null.
	OperationName string
	// Variables may be nil. Whole numbers are int64, also when written as 20.0;
	// others are float64.
	Variables map[string]any
	// Hash is the SHA-256 of the document, from `extensions.persistedQuery`.
	Hash *[32]byte
}

// DecodeRequest reads the JSON object that carries a request in a POST body or a
// WebSocket message. Its errors tell a client's developer what to change.
func DecodeRequest(body []byte) (Request, error) {
	p, err := newParser(body)
	if err != nil {
		return Request{}, err
	}
	if p.peek() == 0 {
		return Request{}, errors.New("request is empty: send a JSON object with a `query`")
	}
	if p.peek() != '{' {
		return Request{}, errors.New("request must be a JSON object with a `query`")
	}
	var r Request
	hasQuery := false
	err = p.object(func(name string) (err error) {
		switch name {
		case "query":
			r.Query, hasQuery, err = p.optionalText("query")
		case "operationName":
			r.OperationName, _, err = p.optionalText("operationName")
		case "variables":
			r.Variables, err = p.optionalObject("variables")
		case "extensions":
			r.Hash, err = p.extensions()
		default:
			err = p.skip()
		}
		return err
	})
	if err == nil {
		err = p.end()
	}
	if err == nil && !hasQuery && r.Hash == nil {
		err = errNoQuery
	}
	return r, err
}

// RequestFromURL reads a request from the parameters of a GET.
func RequestFromURL(values url.Values) (Request, error) {
	r := Request{Query: values.Get("query"), OperationName: values.Get("operationName")}
	var err error
	if text := values.Get("variables"); text != "" {
		if r.Variables, err = parseAll(text, "variables", (*parser).variables); err != nil {
			return Request{}, err
		}
	}
	if text := values.Get("extensions"); text != "" {
		if r.Hash, err = parseAll(text, "extensions", (*parser).extensions); err != nil {
			return Request{}, err
		}
	}
	if !values.Has("query") && r.Hash == nil {
		return Request{}, errNoQuery
	}
	return r, nil
}

var errNoQuery = errors.New("`query` is missing: send the GraphQL document as a string")

func parseAll[T any](text, name string, parse func(*parser) (T, error)) (T, error) {
	p, err := newParser([]byte(text))
	var value T
	if err == nil {
		value, err = parse(&p)
	}
	if err == nil {
		err = p.end()
	}
	if err != nil {
		return value, fmt.Errorf("parameter `%s`: %w", name, err)
	}
	return value, nil
}

func (p *parser) variables() (map[string]any, error) { return p.optionalObject("variables") }

// optionalText reads a string or null, which counts as absent.
func (p *parser) optionalText(name string) (text string, present bool, err error) {
	switch {
	case p.peek() == '"':
		text, err = p.text()
		return text, true, err
	case p.literal("null"):
		return "", false, nil
	}
	return "", false, fmt.Errorf("`%s` must be a string", name)
}

// optionalObject reads an object or null, which counts as absent.
func (p *parser) optionalObject(name string) (map[string]any, error) {
	if p.literal("null") {
		return nil, nil
	}
	if p.peek() != '{' {
		return nil, fmt.Errorf("`%s` must be an object or null", name)
	}
	value, err := p.value()
	object, _ := value.(map[string]any)
	return object, err
}

// extensions reads the one extension that means something here and passes over
// the others.
func (p *parser) extensions() (hash *[32]byte, err error) {
	if p.literal("null") {
		return nil, nil
	}
	if p.peek() != '{' {
		return nil, errors.New("`extensions` must be an object or null")
	}
	err = p.object(func(name string) error {
		if name != "persistedQuery" {
			return p.skip()
		}
		persisted, err := p.optionalObject("extensions.persistedQuery")
		if err != nil || persisted == nil {
			return err
		}
		if version, _ := persisted["version"].(int64); version != 1 {
			return errors.New("`extensions.persistedQuery.version` must be 1")
		}
		text, _ := persisted["sha256Hash"].(string)
		digest, err := hex.DecodeString(text)
		if err != nil || len(digest) != len(hash) {
			return errors.New("`extensions.persistedQuery.sha256Hash` must be a SHA-256 in 64 hexadecimal digits")
		}
		hash = (*[32]byte)(digest)
		return nil
	})
	return hash, err
}
