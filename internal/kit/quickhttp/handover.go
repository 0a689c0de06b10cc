package quickhttp

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"

	"github.com/valyala/fasthttp"
)

// isShort reports whether a request is one that is answered quickly. Where fasthttp and
// net/http differ on how a request is framed or may be refused, it is not.
func isShort(h *fasthttp.RequestHeader) bool {
	return h.IsPost() &&
		(h.IsHTTP11() && len(h.Host()) > 0 || string(h.Protocol()) == "HTTP/1.0") &&
		h.ContentLength() != chunked &&
		len(h.Peek(fasthttp.HeaderExpect)) == 0 &&
		len(h.Peek(fasthttp.HeaderUpgrade)) == 0 &&
		!slices.ContainsFunc(h.PeekAll(fasthttp.HeaderAccept), namesStream)
}

// chunked is the length by which fasthttp tells of chunks.
const chunked = -1

// namesStream reports whether text/event-stream is among media types.
func namesStream(accept []byte) bool {
	const subtype = "event-stream"
	for {
		_, after, found := bytes.Cut(accept, []byte("/"))
		if !found {
			return false
		}
		if len(after) >= len(subtype) && bytes.EqualFold(after[:len(subtype)], []byte(subtype)) {
			return true
		}
		accept = after
	}
}

// leaveLong keeps fasthttp from reading the body of a request that is not short: it is
// left to net/http. Of the header, that gets what was sent.
func leaveLong(h *fasthttp.RequestHeader) (unchanged fasthttp.RequestConfig) {
	if !isShort(h) {
		h.SetContentLength(0)
		h.Set(fasthttp.HeaderExpect, leftMark)
	}
	return unchanged
}

// isLeft reports whether a request was left to net/http. No short request expects
// anything.
func isLeft(h *fasthttp.RequestHeader) bool {
	return len(h.Peek(fasthttp.HeaderExpect)) > 0
}

const leftMark = "net/http"

// handOver lets the connection of a request go on over net/http, which reads the request
// anew.
func (s *Server) handOver(ctx *fasthttp.RequestCtx, c *conn) {
	request := appendHead(nil, &ctx.Request.Header)
	ctx.HijackSetNoResponse(true)
	ctx.Hijack(func(rest net.Conn) {
		// What the client sent behind the header was read already.
		c.dry = true
		behind, _ := io.ReadAll(rest)
		s.handed.give(&handed{Conn: c.Conn, ahead: append(request, behind...), from: c})
	})
}

// appendHead appends what was sent before the body.
func appendHead(dst []byte, h *fasthttp.RequestHeader) []byte {
	dst = append(append(dst, h.Method()...), ' ')
	dst = append(append(dst, h.RequestURI()...), ' ')
	dst = append(append(dst, h.Protocol()...), "\r\n"...)
	if len(h.RawHeaders()) == 0 {
		return append(dst, "\r\n"...)
	}
	return append(dst, h.RawHeaders()...)
}

// handed is a connection as net/http sees it.
type handed struct {
	net.Conn
	ahead []byte // is read before what comes from the client
	from  *conn
}

func (c *handed) Read(p []byte) (int, error) {
	if len(c.ahead) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.ahead)
	if c.ahead = c.ahead[n:]; len(c.ahead) == 0 {
		c.ahead = nil
	}
	return n, nil
}

func (c *handed) Close() error {
	c.from.server.forget(c.from)
	return c.Conn.Close()
}

// streamState is told by net/http what state a connection is in. The first request is
// waited for as if it were a quick one: while it shuts down, net/http drops requests that
// it has only just read.
func streamState(nc net.Conn, state http.ConnState) {
	switch state {
	case http.StateIdle, http.StateHijacked: // see Close for closed ones
		c := nc.(*handed).from
		c.server.forget(c)
	}
}

// CloseWrite lets net/http linger as conn does.
func (c *handed) CloseWrite() error { return closeWrite(c.Conn) }

// handedOver is a listener for connections that others accepted.
type handedOver struct {
	address net.Addr
	conns   chan net.Conn
	closed  chan struct{}
	closing sync.Once
}

func newHandedOver(address net.Addr) *handedOver {
	return &handedOver{address: address, conns: make(chan net.Conn), closed: make(chan struct{})}
}

// give passes a connection on, or closes it when nobody accepts any more.
func (h *handedOver) give(c net.Conn) {
	select {
	case h.conns <- c:
	case <-h.closed:
		c.Close()
	}
}

func (h *handedOver) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

func (h *handedOver) Close() error {
	h.closing.Do(func() { close(h.closed) })
	return nil
}

func (h *handedOver) Addr() net.Addr { return h.address }
