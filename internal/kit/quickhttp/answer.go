package quickhttp

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/valyala/fasthttp"
)

// answer answers a request that was read to its end.
func (s *Server) answer(ctx *fasthttp.RequestCtx) {
	c := ctx.Conn().(*conn)
	if isLeft(&ctx.Request.Header) {
		s.handOver(ctx, c)
		return
	}
	c.work = ctx
	body := ctx.Request.Body()
	s.call(ctx, c, int64(len(body)), body, nil)
	if s.closed.Load() {
		ctx.SetConnectionClose()
	}
}

// call lets the handler answer. Reading the body fails with failure, if that is not nil,
// at its end.
func (s *Server) call(ctx *fasthttp.RequestCtx, c *conn, length int64, body []byte, failure error) {
	c.answering, c.unsent = true, true
	x := exchanges.Get().(*exchange)
	defer s.recover(ctx, c)
	if err := x.open(ctx, c, length, body, failure); err != nil {
		refuse(ctx, http.StatusBadRequest, err.Error())
		ctx.SetConnectionClose()
		return
	}
	if saysClose(x.request.Header["Connection"]) {
		ctx.SetConnectionClose()
	}
	s.Handler.ServeHTTP(&x.out, &x.request)
	x.out.finish()
	x.close() // one that panicked may still be in use
}

// recover answers a request whose handler panicked.
func (s *Server) recover(ctx *fasthttp.RequestCtx, c *conn) {
	reason := recover()
	if reason == nil {
		return
	}
	if reason != http.ErrAbortHandler {
		s.logPanic("a handler panicked", reason, slog.String("path", string(ctx.Path())))
	}
	ctx.Response.Reset()
	refuse(ctx, http.StatusInternalServerError, http.StatusText(http.StatusInternalServerError))
	ctx.SetConnectionClose()
}

// protect calls f and reports whether that panicked.
func (s *Server) protect(f func()) (panicked bool) {
	defer func() {
		if reason := recover(); reason != nil {
			panicked = true
			s.logPanic("serving a connection panicked", reason)
		}
	}()
	f()
	return false
}

func (s *Server) logPanic(what string, reason any, more ...any) {
	s.Log.Error(what, append(more, slog.String("panic", fmt.Sprint(reason)), slog.String("stack", string(debug.Stack())))...)
}

// answerBroken answers what is no request, or one whose body is too long. The connection
// is closed afterwards.
func (s *Server) answerBroken(ctx *fasthttp.RequestCtx, err error) {
	c := ctx.Conn().(*conn)
	c.unread = true
	if s.Timeout > 0 { // the time to take the last answer may be over
		_ = c.SetWriteDeadline(time.Now().Add(s.Timeout)) // writing will fail too
	}
	var tooLong *fasthttp.ErrSmallBuffer
	var network net.Error
	switch {
	case errors.Is(err, fasthttp.ErrBodyTooLarge):
		s.call(ctx, c, int64(ctx.Request.Header.ContentLength()), nil, &http.MaxBytesError{Limit: int64(s.MaxBody)})
	case errors.As(err, &tooLong):
		refuse(ctx, http.StatusRequestHeaderFieldsTooLarge, fmt.Sprintf("the header is longer than %d bytes", maxHeader))
	case errors.As(err, &network) && network.Timeout():
		refuse(ctx, http.StatusRequestTimeout, "the request took too long to arrive")
	default:
		refuse(ctx, http.StatusBadRequest, "this is no HTTP request")
	}
}

func refuse(ctx *fasthttp.RequestCtx, status int, text string) {
	ctx.Response.Header.SetContentType("text/plain; charset=utf-8")
	ctx.SetStatusCode(status)
	ctx.SetBodyString(text + "\n")
}

// AfterSent calls f when the answer that is made with w is sent, or cannot be. Over
// net/http it sends the answer now.
func AfterSent(w http.ResponseWriter, f func()) {
	for inner := w; inner != nil; {
		switch v := inner.(type) {
		case *writer:
			v.conn.sent = append(v.conn.sent, f)
			return
		case interface{ Unwrap() http.ResponseWriter }:
			inner = v.Unwrap()
		default:
			inner = nil
		}
	}
	defer f()
	_ = http.NewResponseController(w).Flush() // the client has gone: there is nobody to tell
}
