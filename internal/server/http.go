package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/after"
	"stoa/internal/kit/pace"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
)

// Error types of requests that are rejected before their document is parsed.
const (
	malformed = "MalformedHttpRequestException"
	limited   = "LimitExceededError"
	faulty    = "ServerError"
)

// rejection is the response to a request whose document was not examined.
type rejection struct {
	status             int
	errorType, message string
	// code is that of the error type if empty.
	code string
}

var internalRejection = &rejection{status: http.StatusInternalServerError, errorType: faulty, message: "ServerError: Internal server error"}

// Errors of documents that are valid but not allowed for this transport or now.
var (
	errNeedsStream = wire.NewError("UnsupportedOperation", "SUBSCRIPTION_NEEDS_STREAM",
		"subscriptions need a WebSocket (graphql-transport-ws) or `Accept: text/event-stream`")
	errRateLimited = wire.NewError(limited, "RATE_LIMITED", "Rate limit exceeded")
)

// graphql handles a request on the GraphQL path with any transport.
func (e *endpoint) graphql(w http.ResponseWriter, r *http.Request) {
	if isUpgrade(r) {
		e.webSocket(w, r)
		return
	}
	accepted := negotiate(r.Header["Accept"])
	if refused := wellFormed(w, r, accepted); refused != nil {
		e.reject(w, r, accepted, refused)
		return
	}
	ctx, refused := e.caller(w, r)
	stranger := refused
	if refused != nil && (e.Public == nil || refused.status != http.StatusUnauthorized) {
		e.reject(w, r, accepted, refused)
		return
	}
	request, refused := e.read(ctx, w, r)
	if refused != nil {
		if e.typesOnly || refused.status == http.StatusRequestEntityTooLarge && header(r.Header, "Authorization") != "" {
			refused = cmp.Or(stranger, refused) // valid credentials might allow more
		}
		e.reject(w, r, accepted, refused)
		return
	}
	op, errs := e.executor.Prepare(ctx, request)
	if stranger != nil && (errs != nil || !e.servesStrangers(r, op)) {
		e.refuse(w, accepted, stranger)
		return
	}
	if errs == nil && op.Kind() == ast.Mutation && r.Method == http.MethodGet {
		w.Header().Set("Allow", http.MethodPost)
		e.refuse(w, accepted, &rejection{status: http.StatusMethodNotAllowed, errorType: malformed, message: "mutations must be sent by POST"})
		return
	}
	if errs == nil && op.Kind() == ast.Subscription && accepted != eventStream {
		errs = gqlerror.List{errNeedsStream}
	}
	var once *once
	if errs == nil && op.Kind() == ast.Mutation {
		if once, refused = e.once(ctx, r.Header["Idempotency-Key"], request, op); refused != nil {
			e.refuse(w, accepted, refused)
			return
		}
	}
	switch {
	case accepted == eventStream:
		e.stream(ctx, w, r, request, op, once, errs)
	case errs != nil:
		e.answerErrors(w, accepted, errs)
	default:
		e.answer(ctx, w, accepted, op, once)
	}
}

// wellFormed returns a rejection if the request is malformed, which is checked before its
// body is read.
func wellFormed(w http.ResponseWriter, r *http.Request, accepted media) *rejection {
	switch {
	case r.Method != http.MethodPost && r.Method != http.MethodGet:
		w.Header().Set("Allow", "GET, POST")
		return &rejection{status: http.StatusMethodNotAllowed, errorType: malformed, message: "GraphQL is served by POST and GET"}
	case accepted == unacceptable:
		return &rejection{status: http.StatusNotAcceptable, errorType: malformed,
			message: "none of the accepted media types is served: accept application/graphql-response+json, application/json or text/event-stream"}
	case r.Method == http.MethodPost && (!sendsJSON(header(r.Header, "Content-Type")) || header(r.Header, "Content-Encoding") != ""):
		return &rejection{status: http.StatusUnsupportedMediaType, errorType: malformed,
			message: "send the request as `Content-Type: application/json`, in UTF-8 and without Content-Encoding"}
	}
	return nil
}

// servesStrangers reports whether an operation on public fields is served to a caller whose
// credentials are refused. It always is if there are none. Invalid credentials are refused
// for a query, which might show more with valid ones, but not for a mutation, which may be
// how new ones are obtained.
func (e *endpoint) servesStrangers(r *http.Request, op *operation.Operation) bool {
	return op.Every(e.Public) && (op.Kind() == ast.Mutation || header(r.Header, "Authorization") == "")
}

