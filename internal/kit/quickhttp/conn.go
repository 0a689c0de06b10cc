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

	// work is what requests of the connection are served with.
	work *fasthttp.RequestCtx
	// busy says that the client has sent at least a part of what is to be answered.
	busy atomic.Bool

	// ahead is read before what comes from the client.
	ahead []byte
	// dry lets reading end here: the reader above has all that it will get.
	dry bool
	// unread tells that the client may still be sending what nobody will read.
	unread bool

	// body is the length of the body of the answer that is being sent, and held what
	// was held back of it; see Write.
	body int
	held *[]byte
	// sent are called when the answer is sent, or cannot be.
	sent []func()

	readBy, writeBy time.Time
	closing         sync.Once
}

// Answers with a body of this many bytes are held back until all of them is there:
// writing it in pieces would cost system calls, and wake up a client that waits for all
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
	if len(c.ahead) > 0 {
		n := copy(p, c.ahead)
		if c.ahead = c.ahead[n:]; len(c.ahead) == 0 {
			c.ahead = nil
		}
		return n, nil
	}
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
	if c := nc.(*conn); state == fasthttp.StateIdle {
		c.work.Request.ReleaseBody(maxKept)
		c.work.Response.ReleaseBody(maxKept)
		c.busy.Store(false)
		if c.server.closed.Load() {
			c.Close()
		}
	}
}

// closeIdle closes the connection unless the client waits for an answer.
func (c *conn) closeIdle() {
	if !c.busy.Load() {
		c.Close()
	}
}

// Write sends p, or holds it back until the answer is there to its end.
func (c *conn) Write(p []byte) (int, error) {
	if c.body == 0 {
		n, err := c.Conn.Write(p)
		c.wasSent()
		return n, err
	}
	if c.held == nil {
		c.held = heldBuffers.Get().(*[]byte)
	}
	*c.held = append(*c.held, p...)
	header := bytes.Index(*c.held, []byte("\r\n\r\n"))
	if header < 0 || len(*c.held) < header+4+c.body {
		return len(p), nil
	}
	_, err := c.Conn.Write(*c.held)
	c.drop()
	c.wasSent()
	if err != nil {
		return 0, err
	}
	return len(p), nil
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
		f()
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

// Close closes the connection, after what waits for an answer to be sent was called.
func (c *conn) Close() (err error) {
	c.closing.Do(func() {
		c.server.forget(c)
		if c.unread {
			c.linger()
		}
		err = c.Conn.Close()
		c.wasSent()
	})
	return err
}

func (c *conn) linger() {
	if c.CloseWrite() != nil || c.Conn.SetReadDeadline(time.Now().Add(lingerTime)) != nil {
		return
	}
	_, _ = io.Copy(io.Discard, c.Conn) // until the deadline, or until the client closes
}

// CloseWrite tells the client that nothing more will come.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
