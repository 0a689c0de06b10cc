package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/after"
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
func (s *Server) graphql(w http.ResponseWriter, r *http.Request) {
	if isUpgrade(r) {
		s.webSocket(w, r)
		return
	}
	accepted := negotiate(r.Header["Accept"])
	request, ctx, refused := s.receive(w, r, accepted)
	if refused != nil {
		s.refuse(w, accepted, refused)
		return
	}
	op, errs := s.executor.Prepare(ctx, request)
	switch {
	case errs != nil:
	case op.Kind() == ast.Mutation && r.Method == http.MethodGet:
		w.Header().Set("Allow", http.MethodPost)
		s.refuse(w, accepted, &rejection{http.StatusMethodNotAllowed, malformed, "mutations must be sent by POST"})
		return
	case op.Kind() == ast.Subscription && accepted != eventStream:
		errs = gqlerror.List{errNeedsStream}
	}
	switch {
	case accepted == eventStream:
		s.stream(ctx, w, op, errs)
	case errs != nil:
		s.answerErrors(w, accepted, errs)
	default:
		s.answer(ctx, w, accepted, op)
	}
}

// receive reads a request and says who sent it, or why it is turned away.
func (s *Server) receive(w http.ResponseWriter, r *http.Request, accepted media) (*wire.Request, context.Context, *rejection) {
	if r.Method != http.MethodPost && r.Method != http.MethodGet {
		w.Header().Set("Allow", "GET, POST")
		return nil, nil, &rejection{http.StatusMethodNotAllowed, malformed, "GraphQL is served by POST and GET"}
	}
	if accepted == unacceptable {
		return nil, nil, &rejection{http.StatusNotAcceptable, malformed,
			"none of the accepted media types is served: accept application/graphql-response+json, application/json or text/event-stream"}
	}
	if r.Method == http.MethodPost {
		if !sendsJSON(header(r.Header, "Content-Type")) || header(r.Header, "Content-Encoding") != "" {
			return nil, nil, &rejection{http.StatusUnsupportedMediaType, malformed,
				"send the request as `Content-Type: application/json`, in UTF-8 and without Content-Encoding"}
		}
	}
	ctx, err := s.identify(r.Context(), func(name string) string { return header(r.Header, name) })
	if err != nil {
		return nil, nil, rejectionOf(err)
	}
	if wait := s.admit(ctx); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
		return nil, nil, &rejection{http.StatusTooManyRequests, limited, "Rate limit exceeded"}
	}
	request, refused := s.read(w, r)
	return request, ctx, refused
}

func rejectionOf(err error) *rejection {
	var denied *refusal.Error
	if errors.As(err, &denied) {
		return &rejection{http.StatusUnauthorized, unauthorized, denied.Text}
	}
	return internalRejection
}

func (s *Server) admit(ctx context.Context) time.Duration {
	if s.config.Admit == nil {
		return 0
	}
	return s.config.Admit(ctx, viewer.From(ctx))
}

func (s *Server) read(w http.ResponseWriter, r *http.Request) (*wire.Request, *rejection) {
	var request wire.Request
	var err error
	if r.Method == http.MethodGet {
		request, err = wire.RequestFromURL(r.URL.Query())
	} else {
		buffer := takeBuffer()
		defer giveBuffer(buffer)
		var refused *rejection
		if *buffer, refused = s.readBody(w, r, *buffer); refused != nil {
			return nil, refused
		}
		request, err = wire.DecodeRequest(*buffer)
	}
	if err != nil {
		return nil, &rejection{http.StatusBadRequest, malformed, err.Error()}
	}
	return &request, nil
}

// readBody appends the body to dst.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, dst []byte) ([]byte, *rejection) {
	limit := s.config.Limits.BodyBytes
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close")
		return dst, tooLarge(limit)
	}
	body := io.Reader(r.Body)
	if r.ContentLength < 0 {
		body = http.MaxBytesReader(w, r.Body, limit)
	}
	for {
		if len(dst) == cap(dst) {
			dst = append(dst, 0)[:len(dst)]
		}
		n, err := body.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		switch err {
		case nil:
		case io.EOF:
			return dst, nil
		default:
			return dst, rejectionOfBody(err, limit)
		}
	}
}

func rejectionOfBody(err error, limit int64) *rejection {
	var exceeded *http.MaxBytesError
	if errors.As(err, &exceeded) {
		return tooLarge(limit)
	}
	return &rejection{http.StatusBadRequest, malformed, "the request body ended early"}
}

func tooLarge(limit int64) *rejection {
	return &rejection{http.StatusRequestEntityTooLarge, malformed,
		"the request body is larger than " + strconv.FormatInt(limit, 10) + " bytes"}
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
