package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/idempotency"
	"stoa/internal/kit/viewer"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
)

// Codes of requests that are refused because of their idempotency key.
const (
	keyMalformed = "IDEMPOTENCY_KEY_MALFORMED"
	keyInUse     = "IDEMPOTENCY_KEY_IN_USE"
	keyReused    = "IDEMPOTENCY_KEY_REUSED"
	alreadyDone  = "ALREADY_DONE"
)

var (
	errInUse = &rejection{
		status: http.StatusConflict, errorType: "ClientError", code: keyInUse,
		message: "A request is outstanding for this Idempotency-Key: send this one again when that one has been answered",
	}
	errReused = &rejection{
		status: http.StatusUnprocessableEntity, errorType: "ClientError", code: keyReused,
		message: "This Idempotency-Key is already used for another document, other variables or another operation: send a new key with a new request",
	}
)

// errors returns the rejection in the form of errors of a document.
func (r *rejection) errors() gqlerror.List {
	return gqlerror.List{wire.NewError(r.errorType, r.code, r.message)}
}

// once is a mutation with an idempotency key. A nil *once is a mutation without.
type once struct {
	*endpoint
	key      idempotency.Key
	document string
	request  *wire.Request
}

// once returns how a mutation with a key is to be executed, or nil if it has none. The key is
// in the headers or in the request. Callers without an identity cannot be told apart, so their
// keys have no effect.
func (e *endpoint) once(ctx context.Context, headers []string, request *wire.Request, op *operation.Operation) (*once, *rejection) {
	caller := viewer.From(ctx).UserID
	if e.config.Keys == nil || caller == "" || len(headers) == 0 && request.IdempotencyKey == nil {
		return nil, nil
	}
	refuse := func(text string) (*once, *rejection) {
		return nil, &rejection{status: http.StatusBadRequest, errorType: malformed, code: keyMalformed, message: text}
	}
	if request.IdempotencyKey != nil {
		headers = append(slices.Clone(headers), *request.IdempotencyKey)
	}
	key, err := idempotency.ParseKey(headers[0])
	for _, other := range headers[1:] {
		if again, err := idempotency.ParseKey(other); err != nil {
			return refuse(err.Error())
		} else if again != key {
			return refuse("the request has two different idempotency keys: send one, as header or as `extensions.idempotencyKey`")
		}
	}
	if err != nil {
		return refuse(err.Error())
	}
	document, err := documentID(request, op.Declared(request.Variables))
	if err != nil {
		return nil, internalRejection
	}
	digest := sha256.Sum256([]byte(key))
	return &once{
		endpoint: e,
		key:      idempotency.Key{System: e.Name, Caller: caller, Digest: hex.EncodeToString(digest[:])},
		document: document, request: request,
	}, nil
}

