package quickhttp

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// conn is a connection to a client.
type conn struct {
	net.Conn
	remote string
	server *Server

	// work is what requests of the connection are served with, nil before the first.
	work *fasthttp.RequestCtx
	// busy says that the client has sent at least a part of what is to be answered.
	busy atomic.Bool

	// dry lets reading end here: the reader above has all that it will get.
	dry bool
	// unread tells that the client may still be sending what nobody will read.
	unread bool

	// body is the length of the body of the answer that is being sent, and held what
	// was held back of it; see Write.
	body int
	held *[]byte
	// answering says that a request is being answered, and unsent that nothing was
	// written since that began: an answer waits for others to a client that sends
	// requests without waiting.
	answering, unsent bool
	// sent are called when the answer is sent, or cannot be.
	sent []func()

	readBy, writeBy time.Time
}

// Answers with a body of leastHeld to mostHeld bytes are held back until all of them is
// there: writing it in pieces would cost system calls, and wake up a client that waits for all
// of it. Smaller ones come in one piece anyway, and for larger ones a few pieces more
// are little beside the rest.
const (
	leastHeld = 3 << 10
	mostHeld  = 60 << 10
	heldRoom  = mostHeld + 4<<10 // for the header too
)

var heldBuffers = sync.Pool{New: func() any { return new([]byte) }}

// begin announces an answer with a body of that many bytes.
func (c *conn) begin(body int) {
	if body >= leastHeld && body <= mostHeld {
		c.body = body
	}
}

func (c *conn) Read(p []byte) (int, error) {
	if c.dry {
		return 0, io.EOF
	}
	n, err := c.Conn.Read(p)
	if n > 0 && !c.busy.Load() {
		c.busy.Store(true)
	}
	return n, err
}

// connState is told by fasthttp what state a connection is in.
func connState(nc net.Conn, state fasthttp.ConnState) {
	switch c := nc.(*conn); state {
	case fasthttp.StateActive:
		if c.work != nil { // the first one is not read yet, others may have been with the last
			c.busy.Store(true)
		}
	case fasthttp.StateIdle:
		c.work.Request.ReleaseBody(maxKept)
		c.work.Response.ReleaseBody(maxKept)
		c.answering = false
		if c.unsent { // until the next request is read
			return
		}
		c.wasSent()
		c.busy.Store(false)
		if c.server.closed.Load() {
			c.Close()
		}
	}
}

// Write sends p, or holds it back until the answer is there to its end.
func (c *conn) Write(p []byte) (int, error) {
	if c.body == 0 {
		return c.write(p)
	}
	if c.held == nil {
		c.held = heldBuffers.Get().(*[]byte)
	}
	*c.held = append(*c.held, p...)
	header := bytes.Index(*c.held, []byte("\r\n\r\n"))
	if header < 0 || len(*c.held) < header+4+c.body {
		return len(p), nil
	}
	_, err := c.write(*c.held)
	c.drop()
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func (c *conn) write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.unsent = false
	if !c.answering {
		c.wasSent()
	}
	return n, err
}

func (c *conn) drop() {
	if c.held != nil && cap(*c.held) <= heldRoom {
		*c.held = (*c.held)[:0]
		heldBuffers.Put(c.held)
	}
	c.body, c.held = 0, nil
}

// wasSent calls what waits for the answer to be sent.
func (c *conn) wasSent() {
	sent := c.sent
	c.sent = nil
	for _, f := range sent {
		c.server.protect(f)
	}
}

// deadlineStep is how much a deadline has to move to be set anew: each setting costs
// about as much as parsing a header.
const deadlineStep = time.Second

func (c *conn) SetReadDeadline(t time.Time) error {
	if isNear(c.readBy, t) {
		return nil
	}
	c.readBy = t
	return c.Conn.SetReadDeadline(t)
}

func (c *conn) SetWriteDeadline(t time.Time) error {
	if isNear(c.writeBy, t) {
		return nil
	}
	c.writeBy = t
	return c.Conn.SetWriteDeadline(t)
}

func (c *conn) SetDeadline(t time.Time) error {
	c.readBy, c.writeBy = t, t
	return c.Conn.SetDeadline(t)
}

// isNear reports whether a deadline is so little before t that it will do.
func isNear(set, t time.Time) bool {
	moved := t.Sub(set)
	return moved >= 0 && moved < deadlineStep && !set.IsZero()
}

// The client of an answer that was sent before the request was read would lose it with
// the connection, if that were closed at once. It is given lingerTime to take the answer
// and to stop sending.
const lingerTime = 500 * time.Millisecond

// Close ends the connection, when nothing more will be written. Only what serves the
// connection may call it; others close c.Conn.
func (c *conn) Close() error {
	c.wasSent()
	if c.unread {
		c.unread = false
		c.linger()
	}
	err := c.Conn.Close()
	c.server.forget(c)
	return err
}

func (c *conn) linger() {
	if closeWrite(c.Conn) != nil || c.Conn.SetReadDeadline(time.Now().Add(lingerTime)) != nil {
		return
	}
	_, _ = io.Copy(io.Discard, c.Conn) // until the deadline, or until the client closes
}

// closeWrite tells the client that nothing more will come.
func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
