package quickhttp

import (
	"bytes"
	"io"
	"net"
	"strconv"
	"sync"

	"github.com/valyala/fasthttp"
)

// isShort reports whether a request is one that is answered quickly.
func isShort(r *fasthttp.RequestHeader) bool {
	return r.IsPost() && len(r.Peek(fasthttp.HeaderUpgrade)) == 0 &&
		!bytes.Contains(r.Peek(fasthttp.HeaderAccept), []byte("text/event-stream"))
}

// handOver lets the connection of a request go on over net/http, which reads the request
// anew.
func (s *Server) handOver(ctx *fasthttp.RequestCtx, c *conn) {
	request := appendRequest(nil, &ctx.Request)
	ctx.HijackSetNoResponse(true)
	ctx.Hijack(func(rest net.Conn) {
		// What the client sent behind the request was read already.
		c.dry = true
		behind, _ := io.ReadAll(rest)
		c.dry = false
		c.ahead = append(request, behind...)
		s.forget(c)
		s.handed.give(c)
	})
}

// appendRequest appends r as it was sent, but its body in one piece.
func appendRequest(dst []byte, r *fasthttp.Request) []byte {
	h := &r.Header
	dst = append(dst, h.Method()...)
	dst = append(dst, ' ')
	dst = append(dst, h.RequestURI()...)
	dst = append(dst, ' ')
	dst = append(dst, h.Protocol()...)
	dst = append(dst, "\r\n"...)
	for name, value := range h.AllInOrder() {
		switch string(name) {
		case fasthttp.HeaderContentLength, fasthttp.HeaderTransferEncoding, fasthttp.HeaderExpect, fasthttp.HeaderTrailer:
			continue
		}
		dst = append(append(append(append(dst, name...), ": "...), value...), "\r\n"...)
	}
	body := r.Body()
	if len(body) > 0 {
		dst = append(dst, "Content-Length: "...)
		dst = append(strconv.AppendInt(dst, int64(len(body)), 10), "\r\n"...)
	}
	return append(append(dst, "\r\n"...), body...)
}

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
