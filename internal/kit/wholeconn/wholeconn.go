// Package wholeconn sends HTTP answers in one piece.
//
// net/http sends what goes beyond its buffer of 4 KiB in several pieces. Each costs a
// system call, and wakes a client up that waits for all of it. A handler that knows the
// length of its answer announces it, and the connection holds back what net/http sends
// until that much is there.
package wholeconn

import (
	"bytes"
	"context"
	"net"
	"sync"
)

// Answers with a body of this many bytes are sent in one piece. Smaller ones are so
// anyway, and for larger ones a few pieces more are little beside the rest.
const (
	least = 3 << 10
	most  = 60 << 10
	// room is what an answer of that size may need with its header.
	room = most + 4<<10
)

// Listener accepts connections that send announced answers in one piece.
type Listener struct{ net.Listener }

func (l Listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

// conn is written to by one goroutine at a time, as net/http does.
type conn struct {
	net.Conn
	// body is the length of the announced answer's body, or 0.
	body int
	held *[]byte
}

type connKey struct{}

// Context is the ConnContext of an http.Server that serves a [Listener].
func Context(ctx context.Context, c net.Conn) context.Context {
	if whole, ok := c.(*conn); ok {
		return context.WithValue(ctx, connKey{}, whole)
	}
	return ctx
}

// Announce tells the connection of a request, whose context ctx is, that the next thing
// to be sent is an answer with a body of this length. Other connections do not mind.
func Announce(ctx context.Context, body int) {
	if body < least || body > most {
		return
	}
	if c, ok := ctx.Value(connKey{}).(*conn); ok {
		c.body = body
	}
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Write holds an announced answer back until it is there to its end.
func (c *conn) Write(p []byte) (int, error) {
	if c.body == 0 {
		return c.Conn.Write(p)
	}
	if c.held == nil {
		c.held = buffers.Get().(*[]byte)
	}
	*c.held = append(*c.held, p...)
	header := bytes.Index(*c.held, []byte("\r\n\r\n"))
	if header < 0 || len(*c.held) < header+4+c.body {
		return len(p), nil
	}
	_, err := c.Conn.Write(*c.held)
	if cap(*c.held) <= room {
		*c.held = (*c.held)[:0]
		buffers.Put(c.held)
	}
	c.body, c.held = 0, nil
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// CloseWrite is what net/http ends connections with whose client still sends.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