// caller returns a context with the sender of a request, or a rejection.
func (e *endpoint) caller(w http.ResponseWriter, r *http.Request) (context.Context, *rejection) {
	ctx, err := e.identify(r.Context(), ratelimit.AddressOf(r), func(name string) string { return header(r.Header, name) })
	if wait := e.limiter.Take(callerKey(ctx), e.tuned.Load().rate); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(ratelimit.Seconds(wait)))
		return ctx, &rejection{status: http.StatusTooManyRequests, errorType: limited, message: "Rate limit exceeded"}
	}
	if err != nil {
		return ctx, rejectionOf(err)
	}
	return ctx, nil
}

// callerKey returns the key that operations of a user, or of an address without credentials,
// are counted by, whatever their transport. User ids contain no spaces, so none is the key of
// an address.
func callerKey(ctx context.Context) string {
	v := viewer.From(ctx)
	if v.UserID == "" {
		return "address " + v.Address
	}
	return string(v.UserID)
}

func rejectionOf(err error) *rejection {
	var denied *refusal.Error
	if errors.As(err, &denied) {
		return &rejection{status: http.StatusUnauthorized, errorType: unauthorized, message: denied.Text}
	}
	return internalRejection
}

func (e *endpoint) read(ctx context.Context, w http.ResponseWriter, r *http.Request) (*wire.Request, *rejection) {
	var request wire.Request
	var err error
	if r.Method == http.MethodGet {
		request, err = wire.RequestFromURL(r.URL.RawQuery)
	} else {
		body, refused := e.readBody(w, r, callerKey(ctx), e.bodyBytes(ctx))
		defer body.release()
		if refused != nil {
			return nil, refused
		}
		request, err = wire.DecodeRequest(*body.text)
	}
	if err != nil {
		return nil, &rejection{status: http.StatusBadRequest, errorType: malformed, message: err.Error()}
	}
	return &request, nil
}

// answer executes a query or mutation and writes its result. Effects postponed by a
// mutation happen after the response has been sent, or its sending has failed.
func (s *Server) answer(ctx context.Context, w http.ResponseWriter, accepted media, op *operation.Operation, once *once) {
	buffer := takeBuffer()
	defer giveBuffer(buffer)
	if op.Kind() != ast.Mutation {
		*buffer = op.Append(ctx, *buffer)
		s.send(w, accepted, http.StatusOK, *buffer)
		return
	}
	// A mutation runs to completion even if the client disconnects.
	ctx, finish := after.Scope(context.WithoutCancel(ctx))
	defer s.postponed.release(finish)
	var refused *rejection
	if *buffer, refused = once.append(ctx, op, *buffer); refused != nil {
		s.refuse(w, accepted, refused)
	} else {
		s.send(w, accepted, http.StatusOK, *buffer)
	}
	_ = http.NewResponseController(w).Flush() // fails if the client has disconnected
}

// answerErrors writes errors that precede execution. Older clients expect 200 and an
// explicit null; GraphQL's own media type omits data.
func (s *Server) answerErrors(w http.ResponseWriter, accepted media, errs gqlerror.List) {
	buffer := takeBuffer()
	defer giveBuffer(buffer)
	status, data := http.StatusOK, wire.Null
	if accepted == responseJSON {
		status, data = http.StatusBadRequest, nil
	}
	*buffer = wire.AppendResult(*buffer, data, errs)
	s.send(w, accepted, status, *buffer)
}

func (s *Server) refuse(w http.ResponseWriter, accepted media, r *rejection) {
	if accepted != responseJSON {
		accepted = plainJSON
	}
	buffer := takeBuffer()
	defer giveBuffer(buffer)
	*buffer = wire.AppendRefusal(*buffer, r.errorType, cmp.Or(r.code, codeOf(r.errorType)), r.message)
	// Without this header, Amplify reports every refusal as an unknown error.
	w.Header().Set("X-Amzn-Errortype", r.errorType)
	if r.code == keyInUse {
		w.Header().Set("Retry-After", "1")
	}
	s.send(w, accepted, r.status, *buffer)
}

// reject refuses a request whose body has not been read to its end.
func (s *Server) reject(w http.ResponseWriter, r *http.Request, accepted media, why *rejection) {
	s.refuse(w, accepted, why)
	if why.status != http.StatusRequestTimeout {
		pace.Drain(w, r)
	}
}

func (s *Server) send(w http.ResponseWriter, accepted media, status int, body []byte) {
	h := w.Header()
	h["Content-Type"] = contentTypes[accepted]
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	if _, err := w.Write(body); err != nil {
		s.config.Log.Debug("sending a response failed", slog.String("error", err.Error()))
	}
}

// header is h.Get for a canonical name.
func header(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// Header values are shared by all responses and never modified.
var (
	noStore = []string{"no-store"}
	noSniff = []string{"nosniff"}
)
