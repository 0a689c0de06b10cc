package server

import (
	"bufio"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"stoa/internal/kit/trace"
)

// traceParent is the header by which a trace continues here.
const traceParent = "Traceparent"

// traced begins a trace for each request, or continues that of the caller. Connections that
// stay open are no step of one: each of their operations begins its own.
func (s *Server) traced(next http.Handler) http.Handler {
	if s.config.Tracer == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(untraced, r.URL.Path) || header(r.Header, "Upgrade") != "" || strings.Contains(header(r.Header, "Accept"), "text/event-stream") {
			next.ServeHTTP(w, r)
			return
		}
		method := methodOf(r)
		ctx, span := s.config.Tracer.Continue(r.Context(), header(r.Header, traceParent), trace.Served, method, "")
		if ctx == r.Context() {
			ctx, span = s.config.Tracer.Begin(ctx, trace.Served, method, "")
		}
		if span == nil {
			next.ServeHTTP(w, r.WithContext(ctx))
			return
		}
		defer span.End()
		r = r.WithContext(ctx)
		answer := &tracedAnswer{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(answer, r)
		if _, path, found := strings.Cut(r.Pattern, "/"); found { // of the routes, not of the client
			span.Rename(method + " /" + path)
			span.Set("http.route", "/"+path)
		}
		span.Set("http.request.method", method)
		span.Set("stoa.request.id", w.Header().Get("X-Request-Id"))
		span.SetInt("http.response.status_code", answer.status)
		if answer.status >= http.StatusInternalServerError {
			span.Fail(http.StatusText(answer.status))
		}
	})
}

// untraced are asked every few seconds, by machines.
var untraced = []string{"/livez", "/readyz", "/metrics"}

// methodOf returns the method of a request, as far as it is a known one.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return r.Method
	}
	return "_OTHER"
}

// tracedAnswer notes the status of a response.
type tracedAnswer struct {
	http.ResponseWriter
	status int
}

func (a *tracedAnswer) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

func (a *tracedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *tracedAnswer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(a.ResponseWriter).Hijack()
}

// untrusted drops the place in a trace that a client names: it would decide what is traced.
// Only a trusted proxy does.
func (s *Server) untrusted(next http.Handler) http.Handler {
	if s.config.Tracer == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if peer, err := netip.ParseAddrPort(r.RemoteAddr); err != nil || !s.proxies.trust(peer.Addr().Unmap()) {
			r.Header.Del(traceParent)
		}
		next.ServeHTTP(w, r)
	})
}
