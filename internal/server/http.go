package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/after"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
)

// Error types of requests that are turned away before their document is read.
const (
	malformed = "MalformedHttpRequestException"
	limited   = "LimitExceededError"
	faulty    = "ServerError"
)

// rejection is an answer to a request whose document was not looked at.
type rejection struct {
	status             int
	errorType, message string
}

var internalRejection = &rejection{http.StatusInternalServerError, faulty, "ServerError: Internal server error"}

// Errors of documents that are fine but not here and now.
var (
	errNeedsStream = wire.NewError("UnsupportedOperation", "SUBSCRIPTION_NEEDS_STREAM",
		"subscriptions need a WebSocket (graphql-transport-ws) or `Accept: text/event-stream`")
	errRateLimited = wire.NewError(limited, "RATE_LIMITED", "Rate limit exceeded")
)

// graphql answers one request on the GraphQL path, whatever its transport.
func (e *endpoint) graphql(w http.ResponseWriter, r *http.Request) {
	if isUpgrade(r) {
		e.webSocket(w, r)
		return
	}
	accepted := negotiate(r.Header["Accept"])
	if refused := wellFormed(w, r, accepted); refused != nil {
		e.refuse(w, accepted, refused)
		return
	}
	ctx, refused := e.caller(w, r)
	stranger := refused
	if refused != nil && (e.Public == nil || refused.status != http.StatusUnauthorized) {
		e.refuse(w, accepted, refused)
		return
	}
	request, refused := e.read(w, r)
	if refused != nil {
		e.refuse(w, accepted, refused)
		return
	}
	op, errs := e.executor.Prepare(ctx, request)
	if stranger != nil && (errs != nil || !e.servesStrangers(r, op)) {
		e.refuse(w, accepted, stranger)
		return
	}
	if errs == nil && op.Kind() == ast.Mutation && r.Method == http.MethodGet {
		w.Header().Set("Allow", http.MethodPost)
		e.refuse(w, accepted, &rejection{http.StatusMethodNotAllowed, malformed, "mutations must be sent by POST"})
		return
	}
	if errs == nil && op.Kind() == ast.Subscription && accepted != eventStream {
		errs = gqlerror.List{errNeedsStream}
	}
	switch {
	case accepted == eventStream:
		e.stream(ctx, w, r, op, errs)
	case errs != nil:
		e.answerErrors(w, accepted, errs)
	default:
		e.answer(ctx, w, accepted, op)
	}
}

// wellFormed returns why a request is rejected for any caller, before its body is read.
func wellFormed(w http.ResponseWriter, r *http.Request, accepted media) *rejection {
	switch {
	case r.Method != http.MethodPost && r.Method != http.MethodGet:
		w.Header().Set("Allow", "GET, POST")
		return &rejection{http.StatusMethodNotAllowed, malformed, "GraphQL is served by POST and GET"}
	case accepted == unacceptable:
		return &rejection{http.StatusNotAcceptable, malformed,
			"none of the accepted media types is served: accept application/graphql-response+json, application/json or text/event-stream"}
	case r.Method == http.MethodPost && (!sendsJSON(header(r.Header, "Content-Type")) || header(r.Header, "Content-Encoding") != ""):
		return &rejection{http.StatusUnsupportedMediaType, malformed,
			"send the request as `Content-Type: application/json`, in UTF-8 and without Content-Encoding"}
	}
	return nil
}

// servesStrangers reports whether an operation of public fields is served to a caller whose
// credentials are refused. With none it is. Bad ones matter to a query, which might have
// shown more with good ones, but not to a mutation: it is how new ones are got.
func (e *endpoint) servesStrangers(r *http.Request, op *operation.Operation) bool {
	return op.Every(e.Public) && (op.Kind() == ast.Mutation || header(r.Header, "Authorization") == "")
}

// caller returns a context with the sender of a request, or why the request is rejected.
func (e *endpoint) caller(w http.ResponseWriter, r *http.Request) (context.Context, *rejection) {
	ctx, err := e.identify(r.Context(), func(name string) string { return header(r.Header, name) })
	key := userKey(ctx)
	if err != nil {
		key = "address " + addressOf(r)
	}
	if wait := e.limiter.Take(key, e.config.Rate); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(ratelimit.Seconds(wait)))
		return ctx, &rejection{http.StatusTooManyRequests, limited, "Rate limit exceeded"}
	}
	if err != nil {
		return ctx, rejectionOf(err)
	}
	return ctx, nil
}

// userKey is what the operations of a user are counted by, whatever they travel on.
func userKey(ctx context.Context) string { return "user " + string(viewer.From(ctx).UserID) }

func rejectionOf(err error) *rejection {
	var denied *refusal.Error
	if errors.As(err, &denied) {
		return &rejection{http.StatusUnauthorized, unauthorized, denied.Text}
	}
	return internalRejection
}

func (e *endpoint) read(w http.ResponseWriter, r *http.Request) (*wire.Request, *rejection) {
	var request wire.Request
	var err error
	if r.Method == http.MethodGet {
		request, err = wire.RequestFromURL(r.URL.Query())
	} else {
		body, refused := e.readBody(w, r, e.BodyBytes)
		defer body.release()
		if refused != nil {
			return nil, refused
		}
		request, err = wire.DecodeRequest(*body.text)
	}
	if err != nil {
		return nil, &rejection{http.StatusBadRequest, malformed, err.Error()}
	}
	return &request, nil
}

// answer runs a query or mutation and writes its result. What a mutation postponed
// happens once the client has been sent its answer, whether or not that worked.
func (s *Server) answer(ctx context.Context, w http.ResponseWriter, accepted media, op *operation.Operation) {
	buffer := takeBuffer()
	defer giveBuffer(buffer)
	if op.Kind() != ast.Mutation {
		*buffer = op.Append(ctx, *buffer)
		s.send(w, accepted, http.StatusOK, *buffer)
		return
	}
	// What a mutation has begun it finishes, also for a client that hangs up.
	ctx, finish := after.Scope(context.WithoutCancel(ctx))
	defer s.postponed.release(finish)
	*buffer = op.Append(ctx, *buffer)
	s.send(w, accepted, http.StatusOK, *buffer)
	_ = http.NewResponseController(w).Flush() // fails for a client that has gone
}

// answerErrors writes errors that came before execution. Older clients want 200 and
// an explicit null; GraphQL's own media type leaves data out.
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
	*buffer = wire.AppendRefusal(*buffer, r.errorType, r.message)
	// Without it Amplify calls every refusal an unknown error.
	w.Header().Set("X-Amzn-Errortype", r.errorType)
	s.send(w, accepted, r.status, *buffer)
}

func (s *Server) send(w http.ResponseWriter, accepted media, status int, body []byte) {
	h := w.Header()
	h["Content-Type"] = contentTypes[accepted]
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	if _, err := w.Write(body); err != nil {
		s.config.Log.Debug("answer was not taken", slog.String("error", err.Error()))
	}
}

// header is h.Get of a name in the form in which headers are kept.
func header(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// Header values are shared by all answers and never written to.
var (
	noStore = []string{"no-store"}
	noSniff = []string{"nosniff"}
)