// documentID identifies a document with the variables that it declares and the name of its
// operation.
func documentID(r *wire.Request, declared map[string]any) (string, error) {
	text := sha256.Sum256([]byte(r.Query))
	if r.Query == "" && r.Hash != nil {
		text = *r.Hash
	}
	variables, err := json.Marshal(declared) // members are sorted
	if err != nil {
		return "", err
	}
	if len(declared) == 0 {
		variables = nil
	}
	h := sha256.New()
	h.Write(text[:])
	h.Write([]byte(r.OperationName + "\x00"))
	h.Write(variables)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// append executes the mutation, unless it has been executed before, and appends the answer.
func (o *once) append(ctx context.Context, op *operation.Operation, dst []byte) ([]byte, *rejection) {
	answer, turn, refused := o.appendInTurn(ctx, op, dst)
	turn.End()
	return answer, refused
}

// appendInTurn is append for an answer that is not sent at once. See
// [operation.Operation.AppendInTurn].
func (o *once) appendInTurn(ctx context.Context, op *operation.Operation, dst []byte) ([]byte, operation.Turn, *rejection) {
	if o == nil {
		answer, _, turn := op.AppendInTurn(ctx, dst)
		return answer, turn, nil
	}
	end, other := o.keys.begin(o.key, o.document)
	if other != "" {
		if other != o.document {
			return dst, operation.Unlimited{}, errReused
		}
		return dst, operation.Unlimited{}, errInUse
	}
	defer end()
	record, refused := o.load(ctx)
	if refused != nil {
		return dst, operation.Unlimited{}, refused
	}
	if record.Document != "" {
		dst, refused = o.again(ctx, record, dst)
		return dst, operation.Unlimited{}, refused
	}
	return o.first(ctx, op, dst)
}

func (o *once) load(ctx context.Context) (idempotency.Record, *rejection) {
	record, err := o.config.Keys.Load(ctx, o.key, time.Now())
	if err != nil {
		o.config.Log.ErrorContext(ctx, "an idempotency key could not be looked up", slog.String("error", err.Error()))
		return record, internalRejection
	}
	return record, nil
}

// first executes a mutation of which nothing is recorded.
func (o *once) first(ctx context.Context, op *operation.Operation, dst []byte) ([]byte, operation.Turn, *rejection) {
	start := len(dst)
	watched, t := idempotency.Start(ctx, o.config.Keys, o.key, o.document, time.Now(), rootName)
	answer, errs, turn := op.AppendInTurn(watched, dst)
	done, refused := t.End()
	if refused || done == 0 && len(errs) > 0 {
		// Another request may have done it meanwhile, which is why this one was refused.
		record, failed := o.load(ctx)
		switch {
		case failed != nil:
			return dst, turn, failed
		case record.Document != "":
			answer, failed = o.again(ctx, record, answer[:start])
			return answer, turn, failed
		case refused:
			return answer[:start], turn, errInUse
		}
		return answer, turn, nil
	}
	if slices.ContainsFunc(errs, isFault) {
		return answer, turn, nil // a repetition may be answered better
	}
	return o.save(ctx, answer, start), turn, nil
}

// isFault reports whether an error may not happen again.
func isFault(err *gqlerror.Error) bool {
	switch err.Extensions[wire.Code] {
	case "INTERNAL", "TIMEOUT", "CANCELLED":
		return true
	}
	return false
}

// save records an answer, from start. It returns that of another request if there is one: all
// repetitions get the same.
func (o *once) save(ctx context.Context, answer []byte, start int) []byte {
	stored, err := o.config.Keys.Answer(ctx, o.key, o.document, time.Now(), answer[start:])
	if err != nil {
		o.config.Log.ErrorContext(ctx, "the answer of a request with an idempotency key was not recorded", slog.String("error", err.Error()))
	}
	if stored || err != nil {
		return answer
	}
	if record, refused := o.load(ctx); refused == nil && record.Answer != nil {
		return append(answer[:start], record.Answer...)
	}
	return answer // it is too large
}

// again answers a request of which something is recorded.
func (o *once) again(ctx context.Context, record idempotency.Record, dst []byte) ([]byte, *rejection) {
	if record.Document != o.document {
		return dst, errReused
	}
	if record.Answer != nil {
		return append(dst, record.Answer...), nil
	}
	return o.resume(ctx, record, dst)
}

// resume answers a request whose process has not recorded an answer: it has died, is about to,
// or the answer was too large. What has been done is read; what has not is done now.
func (o *once) resume(ctx context.Context, record idempotency.Record, dst []byte) ([]byte, *rejection) {
	parts := o.executor.Parts(o.request)
	if parts == nil {
		parts = []operation.Part{{Name: "", Required: true}}
	}
	watched, t := idempotency.Start(ctx, o.config.Keys, o.key, o.document, time.Now(), rootName)
	defer t.End()
	var answers [][]byte
	complete := true
	for _, p := range parts {
		var answer []byte
		ok := false
		switch {
		case p.Do != nil && !record.Done[p.Name]:
			answer, ok = o.run(watched, p.Do)
		case p.Read != nil:
			answer, ok = o.run(ctx, p.Read)
			ok = ok && !isNull(answer, p.Name)
		}
		if !ok && (p.Do == nil || record.Done[p.Name]) {
			if time.Since(record.At) < o.config.Limits.Operation.Duration {
				return dst, errInUse // its process may be about to answer
			}
			answer = doneBefore(p)
		}
		complete = complete && ok
		answers = append(answers, answer)
	}
	if _, refused := t.End(); refused {
		return dst, errInUse
	}
	whole, err := operation.Join(answers)
	if err != nil {
		o.config.Log.ErrorContext(ctx, "an answer could not be put together", slog.String("error", err.Error()))
		return dst, internalRejection
	}
	start := len(dst)
	if dst = append(dst, whole...); complete {
		dst = o.save(ctx, dst, start)
	}
	return dst, nil
}

// run executes a request for one root field, and reports whether there are no errors.
func (o *once) run(ctx context.Context, request *wire.Request) (answer []byte, ok bool) {
	op, errs := o.executor.Prepare(ctx, request)
	if errs != nil {
		return wire.AppendResult(nil, wire.Null, errs), false
	}
	answer, errs, turn := op.AppendInTurn(ctx, nil)
	turn.End()
	return answer, len(errs) == 0
}

func isNull(answer []byte, name string) bool {
	var a struct {
		Data map[string]json.RawMessage `json:"data"`
	}
	return json.Unmarshal(answer, &a) != nil || len(a.Data[name]) == 0 || string(a.Data[name]) == "null"
}

// doneBefore returns the answer for a root field that was carried out and of which nothing can
// be read.
func doneBefore(p operation.Part) []byte {
	err := wire.NewError("ClientError", alreadyDone,
		"ClientError: This request has been carried out and its answer is lost: read what it has changed")
	data := wire.Null
	if p.Name != "" {
		err.Path = ast.Path{ast.PathName(p.Name)}
	}
	if !p.Required {
		data = []byte(`{"` + p.Name + `":null}`)
	}
	return wire.AppendResult(nil, data, gqlerror.List{err})
}

// rootName returns the name, in the answer, of the root field that a context belongs to.
func rootName(ctx context.Context) string {
	if path := graphql.GetPath(ctx); len(path) > 0 {
		if name, ok := path[0].(ast.PathName); ok {
			return strings.Clone(string(name))
		}
	}
	return ""
}

// runningKeys are the keys of requests that this process is executing, with their documents.
type runningKeys struct {
	mu sync.Mutex
	of map[idempotency.Key]string
}

// begin returns the document of the request that is using the key, or "" and a function to
// call at the end of this one.
func (r *runningKeys) begin(k idempotency.Key, document string) (end func(), other string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if other := r.of[k]; other != "" {
		return nil, other
	}
	if r.of == nil {
		r.of = map[idempotency.Key]string{}
	}
	r.of[k] = document
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.of, k)
	}, ""
}
