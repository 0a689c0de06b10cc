package server

import (
	"bytes"
	"context"
	"net"
)

// Answers of this size are sent in one piece: net/http sends what goes beyond its
// buffer of 4 KiB in several, and each costs a system call here and wakes the client
// up. For larger ones that is little beside the rest.
const (
	minWhole = 3 << 10
	maxWhole = maxPooledBuffer - 4<<10
)

// wholeListener accepts connections that send announced answers in one piece.
type wholeListener struct{ net.Listener }

func (l wholeListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &wholeConn{Conn: c}, nil
}

// wholeConn is written to by one goroutine at a time, as net/http does.
type wholeConn struct {
	net.Conn
	// body is the length of the announced answer's body, or 0.
	body int
	held *[]byte
}

type connKey struct{}

// withConn is for http.Server.ConnContext.
func withConn(ctx context.Context, c net.Conn) context.Context {
	if whole, ok := c.(*wholeConn); ok {
		return context.WithValue(ctx, connKey{}, whole)
	}
	return ctx
}

// announce tells the connection of a request, whose context ctx is, that the next thing
// to be sent is an answer with a body of this length.
func announce(ctx context.Context, body int) {
	if body < minWhole || body > maxWhole {
		return
	}
	if c, ok := ctx.Value(connKey{}).(*wholeConn); ok {
		c.body = body
	}
}

// Write holds an announced answer back until it is there to its end.
func (c *wholeConn) Write(p []byte) (int, error) {
	if c.body == 0 {
		return c.Conn.Write(p)
	}
	if c.held == nil {
		c.held = takeBuffer()
	}
	*c.held = append(*c.held, p...)
	header := bytes.Index(*c.held, []byte("\r\n\r\n"))
	if header < 0 || len(*c.held) < header+4+c.body {
		return len(p), nil
	}
	_, err := c.Conn.Write(*c.held)
	giveBuffer(c.held)
	c.body, c.held = 0, nil
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// CloseWrite is what net/http ends connections with whose client still sends.
func (c *wholeConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
